"""The zygote: a warm worker process that forks one confined child per call.

What this stops: a slow start per call, and anything of one call being there in the next: a cell serves one call and
dies. The zygote runs no skill's code, holds no secret and has one thread.
What it does not: guard against the daemon, whose word it takes; it trusts the control socket that it was started with.
"""

from __future__ import annotations

import errno
import gc
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from permissions.confine import cgroup, landlock, launch, leaving, linux, root, seccomp, wire
from permissions.confine.ends import MOST_ENDS, Ends
from permissions.confine.level import last_words, settle
from permissions.model import Level

SPARE = 2
"""How many prepared cells stand by: a plan's next task rarely comes before the last one's cell was replaced."""
_SCRATCH = "steward-cell-"
_QUIET_MS = 20
"""How long nothing may happen before a cell is prepared: making mounts holds up whoever else does, in the kernel."""
_GONE = -1
Bounds = tuple[int, int]
"""What the group of a call is held to: bytes of memory, and processes."""
_FIRST_WORDS = "it is started by Steward with a socket as its standard input"


def serve(run: launch.Run, rehearse: launch.Rehearse = lambda: None) -> NoReturn:
    """Serve calls until the daemon lets go: fork a confined child for each, in which ``run(request, emit)`` happens.

    ``rehearse`` is called in each that is prepared, so that its call need not be the first to touch shared memory.

    Standard input must be the control socket. Exits with a sentence where it is not, or where there are other threads.
    """
    try:
        control = socket.socket(fileno=os.dup(0))
        control.getpeername()
    except OSError:
        sys.exit(f"This worker does nothing alone: {_FIRST_WORDS}.")
    threads = len(os.listdir("/proc/self/task"))
    if threads > 1:
        sys.exit(f"The worker has {threads} threads before its first call; a forked call could hang. Import less.")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    gc.collect()
    gc.freeze()
    Zygote(control, run, rehearse).loop()
    os._exit(0)


@dataclass(slots=True, eq=False)
class _Cell:
    """A cell: ``number`` is its call's, 0 while it stands by.

    ``door`` is where its call is handed in, and where that says that it leaves (L3).
    """

    pid: int
    pidfd: int
    status: int
    leaf: cgroup.Leaf | None
    number: int = 0
    scratch: str = ""
    door: socket.socket | None = None


class Zygote:
    """The loop of ``serve``: waits for calls, kills, and ends of cells; polls nothing.

    At L3 a few prepared cells stand by. They see the mounts of the moment in which they were made, so a change of the
    machine's mounts (``proc_pid_mountinfo(5)``: it wakes a poll) sends them away.
    """

    def __init__(self, control: socket.socket, run: launch.Run, rehearse: launch.Rehearse) -> None:
        self._control = control
        self._run = run
        self._rehearsal = rehearse
        self._groups = cgroup.find_groups()
        self._owner = cgroup.owner_of(os.getpid())
        cgroup.sweep(self._groups)
        _sweep_scratch()
        self._poll = select.poll()
        self._cells: dict[int, _Cell] = {}  # by status: what the first process of a cell says
        self._doors: dict[int, _Cell] = {}  # by door: their calls are under way
        self._leaving: dict[int, _Cell] = {}  # by pidfd: their calls have ended, the kernel takes them apart
        self._prepared: list[_Cell] = []  # of those, the ones that stand by
        self._made = 0
        base = root.describe_base(os.path.expanduser("~"))
        kit = launch.Kit(Level.L3, base, _filters(), os.getuid(), os.getgid(), linux.kernel(), _own_umask())
        self._kit, self._level, self._why = settle(kit)
        self._spare = self._missing = SPARE if self._kit.level is Level.L3 else 0
        self._mounts = os.open("/proc/self/mountinfo", os.O_RDONLY | os.O_CLOEXEC)

    def loop(self) -> None:
        """Serve until the control socket is closed, then end every cell."""
        self._poll.register(self._control, select.POLLIN)
        self._poll.register(self._mounts, select.POLLPRI)
        self._control.send(wire.pack({"ready": self._level, "why": self._why}))
        listening = True
        while listening:
            short = len(self._prepared) < self._missing
            events = self._poll.poll(_QUIET_MS if short else None)
            happened = [(descriptor, self._whose(descriptor)) for descriptor, _ in events]
            if not happened:
                self._prepare_ahead()
            elif (self._mounts, None) in happened:
                self._send_away()
            else:
                for descriptor, cell in happened:
                    listening = self._attend(descriptor, cell) and listening
        for cell in (*self._cells.values(), *self._leaving.values()):
            self._end(cell)

    def _whose(self, descriptor: int) -> _Cell | None:
        """Return the cell that a descriptor is of by now; numbers come again."""
        return next(
            (all_[descriptor] for all_ in (self._cells, self._doors, self._leaving) if descriptor in all_), None
        )

    def _attend(self, descriptor: int, cell: _Cell | None) -> bool:
        if descriptor == self._control.fileno():
            return self._listen()
        if cell is None or self._whose(descriptor) is not cell:
            return True
        if descriptor in self._cells:
            self._finish(cell)
        elif descriptor in self._doors:
            self._hear(cell)
        else:
            self._poll.unregister(descriptor)
            self._end(self._leaving.pop(descriptor))
        return True

    def _listen(self) -> bool:
        data, files, _, _ = socket.recv_fds(self._control, wire.CONTROL_BYTES, MOST_ENDS, socket.MSG_CMSG_CLOEXEC)
        if not data:
            return False
        message = wire.unpack(data)
        try:
            if "call" in message:
                self._begin(message, Ends.of(files))
            elif "where" in message:
                self._tell_where(message["where"])
            else:
                self._kill(message["kill"])
        except OSError as problem:  # too many files, processes or groups: this call fails, the others go on
            self._send({"done": message.get("call", 0), "failed": str(problem)})
        finally:
            for file in files:
                os.close(file)
        return True

    def _begin(self, message: Mapping[str, Any], ends: Ends) -> None:
        bounds = message["memory"], message["processes"]
        cell = self._give(bounds, ends) if self._kit.level is Level.L3 else self._make_weak(bounds, ends)
        cell.number = message["call"]
        self._missing = self._spare

    def _give(self, bounds: Bounds, ends: Ends) -> _Cell:
        """Give the call to a cell that stands by, or to one that is made for it; pass over those that have died."""
        while self._prepared:
            cell = self._prepared.pop(0)
            cell.number = _GONE
            with suppress(BrokenPipeError, ConnectionResetError):
                self._hand_in(cell, bounds, ends)
                return cell
        cell = self._make()
        cell.number = _GONE
        with suppress(BrokenPipeError, ConnectionResetError):  # what it says when its end is seen is why
            self._hand_in(cell, bounds, ends)
        return cell

    def _hand_in(self, cell: _Cell, bounds: Bounds, ends: Ends) -> None:
        """Set the limits of a call, and pass it to a prepared cell. Raises ``OSError`` where either is refused."""
        assert cell.door
        try:
            if cell.leaf:
                cell.leaf.limit(*bounds)
            socket.send_fds(cell.door, [b"c"], ends.all())
        except OSError:
            self._shut(cell)
            raise
        self._doors[cell.door.fileno()] = cell
        self._poll.register(cell.door, select.POLLIN)

    def _prepare_ahead(self) -> None:
        try:
            self._prepared.append(self._make())
            self._rehearse(self._prepared[-1])
        except OSError:  # too many files or processes: whoever calls next is told
            self._missing = 0

    def _rehearse(self, cell: _Cell) -> None:
        """Do once, with nothing, what a call will be waited for: the first writes to memory shared with a new cell."""
        wire.unpack(wire.pack({"call": _GONE, **_seen(cell, {})}))
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with here, there:
            socket.send_fds(here, [b"c"], [cell.status])
            for file in socket.recv_fds(there, wire.CONTROL_BYTES, 4, socket.MSG_CMSG_CLOEXEC)[1]:
                os.close(file)

    def _send_away(self) -> None:
        """Let the prepared cells go; there are new ones after the next call."""
        self._missing = 0
        for cell in self._prepared:
            cell.number = _GONE
            self._shut(cell)
        self._prepared.clear()

    def _make(self) -> _Cell:
        """Fork a cell that prepares itself and then stands by."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, ExitStack() as undo:
            undo.callback(ours.close)
            leaf = self._make_leaf()
            undo.callback(_clear, leaf, "")
            cell = self._fork(
                leaf, partial(launch.stand_by, self._kit, theirs.fileno(), run=self._run, rehearse=self._rehearsal)
            )
            undo.pop_all()
        cell.door = ours
        return cell

    def _make_weak(self, bounds: Bounds, ends: Ends) -> _Cell:
        """Fork a cell below L3, for one call that is already there."""
        spec = wire.read_spec(ends.request)
        with ExitStack() as undo:
            leaf = self._make_leaf()
            scratch = tempfile.mkdtemp(prefix=f"{_SCRATCH}{os.getpid()}-")
            undo.callback(_clear, leaf, scratch)
            if leaf:
                leaf.limit(*bounds)
            cell = self._fork(leaf, partial(launch.live, self._kit, spec, ends, scratch=scratch, run=self._run))
            undo.pop_all()
        cell.scratch = scratch
        return cell

    def _make_leaf(self) -> cgroup.Leaf | None:
        """Make the group of a cell; None where none can be had at all. Raises ``OSError``: nothing runs unbounded."""
        if not self._groups:
            return None
        self._made += 1
        leaf = cgroup.make_leaf(self._groups, f"{self._owner}-{self._made}")
        if leaf is None:
            self._groups = cgroup.find_groups()
            if self._groups:
                raise OSError(errno.EBUSY, "its control group cannot be made")
        return leaf

    def _fork(self, leaf: cgroup.Leaf | None, live: Callable[[int, list[int]], NoReturn]) -> _Cell:
        """Fork the first process of a cell; ``live(status, entries)`` runs in it."""
        reader, writer = os.pipe()
        try:
            birth = leaf.birth if leaf and self._kit.level is Level.L3 else -1
            pid = launch.fork(self._kit.level, birth)
            if pid == 0:
                live(writer, leaf.entries if leaf and birth < 0 else [])
        except OSError:
            os.close(reader)
            raise
        finally:
            os.close(writer)
        if leaf:
            leaf.close()
        cell = _Cell(pid, os.pidfd_open(pid), reader, leaf)
        self._cells[reader] = cell
        self._poll.register(reader, select.POLLIN)
        return cell

    def _kill(self, number: int) -> None:
        for cell in self._cells.values():
            if cell.number == number:
                signal.pidfd_send_signal(cell.pidfd, signal.SIGKILL)

    def _tell_where(self, number: int) -> None:
        """Say which group counts the memory of a call, if it runs and one does."""
        leaves = (cell.leaf for cell in self._cells.values() if cell.number == number)
        leaf = next(leaves, None)
        self._send({"where": number, "place": leaf.where() if leaf else None})

    def _hear(self, cell: _Cell) -> None:
        """A call says that it leaves, or has let go of its door: look whether it is over already."""
        assert cell.door
        said = cell.door.recv(1, socket.MSG_DONTWAIT)
        self._shut(cell)
        used_s = leaving.is_over(cell.pid, cell.leaf) if said and cell.leaf else None
        if used_s is not None:
            os.close(cell.status)
            self._pass_on(cell, {"exit": said[0], "cpu_s": used_s})

    def _shut(self, cell: _Cell) -> None:
        if cell.door:
            if self._doors.pop(cell.door.fileno(), None):
                self._poll.unregister(cell.door)
            cell.door.close()
            cell.door = None

    def _finish(self, cell: _Cell) -> None:
        """Pass on how a call ended. At L3 nothing of it runs once its init has said so; reaping can wait."""
        self._pass_on(cell, last_words(cell.status))

    def _pass_on(self, cell: _Cell, message: dict[str, Any]) -> None:
        """Tell the daemon how a call ended; without a word of its init (or below L3) after it was reaped."""
        del self._cells[cell.status]
        self._poll.unregister(cell.status)
        self._shut(cell)
        if not (message and self._kit.level is Level.L3):
            message = self._end(cell, message)
        else:
            message.update(_seen(cell, message))
            self._leaving[cell.pidfd] = cell
            self._poll.register(cell.pidfd, select.POLLIN)
        if cell.number > 0:
            self._send({"done": cell.number, **message})
        elif (
            cell in self._prepared
        ):  # it could not be prepared, or was killed: the next call makes its own and says why
            self._prepared.remove(cell)
            self._spare = self._missing = 0

    def _end(self, cell: _Cell, message: dict[str, Any] | None = None) -> dict[str, Any]:
        """Kill and reap ``cell``, and what it may have left (L2); say how it ended and what it used."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(cell.pidfd, signal.SIGKILL)
        _, wait_status, usage = os.wait4(cell.pid, 0)
        if self._kit.level is not Level.L3:
            launch.kill_children(keep=frozenset(other.pid for other in self._cells.values()))
        used = {"cpu_s": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024}
        if not message and os.WIFSIGNALED(wait_status):
            message = {"signal": os.WTERMSIG(wait_status)}
        os.close(cell.pidfd)
        self._shut(cell)
        ending = {**(message or {}), **_seen(cell, used)}
        _clear(cell.leaf, cell.scratch)
        return ending

    def _send(self, message: dict[str, Any]) -> None:
        with suppress(OSError):  # the daemon has gone; the loop notices
            self._control.send(wire.pack(message))


def _filters() -> launch.Filters:
    init = seccomp.build(seccomp.Setting(new_root=True, landlock_abi=landlock.abi()))
    last, relaying = (seccomp.build_last(relays=relays) for relays in (False, True))
    return launch.Filters(init, seccomp.build_standing(), last, relaying)


def _own_umask() -> int:
    mask = os.umask(0o077)  # it can only be read by setting it; there is one thread
    os.umask(mask)
    return mask


def _seen(cell: _Cell, used: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call used: its group's word where there is one, else that of its processes."""
    group = cell.leaf.usage() if cell.leaf else cgroup.Usage()
    return {
        "cpu_s": used.get("cpu_s", 0.0),
        "oom": group.out_of_memory,
        "peak_bytes": group.peak_bytes or used.get("peak_bytes", 0),
        "refused_processes": group.refused_processes,
    }


def _clear(leaf: cgroup.Leaf | None, scratch: str) -> None:
    if leaf:
        leaf.remove()
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)


def _sweep_scratch() -> None:
    """Remove the private folders that a zygote of this user which was killed left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*"):
        owner = folder.name.removeprefix(_SCRATCH).split("-")[0]
        with suppress(FileNotFoundError):  # another worker was quicker
            if not os.path.exists(f"/proc/{owner}") and folder.lstat().st_uid == os.getuid():
                shutil.rmtree(folder, ignore_errors=True)
