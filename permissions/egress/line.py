"""The cell's end: ask the daemon for something on the network, and read what it answers.

What this stops: nothing; it runs among the code that the wall holds. It keeps an answer to the size that was asked for.
What it does not: connect to anything. Without the right to, there is no line at all.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from permissions.egress import frames
from permissions.model import NETWORK_VARIABLE


class NoAnswer(Exception):
    """The daemon refused, or the host did not answer: a stable code, a message, what it is about, and what to do."""

    def __init__(self, code: str, message: str, subject: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.subject = subject
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answered. Names of headers are in lower case; ``url`` is where it came from in the end."""

    status: int
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Line:
    """A line to the daemon. One question at a time; threads wait for each other."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._lock = threading.Lock()

    @classmethod
    def of_cell(cls) -> Line | None:
        """Return the line of the cell that this runs in; None where it has none."""
        number = os.environ.get(NETWORK_VARIABLE, "")
        return cls(int(number)) if number.isdigit() else None

    def ask(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        limit_bytes: int = 10 << 20,
        timeout_s: float = 30.0,
        redirects: int = 0,
        secrets: Mapping[str, tuple[str, str]] | None = None,
    ) -> Answer:
        """Return the answer to one request. Raises NoAnswer.

        ``secrets`` gives by header a form (``Bearer {}``) and the name of the secret that the daemon puts into it.
        """
        if len(body) > frames.LARGEST_BODY:
            raise NoAnswer("net.size", "More than 16 MiB cannot be sent.", str(frames.LARGEST_BODY), "Send less.")
        question = {
            "url": url, "method": method, "headers": list((headers or {}).items()), "limit_bytes": limit_bytes,
            "timeout_s": timeout_s, "redirects": redirects,
            "secrets": [[header, form, name] for header, (form, name) in (secrets or {}).items()],
        }  # fmt: skip
        with self._lock:
            try:
                self._write(frames.json_frame(frames.ASK, question) + frames.frame(frames.BODY, body))
                return self._read_answer()
            except OSError as error:
                raise _cut() from error

    def tunnel(self, place: str, timeout_s: float = 30.0) -> None:
        """Have a connection to ``host:port`` opened, whose bytes ``send`` and ``receive`` pass on. Raises NoAnswer.

        From here on the line is the tunnel's until ``receive`` has returned nothing and END has been sent.
        """
        try:
            self._write(frames.json_frame(frames.TUNNEL, {"place": place, "timeout_s": timeout_s}))
            kind, data = self._read_frame()
        except OSError as error:
            raise _cut() from error
        if kind == frames.FAILED:
            raise _no_answer(data)

    def send(self, kind: bytes, data: bytes = b"") -> None:
        """Send BODY, END or ABORT of a tunnel. Raises OSError."""
        with self._lock:
            self._write(frames.frame(kind, data))

    def receive(self) -> bytes:
        """Return what came through the tunnel next, nothing at its end, also where it was refused after all.

        Raises NoAnswer where the line is cut.
        """
        try:
            kind, data = self._read_frame()
        except OSError as error:
            raise _cut() from error
        return data if kind == frames.BODY else b""

    def _read_answer(self) -> Answer:
        kind, data = self._read_frame()
        if kind == frames.FAILED:
            raise _no_answer(data)
        head = json.loads(data)
        body = bytearray()
        kind, data = self._read_frame()
        while kind == frames.BODY:
            body += data
            kind, data = self._read_frame()
        if kind == frames.FAILED:
            raise _no_answer(data)
        headers = tuple((name, value) for name, value in head["headers"])
        return Answer(head["status"], head["url"], headers, bytes(body))

    def _read_frame(self) -> tuple[bytes, bytes]:
        kind, length = frames.FRAME.unpack(self._read(frames.FRAME.size))
        return kind, self._read(length)

    def _read(self, length: int) -> bytes:
        data = bytearray()
        while len(data) < length:
            part = os.read(self._file, length - len(data))
            if not part:
                raise _cut()
            data += part
        return bytes(data)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view) :]


def _no_answer(data: bytes) -> NoAnswer:
    said = json.loads(data)
    return NoAnswer(said["code"], said["message"], said["subject"], said["hint"])


def _cut() -> NoAnswer:
    return NoAnswer("net.cut", "Steward has closed the network for this call.", hint="It asked too much, or wrongly.")
