"""The relay: an HTTP proxy on the loopback of a cell, for the programs that run in it.

What this stops: nothing; it runs among the code that the wall holds. It passes on, over lines to the daemon, what
programs ask for: a plain request as a question like any other, a CONNECT as a tunnel.
What it does not: connect to anything, or resolve a name.

Sources: RFC 9110 section 9.3.6 (CONNECT), RFC 9112 section 3.2.2 (requests through a proxy).
"""

from __future__ import annotations

import os
import queue
import socket
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress

from permissions.egress import frames
from permissions.egress.line import Answer, Line, NoAnswer
from permissions.model import RELAY_PORT, RELAY_VARIABLE

HOST = "127.0.0.1"
_LARGEST_HEAD = 64 << 10
_LARGEST_ANSWER = 256 << 20
_PATIENCE_S = 30.0
_ANSWER_S = 600.0
_CHUNK = 32 << 10
_OF_THE_HOP = frozenset(
    "connection content-length expect host keep-alive te trailer transfer-encoding upgrade proxy-connection".split()
)
_NAMES = ("http_proxy", "https_proxy", "all_proxy")
_WORDS = {200: "OK", 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway", 503: "Service Unavailable"}


class Relay:
    """Serves the programs of this cell. The lines are taken in turn, each by one connection at a time."""

    def __init__(self, lines: Iterable[Line], port: int = RELAY_PORT) -> None:
        """Listen from now on. Raises OSError where this cell has no loopback."""
        self._free: queue.Queue[Line] = queue.Queue()
        for line in lines:
            self._free.put(line)
        self._listener = socket.create_server((HOST, port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, name="relay", daemon=True).start()

    @classmethod
    def of_cell(cls) -> Relay | None:
        """Begin to serve in the cell that this runs in; None where its programs may not connect."""
        numbers = [word for word in os.environ.get(RELAY_VARIABLE, "").split(",") if word.isdigit()]
        return cls(Line(int(word)) for word in numbers) if numbers else None

    def environment(self) -> Mapping[str, str]:
        """Return what tells programs of it."""
        address = f"http://{HOST}:{self.port}"
        return {name: address for lower in _NAMES for name in (lower, lower.upper())}

    def close(self) -> None:
        """Take no more connections."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                program, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(program,), name="relayed", daemon=True).start()

    def _serve(self, program: socket.socket) -> None:
        with program, suppress(OSError):
            try:
                line = self._free.get(timeout=_PATIENCE_S)
            except queue.Empty:
                _refuse(program, 503, "net.busy", "Too many connections at once.")
                return
            try:
                _Served(program, line).serve()
            finally:
                self._free.put(line)


class _Bad(ValueError):
    """A program said what is no request."""


class _Served:
    """One connection of a program, over one line."""

    def __init__(self, program: socket.socket, line: Line) -> None:
        self._program = program
        self._line = line
        self._rest = b""

    def serve(self) -> None:
        try:
            head = self._head()
            if head is None:
                return
            method, place, headers = _parsed(head)
            if method == "CONNECT":
                self._tunnel(place)
            else:
                self._ask(method, place, headers)
        except _Bad as error:
            _refuse(self._program, 400, "net.request", str(error))
        except NoAnswer as error:
            status = 403 if error.code.startswith("refused.") else 502
            _refuse(self._program, status, error.code, f"{error} {error.hint}".strip())

    # --- plain requests -----------------------------------------------------------------------------------------

    def _ask(self, method: str, url: str, headers: list[tuple[str, str]]) -> None:
        body = self._body(headers)
        sent: dict[str, str] = {}
        for name, value in headers:
            if name.lower() not in _left_out(headers):
                sent[name] = f"{sent[name]}, {value}" if name in sent else value
        answer = self._line.ask(
            url, method=method, headers=sent, body=body, limit_bytes=_LARGEST_ANSWER, timeout_s=_ANSWER_S
        )
        self._program.sendall(_answered(answer, whole=method != "HEAD"))

    def _body(self, headers: list[tuple[str, str]]) -> bytes:
        said = {name.lower(): value for name, value in headers}
        if said.get("expect", "").lower() == "100-continue":
            self._program.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        coding = said.get("transfer-encoding", "")
        if coding:
            if coding.lower() != "chunked":
                raise _Bad("Only the transfer coding 'chunked' is understood.")
            return self._chunks()
        length = said.get("content-length", "0")
        if not length.isdigit() or int(length) > frames.LARGEST_BODY:
            raise _Bad("The content is too long, or its length is none.")
        return self._exactly(int(length))

    def _chunks(self) -> bytes:
        found = bytearray()
        while True:
            size = self._line_of_text().partition(b";")[0].strip()
            try:
                length = int(size, 16)
            except ValueError:
                raise _Bad("A chunk has no length.") from None
            if length < 0 or len(found) + length > frames.LARGEST_BODY:
                raise _Bad("The content is too long.")
            if length == 0:
                while self._line_of_text():
                    pass
                return bytes(found)
            found += self._exactly(length)
            self._line_of_text()

    # --- tunnels ------------------------------------------------------------------------------------------------

    def _tunnel(self, place: str) -> None:
        self._line.tunnel(place)
        sending = threading.Thread(target=self._up, name="relaying", daemon=True)
        sending.start()
        try:
            self._down(b"HTTP/1.1 200 Connection established\r\n\r\n")
        finally:
            with suppress(OSError):
                self._program.shutdown(socket.SHUT_RDWR)
            sending.join()

    def _up(self) -> None:
        """Pass on what the program sends, then say that it has ended: once, whatever happens."""
        data = self._rest
        with suppress(OSError):
            while data or (data := self._program.recv(_CHUNK)):
                self._line.send(frames.BODY, data)
                data = b""
        with suppress(OSError):
            self._line.send(frames.END)

    def _down(self, data: bytes) -> None:
        """Give the program ``data`` and what comes; when it has gone the rest is read all the same: the line stays."""
        gone = False
        with suppress(NoAnswer):  # cut; the program sees a connection that ends
            while data:
                if not gone:
                    gone = not self._given(data)
                data = self._line.receive()

    def _given(self, data: bytes) -> bool:
        """Give the program ``data``; where it has gone, say that nothing more is wanted."""
        try:
            self._program.sendall(data)
        except OSError:
            self._line.send(frames.ABORT)
            return False
        return True

    # --- reading ------------------------------------------------------------------------------------------------

    def _head(self) -> bytes | None:
        while b"\r\n\r\n" not in self._rest:
            if len(self._rest) > _LARGEST_HEAD:
                raise _Bad("The request's head is too long.")
            data = self._program.recv(_CHUNK)
            if not data:
                return None
            self._rest += data
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        return head

    def _exactly(self, length: int) -> bytes:
        found = bytearray(self._rest)
        while len(found) < length:
            data = self._program.recv(_CHUNK)
            if not data:
                raise _Bad("The content is cut off.")
            found += data
        self._rest = bytes(found[length:])
        return bytes(found[:length])

    def _line_of_text(self) -> bytes:
        while b"\r\n" not in self._rest:
            data = self._program.recv(_CHUNK)
            if not data or len(self._rest) > _LARGEST_HEAD:
                raise _Bad("The content is cut off.")
            self._rest += data
        text, _, self._rest = self._rest.partition(b"\r\n")
        return text


def _parsed(head: bytes) -> tuple[str, str, list[tuple[str, str]]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise _Bad("That is no request.")
    headers = []
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise _Bad("A header has no colon.")
        headers.append((name, value.strip()))
    return words[0], words[1], headers


def _left_out(headers: list[tuple[str, str]]) -> set[str]:
    """Return the headers, in lower case, that speak of this hop alone (RFC 9110 section 7.6.1)."""
    named = (value for name, value in headers if name.lower() == "connection")
    own = {word.strip().lower() for value in named for word in value.split(",")}
    return own | _OF_THE_HOP | {name.lower() for name, _ in headers if name.lower().startswith("proxy-")}


def _answered(answer: Answer, *, whole: bool) -> bytes:
    dropped = _OF_THE_HOP if whole else _OF_THE_HOP - {"content-length"}
    kept = [(name, value) for name, value in answer.headers if name not in dropped]
    length = [("content-length", str(len(answer.body)))] if whole else []
    return _head(answer.status, [*kept, *length]) + answer.body


def _head(status: int, headers: list[tuple[str, str]]) -> bytes:
    lines = [f"HTTP/1.1 {status} {_WORDS.get(status, 'Said')}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "connection: close", "", ""]).encode("latin-1", "replace")


def _refuse(program: socket.socket, status: int, code: str, words: str) -> None:
    text = f"{words}\n".encode()
    headers = [("content-type", "text/plain; charset=utf-8"), ("content-length", str(len(text))), ("x-steward", code)]
    with suppress(OSError):
        program.sendall(_head(status, headers) + text)
