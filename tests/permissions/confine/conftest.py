"""A wall per situation: as whoever runs the tests, as an ordinary user, and where user namespaces are denied."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest

import permissions
from permissions.confine import Cells
from permissions.model import CellOutcome, CellSpec, CellStatus, Level

HERE = Path(__file__).parent
ORDINARY = 54321 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
"""A user for each worker of the tests: the processes of a user are counted together, whoever's tests they are."""
OURS = {"PYTHONPATH": str(Path(permissions.__file__).parents[1])}
T = TypeVar("T")
SITUATIONS = {
    "own": (),
    "own-denied": ("--without-namespaces",),
    "ordinary": ("--user", str(ORDINARY)),
    "ordinary-denied": ("--user", str(ORDINARY), "--without-namespaces"),
}


@dataclass
class Wall:
    """One situation: who calls, what the machine allows, and a home with a victim in it."""

    prefix: list[str]
    python: str
    uid: int
    home: Path
    runner: asyncio.Runner = field(default_factory=asyncio.Runner)
    cells: Cells = field(init=False)
    control: subprocess.Popen[str] = field(init=False)
    level: Level = Level.L1

    def __post_init__(self) -> None:
        self.control = self.start_control()
        self.cells = self.new_cells()
        self.level = self.wait(self.cells.start())

    def new_cells(self, **options: Any) -> Cells:
        return Cells(self.command(), environment=OURS, **options)

    def command(self, *arguments: str) -> list[str]:
        return [*self.prefix, self.python, str(HERE / "probes.py"), *arguments]

    def wait(self, task: Awaitable[T]) -> T:
        async def waited() -> T:
            return await task

        return self.runner.run(waited())

    def call(
        self,
        act: str,
        spec: CellSpec | None = None,
        *,
        on_progress: Callable[[bytes], None] | None = None,
        **words: Any,
    ) -> CellOutcome:
        return self.wait(self.cells.call(spec or CellSpec(), self.request(act, **words), on_progress=on_progress))

    @staticmethod
    def request(act: str, **words: Any) -> bytes:
        return json.dumps({"act": act, "arguments": words}).encode()

    def inside(self, act: str, spec: CellSpec | None = None, **words: Any) -> Any:
        """Do ``act`` in a cell; return its value, or the name of the errno that refused it."""
        outcome = self.call(act, spec, **words)
        assert outcome.status is CellStatus.RETURNED, outcome
        found = json.loads(outcome.reply or b"{}")
        return found.get("value", found.get("errno"))

    def outside(self, act: str, **words: Any) -> Any:
        """Do the same in the open, as the same user: the positive control."""
        assert self.control.stdin
        assert self.control.stdout
        self.control.stdin.write(json.dumps([act, words]) + "\n")
        self.control.stdin.flush()
        found = json.loads(self.control.stdout.readline())
        return found.get("value", found.get("errno"))

    def start_control(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command("be_open"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self.home,
            env={**os.environ, **OURS},
        )  # fmt: skip

    def folder(self, name: str) -> Path:
        path = self.home / name
        path.mkdir()
        os.chown(path, self.uid, self.uid)
        return path

    def file(self, name: str, text: str = "private") -> str:
        path = self.home / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        path.chmod(0o600)
        for place in (path, path.parent):
            os.chown(place, self.uid, self.uid)
        return str(path)

    def close(self) -> None:
        self.wait(self.cells.close())
        self.control.communicate()
        self.runner.close()


@pytest.fixture(scope="session", params=SITUATIONS)
def wall(request: pytest.FixtureRequest) -> Iterator[Wall]:
    """Return the wall of each situation that this machine and user can show."""
    if os.geteuid() != 0 and request.param.startswith("ordinary"):
        pytest.skip("whoever runs the tests is an ordinary user already")
    yield from built(request.param)


def built(situation: str) -> Iterator[Wall]:
    """Make the wall of a situation, and take it down."""
    options = SITUATIONS[situation]
    os.environ.setdefault("STEWARD_PROBE_SECRET", "tell-nobody")  # the daemon has one; no call may see it
    prefix = [sys.executable, str(HERE / "become.py"), *options] if options else []
    python = _python_for(prefix)
    home = Path(tempfile.mkdtemp(prefix="steward-wall-"))
    uid = ORDINARY if "--user" in options else os.geteuid()
    os.chown(home, uid, uid)
    wall = Wall(prefix, python, uid, home)
    yield wall
    wall.close()
    shutil.rmtree(home)


def _python_for(prefix: list[str]) -> str:
    """Find an interpreter that the situation's user may run and that is new enough for us."""
    check = "import sys, ctypes; sys.exit(sys.version_info < (3, 11))"
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with suppress(OSError):
            tried = subprocess.run([*prefix, python, "-c", check], capture_output=True, cwd="/", check=False)
            if tried.returncode == 0:
                return python
    pytest.skip("needs a Python 3.11 that this user may run, or user namespaces: apt install python3")


@pytest.fixture
def victim(wall: Wall) -> Iterator[dict[str, Any]]:
    """Start another program of the same user, outside, with sockets and a secret in its environment."""
    folder = Path(tempfile.mkdtemp(dir=wall.home))
    os.chown(folder, wall.uid, wall.uid)
    process = subprocess.Popen(
        wall.command("be_victim"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder,
        env={**os.environ, **OURS, "VICTIM": "its-secret"},
    )  # fmt: skip
    assert process.stdout
    yield json.loads(process.stdout.readline())
    process.communicate()
