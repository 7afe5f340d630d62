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
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from permissions.confine import cgroup, landlock, launch, linux, root, seccomp, wire
from permissions.confine.ends import MOST_ENDS, Door, Ends
from permissions.confine.leaving import seen
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


def serve(run: launch.Run, rehearse: launch.Rehearse = lambda: None, trees: Sequence[str] = ()) -> NoReturn:
    """Serve calls until the daemon lets go: fork a confined child for each, in which ``run(request, emit)`` happens.

    ``rehearse`` is called in each that is prepared, so that its call need not be the first to touch shared memory.
    ``trees`` are shown to every call beside the system and the interpreter, to read and to load libraries from.

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
    Zygote(control, run, rehearse, trees).loop()
    os._exit(0)


@dataclass(slots=True, eq=False)
class _Cell:
    """A cell: ``number`` is its own at L3, that of its call below; not positive once nobody waits for its end."""

    pid: int
    pidfd: int
    status: int
    leaf: cgroup.Leaf | None
    number: int = 0
    scratch: str = ""


class Zygote:
    """The loop of ``serve``: makes cells, kills, and waits for their ends; polls nothing.

    At L3 a few prepared cells stand by, and the daemon holds their doors: it hands its calls in there, and says which
    cells it has taken. They see the mounts of the moment in which they were made, so after a change of the machine's
    mounts it sends them away; each is handed over with the number of the last change that was known before it was made.
    """

    def __init__(
        self, control: socket.socket, run: launch.Run, rehearse: launch.Rehearse, trees: Sequence[str] = ()
    ) -> None:
        self._control = control
        self._run = run
        self._rehearse = rehearse
        self._groups = cgroup.find_groups()
        self._owner = cgroup.owner_of(os.getpid())
        cgroup.sweep(self._groups)
        _sweep_scratch()
        self._poll = select.poll()
        self._cells: dict[int, _Cell] = {}  # by status: what the first process of a cell says
        self._leaving: dict[int, _Cell] = {}  # by pidfd: their calls have ended, the kernel takes them apart
        self._prepared: dict[int, _Cell] = {}  # by number: the ones that stand by
        self._made = 0
        self._mounts = 0
        base = root.describe_base(os.path.expanduser("~"), trees)
        kit = launch.Kit(Level.L3, base, _filters(), os.getuid(), os.getgid(), linux.kernel(), _own_umask())
        self._kit, self._level, self._why = settle(kit)
        self._spare = self._missing = SPARE if self._kit.level is Level.L3 else 0

    def loop(self) -> None:
        """Serve until the control socket is closed, then end every cell."""
        self._poll.register(self._control, select.POLLIN)
        prepares = self._kit.level is Level.L3
        self._send({"ready": self._level, "why": self._why, "prepares": prepares})
        listening = True
        while listening:
            short = len(self._prepared) < self._missing
            events = self._poll.poll(_QUIET_MS if short else None)
            happened = [(descriptor, self._whose(descriptor)) for descriptor, _ in events]
            if not happened:
                self._prepare_ahead()
            for descriptor, cell in happened:
                listening = self._attend(descriptor, cell) and listening
        for cell in (*self._cells.values(), *self._leaving.values()):
            self._end(cell)

    def _whose(self, descriptor: int) -> _Cell | None:
        """Return the cell that a descriptor is of by now; numbers come again."""
        return self._cells.get(descriptor) or self._leaving.get(descriptor)

    def _attend(self, descriptor: int, cell: _Cell | None) -> bool:
        if descriptor == self._control.fileno():
            return self._listen()
        if cell is None or self._whose(descriptor) is not cell:
            return True
        if descriptor in self._cells:
            self._pass_on(cell, last_words(cell.status))
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
            self._do(message, files)
        except OSError as problem:  # too many files, processes or groups: this call fails, the others go on
            if "make" in message or "call" in message:
                self._send({"done": message.get("call", 0), "failed": str(problem)})
        finally:
            for file in files:
                os.close(file)
        return True

    def _do(self, message: Mapping[str, Any], files: Sequence[int]) -> None:
        if "make" in message:
            self._make()
        elif "taken" in message:
            self._prepared.pop(message["taken"], None)
            self._missing = self._spare
        elif "broken" in message:
            self._spare = self._missing = 0
        elif "mounts" in message:
            self._mounts = message["mounts"]
            self._forget_prepared()
        elif "call" in message:
            self._make_weak((message["memory"], message["processes"]), Ends.of(files)).number = message["call"]
        else:
            self._kill(message["kill"])

    def _forget_prepared(self) -> None:
        """The daemon lets the prepared cells go; there are new ones after the next call."""
        self._missing = 0
        for cell in self._prepared.values():
            cell.number = _GONE
        self._prepared.clear()

    def _prepare_ahead(self) -> None:
        try:
            self._make()
        except OSError:  # too many files or processes: whoever calls next is told
            self._missing = 0

    def _make(self) -> None:
        """Fork a cell that prepares itself and then stands by, and hand its door to the daemon."""
        with ExitStack() as undo:
            door, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            undo.callback(door.close)
            undo.callback(inner.close)
            result, result_end = _pipe(undo)
            output, output_end = _pipe(undo)
            leaf = self._make_leaf()
            places = Door(inner.fileno(), result_end, output_end)
            try:
                cell = self._fork(
                    leaf, partial(launch.stand_by, self._kit, places, run=self._run, rehearse=self._rehearse)
                )
            except OSError:
                _clear(leaf, "")
                raise
            cell.number = self._made
            self._prepared[cell.number] = cell
            own = leaf.own if leaf else cgroup.Groups()
            group = [str(place) if place else "" for place in (own.memory, own.pids, own.unified)]
            message = {"cell": cell.number, "mounts": self._mounts, "group": group}
            with suppress(OSError):  # the daemon has gone; the loop notices
                socket.send_fds(self._control, [wire.pack(message)], [door.fileno(), result, output])

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
        self._made += 1
        if not self._groups:
            return None
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

    def _pass_on(self, cell: _Cell, message: dict[str, Any]) -> None:
        """Tell the daemon how a call ended. At L3 nothing of it runs once its init has said so; reaping can wait.

        Without a word of its init (or below L3) it is told after it was reaped.
        """
        del self._cells[cell.status]
        self._poll.unregister(cell.status)
        if not (message and self._kit.level is Level.L3):
            message = self._end(cell, message)
        else:
            message.update(seen(cell.leaf, message))
            self._leaving[cell.pidfd] = cell
            self._poll.register(cell.pidfd, select.POLLIN)
        if cell.number > 0:
            self._send({"done": cell.number, **message})
        if self._prepared.pop(cell.number, None):  # what says that it was taken may still be on its way
            self._missing = 0

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
        ending = {**(message or {}), **seen(cell.leaf, used)}
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


def _pipe(undo: ExitStack) -> tuple[int, int]:
    """Return the ends of a pipe, the first of which never blocks."""
    reader, writer = os.pipe2(os.O_CLOEXEC)
    os.set_blocking(reader, False)
    for end in (reader, writer):
        undo.callback(os.close, end)
    return reader, writer


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
