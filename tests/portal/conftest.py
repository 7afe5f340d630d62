"""A command line and a daemon of their own for every test that asks: real processes, real folders, nothing shared."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from portal.client import Client
from portal.locate import Places, find_places
from portal.wire import is_listening
from tests.portal.browser import Tab, signed_in


@dataclass(frozen=True)
class Finished:
    """What a command left: its exit code and both outputs."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object of ``--json``; fails when there is anything else on standard output."""
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)


@dataclass(frozen=True)
class Installation:
    """A home and a STEWARD_HOME, with a command line that uses them."""

    root: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "TZ") if name in os.environ}
        own = {"HOME": str(self.home), "STEWARD_HOME": str(self.root / "s"), "LANG": "C.UTF-8", "STEWARD_PORT": "0"}
        return kept | own | self.extra

    @property
    def places(self) -> Places:
        return find_places(self.environ)

    def steward(self, *arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> Finished:
        """Run a command without a terminal."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "portal.cli", *arguments],
            capture_output=True, stdin=subprocess.DEVNULL, text=True, encoding="utf-8", timeout=100,
            cwd=cwd or self.home, env=self.environ | (env or {}), check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr + done.stdout, done.stderr
        return Finished(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def daemon(self) -> Iterator[subprocess.Popen[bytes]]:
        """Run the daemon as a child of the test, and end it."""
        child = subprocess.Popen([sys.executable, "-P", "-m", "portal.serve"], env=self.environ, cwd="/")
        try:
            wait_for(lambda: is_listening(self.places) or child.poll() is not None)
            assert child.poll() is None, self.log
            wait_for(self.places.ready.exists)  # written once it listens
            yield child
        finally:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
            child.wait(30)

    @property
    def log(self) -> str:
        return self.places.log.read_text() if self.places.log.exists() else ""

    def client(self) -> Client:
        return Client(self.places)


def wait_for(done: Callable[[], Any], longest_s: float = 60.0) -> Any:
    """Wait until ``done()`` is true and return it; fails after ``longest_s``."""
    deadline = time.monotonic() + longest_s
    while not (found := done()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
    return found


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """An empty home and an empty STEWARD_HOME; whatever daemon a test leaves is ended."""
    made = Installation(tmp_path)
    made.home.mkdir(mode=0o700)
    yield made
    if made.places.socket.exists():
        made.steward("down")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation whose daemon runs for the whole module."""
    made = Installation(tmp_path_factory.mktemp("running"))
    made.home.mkdir(mode=0o700)
    with made.daemon():
        yield made


@pytest.fixture(scope="module")
def downloaded(running: Installation) -> None:
    """Something in the home that a routine can look at."""
    (running.home / "Downloads").mkdir(mode=0o700)
    (running.home / "Downloads" / "big.iso").write_text("x" * 1000)


@pytest.fixture
def no_routine_left(running: Installation) -> Iterator[None]:
    """Leave no routine and no question behind."""
    yield
    with running.client() as client:
        for waiting in client.approvals():
            client.approve(waiting["run"], "no")
        for one in client.routines():
            client.remove_routine(one["name"])


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A browser with one tab, for the whole module."""
    made = Tab(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.fixture
def page(tab: Tab, running: Installation) -> Tab:
    """The page, signed in, with an empty conversation."""
    signed_in(tab, running)
    return tab
