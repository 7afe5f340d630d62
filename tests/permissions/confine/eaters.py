"""A worker whose calls use memory: what the kernel can take back, and what it cannot."""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import time
from collections.abc import Callable
from typing import Any

MIB = 1 << 20
Emit = Callable[[bytes], None]


def hold(emit: Emit, mib: int, step_mib: int = 16, pause_s: float = 0.02, stay_s: float = 0.1) -> int:
    """Take memory step by step, as a program that reads a table does, and stay."""
    parts = []
    while len(parts) * step_mib < mib:
        parts.append(bytearray(b"x") * (step_mib * MIB))
        emit(str(len(parts) * step_mib).encode())
        time.sleep(pause_s)
    time.sleep(stay_s)
    return len(parts) * step_mib


def read_through(emit: Emit, path: str, times: int = 3) -> int:
    """Read a file that is larger than what is needed to read it."""
    total = 0
    for _ in range(times):
        with open(path, "rb", buffering=0) as file:
            while part := file.read(MIB):
                total += len(part)
        emit(b"through")
        time.sleep(0.05)
    return total // MIB


def child_holds(_emit: Emit, mib: int) -> str:
    """Let a child hold memory that only the group counts; when it is killed, go on as if nothing had been."""
    child = os.fork()
    if child == 0:
        area = mmap.mmap(-1, mib * MIB)
        for place in range(0, mib * MIB, mmap.PAGESIZE):
            area[place] = 1
        os._exit(0)
    os.waitpid(child, 0)
    time.sleep(1)
    return "went on"


def many(_emit: Emit, count: int) -> int:
    """Start processes until it is refused."""
    born = []
    try:
        for _ in range(count):
            child = os.fork()
            if child == 0:
                time.sleep(5)
                os._exit(0)
            born.append(child)
    except BlockingIOError:
        pass
    return len(born)


def leave_behind(emit: Emit, lock: str) -> None:
    """Start a process in a session of its own that holds ``lock``, and stay."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            file = os.open(lock, os.O_RDWR | os.O_CREAT)
            fcntl.flock(file, fcntl.LOCK_EX)
            emit(b"holding")
            time.sleep(600)
        os._exit(0)
    time.sleep(600)


ACTS: dict[str, Callable[..., Any]] = {
    "leave_behind": leave_behind, "hold": hold, "read_through": read_through, "child_holds": child_holds, "many": many,
}  # fmt: skip


def run(request: bytes, emit: Emit) -> bytes:
    """Do what the request asks for."""
    wish = json.loads(request)
    return json.dumps(ACTS[wish.pop("act")](emit, **wish)).encode()


if __name__ == "__main__":
    from permissions.confine import serve

    serve(run)
