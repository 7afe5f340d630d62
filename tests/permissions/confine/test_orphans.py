"""What outlives a daemon and its worker that were both killed is ended at the next start; what is at work is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import permissions
from permissions.confine import cgroup

pytestmark = pytest.mark.sandbox
HERE = Path(__file__).parent
ROOT = str(Path(permissions.__file__).parents[1])
DAEMON = """
import asyncio, json, sys
from permissions.confine import Cells
from permissions.model import CellSpec
async def main(eaters, folder):
    cells = Cells([sys.executable, eaters], environment={"PYTHONPATH": sys.argv[3]})
    await cells.start()
    print(cells.pid, flush=True)
    request = json.dumps({"act": "leave_behind", "lock": folder + "/lock"}).encode()
    await cells.call(CellSpec(write_paths=(folder,)), request, on_progress=lambda _: print("holding", flush=True))
asyncio.run(main(*sys.argv[1:3]))
"""
SWEEP = "from permissions.confine import Cells; print(Cells.sweep())"
CALL = """
import asyncio, json, sys
from permissions.confine import Cells
from permissions.model import CellSpec
async def main(eaters):
    cells = Cells([sys.executable, eaters], environment={"PYTHONPATH": sys.argv[2]})
    outcome = await cells.call(CellSpec(), json.dumps({"act": "hold", "mib": 1}).encode())
    await cells.close()
    print(outcome.reply.decode())
asyncio.run(main(sys.argv[1]))
"""


def is_held(lock: Path) -> bool:
    return subprocess.run(["flock", "--nonblock", str(lock), "true"], check=False).returncode != 0


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.01)


class Apart:
    """A control group of our own, so that no worker of another test finds the groups of ours, and sweeps them."""

    def __init__(self) -> None:
        groups, name = cgroup.find_groups(), f"apart-{os.getpid()}"
        self.places = [place / name for place in {*filter(None, (groups.memory, groups.pids, groups.unified))}]
        self._inner = groups.unified / name / "inner" if groups.unified else None
        for folder in self._folders():
            folder.mkdir()

    def _folders(self) -> list[Path]:
        return [*self.places, *([self._inner] if self._inner else [])]

    def enter(self) -> None:
        """Move the calling process in."""
        for folder in [self._inner] if self._inner else self.places:
            (folder / "cgroup.procs").write_text("0")

    def python(self, code: str, *arguments: str) -> str:
        """Run a program of ours inside, and return what it said."""
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(
            command, cwd=ROOT, preexec_fn=self.enter, check=True, capture_output=True, text=True, timeout=60
        ).stdout.strip()  # fmt: skip

    def groups_of(self, worker: int) -> list[Path]:
        return [folder for place in self.places for folder in place.glob(f"steward-{worker}-*")]

    def remove(self) -> None:
        """Sweep and remove it."""
        self.python(SWEEP)
        for folder in reversed(self._folders()):
            until(lambda folder=folder: _removed(folder))  # type: ignore[misc]


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return not folder.exists()
    return True


@pytest.fixture
def apart() -> Iterator[Apart]:
    groups = cgroup.find_groups()
    if not (groups.memory or groups.unified):
        pytest.skip("needs a control group of our own: run as root, or under systemd with Delegate=yes")
    one = Apart()
    yield one
    one.remove()


@contextmanager
def daemon(apart: Apart, folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A daemon without namespaces (there nothing else ends what a call left), with one call under way; its worker."""
    become = [sys.executable, str(HERE / "become.py"), "--without-namespaces"]
    command = [*become, sys.executable, "-c", DAEMON, str(HERE / "eaters.py"), str(folder), ROOT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=apart.enter) as process:  # noqa: PLW1509 - no threads here
        assert process.stdout
        worker = int(process.stdout.readline() or 0)
        assert process.stdout.readline() == "holding\n"
        yield process, worker
        process.kill()


def orphaned(apart: Apart, folder: Path) -> int:
    """Kill a daemon and its worker in the middle of a call, and return the worker."""
    with daemon(apart, folder) as (process, worker):
        os.kill(worker, signal.SIGSTOP)  # it has no time to end anything
        process.kill()
        os.kill(worker, signal.SIGKILL)
    until(lambda: not Path(f"/proc/{worker}").exists())
    return worker


def test_what_both_left_behind_is_ended_and_its_groups_go(apart: Apart, tmp_path: Path) -> None:
    worker = orphaned(apart, tmp_path)
    time.sleep(0.2)
    assert is_held(tmp_path / "lock"), "the control: without a sweep it lives on"
    assert apart.groups_of(worker)
    assert int(apart.python(SWEEP)) >= 1
    until(lambda: not is_held(tmp_path / "lock"))
    apart.python(SWEEP)
    assert not apart.groups_of(worker)


def test_what_is_at_work_is_left_alone(apart: Apart, tmp_path: Path) -> None:
    with daemon(apart, tmp_path) as (_, worker):
        apart.python(SWEEP)
        assert is_held(tmp_path / "lock")
        assert apart.groups_of(worker)


def test_a_process_id_that_came_again_is_not_the_owner(apart: Apart) -> None:
    assert cgroup.owner_of(os.getpid()).startswith(f"{os.getpid()}-")
    assert cgroup.owner_of(os.getpid()) == cgroup.owner_of(os.getpid())
    assert cgroup.owner_of(1 << 22) == ""
    other = apart.places[0] / f"steward-{os.getpid()}-1-1"  # ours by number, but born at another time
    foreign = apart.places[0] / "steward-foreign"
    for folder in (other, foreign):
        folder.mkdir()
    apart.python(SWEEP)
    assert not other.exists()
    assert foreign.exists()
    foreign.rmdir()


def test_a_new_worker_sweeps_too(apart: Apart, tmp_path: Path) -> None:
    worker = orphaned(apart, tmp_path)
    assert is_held(tmp_path / "lock")
    assert apart.python(CALL, str(HERE / "eaters.py"), ROOT) == "16"
    until(lambda: not is_held(tmp_path / "lock"))
    assert not apart.groups_of(worker)
