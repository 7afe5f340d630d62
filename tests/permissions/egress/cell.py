"""The worker of these tests: tries, in a cell, what a call with network rights may and may not do."""

from __future__ import annotations

import array
import errno
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

_INTERFACES = 0x8912  # SIOCGIFCONF, linux/sockios.h


def direct(address: str, port: int) -> str:
    with socket.create_connection((address, port), 2) as link:
        link.sendall(b"GET / HTTP/1.1\r\n\r\n")
        return link.recv(1000).decode().rpartition("\r\n")[2]


def fetch(url: str, **wishes: Any) -> str:
    from permissions.egress import Line

    line = Line.of_cell()
    assert line is not None
    return line.ask(url, **wishes).body.decode()


def hang(url: str) -> str:
    return fetch(url, timeout_s=60.0)


def has_line() -> bool:
    return "STEWARD_NETWORK" in os.environ


def descriptors() -> list[int]:
    """Return what is open here, above the request and below what this very look opens."""
    return [number for number in range(3, 40) if _open(number)]


def _open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def interfaces() -> int:
    """Ask a socket about the network that it was made in; return how many bytes it told."""
    room = array.array("B", bytes(4096))
    asked = struct.pack("iL", len(room), room.buffer_info()[0])
    ours, theirs = socket.socketpair()
    with ours, theirs:
        told = fcntl.ioctl(int(os.environ.get("STEWARD_NETWORK", ours.fileno())), _INTERFACES, asked)
    return int(struct.unpack("iL", told)[0])


def smuggle(url: str) -> str:
    """Hand a descriptor to the daemon along with a question."""
    from permissions.egress.frames import ASK, BODY, frame, json_frame

    question = {"url": url, "method": "GET", "headers": [], "limit_bytes": 100, "timeout_s": 5, "redirects": 0}
    with socket.socket(fileno=int(os.environ["STEWARD_NETWORK"])) as line:
        data = json_frame(ASK, question) + frame(BODY)
        socket.send_fds(line, [data], [os.open("/etc/passwd", os.O_RDONLY)])
        return line.recv(1000).decode(errors="replace")


def program(*argv: str, relayed: bool = True) -> dict[str, Any]:
    """Run a program in this cell, with the relay beside it; return its status and what it said."""
    from permissions.egress import Relay

    relay = Relay.of_cell() if relayed else None
    environment = {**os.environ, **(relay.environment() if relay else {})}
    ran = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=30, check=False)
    return {"status": ran.returncode, "out": ran.stdout, "err": ran.stderr}


def sockets(kinds: list[list[int]]) -> list[str]:
    """Try to make each kind of socket; return what came of it."""
    return [_made(*kind) for kind in kinds]


def _made(*kind: int) -> str:
    try:
        socket.socket(*kind).close()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error.errno))
    return "made"


def served(port: int) -> str:
    """Listen at a port of this cell's own loopback, and be one's own visitor."""
    with socket.create_server(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port), 2):
        return "served"


def sleep_on() -> str:
    time.sleep(30)
    return "slept"


ACTS: dict[str, Callable[..., Any]] = {
    act.__name__: act
    for act in (direct, fetch, hang, has_line, descriptors, interfaces, smuggle, sleep_on, program, sockets, served)
}


def run(request: bytes, _emit: Callable[[bytes], None]) -> bytes:
    """Do one act; return its value, or what refused it."""
    asked = json.loads(request)
    try:
        given = asked["words"].pop("argv", [])
        return json.dumps({"value": ACTS[asked["act"]](*given, **asked["words"])}).encode()
    except OSError as error:
        return json.dumps({"refused": errno.errorcode.get(error.errno or 0, type(error).__name__)}).encode()
    except Exception as error:
        return json.dumps({"refused": getattr(error, "code", repr(error))}).encode()


if __name__ == "__main__":
    from permissions.confine import serve

    sys.exit(serve(run))
