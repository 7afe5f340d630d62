"""Cells as the daemon holds them: those that stand by, with their doors, and those that serve a call.

A call is handed in at the door of a cell that stands by, in one message, and there it says at its end that it leaves.
What this stops: believing a call that says it is over (``leaving``); descriptors that a call sends along (they are not
received); a cell that sees the mounts of yesterday serving a call of today.
What it does not: kill or reap; the zygote does, and it tells the end of a call that did not say it leaves.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from permissions.confine import cgroup, leaving, wire

_AT_ONCE_S, _PAUSE_S, _LONGEST_PAUSE_S = 0.001, 0.001, 0.02
"""Whether who says that it leaves is on the way out is looked at again and again for so long, and then with pauses:
each twice as long as the one before, to the last.

It takes a moment, which is less than the shortest pause that the loop can make (a millisecond, ``epoll_wait(2)``); on a
busy machine it takes many: then it is seen here long before its init has its turn.
"""


class Cell:
    """One cell: ``number`` as the zygote knows it, what its call writes to, and how that ended (``message``)."""

    def __init__(self, number: int, result: int, output: int, leaf: cgroup.Leaf | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self.number, self.result, self.output, self.leaf = number, result, output, leaf
        self.message: dict[str, Any] | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._door: socket.socket | None = None
        self._own = -1
        self._stands_by = False

    def watch(self, door: socket.socket) -> None:
        """Hold the door of a cell that is prepared."""
        door.setblocking(False)
        self._door = door
        self._loop.add_reader(door.fileno(), self._on_door)

    def hand_in(self, call: bytes, lines: Sequence[int], memory_bytes: int, processes: int) -> bool:
        """Set the limits of a call, and hand it in; False where the cell has died. Raises OSError."""
        if self._door is None:
            return False
        if self.leaf:
            self.leaf.limit(memory_bytes, processes)
        try:
            if len(call) <= wire.INLINE_BYTES:
                socket.send_fds(self._door, [call], list(lines))
            else:
                self._hand_in_a_file(self._door, call, lines)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def _hand_in_a_file(self, door: socket.socket, call: bytes, lines: Sequence[int]) -> None:
        file = wire.in_a_file(call)
        try:
            socket.send_fds(door, [wire.IN_A_FILE], [file, *lines])
        finally:
            os.close(file)

    def end(self, message: dict[str, Any]) -> None:
        """Its call has ended so; nothing of it runs."""
        self._shut()
        if self.message is None:
            self.message = message
            self._release()

    async def wait(self, timeout_s: float | None = None) -> dict[str, Any] | None:
        """Wait for the end of its call, so long; return how it ended. For one at a time, who may be cancelled."""
        if self.message is None:
            self._waiter = self._loop.create_future()
            timer = None if timeout_s is None else self._loop.call_later(timeout_s, self._release)
            try:
                await self._waiter
            finally:
                if timer:
                    timer.cancel()
        return self.message

    def _release(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)

    def close(self) -> None:
        """Let go of everything; a cell that stands by ends then."""
        self._shut()
        for file in (self.result, self.output):
            if file >= 0:
                os.close(file)
        self.result = self.output = -1

    def _shut(self) -> None:
        if self._door:
            self._loop.remove_reader(self._door.fileno())
            self._door.close()
            self._door = None
        if self._own >= 0:
            os.close(self._own)
            self._own = -1

    def _on_door(self) -> None:
        assert self._door
        if not self._stands_by:
            self._note_itself(self._door)
            return
        said = b""
        with suppress(OSError):
            said = self._door.recv(1)
        self._loop.remove_reader(self._door.fileno())
        if said and self.leaf and self._own >= 0:
            self._look(said[0], self.leaf, self._loop.time() + _AT_ONCE_S)

    def _note_itself(self, door: socket.socket) -> None:
        """Take what a cell says before it is handed a call, so that nothing of a skill has run in it."""
        self._stands_by = True
        with suppress(OSError):
            said, files, _, _ = socket.recv_fds(door, 1, 1, socket.MSG_CMSG_CLOEXEC)
            if files:
                self._own = files[0]
            if said:
                return
        self._loop.remove_reader(door.fileno())

    def _look(self, code: int, leaf: cgroup.Leaf, until_s: float, pause_s: float = _PAUSE_S) -> None:
        """A call says that it leaves: see whether it is over already; else the zygote tells its end.

        Without a pause ``until_s``; whatever else the loop has to do comes in between.
        """
        if self._own < 0:
            return
        used_s = leaving.is_over(self._own, leaf)
        used = {} if used_s is None else leaving.seen(leaf, {"cpu_s": used_s})
        if used and not used["peak_bytes"] and leaf.where():
            return  # the group went while it was read: the zygote knows
        if used:
            self.end({"exit": code, **used})
        elif self._loop.time() < until_s:
            os.sched_yield()  # it may be waiting for this very processor
            self._loop.call_soon(self._look, code, leaf, until_s)
        elif pause_s <= _LONGEST_PAUSE_S:
            self._loop.call_later(pause_s, self._look, code, leaf, until_s, 2 * pause_s)


class Mounts:
    """Tells when the machine's mounts have changed: at once, and for certain where it is asked.

    Source: ``proc_pid_mountinfo(5)``: a change wakes a poll, once for each description of the file.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._asked, self._watched = select.epoll(), select.epoll()
        self._files = [os.open("/proc/self/mountinfo", os.O_RDONLY | os.O_CLOEXEC) for _ in range(2)]
        for watch, file in zip((self._asked, self._watched), self._files, strict=True):
            watch.register(file, select.EPOLLPRI)
        asyncio.get_running_loop().add_reader(self._watched.fileno(), self._on_event)

    def changed(self) -> bool:
        """Tell whether there was a change since this was asked last."""
        return bool(self._asked.poll(0))

    def close(self) -> None:
        """Watch no more."""
        asyncio.get_running_loop().remove_reader(self._watched.fileno())
        for watch in (self._asked, self._watched):
            watch.close()
        for file in self._files:
            os.close(file)

    def _on_event(self) -> None:
        self._watched.poll(0)
        if self.changed():  # unless a call has seen it already
            self._on_change()
