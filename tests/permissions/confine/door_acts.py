"""Acts of the escape list at the two doors of a cell: the relay of its programs, the line at which it asks for calls.

Where a call has no such door (in the open) each speaks to somebody who believes everything: a proxy at a port, a socket
by its path. Bytes travel as text, one character each.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

_SILENCE_S, _END_S = 0.5, 3.0
_LENGTH = struct.Struct("<I")
_FRAME = struct.Struct("<cI")


# -- the relay --------------------------------------------------------------------------------------------------------
def say_to_proxy(parts: list[str], port: int = 0) -> str:
    """Say ``parts`` to the proxy, each after the answer to the one before; return all that it answered."""
    if "STEWARD_RELAY" in os.environ:
        from permissions.egress import Relay

        relay = Relay.of_cell()
        assert relay is not None
        port = relay.port
    said = bytearray()
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        for part in parts:
            if part is not parts[0]:
                link.settimeout(_SILENCE_S)
                said += _heard(link)
            link.sendall(part.encode("latin-1"))
        link.settimeout(_END_S)
        link.shutdown(socket.SHUT_WR)
        while more := _heard(link):
            said += more
    return said.decode("latin-1")


def _heard(link: socket.socket) -> bytes:
    with suppress(TimeoutError):
        return link.recv(65536)
    return b""


def keep_relay(seconds: float, emit: Any) -> str:
    """Have a relay for so long, and tell when it is there."""
    from permissions.egress import Relay

    assert Relay.of_cell() is not None
    emit(b"open")
    time.sleep(seconds)
    return "kept"


def leave_tunnel(place: str, greeting: str, seconds: float, port: int = 0) -> str:
    """Open a tunnel, and leave somebody behind who goes on talking in it."""
    with _tunnel(place, port) as (file, framed):
        _told(file, greeting.encode("latin-1"), framed)
        if os.fork() == 0:
            os.setsid()
            until = time.monotonic() + seconds
            with suppress(OSError):
                while time.monotonic() < until:
                    _told(file, b"stray beat ", framed)
                    time.sleep(0.01)
            os._exit(0)
    return "left"


@contextmanager
def _tunnel(place: str, port: int) -> Iterator[tuple[int, bool]]:
    """Open a tunnel to ``place``; yield what to write to, and whether that wants frames."""
    if "STEWARD_RELAY" in os.environ:
        from permissions.egress import Line

        number = int(os.environ["STEWARD_RELAY"].split(",")[0])
        Line(number).tunnel(place)
        yield number, True
        return
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        link.sendall(f"CONNECT {place} HTTP/1.1\r\n\r\n".encode())
        link.recv(1000)
        yield link.fileno(), False


def _told(file: int, data: bytes, framed: bool) -> None:
    os.write(file, (_FRAME.pack(b"b", len(data)) if framed else b"") + data)


def hand_over(path: str, question: str, variable: str, friend: str = "") -> str:
    """Send the descriptor of ``path`` along with a question, over the line that ``variable`` names."""
    file = os.open(path, os.O_RDONLY)
    with _door(friend, variable) as link:
        socket.send_fds(link, [question.encode("latin-1")], [file])
        return link.recv(1000).decode("latin-1")


# -- the line at which a call asks ------------------------------------------------------------------------------------
@contextmanager
def _door(friend: str, variable: str = "STEWARD_CALLS") -> Iterator[socket.socket]:
    if variable in os.environ:
        with socket.socket(fileno=int(os.environ[variable].split(",")[0])) as link:
            link.settimeout(5)
            try:
                yield link
            finally:
                link.detach()
        return
    if not friend:
        raise OSError(errno.ENOENT, "no line")
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(5)
        link.connect(friend)
        yield link


def ask_much(size: int, friend: str = "") -> int:
    """Ask one question of so many bytes; return how long the answer is."""
    with _door(friend) as link:
        link.sendall(_LENGTH.pack(size) + bytes(size))
        return len(_answer(link))


def ask_often(count: int, friend: str = "") -> int:
    """Ask so many questions, each after the answer to the one before."""
    with _door(friend) as link:
        for number in range(count):
            link.sendall(_LENGTH.pack(4) + _LENGTH.pack(number))
            _answer(link)
    return count


def _answer(link: socket.socket) -> bytes:
    (length,) = _LENGTH.unpack(_exactly(link, _LENGTH.size))
    return _exactly(link, length)


def _exactly(link: socket.socket, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        part = link.recv(length - len(data))
        if not part:
            raise ConnectionResetError(errno.ECONNRESET, "the line is closed")
        data += part
    return bytes(data)


def ask_later(seconds: float, friend: str = "") -> str:
    """Leave somebody behind who asks again and again, after this call has ended."""
    with _door(friend) as link:
        if os.fork() == 0:
            os.setsid()
            until = time.monotonic() + seconds
            with suppress(OSError):
                while time.monotonic() < until:
                    link.sendall(_LENGTH.pack(4) + b"late")
                    _answer(link)
                    time.sleep(0.01)
            os._exit(0)
        time.sleep(0.1)
    return "left"


def ask_anywhere(friend: str = "") -> int:
    """Ask at every descriptor there is; return at how many something could be said."""
    question = _LENGTH.pack(4) + b"open"
    said = 0
    if friend:
        with _door(friend) as link:
            link.sendall(question)
            return len(_answer(link))
    for number in range(6, 64):
        with suppress(OSError):
            said += os.write(number, question) > 0
    time.sleep(0.2)
    return said
