"""A Chroma server in a process of its own, which can be ended and begun again at the same address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_START = "from chromadb.cli.cli import app; app()"


@dataclass(slots=True)
class Server:
    """A server of ``folder`` at ``port``."""

    folder: Path
    port: int
    _process: subprocess.Popen[bytes] | None = field(default=None)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Start it, and wait until it listens."""
        place = ["--path", str(self.folder), "--host", "127.0.0.1", "--port", str(self.port)]
        environ = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-c", _START, "run", *place]
        self._process = subprocess.Popen(command, env=environ, stdout=quiet, stderr=quiet)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("the Chroma server did not start")

    def fall_silent(self) -> None:
        """Let it take calls and answer none, until ``go_on``."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it answer again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def end(self) -> None:
        """End it, if it runs."""
        if self._process is not None:
            self.go_on()
            self._process.terminate()
            self._process.wait(20)
            self._process = None


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A running server at a free port; ended in the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(folder, port)
    try:
        server.begin()
        yield server
    finally:
        server.end()
