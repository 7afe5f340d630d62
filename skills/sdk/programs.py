"""Running a program from a tool, inside the tool's own cell: its status, and what it said, bounded.

What this stops: a program that says more than anybody reads filling the memory; one that outlives its time, with all
that it started. What it does not: confine. A program has the rights of the call that runs it, and no other.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skills.sdk import wrong

MOST_BYTES = 1 << 20
"""Of each stream so much is kept: the first half and the last."""

_CHUNK = 1 << 16
_PAUSE_S = 0.2


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended. ``status`` is its exit status, negative for the signal that ended it.

    ``cut`` tells that one of the streams was longer than what is kept of it.
    """

    status: int
    stdout: str
    stderr: str
    cut: bool = False


class _Kept:
    """The beginning and the end of a stream."""

    def __init__(self) -> None:
        self._head, self._tail, self.cut = bytearray(), bytearray(), False

    def add(self, data: bytes) -> None:
        room = MOST_BYTES // 2 - len(self._head)
        self._head += data[: max(room, 0)]
        self._tail += data[max(room, 0) :]
        if len(self._tail) > MOST_BYTES // 2:
            self.cut = True
            del self._tail[: len(self._tail) - MOST_BYTES // 2]

    def text(self) -> str:
        between = b"\n[...]\n" if self.cut else b""
        return (bytes(self._head) + between + bytes(self._tail)).decode(errors="replace")


def run(argv: Sequence[str], *, cwd: str, timeout_s: float, fed: bytes, environment: Mapping[str, str]) -> Ran:
    """Run ``argv`` in ``cwd`` with ``fed`` as its input and ``environment`` added to its own, and wait for its end.

    Raises ToolError where it cannot start or takes too long; then it has been ended.
    """
    words = [str(word) for word in argv]
    until_s = time.monotonic() + timeout_s
    process = _start(words, cwd, fed, {**os.environ, **environment})
    with process:
        try:
            kept = _listen(process, until_s)
            status = process.wait(timeout=max(0.0, until_s - time.monotonic())) if kept else None
        except subprocess.TimeoutExpired:
            kept = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        if kept is None or status is None:
            raise wrong.too_slow(words[0], seconds=f"{timeout_s:g}")
    out, err = kept
    return Ran(status, out.text(), err.text(), out.cut or err.cut)


def _start(words: Sequence[str], cwd: str, fed: bytes, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    given = _input(fed)
    try:
        return subprocess.Popen(
            words, cwd=cwd, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            env=environment,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise wrong.no_program(words[0] if words else "", why=why) from error
    finally:
        os.close(given)


def _input(fed: bytes) -> int:
    """Return a file with what the program is fed: nothing waits for a program that does not read."""
    if not fed:
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    file = os.memfd_create("input", os.MFD_CLOEXEC)
    view = memoryview(fed)
    while view:
        view = view[os.write(file, view) :]
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _listen(process: subprocess.Popen[bytes], until_s: float) -> tuple[_Kept, _Kept] | None:
    """Take what the program says until it has closed both streams or ended; None when its time is over."""
    kept = _Kept(), _Kept()
    with selectors.DefaultSelector() as selector:
        for stream, one in zip((process.stdout, process.stderr), kept, strict=True):
            assert stream
            selector.register(stream, selectors.EVENT_READ, one)
        while selector.get_map():
            ready = selector.select(min(max(0.0, until_s - time.monotonic()), _PAUSE_S))
            for key, _ in ready:
                data = os.read(key.fd, _CHUNK)
                key.data.add(data)
                if not data:
                    selector.unregister(key.fileobj)
            if not ready and process.poll() is not None:
                break  # what it started in the background holds the streams open, and says nothing
            if time.monotonic() >= until_s:
                return None
    return kept
