"""Prepared cells: they stand by before a call is there, serve one, hold no more than they must, and are never stale."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import permissions
from permissions.confine import Cells
from permissions.confine.zygote import SPARE
from permissions.model import CellSpec, CellStatus, Level

pytestmark = pytest.mark.sandbox
PROBES = Path(__file__).with_name("probes.py")
ROOT = str(Path(permissions.__file__).parents[1])


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def status_of(pid: int, key: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.split(":", 1)[1].strip() for line in lines if line.startswith(f"{key}:"))


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        await asyncio.sleep(0.01)


class House:
    """A worker at L3, and what can be seen of it from outside."""

    def __init__(self) -> None:
        self.cells = Cells([sys.executable, str(PROBES)], environment={"PYTHONPATH": ROOT})
        self.runner = asyncio.Runner()

    def wait(self, task: Awaitable[Any]) -> Any:
        async def waited() -> Any:
            return await task

        return self.runner.run(waited())

    def call(self, act: str, spec: CellSpec | None = None, **words: Any) -> Any:
        request = json.dumps({"act": act, "arguments": words}).encode()
        outcome = self.wait(self.cells.call(spec or CellSpec(), request))
        assert outcome.status is CellStatus.RETURNED, outcome
        return json.loads(outcome.reply)["value"]

    def standing_by(self) -> list[int]:
        """Wait until as many stand by as may; return their first processes."""
        self.wait(until(lambda: len(self._standing()) == SPARE))
        return self._standing()

    def _standing(self) -> list[int]:
        assert self.cells.pid
        return [pid for pid in children(self.cells.pid) if self._stands_by(pid)]

    def _stands_by(self, init: int) -> bool:
        """Tell whether both have done what they do before a call: the one is filtered, the other one waits.

        One that ends while it is looked at (the cell of the call before) does not.
        """
        try:
            calls = children(init)
            return bool(calls) and status_of(calls[0], "State")[0] == "S" and status_of(init, "Seccomp") == "2"
        except (FileNotFoundError, ProcessLookupError):
            return False


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    if house.wait(house.cells.start()) is not Level.L3:
        pytest.skip("cells are prepared at L3 only; `./steward doctor` says what this machine lacks for it")
    yield house
    house.wait(house.cells.close())
    house.runner.close()


def test_a_call_takes_one_that_stood_by_and_another_takes_its_place(house: House) -> None:
    before = house.standing_by()
    assert house.call("echo", text="x") == "x"
    after = house.standing_by()
    assert before[0] not in after
    assert before[1] in after


def test_no_cell_serves_two_calls(house: House, tmp_path: Path) -> None:
    seen = {house.call("dice") for _ in range(6)}
    assert len(seen) == 6
    place = tmp_path / "own"
    place.mkdir()
    empty = house.call("listing", path="/tmp")  # but for the way to our own code, where that lies below it
    for _ in range(3):
        house.call("write", CellSpec(write_paths=(str(place),)), path="/tmp/mine")
        assert house.call("listing", path="/tmp") == empty


def test_only_what_is_to_become_the_call_holds_powers_and_the_init_is_filtered(house: House) -> None:
    for init in house.standing_by():
        assert status_of(init, "CapEff") == status_of(init, "CapBnd") == "0" * 16
        assert (status_of(init, "Seccomp"), status_of(init, "NoNewPrivs")) == ("2", "1")
        (call,) = children(init)
        assert status_of(call, "CapEff") != "0" * 16  # it still has the call's files to show
    assert house.call("privileges")["CapEff"] == "0" * 16


def test_the_killed_are_passed_over(house: House) -> None:
    waiting = house.standing_by()
    worker = house.cells.pid
    assert worker
    os.kill(worker, signal.SIGSTOP)  # so that it sees the call first and their deaths later
    for pid in waiting:
        os.kill(pid, signal.SIGKILL)
    house.wait(until(lambda: all(status_of(pid, "State")[0] == "Z" for pid in waiting)))
    os.kill(worker, signal.SIGCONT)
    assert house.call("echo", text="still here") == "still here"


def test_after_a_rush_cells_stand_by_again(house: House) -> None:
    """A call may have ended before the worker is told that its cell was taken; that is no cell that cannot be made."""
    request = json.dumps({"act": "echo", "arguments": {"text": "x"}}).encode()

    async def rush() -> list[CellStatus]:
        calls = (house.cells.call(CellSpec(), request) for _ in range(12))
        return [outcome.status for outcome in await asyncio.gather(*calls)]

    for _ in range(3):
        assert set(house.wait(rush())) == {CellStatus.RETURNED}
        assert len(house.standing_by()) == SPARE


def test_a_call_that_does_not_fit_a_message_is_handed_in_as_a_file(house: House) -> None:
    house.standing_by()
    text = "x" * (1 << 20)
    assert house.call("echo", text=text) == text


def test_with_the_worker_they_die(house: House) -> None:
    waiting = [pid for init in house.standing_by() for pid in (init, *children(init))]
    assert house.cells.pid
    os.kill(house.cells.pid, signal.SIGKILL)
    house.wait(until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in waiting)))


STALE = """
import asyncio, json, pathlib, subprocess, sys
from permissions.confine import Cells, zygote
from permissions.confine.process import ZygoteProcess
from permissions.model import CellSpec

if sys.argv[1] == "blind":
    ZygoteProcess._send_away = lambda self: None
if sys.argv[1] == "worker":
    def run(request, emit):
        return json.dumps(sorted(path.name for path in pathlib.Path(request.decode()).iterdir())).encode()

    zygote.serve(run)

async def main(kind, place):
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    cells = Cells([sys.executable, __file__, "worker"])
    spec = CellSpec(read_paths=(place,))
    async def call():
        return json.loads((await cells.call(spec, place.encode())).reply)
    assert await call() == []
    while len(cells._process._prepared) < zygote.SPARE:  # those that will serve next
        await asyncio.sleep(0.01)
    subprocess.run(["mount", "-t", "tmpfs", "stick", place], check=True)
    pathlib.Path(place, "on the stick.txt").touch()
    print(json.dumps(await call()))
    await cells.close()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize(("kind", "seen"), [("watching", ["on the stick.txt"]), ("blind", [])])
def test_what_was_mounted_meanwhile_is_seen(tmp_path: Path, kind: str, seen: list[str]) -> None:
    """The second case is the control: cells that outlive a change of the mounts show what was there before."""
    place, script = tmp_path / "media", tmp_path / "stale.py"
    place.mkdir()
    script.write_text(STALE)
    command = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip("needs a mount namespace of its own: apt install util-linux, and user namespaces")
    done = subprocess.run(
        [*command, sys.executable, str(script), kind, str(place)],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "PYTHONPATH": ROOT},
    )  # fmt: skip
    assert done.stdout, done.stderr
    assert json.loads(done.stdout) == seen
