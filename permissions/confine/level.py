"""The level that this machine really gives, found out by building a cell.

What this stops: claiming a wall that is not there.
What it does not: try what a cell refuses; the self-test does (``selftest``).
"""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

from permissions.confine import landlock, launch, linux, wire
from permissions.confine.ends import Door
from permissions.model import CellSpec, Level, Limits


def last_words(status: int) -> dict[str, Any]:
    """Read what the launcher said in the cell, the first thing first; no code of a call holds the pipe's other side."""
    os.set_blocking(status, False)
    try:
        data = os.read(status, 8192)
    except BlockingIOError:
        data = b""
    finally:
        os.close(status)
    return wire.unpack(data.partition(b"\n")[0]) if data else {}


def settle(kit: launch.Kit) -> tuple[launch.Kit, Level, str]:
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
    with ExitStack() as opened:
        ours, theirs = map(opened.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        nothing = os.open(os.devnull, os.O_RDWR)
        for end in (writer, nothing):
            opened.callback(os.close, end)
        try:
            pid = launch.fork(kit.level)
        except OSError as problem:
            os.close(reader)
            return f"this machine refuses new namespaces ({os.strerror(problem.errno or 0).lower()})"
        if pid == 0:
            launch.stand_by(kit, Door(theirs.fileno(), nothing, nothing), writer, [], lambda _request, _emit: b"")
        with suppress(BrokenPipeError, ConnectionResetError):
            ours.send(wire.pack_call(CellSpec(limits=Limits(wall_s=5, cpu_s=5)), b""))
        os.waitpid(pid, 0)
    message = last_words(reader)
    return "" if message.get("exit") == 0 else str(message.get("failed") or message or "the first cell died")
