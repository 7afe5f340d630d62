"""What only a machine of version 2 alone can show; run there, by ``guest``, once in every situation."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from permissions.confine import cgroup

SITUATION = os.environ.get("STEWARD_VM", "")
ROOT = str(Path(cgroup.__file__).parents[2])
MIB = 1 << 20
JOB = "find the three largest files in ~/Downloads and save their names as a note called big files"
TOTAL = "what is the total amount in costs.csv"
delegated = pytest.mark.skipif(SITUATION == "session", reason="no group is delegated to a terminal")


class Home:
    """A home with large files in it, and a daemon of its own."""

    def __init__(self, top: Path) -> None:
        self.place = top / "home"
        for number, name in enumerate(("small.txt", "clip.mp4", "backup.zip", "disk.iso")):
            path = self.place / "Downloads" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bytes(number * MIB))
        (self.place / "costs.csv").write_text("item,amount\n" + "tea,2.80\n" * 60_000)
        self.environ = {**os.environ, "HOME": str(self.place), "STEWARD_HOME": str(top / "s"), "STEWARD_PORT": "0"}

    def steward(self, *words: str, code: int | None = 0) -> Any:
        """Run a command, and return the JSON that it says; any exit code is right where ``code`` is None."""
        command = [sys.executable, "-P", "-m", "portal.cli", *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=self.environ, cwd=ROOT)
        assert code is None or done.returncode == code, done
        return json.loads(done.stdout) if done.stdout else {}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    one = Home(tmp_path_factory.mktemp("house"))
    yield one
    one.steward("down")


def state(home: Home, name: str) -> dict[str, Any]:
    found: dict[str, Any] = home.steward("doctor", code=None)
    return next(one for one in found["capabilities"] if one["name"] == name)


def files(home: Home) -> dict[str, bytes]:
    return {str(path.relative_to(home.place)): path.read_bytes() for path in home.place.rglob("*") if path.is_file()}


@delegated
def test_the_group_is_the_one_of_the_service_and_of_version_2(home: Home) -> None:
    groups = cgroup.find_groups()
    assert (groups.memory, groups.pids) == (None, None)
    assert groups.unified is not None
    assert groups.unified.name == "steward.service"
    assert cgroup.read("/proc/self/cgroup").strip().endswith("/app.slice/steward.service/daemon")
    said = state(home, "cgroup")
    assert (said["ok"], said["state"]) == (True, "version 2, delegated: memory and processes are limited per call")


@pytest.mark.skipif(SITUATION != "session", reason="a group is delegated")
def test_without_a_group_it_is_said_with_what_would_help(home: Home) -> None:
    assert not cgroup.find_groups()
    said = state(home, "cgroup")
    assert not said["ok"]
    assert "limited per process, not per call" in said["state"]
    assert said["remedy"] == "./steward service install"


def test_the_job_of_the_readme_is_done_and_taken_back(home: Home) -> None:
    before = files(home)
    done = home.steward("ask", JOB, "--yes")
    assert done["resolution"] == "confirmed", done["answer"]
    assert done["effects"][-1]["path"].endswith("/Notes/big files.md")
    assert (home.place / "Notes" / "big files.md").read_text() == "disk.iso\nbackup.zip\nclip.mp4\n"
    assert state(home, "memory limits")["state"].startswith("learned for 2 tools") or SITUATION == "session"
    home.steward("undo", done["run"], "--yes")
    assert files(home) == before
    assert home.steward("ledger", "verify")["ok"]


def test_a_limit_that_is_met_is_asked_about_and_told_with_the_peak_and_the_command(home: Home) -> None:
    assert home.steward("ask", TOTAL, "--yes")["resolution"] == "confirmed", "the control"
    home.steward("perms", "limit", "data", "memory", "16MB")
    run = home.steward("ask", TOTAL, "--yes", code=4)["run"]
    done = home.steward("approve", run, "--answer", "no", code=5)
    assert done["error"]["code"] == "approval.refused"
    assert re.search(r"it reached [\d.]+ MB, its limit is 16 MB", done["answer"])
    assert done["error"]["hint"] == "To allow more: ./steward perms limit data memory 32MB"


@delegated
def test_groups_of_calls_go_with_the_daemon(home: Home) -> None:
    place = cgroup.find_groups().unified
    assert place is not None
    home.steward("ask", JOB.replace("big files", "largest files"), "--yes")
    assert list(place.glob("steward-*")), "the control: cells stand by"
    home.steward("down")
    assert not list(place.glob("steward-*"))
