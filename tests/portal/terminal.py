"""A command in a terminal of its own, for tests that read and type like a person."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import time
from typing import Any

Installation = Any  # tests/portal/conftest.py


class Terminal:
    """A command in a terminal of its own, read and typed into like a person would."""

    def __init__(self, installation: Installation, *arguments: str, columns: int = 120) -> None:
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background job ignores it, and children inherit that
            os.chdir(installation.home)
            environ = installation.environ | {"TERM": "xterm", "COLUMNS": str(columns), "NO_COLOR": "1"}
            os.execve(sys.executable, [sys.executable, "-P", "-m", "portal.cli", *arguments], environ)
        self.seen = ""

    def read(self, words: str, longest_s: float = 60) -> str:
        """Read until ``words`` have been seen; return what stood before them."""
        deadline = time.monotonic() + longest_s
        while words not in self.seen:
            assert time.monotonic() < deadline, self.seen
            assert self._more(), f"it ended without saying {words!r}: {self.seen}"
        before, _, self.seen = self.seen.partition(words)
        return before

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def end(self) -> tuple[int, str]:
        """Read to the end; return the exit code and what was still said."""
        while self._more():
            pass
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]), self.seen

    def _more(self) -> bool:
        readable, _, _ = select.select([self.descriptor], [], [], 30)
        assert readable, f"silence after {self.seen!r}"
        try:
            got = os.read(self.descriptor, 65536)
        except OSError:  # the other end is closed: man 4 pts
            return False
        self.seen += got.decode("utf-8", "replace")
        return bool(got)
