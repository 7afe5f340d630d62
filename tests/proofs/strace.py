"""One thread of a child under strace: every call on files is listed, or one of them meets a fault.

strace counts calls for each thread by itself, so that one thread alone is traced (``-p``, without ``-f``), and it is
attached only once the child stands at the line: what is counted is what the act does, not what Python does to start.
The child and we speak through shared memory, which needs no system call that could be hit by mistake.

Source: strace(1), ``inject``.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CHANGING = """
write pwrite64 writev pwritev pwritev2 fsync fdatasync sync_file_range syncfs rename renameat renameat2 link linkat
symlink symlinkat unlink unlinkat rmdir mkdir mkdirat mknod mknodat truncate ftruncate fallocate chmod fchmod fchmodat
fchmodat2 chown fchown lchown fchownat utime utimes utimensat setxattr lsetxattr fsetxattr removexattr lremovexattr
fremovexattr copy_file_range sendfile ioctl
""".split()
OPENING = ["open", "creat", "openat", "openat2"]
READING = "read readv pread64 preadv preadv2 getdents64 flock listxattr flistxattr getxattr fgetxattr".split()
_LINE = re.compile(r"^(\w+)\((.*)$")
_READY, _GO, _THREAD, _SAID = 0, 1, 8, 64
_ROOM = 1 << 16


@dataclass(frozen=True, slots=True)
class Call:
    """One call on files in the order of its thread: the ``number``-th of its name."""

    name: str
    number: int
    text: str

    @property
    def changes(self) -> bool:
        """Whether it may change something on disk."""
        return self.name in CHANGING or (self.name in OPENING and "O_CREAT" in self.text)


@dataclass(frozen=True, slots=True)
class Ended:
    """How the child ended: ``hit`` is the call that was made to fail; ``said``, what the child noted on the way."""

    killed: bool
    hit: Call | None
    calls: tuple[Call, ...]
    said: tuple[str, ...]


class Board:
    """Shared memory between us and the child."""

    def __init__(self) -> None:
        self._room = mmap.mmap(-1, _ROOM)
        self._words: list[str] = []

    def say(self, word: str) -> None:
        """Note a word, for the time after the child's death."""
        self._words.append(word)
        text = json.dumps(self._words).encode()
        self._room[_SAID + 4 : _SAID + 4 + len(text)] = text
        self._room[_SAID : _SAID + 4] = len(text).to_bytes(4, "little")

    def said(self) -> tuple[str, ...]:
        """Return all words."""
        size = int.from_bytes(self._room[_SAID : _SAID + 4], "little")
        return tuple(json.loads(self._room[_SAID + 4 : _SAID + 4 + size])) if size else ()

    def stand_at_the_line(self, thread: int) -> None:
        """In the child: offer ``thread`` to be traced, and wait until it is."""
        ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1 & (1 << 64) - 1), 0, 0, 0)  # PR_SET_PTRACER, anybody
        self._room[_THREAD : _THREAD + 4] = thread.to_bytes(4, "little")
        self._room[_READY] = 1
        while not self._room[_GO]:
            time.sleep(0.0005)

    def wait_for_thread(self, child: int) -> int:
        """Return the thread that the child offers. Raises RuntimeError when it dies first."""
        while not self._room[_READY]:
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                raise RuntimeError(f"the child died before its line: {self.said()}")
            time.sleep(0.0005)
        return int.from_bytes(self._room[_THREAD : _THREAD + 4], "little")

    def go(self) -> None:
        """Let the child go on."""
        self._room[_GO] = 1

    def close(self) -> None:
        """Give the memory back."""
        self._room.close()


def traced(act: Callable[[Board], None], log: Path, inject: str = "") -> Ended:
    """Fork a child that does ``act`` and trace it from its line on; ``inject`` is strace's word for the fault."""
    board = Board()
    child = os.fork()
    if not child:
        _be(act, board)
    try:
        tracer = _attach(board.wait_for_thread(child), log, inject)
        board.go()
        status = os.waitpid(child, 0)[1]
        tracer.communicate(timeout=30)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == 9
        calls = _read(log)
        return Ended(killed, next((call for call in calls if "(INJECTED)" in call.text), None), calls, board.said())
    finally:
        board.close()


def _be(act: Callable[[Board], None], board: Board) -> None:
    try:
        act(board)
    finally:
        os._exit(0)


def _attach(thread: int, log: Path, inject: str) -> subprocess.Popen[str]:
    names = ",".join(f"?{name}" for name in (*CHANGING, *OPENING, *READING))
    command = ["strace", "-y", "-s", "200", "-o", str(log), "-e", f"trace={names}", "-p", str(thread)]
    command += ["-e", f"inject={inject}"] if inject else []
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert tracer.stderr
    line = tracer.stderr.readline()
    if "attached" not in line:
        tracer.kill()
        raise RuntimeError(f"strace does not attach: {line.strip()}")
    return tracer


def _read(log: Path) -> tuple[Call, ...]:
    count: dict[str, int] = {}
    calls = []
    lines = log.read_text(errors="replace").splitlines()
    for found in filter(None, map(_LINE.match, lines)):
        name = found[1]
        count[name] = count.get(name, 0) + 1
        calls.append(Call(name, count[name], found[2]))
    return tuple(calls)


def own_thread() -> int:
    """Return the kernel's number of this thread."""
    return threading.get_native_id()


def thread_named(name: str) -> int:
    """Return the kernel's number of the thread called ``name``."""
    return next(one.native_id or 0 for one in threading.enumerate() if one.name == name)
