"""The zygote: a warm worker process that forks one confined child per call.

What this stops: a slow start per call, and anything of one call being there in the next: a cell serves one call and
dies. The zygote runs no skill's code, holds no secret and has one thread.
What it does not: guard against the daemon, whose word it takes; it trusts the control socket that it was started with.
"""

from __future__ import annotations

import gc
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from permissions.confine import cgroup, landlock, launch, linux, root, seccomp, wire
from permissions.model import CellSpec, Level, Limits

_SCRATCH = "steward-cell-"
_FIRST_WORDS = "it is started by Steward with a socket as its standard input"


def serve(run: launch.Run) -> NoReturn:
    """Serve calls until the daemon lets go: fork a confined child for each, in which ``run(request, emit)`` happens.

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
    Zygote(control, run).loop()
    os._exit(0)


@dataclass(slots=True)
class _Cell:
    number: int
    pid: int
    pidfd: int
    status: int
    leaf: cgroup.Leaf | None
    scratch: str


class Zygote:
    """The loop of ``serve``: waits for calls, kills, and ends of cells; polls nothing."""

    def __init__(self, control: socket.socket, run: launch.Run) -> None:
        self._control = control
        self._run = run
        self._groups = cgroup.find_groups()
        cgroup.sweep(self._groups)
        _sweep_scratch()
        self._poll = select.poll()
        self._cells: dict[int, _Cell] = {}  # by pidfd
        base = root.describe_base(os.path.expanduser("~"))
        program = seccomp.build(seccomp.Setting(new_root=True, landlock_abi=landlock.abi()))
        self._kit, self._level, self._why = _settle(
            launch.Kit(Level.L3, base, program, os.getuid(), os.getgid(), linux.kernel())
        )

    def loop(self) -> None:
        """Serve until the control socket is closed, then end every cell."""
        self._poll.register(self._control, select.POLLIN)
        self._control.send(wire.pack({"ready": self._level, "why": self._why}))
        listening = True
        while listening:
            for descriptor, _ in self._poll.poll():
                if descriptor in self._cells:
                    self._finish(self._cells.pop(descriptor))
                else:
                    listening = self._listen()
        for cell in self._cells.values():
            self._end(cell)
            _clear(cell.leaf, cell.scratch)

    def _listen(self) -> bool:
        data, files, _, _ = socket.recv_fds(self._control, wire.CONTROL_BYTES, 3, socket.MSG_CMSG_CLOEXEC)
        if not data:
            return False
        message = wire.unpack(data)
        try:
            if "call" in message:
                self._begin(message["call"], *files)
            else:
                self._kill(message["kill"])
        except OSError as problem:  # too many files, processes or groups: this call fails, the others go on
            self._send({"done": message.get("call", 0), "failed": str(problem)})
        finally:
            for file in files:
                os.close(file)
        return True

    def _begin(self, number: int, request: int, result: int, output: int) -> None:
        spec = wire.read_spec(request)
        reader, writer = os.pipe()
        with ExitStack() as undo:
            undo.callback(os.close, reader)
            leaf, scratch = self._make_places(number, spec)
            undo.callback(_clear, leaf, scratch)
            birth = leaf.birth if leaf and self._kit.level is Level.L3 else -1
            entries = leaf.entries if leaf and birth < 0 else []
            try:
                pid = launch.fork(self._kit.level, birth)
                if pid == 0:
                    ends = launch.Ends(request, result, output, writer)
                    launch.live(self._kit, spec, ends, entries, scratch, self._run)
            finally:
                os.close(writer)
            undo.pop_all()
        if leaf:
            leaf.close()
        cell = _Cell(number, pid, os.pidfd_open(pid), reader, leaf, scratch)
        self._cells[cell.pidfd] = cell
        self._poll.register(cell.pidfd, select.POLLIN)

    def _make_places(self, number: int, spec: CellSpec) -> tuple[cgroup.Leaf | None, str]:
        leaf = cgroup.make_leaf(self._groups, f"{os.getpid()}-{number}", spec.limits) if self._groups else None
        return leaf, "" if self._kit.level is Level.L3 else tempfile.mkdtemp(prefix=f"{_SCRATCH}{os.getpid()}-")

    def _kill(self, number: int) -> None:
        for cell in self._cells.values():
            if cell.number == number:
                signal.pidfd_send_signal(cell.pidfd, signal.SIGKILL)

    def _finish(self, cell: _Cell) -> None:
        self._poll.unregister(cell.pidfd)
        self._send({"done": cell.number, **self._end(cell)})
        _clear(cell.leaf, cell.scratch)

    def _end(self, cell: _Cell) -> dict[str, Any]:
        """Reap ``cell``, kill what it may have left (L2), and say how it ended and what it used."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(cell.pidfd, signal.SIGKILL)
        _, wait_status, usage = os.wait4(cell.pid, 0)
        if self._kit.level is not Level.L3:
            launch.kill_children(keep=frozenset(other.pid for other in self._cells.values()))
        message = _last_words(cell.status)
        seen = cell.leaf.usage() if cell.leaf else cgroup.Usage()
        os.close(cell.pidfd)
        if not message and os.WIFSIGNALED(wait_status):
            message = {"signal": os.WTERMSIG(wait_status)}
        message.update(cpu_s=usage.ru_utime + usage.ru_stime, oom=seen.out_of_memory)
        message["peak_bytes"] = seen.peak_bytes or usage.ru_maxrss * 1024
        return message

    def _send(self, message: dict[str, Any]) -> None:
        with suppress(OSError):  # the daemon has gone; the loop notices
            self._control.send(wire.pack(message))


def _clear(leaf: cgroup.Leaf | None, scratch: str) -> None:
    if leaf:
        leaf.remove()
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)


def _sweep_scratch() -> None:
    """Remove the private folders that a zygote of this user which was killed left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*"):
        owner = folder.name.removeprefix(_SCRATCH).split("-")[0]
        if not os.path.exists(f"/proc/{owner}") and folder.lstat().st_uid == os.getuid():
            shutil.rmtree(folder, ignore_errors=True)


def _last_words(status: int) -> dict[str, Any]:
    """Read what the launcher said in the cell, the first thing first; no code of a call holds the pipe's other side."""
    os.set_blocking(status, False)
    try:
        data = os.read(status, 8192)
    except BlockingIOError:
        data = b""
    finally:
        os.close(status)
    return wire.unpack(data.partition(b"\n")[0]) if data else {}


def _settle(kit: launch.Kit) -> tuple[launch.Kit, Level, str]:
    """Find out what this machine really gives by building a cell once: how to build, what to call it, why not L3."""
    problem = _try(kit)
    missing = "" if landlock.abi() else "the kernel has no Landlock"
    if not problem:
        return kit, Level.L2 if missing else Level.L3, missing
    weaker = Level.L1 if missing or not linux.AUDIT_ARCH else Level.L2
    return replace(kit, level=weaker), weaker, "; ".join(filter(None, (problem, missing)))


def _try(kit: launch.Kit) -> str:
    """Run an empty call; return what went wrong, or nothing."""
    if not linux.AUDIT_ARCH:
        return f"no system call numbers for {linux.MACHINE}"
    reader, writer = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        pid = launch.fork(kit.level)
    except OSError as problem:
        for end in (reader, writer, nothing):
            os.close(end)
        return f"this machine refuses new namespaces ({os.strerror(problem.errno or 0).lower()})"
    if pid == 0:
        spec = CellSpec(limits=Limits(wall_s=5, cpu_s=5))
        launch.live(kit, spec, launch.Ends(nothing, nothing, nothing, writer), [], "", lambda _request, _emit: b"")
    os.close(writer)
    os.close(nothing)
    os.waitpid(pid, 0)
    message = _last_words(reader)
    return "" if message == {"exit": 0} else str(message.get("failed") or message or "the first cell died")
