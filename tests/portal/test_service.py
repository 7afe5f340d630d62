"""The systemd unit: what it says for every version and path, and clear words where there is no systemd."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from portal.cli.outcome import FAILED, Failure
from portal.cli.service import OURS, unit_path, unit_text

Installation = Any  # tests/portal/conftest.py


def read(text: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser


def test_the_unit_delegates_and_ends_its_daemon() -> None:
    unit = read(unit_text(254, "/opt/s/.venv/bin/python", {}))
    service = unit["Service"]
    assert service["ExecStart"] == "/opt/s/.venv/bin/python -P -m portal.serve"
    assert (service["Delegate"], service["DelegateSubgroup"]) == ("memory pids", "daemon")
    assert unit["Install"]["WantedBy"] == "default.target"
    assert "Environment" not in service
    assert unit_text(254).startswith(OURS)


def test_it_keeps_where_steward_lives_and_quotes_what_systemd_would_expand() -> None:
    unit = read(unit_text(254, '/opt/my "50%" $s/python', {"STEWARD_HOME": "/srv/a b", "SECRET": "x"}))
    assert unit["Service"]["ExecStart"] == r'"/opt/my \"50%%\" $$s/python" -P -m portal.serve'
    assert unit["Service"]["Environment"] == '"STEWARD_HOME=/srv/a b"'
    assert "SECRET" not in unit_text(254, "/p", {"SECRET": "x"})


def test_a_path_that_would_begin_another_setting_is_refused() -> None:
    with pytest.raises(Failure) as caught:
        unit_text(254, "/opt/x\nExecStartPre=/bin/evil", {})
    assert caught.value.code == "service.path"


def test_before_254_a_line_of_shell_moves_the_daemon_below_its_group(tmp_path: Path) -> None:
    """The line as systemd would run it, with folders of the test in the place of the control group."""
    start = read(unit_text(252, "/bin/echo", {}))["Service"]["ExecStart"]
    assert start.startswith("/bin/sh -c '")
    assert start.endswith("/bin/echo -P -m portal.serve")
    line = start.replace("$$", "$").replace("/proc/self/cgroup", str(tmp_path / "own"))
    (tmp_path / "own").write_text("0::/app.slice/steward.service\n")
    line = line.replace("/sys/fs/cgroup", str(tmp_path))
    (tmp_path / "app.slice" / "steward.service").mkdir(parents=True)
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "-P -m portal.serve\n"
    entered = (tmp_path / "app.slice" / "steward.service" / "daemon" / "cgroup.procs").read_text()
    assert int(entered) > 1


def test_the_unit_stands_where_systemd_looks() -> None:
    assert unit_path({"HOME": "/home/u"}) == Path("/home/u/.config/systemd/user/steward.service")
    assert unit_path({"HOME": "/home/u", "XDG_CONFIG_HOME": "/c"}) == Path("/c/systemd/user/steward.service")


def test_without_a_user_manager_it_says_so_and_writes_nothing(installation: Installation) -> None:
    nobody = {"XDG_RUNTIME_DIR": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
    done = installation.steward("service", "install", "--yes", env=nobody)
    assert done.code == FAILED
    assert "systemd" in done.err
    assert "./steward up" in done.err
    assert not (installation.home / ".config").exists()
    state = installation.steward("service", "status", "--json", env=nobody)
    assert (state.code, state.json["installed"]) == (0, False)
    assert "systemd" in state.json["problem"]
    said = installation.steward("service", "status", env=nobody).out
    assert said.startswith("The service is not installed. There is no systemd"), said


def systemctl(folder: Path) -> dict[str, str]:
    """A systemctl that answers, and keeps what it was asked: the machine of the test has no user manager."""
    place = folder / "bin"
    place.mkdir()
    (place / "systemctl").write_text(f'#!/bin/sh\necho "$@" >>{folder}/asked\necho "systemd 254 (254)"\n')
    (place / "systemctl").chmod(0o755)
    return {"PATH": f"{place}:{os.environ['PATH']}"}


def test_it_is_shown_first_then_written_and_taken_away(installation: Installation) -> None:
    env = systemctl(installation.root)
    unit = unit_path({"HOME": str(installation.home)})
    unasked = installation.steward("service", "install", env=env)
    assert unasked.code == 4
    assert "Delegate=memory pids" in unasked.err
    assert not unit.exists()
    assert installation.steward("service", "install", "--yes", env=env).code == 0
    assert unit.read_text().startswith(OURS)
    assert "enable --now steward.service" in (installation.root / "asked").read_text()
    assert installation.steward("service", "remove", env=env).code == 0
    assert not unit.exists()
    assert installation.steward("service", "remove", "--json", env=env).json["removed"] is False


def test_a_unit_that_somebody_else_wrote_is_left_alone(installation: Installation) -> None:
    env = systemctl(installation.root)
    unit = unit_path({"HOME": str(installation.home)})
    unit.parent.mkdir(parents=True)
    unit.write_text("[Service]\nExecStart=/bin/true\n")
    for words in (("install", "--yes"), ("remove",)):
        done = installation.steward("service", *words, env=env)
        assert (done.code, "not Steward's own" in done.err) == (FAILED, True)
    assert unit.read_text() == "[Service]\nExecStart=/bin/true\n"


def test_systemd_itself_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze: apt install systemd")
    for version in (252, 254):
        unit = tmp_path / "steward.service"
        unit.write_text(unit_text(version, "/bin/true", {}))
        done = subprocess.run(["systemd-analyze", "verify", "--user", str(unit)], capture_output=True, text=True,
                              check=False, env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)})  # fmt: skip
        known = [line for line in done.stderr.splitlines() if str(unit) in line and "DelegateSubgroup" not in line]
        assert known == [], done.stderr
