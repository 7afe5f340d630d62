"""The worker of ``test_questions``: asks the daemon, by the rules and otherwise."""

from __future__ import annotations

import errno
import json
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any


def _line() -> int:
    return int(os.environ["STEWARD_CALLS"])


def ask(text: str) -> str:
    from permissions.confine import Asker

    asker = Asker.of_cell()
    assert asker is not None
    return asker.ask(text.encode()).decode()


def lines() -> dict[str, bool]:
    """Return which lines it was told of, and whether they are open."""
    return {name: _open(int(os.environ[name])) for name in ("STEWARD_NETWORK", "STEWARD_CALLS") if name in os.environ}


def descriptors() -> list[int]:
    return [number for number in range(3, 40) if _open(number)]


def _open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def leave(text: str) -> str:
    """Ask, and do not wait for the answer."""
    threading.Thread(target=ask, args=(text,), daemon=True).start()
    time.sleep(0.3)
    return "left"


def raw(data: str) -> str:
    """Send bytes as they are; return how the line answers."""
    os.write(_line(), bytes.fromhex(data))
    return os.read(_line(), 100).hex()


def pipelined(count: int) -> list[str]:
    """Send many questions at once, then read all answers."""
    os.write(_line(), b"".join(struct.pack("<I", 2) + b"%02d" % number for number in range(count)))
    data = b""
    while len(data) < count * 6:
        data += os.read(_line(), 1000) or _gone()
    return [data[at + 4 : at + 6].decode() for at in range(0, len(data), 6)]


def _gone() -> bytes:
    raise ConnectionResetError(errno.ECONNRESET, "the line is closed")


def smuggle() -> str:
    """Send a descriptor along with a question."""
    with socket.socket(fileno=_line()) as line:
        socket.send_fds(line, [struct.pack("<I", 1) + b"x"], [os.open("/etc/passwd", os.O_RDONLY)])
        return line.recv(100)[4:].decode()


ACTS: dict[str, Callable[..., Any]] = {
    act.__name__: act for act in (ask, lines, descriptors, leave, raw, pipelined, smuggle)
}


def run(request: bytes, _emit: Callable[[bytes], None]) -> bytes:
    """Do one act; return its value, or what refused it."""
    asked = json.loads(request)
    try:
        return json.dumps({"value": ACTS[asked["act"]](**asked["words"])}).encode()
    except OSError as error:
        return json.dumps({"value": errno.errorcode.get(error.errno or 0, type(error).__name__)}).encode()


if __name__ == "__main__":
    from permissions.confine import serve

    sys.exit(serve(run))
