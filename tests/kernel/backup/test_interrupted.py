"""A restore that dies, or has no room, leaves the old state or the new one; never half of either."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernel import finish_restore
from tests.kernel.backup.conftest import tree

Bench = Any  # tests/kernel/conftest.py

CHILD = Path(__file__).with_name("restore_child.py")
BEFORE = ("checked", "unpacked", "ready")
AFTER = ("decided", "aside data", "in place data", "aside config", "in place config", "done")


def _command(bench: Bench, backup: Path, dies_at: str) -> list[str]:
    steward = str(bench.folders.data.parent)
    return [sys.executable, "-P", str(CHILD), str(bench.home), steward, str(backup), dies_at]


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


@pytest.fixture
async def two_states(taken: Path, bench: Bench) -> Path:
    """A backup, and a present state that is not like it; no kernel is open."""
    await bench.ask("make a note called later saying after the backup")
    (bench.folders.config / "config.toml").write_text("attention = 1\n")
    await bench.kernel.close()
    return taken


def _states(bench: Bench) -> tuple[bool, bool]:
    """Tell of data and configuration whether each is the new one."""
    head = (bench.folders.data / "is-old").exists()
    return not head, "attention = 5" in (bench.folders.config / "config.toml").read_text()


@pytest.mark.parametrize("step", [*BEFORE, *AFTER])
async def test_killed_at_any_step(two_states: Path, bench: Bench, step: str) -> None:
    (bench.folders.data / "is-old").write_text("")
    old = tree(bench.folders.data)
    done = await asyncio.to_thread(_run, _command(bench, two_states, step))
    assert done.returncode == -signal.SIGKILL, done.stderr
    for folder in (bench.folders.data, bench.folders.config):  # what a daemon does before it opens anything
        folder.mkdir(mode=0o700, exist_ok=True)
    assert finish_restore(bench.folders) == (step in AFTER[:-1])
    assert _states(bench) == ((step in AFTER), (step in AFTER))
    if step in BEFORE:
        assert {name: data for name, data in tree(bench.folders.data).items() if name != "backups.lock"} == {
            name: data for name, data in old.items() if name != "backups.lock"
        }
    else:
        (aside,) = bench.folders.state.glob("before-*")
        assert (aside / "data/is-old").exists()
        assert "attention = 1" in (aside / "config/config.toml").read_text()
    assert not list(bench.folders.data.parent.glob(".steward-coming-*"))
    assert not (bench.folders.state / "restoring.json").exists()
    bench.kernel = await bench.reopen()
    assert bench.kernel.verify_ledger()["ok"]
    assert not finish_restore(bench.folders)


async def test_the_steps_are_those(two_states: Path, bench: Bench) -> None:
    done = await asyncio.to_thread(_run, _command(bench, two_states, ""))
    assert done.stdout.split("\n")[:-1] == [*BEFORE, *AFTER], done.stderr
    bench.kernel = await bench.reopen()


MOUNT = 'mount -t tmpfs -o size=$1 none "$2" && cp -a "$3/." "$2/" && shift 3 && exec "$@"'


@pytest.mark.parametrize("room", ["small", "enough"])
async def test_a_full_disk(two_states: Path, bench: Bench, tmp_path: Path, room: str) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare: apt install util-linux")
    if _run(["unshare", "-Urm", "true"]).returncode:
        pytest.skip("needs user namespaces: see ./steward doctor")
    place, child = tmp_path / "disk", Path(__file__).with_name("full_disk_child.py")
    place.mkdir()
    size = {"small": "8m", "enough": "900m"}[room]
    done = await asyncio.to_thread(
        _run,
        ["unshare", "-Urm", "sh", "-c", MOUNT, "sh", size, str(place), str(bench.folders.data.parent), sys.executable,
         "-P", str(child), str(bench.home), str(place), str(two_states)],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = done.stdout.split("\n")
    if room == "small":
        assert said[0].startswith("backup.unwritten"), said
        assert said[1].startswith(("restore.room", "backup.unwritten")), said
        assert said[2] == "same"
    else:  # control
        assert said[:3] == ["written", "restored", "other"], said
    bench.kernel = await bench.reopen()
