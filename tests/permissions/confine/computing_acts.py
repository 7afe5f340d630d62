"""Acts of a process that only computes, or of the same process in the open: each in a child of the worker."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import socket
import threading
import time
from collections.abc import Callable

from permissions.confine.computing import Computing, only_compute
from permissions.errors import WallUnavailable

_WALL_MISSING = 250
_LIBC = ctypes.CDLL(None, use_errno=True)
_GIB = 1 << 30


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def _open_to_read(path: str) -> None:
    os.read(os.open(path, os.O_RDONLY), 1)


def _open_to_write(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY))


def _make_file(path: str) -> None:
    os.close(os.open(path + ".made", os.O_WRONLY | os.O_CREAT))
    os.unlink(path + ".made")


def _link(path: str) -> None:
    os.link(path, path + ".linked")
    os.unlink(path + ".linked")


def _fork(path: str) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _execute(path: str) -> None:
    os.execv("/bin/true", ["true"])


def _signal(path: str) -> None:
    os.kill(os.getppid(), 0)


def _raw_fork(path: str) -> None:
    pid = _LIBC.syscall(56, signal.SIGCHLD, 0, 0, 0, 0) if os.uname().machine == "x86_64" else os.fork()
    if pid == 0:
        os._exit(0)
    _checked(pid)


def _thread(path: str) -> None:
    try:
        threading.Thread(target=lambda: None).start()
    except RuntimeError as error:
        raise PermissionError(1, "no thread") from error


def _allocate(path: str) -> None:
    try:
        mmap.mmap(-1, 3 * _GIB, flags=mmap.MAP_PRIVATE).close()
    except OSError as error:
        raise PermissionError(1, "no memory") from error


def _load_library(path: str) -> None:
    ctypes.CDLL("libm.so.6").cos  # noqa: B018


def _count(path: str) -> None:
    assert sum(range(1000))
    assert time.perf_counter()
    assert len(bytearray(1 << 20)) == 1 << 20


def _write_on(path: str) -> None:
    """Write into what the process holds open; a file may not grow by it."""
    os.write(_held[0], b"x")


_held: list[int] = []
_ACTS: dict[str, Callable[[str], None]] = {
    "read": _open_to_read, "write": _open_to_write, "make": _make_file, "fork": _fork, "execute": _execute,
    "signal": _signal, "raw fork": _raw_fork, "thread": _thread, "allocate": _allocate, "library": _load_library,
    "count": _count, "held file": _write_on,
    "socket": lambda _: socket.socketpair()[0].close(), "pipe": lambda _: os.close(os.pipe()[0]),
    "memory file": lambda _: os.close(os.memfd_create("x")), "link": _link,
    "chdir": lambda _: os.chdir("/"), "priority": lambda _: os.setpriority(os.PRIO_PROCESS, 0, 19),
    "affinity": lambda _: os.sched_setaffinity(0, os.sched_getaffinity(0)), "mode": lambda path: os.chmod(path, 0o600),
    "more privileges": lambda _: _checked(_LIBC.prctl(23, 0, 0, 0, 0)), "sleep": lambda _: time.sleep(0.001),
}  # fmt: skip


def only_computing(doing: str, path: str, threads: int = 0, readable: bool = False) -> str:
    """Do what ``doing`` names in a child that only computes."""
    wish = Computing((path,) if readable else (), _GIB, 10, threads)
    return _in_child(doing, path, lambda: only_compute(wish))


def in_the_open(doing: str, path: str) -> str:
    """Do what ``doing`` names in a child."""
    return _in_child(doing, path, lambda: None)


def _in_child(act: str, path: str, first: Callable[[], None]) -> str:
    pid = os.fork()
    if pid == 0:
        os._exit(_done(act, path, first))
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status:
        raise OSError(abs(status), os.strerror(abs(status)))
    return "done"


def _done(act: str, path: str, first: Callable[[], None]) -> int:
    try:
        if act == "held file":
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            _held.append(os.open(path, os.O_WRONLY | os.O_APPEND))
        first()
        _ACTS[act](path)
    except WallUnavailable:
        return _WALL_MISSING
    except OSError as error:
        return error.errno or 1
    return 0
