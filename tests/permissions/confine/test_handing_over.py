"""What the daemon does with cells that the zygote hands over, at the moments when something else happens."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import permissions
from permissions.confine import Cells, machine_level, wire
from permissions.confine.process import _MOST_STANDING, ZygoteProcess
from permissions.confine.standing import Cell
from permissions.errors import WallUnavailable
from permissions.model import CellSpec, CellStatus

pytestmark = pytest.mark.sandbox
HERE = Path(__file__).parent


class Made:
    """The other end of the control socket, and the doors that it has handed over."""

    def __init__(self) -> None:
        self.ours, self.control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.setblocking(False)
        self.ours.setblocking(False)
        self.doors: dict[int, socket.socket] = {}
        self.kept: list[int] = []

    def hand_over(self, number: int, *, mounts: int = 0, short: bool = False) -> None:
        door, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ends = [os.pipe() for _ in range(2)]
        files = [door.fileno(), *(reader for reader, _ in ends)][: 2 if short else 3]
        message = {"cell": number, "mounts": mounts, "group": ["", "", ""]}
        socket.send_fds(self.ours, [wire.pack(message)], files)
        door.close()
        for reader, writer in ends:
            os.close(reader)
            self.kept.append(writer)
        self.doors[number] = inner

    def heard(self) -> list[dict[str, Any]]:
        found = []
        while True:
            try:
                found.append(wire.unpack(self.ours.recv(wire.CONTROL_BYTES)))
            except BlockingIOError:
                return found

    def close(self) -> None:
        self.ours.close()
        for door in self.doors.values():
            door.close()
        for end in self.kept:
            os.close(end)


def _process() -> subprocess.Popen[bytes]:
    """A process to be killed in the place of the zygote."""
    return subprocess.Popen(["sleep", "60"], stderr=subprocess.PIPE)


@pytest.fixture
async def made() -> AsyncIterator[tuple[Made, ZygoteProcess]]:
    found = Made()
    process = _process()
    zygote = ZygoteProcess(process, found.control)
    zygote._prepares = True
    zygote._ready.set_result({})
    yield found, zygote
    zygote.kill()
    await zygote.close()
    found.close()


async def _until_asked(made: Made) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []
    for _ in range(6000):
        heard += made.heard()
        if {"make": True} in heard:
            return heard
        await asyncio.sleep(0.005)
    raise AssertionError(heard)


def _submit(zygote: ZygoteProcess) -> asyncio.Task[Cell]:
    return asyncio.create_task(zygote.submit(CellSpec(), b"{}", ()))


async def test_a_cell_made_before_a_change_of_the_mounts_serves_no_call(made: tuple[Made, ZygoteProcess]) -> None:
    """The change comes after the cell and before the call that waits for it goes on."""
    other, zygote = made
    call = _submit(zygote)
    await _until_asked(other)
    other.hand_over(7)
    zygote._on_control()  # the cell is there, and who waits for it has not gone on yet
    zygote._send_away()
    await asyncio.sleep(0.05)
    heard = await _until_asked(other)
    assert {"mounts": 1} in heard
    assert {"taken": 7} not in heard
    assert not call.done()
    other.hand_over(8, mounts=1)
    cell = await asyncio.wait_for(call, 30)
    assert cell.number == 8
    assert {"taken": 8} in other.heard()
    cell.close()


async def test_who_comes_first_takes_the_cell_and_nobody_is_forgotten(made: tuple[Made, ZygoteProcess]) -> None:
    other, zygote = made
    first = _submit(zygote)
    await _until_asked(other)
    other.hand_over(1)
    zygote._on_control()
    second = _submit(zygote)
    await asyncio.sleep(0.05)
    other.hand_over(2)
    cells = await asyncio.wait_for(asyncio.gather(first, second), 30)
    assert sorted(cell.number for cell in cells) == [1, 2]
    for cell in cells:
        cell.close()


async def test_cells_of_calls_that_were_cancelled_do_not_heap_up(made: tuple[Made, ZygoteProcess]) -> None:
    other, zygote = made
    calls = [_submit(zygote) for _ in range(10)]
    await asyncio.sleep(0.05)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    for number in range(1, 11):
        other.hand_over(number)
    heard: list[dict[str, Any]] = []
    for _ in range(3000):
        heard += other.heard()
        if {"taken": 10} in heard:
            break
        await asyncio.sleep(0.01)
    assert {"taken": 10} in heard
    assert len(zygote._prepared) == _MOST_STANDING


async def test_a_cell_whose_descriptors_were_cut_off_is_an_error_at_once(made: tuple[Made, ZygoteProcess]) -> None:
    other, zygote = made
    call = _submit(zygote)
    await _until_asked(other)
    before = len(os.listdir("/proc/self/fd"))
    other.hand_over(3, short=True)
    with pytest.raises(WallUnavailable, match="too many open files"):
        await asyncio.wait_for(call, 30)
    assert {"kill": 3} in other.heard()
    assert len(os.listdir("/proc/self/fd")) <= before + 3  # the test's own ends alone


async def test_a_weak_call_without_descriptors_left_is_refused_and_leaks_none(
    made: tuple[Made, ZygoteProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, zygote = made
    zygote._prepares = False
    real, calls = os.pipe2, 0

    def few(flags: int) -> tuple[int, int]:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return real(flags)

    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(os, "pipe2", few)
    with pytest.raises(WallUnavailable, match="Too many open files"):
        await zygote.submit(CellSpec(), b"{}", [])
    assert os.listdir("/proc/self/fd") == before
    assert not zygote._cells


async def test_a_call_that_could_not_be_handed_in_did_not_crash_and_the_next_one_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of it has run: who asked may ask again, and no fault of the skill is told."""
    root = str(Path(permissions.__file__).parents[1])
    cells = Cells([sys.executable, str(HERE / "eaters.py")], environment={"PYTHONPATH": root})
    request = json.dumps({"act": "hold", "mib": 1}).encode() + b" " * wire.INLINE_BYTES
    real, spec = wire.in_a_file, CellSpec(minimum=machine_level())

    def fails(_data: bytes) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    try:
        monkeypatch.setattr(wire, "in_a_file", fails)
        with pytest.raises(WallUnavailable, match="Too many open files"):
            await cells.call(spec, request)
        monkeypatch.setattr(wire, "in_a_file", real)
        assert (await cells.call(spec, request)).status is CellStatus.RETURNED
    finally:
        await cells.close()


@pytest.mark.parametrize("how", ["stands by", "ended", "closed", "died"])
async def test_nothing_is_handed_in_to_a_cell_that_is_over(how: str) -> None:
    """Its end may be heard between the choice of the cell and the call; then another cell gets the call."""
    door, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    cell = Cell(1, -1, -1)
    cell.watch(door)
    {"ended": lambda: cell.end({"exit": 1}), "closed": cell.close, "died": inner.close}.get(how, lambda: None)()
    assert cell.hand_in(b"a call", [], 1 << 20, 10) is (how == "stands by")
    if how == "stands by":  # the control
        assert inner.recv(100) == b"a call"
    cell.close()
    inner.close()
