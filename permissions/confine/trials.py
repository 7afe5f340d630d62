"""What a cell must refuse, tried: the acts of the self-test, and the small worker that tries them in a real cell.

What this stops: a claim about the wall that nobody tried on this machine, with this kernel, today.
What it does not: prove the wall. It is a handful of acts; the whole list is ``make escape``.

``python -P -m permissions.confine.trials`` is a worker like any other, and loads nothing of a skill.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from permissions.model import Level

_NEW_USER = 0x10000000
_DESCRIPTORS = 8
"""A call has its answer, its request, its output and perhaps a network; and the one that lists them."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the acts are aimed at: a private file, the daemon, a listener of the daemon; and what is granted."""

    private: str
    pid: int
    port: int
    readable: str
    writable: str
    memory_bytes: int


def read_private(target: Target) -> None:
    """Read a file that was not granted."""
    with open(target.private, "rb") as file:
        file.read(1)


def write_outside(target: Target) -> None:
    """Make a file beside it."""
    path = f"{target.private}.new"
    with open(path, "wb"):
        os.unlink(path)


def change_mode(target: Target) -> None:
    """Let others read it."""
    os.chmod(target.private, 0o600)


def signal_daemon(target: Target) -> None:
    """Reach the daemon with a signal."""
    os.kill(target.pid, 0)


def connect(target: Target) -> None:
    """Connect to a port of this machine."""
    socket.create_connection(("127.0.0.1", target.port), timeout=1).close()


def new_namespace(_target: Target) -> None:
    """Become root of a namespace of its own."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_USER):
        raise OSError(ctypes.get_errno(), "unshare")


def hold_powers(_target: Target) -> None:
    """Have a capability, or gain one by a program."""
    lines = open("/proc/self/status").read().splitlines()  # noqa: SIM115  (the process ends here)
    state = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    if int(state["CapEff"], 16) == 0 and state["NoNewPrivs"] == "1":
        raise PermissionError("none held")


def find_descriptors(_target: Target) -> None:
    """Find an open descriptor of the daemon."""
    if len(os.listdir("/proc/self/fd")) < _DESCRIPTORS:
        raise PermissionError("none found")


def take_memory(target: Target) -> None:
    """Take more memory than it may have."""
    if not bytearray(2 * target.memory_bytes):
        raise MemoryError


def use_what_is_granted(target: Target) -> None:
    """The control: what is granted can be read and written."""
    with open(target.readable, "rb") as file:
        file.read(1)
    with open(f"{target.writable}/made", "wb") as file:
        file.write(b"x")


Act = Callable[[Target], None]

WEAKER: Mapping[str, Act] = {
    act.__name__: act
    for act in (read_private, write_outside, connect, new_namespace, hold_powers, find_descriptors, take_memory)
}
"""What is refused at L2 already."""

STRONGER: Mapping[str, Act] = {act.__name__: act for act in (change_mode, signal_daemon)}
"""What only L3 refuses on every kernel."""

OUTSIDE = ("read_private", "write_outside", "change_mode", "signal_daemon", "connect")
"""Acts that must succeed outside of a cell, else their refusal inside proves nothing."""


def expected(level: Level) -> dict[str, Act]:
    """Return the acts that a cell of this level must refuse."""
    if level is Level.L1:
        return {}
    return dict(WEAKER) if level is Level.L2 else {**WEAKER, **STRONGER}


def refused(act: Act, target: Target) -> bool:
    """Tell whether ``act`` is refused."""
    try:
        act(target)
    except (OSError, MemoryError):
        return True
    return False


def run(request: bytes, _emit: Callable[[bytes], None]) -> bytes:
    """Try every act; answer which were refused, and whether what is granted works."""
    wish: dict[str, Any] = json.loads(request)
    target = Target(**wish)
    works = not refused(use_what_is_granted, target)
    found = {name: refused(act, target) for name, act in {**WEAKER, **STRONGER}.items() if name != "new_namespace"}
    found["new_namespace"] = refused(new_namespace, target)  # last: where it works, the rest would be another process
    with suppress(OSError):
        os.unlink(f"{target.writable}/made")
    return json.dumps({"works": works, "refused": found}).encode()


if __name__ == "__main__":
    from permissions.confine import serve

    serve(run)
