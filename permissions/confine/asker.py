"""The cell's end of the line at which a call asks the daemon for something: a question in bytes, its answer in bytes.

What this stops: nothing; it runs among the code that the wall holds.
What it does not: know what is asked (``skills`` does), or ask without the right to: then there is no line at all.
"""

from __future__ import annotations

import os
import struct
import threading

from permissions.model import CALLS_VARIABLE

HEAD = struct.Struct("<I")
"""Before each question and each answer: its length."""

LARGEST_QUESTION = 4 << 20
LARGEST_ANSWER = 32 << 20


class Asker:
    """A line to the daemon. One question at a time; threads wait for each other."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._lock = threading.Lock()

    @classmethod
    def of_cell(cls) -> Asker | None:
        """Return the line of the cell that this runs in; None where it has none."""
        number = os.environ.get(CALLS_VARIABLE, "")
        return cls(int(number)) if number.isdigit() else None

    def ask(self, question: bytes) -> bytes:
        """Return the daemon's answer. Raises ConnectionError where it listens no more, ValueError for too much."""
        with self._lock:
            self.send(question)
            return self.receive()

    def fileno(self) -> int:
        """Return the line's descriptor, for who waits until an answer can be received."""
        return self._file

    def send(self, question: bytes) -> None:
        """Ask, and wait for nothing; whoever does so sees to it that one question is asked at a time."""
        if len(question) > LARGEST_QUESTION:
            raise ValueError(f"a question of {len(question)} bytes")
        view = memoryview(HEAD.pack(len(question)) + question)
        while view:
            view = view[os.write(self._file, view) :]

    def receive(self) -> bytes:
        """Return the answer to what was sent."""
        (length,) = HEAD.unpack(self._read(HEAD.size))
        return self._read(length)

    def _read(self, length: int) -> bytes:
        data = bytearray()
        while len(data) < length:
            part = os.read(self._file, length - len(data))
            if not part:
                raise ConnectionError("the daemon has closed the line")
            data += part
        return bytes(data)
