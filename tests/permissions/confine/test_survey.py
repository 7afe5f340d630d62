"""What the machine is said to have agrees with what cells really get, and every gap names its remedy."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

import permissions
from permissions.confine import Cells, cgroup, machine, machine_level, survey
from permissions.model import Level

HERE = Path(__file__).parent
NAMES = ["namespaces", "apparmor", "landlock", "seccomp", "cgroup", "overlay"]


def test_every_capability_has_words_and_every_gap_a_remedy() -> None:
    found = survey()
    assert [one.name for one in found] == NAMES
    assert all(one.state for one in found)
    assert all(one.ok or one.remedy for one in found)
    assert all("\n" not in one.remedy for one in found)


def test_what_it_says_of_control_groups_is_what_calls_get() -> None:
    groups = cgroup.find_groups()
    (said,) = (one for one in survey() if one.name == "cgroup")
    assert said.ok == bool(groups)
    assert (said.state == groups.words() and not said.remedy) if groups else said.remedy


def test_it_looks_once() -> None:
    first = survey()
    assert min(_took_s(first) for _ in range(5)) < 0.01


def _took_s(first: object) -> float:
    began = time.perf_counter()
    assert survey() is first
    return time.perf_counter() - began


@pytest.mark.sandbox
async def test_the_level_is_the_one_that_a_worker_finds() -> None:
    environment = {"PYTHONPATH": str(Path(permissions.__file__).parents[1])}
    cells = Cells([sys.executable, str(HERE / "probes.py")], environment=environment)
    try:
        assert await cells.start() is machine_level()
    finally:
        await cells.close()


@pytest.mark.sandbox
def test_denied_namespaces_are_seen_and_named() -> None:
    if machine_level() is not Level.L3:
        pytest.skip("namespaces are denied here already; the other tests of this file show it")
    show = "from permissions.confine import *; print(machine_level().value, *survey()[0:1])"
    command = [sys.executable, str(HERE / "become.py"), "--without-namespaces", sys.executable, "-c", show]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.startswith("L2 ")
    assert "ok=False" in said
    assert "sysctl -w user.max_user_namespaces" in said


@pytest.mark.sandbox
def test_a_daemon_that_is_killed_takes_its_cells_along(tmp_path: Path) -> None:
    """The daemon has no time to say goodbye: its end of the socket closes, and that is enough."""
    lock = tmp_path / "lock"
    daemon = f"""
import asyncio, json, sys
from permissions.confine import Cells
from permissions.model import CellSpec
async def main():
    cells = Cells([sys.executable, {str(HERE / "probes.py")!r}], environment={{"PYTHONPATH": sys.argv[1]}})
    request = json.dumps({{"act": "hold_lock", "arguments": {{"lock": {str(lock)!r}}}}}).encode()
    spec = CellSpec(write_paths=({str(tmp_path)!r},))
    await cells.call(spec, request, on_progress=lambda _: print("holding", flush=True))
asyncio.run(main())
"""
    command = [sys.executable, "-c", daemon, str(Path(permissions.__file__).parents[1])]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"holding\n"
        assert not _free(lock)
        process.kill()
    waited = subprocess.run(["flock", "--timeout", "10", str(lock), "true"], check=False)
    assert waited.returncode == 0, "the cell of a killed daemon lives on"


def _free(lock: Path) -> bool:
    return subprocess.run(["flock", "--nonblock", str(lock), "true"], check=False).returncode == 0


def test_a_worker_that_is_run_by_hand_says_so() -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "probes.py")], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "started by Steward" in done.stderr


def test_the_line_for_apparmor_fills_this_interpreter_into_the_shipped_profile(tmp_path: Path) -> None:
    """Everything of it but what needs root and AppArmor."""
    remedy = machine._apparmor_remedy()
    assert "\n" not in remedy
    fill, load = remedy.split(" | sudo tee ", 1)
    assert load == "/etc/apparmor.d/steward >/dev/null && sudo apparmor_parser -r /etc/apparmor.d/steward"
    profile = subprocess.run(["/bin/sh", "-c", fill], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    code = [line for line in profile.splitlines() if not line.startswith("#")]
    assert f"profile steward {Path(sys.executable).resolve()} flags=(unconfined) {{" in code
    assert "  userns," in code
    assert "@PROGRAM@" not in "".join(code)
