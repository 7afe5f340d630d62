"""Keeps one process: starts it with limits, watches it, and leaves nothing of it behind. Standard library only.

What this stops: a process that hangs, forks, detaches children, takes memory or file space, prints without end.
What it does not stop: reading files, the network, writing outside of its folder; that is for the cell it runs in.

Where there is no /proc (a cell in a container), it ends the worker's process group, and the cell the rest: it ends with
its call and bounds the number of processes.

Run as a script: the request is JSON on standard input, the verdict JSON on standard output.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from typing import Any

_SUBREAPER, _DEATH_SIGNAL = 36, 1
_MOST_PROCESSES = 48
_TAIL = 4096


def main() -> None:
    """Keep one process as the request says, and say how it ended."""
    request = json.load(sys.stdin)
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    prctl(_SUBREAPER, 1, 0, 0, 0)
    worker = _started(request)
    try:
        verdict = _watched(worker, request)
    finally:
        _end_all(worker.pid)
    json.dump(verdict, sys.stdout)


def _started(request: dict[str, Any]) -> subprocess.Popen[bytes]:
    def limited() -> None:
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        for name, value in request["limits"].items():
            _limit(getattr(resource, name), value)

    return subprocess.Popen(  # the limits are set between fork and exec; this process has one thread
        request["command"], cwd=request["folder"], env=request["environment"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limited,  # noqa: PLW1509
    )  # fmt: skip


def _limit(kind: int, wanted: int) -> None:
    """Set a limit, or keep the one of the cell where that is lower."""
    hard = resource.getrlimit(kind)[1]
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (most, most))


def _watched(worker: subprocess.Popen[bytes], request: dict[str, Any]) -> dict[str, Any]:
    assert worker.stdout is not None
    until, printed, tail, why = time.monotonic() + request["deadline_s"], 0, b"", ""
    pipe = worker.stdout.fileno()
    os.set_blocking(pipe, False)
    while worker.poll() is None and not why:
        select.select([pipe], [], [], 0.05)
        data = _read(pipe)
        printed, tail = printed + len(data), (tail + data)[-_TAIL:]
        if time.monotonic() > until:
            why = "deadline"
        elif printed > request["most_printed"]:
            why = "output"
        elif len(_descendants()) > _MOST_PROCESSES:
            why = "processes"
    tail = (tail + _read(pipe))[-_TAIL:]
    return {"code": worker.poll(), "why": why, "tail": tail.decode("utf-8", "replace")}


def _read(pipe: int) -> bytes:
    with contextlib.suppress(BlockingIOError):
        return os.read(pipe, 1 << 20)
    return b""


def _descendants() -> list[int]:
    """Return all processes below this one; what a child leaves behind becomes ours, since we are its reaper."""
    parents: dict[int, int] = {}
    for name in filter(str.isdigit, _names_in_proc()):
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat") as stat:
            parents[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
    found, me = [], os.getpid()
    for one in parents:
        above = one
        while above in parents and above != me:
            above = parents[above]
        if above == me and one != me:
            found.append(one)
    return found


def _names_in_proc() -> list[str]:
    try:
        return os.listdir("/proc")
    except OSError:
        return []


def _end_all(worker: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    for _ in range(200):
        alive = _descendants()
        for one in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not alive:
            return
        time.sleep(0.01)


if __name__ == "__main__":
    main()
