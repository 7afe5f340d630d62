"""Ledgers for the tests of memory: opened in a temporary folder, closed at the end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory import Draft, Ledger

CHILD = Path(__file__).with_name("ledger_child.py")
QUICK = Path("/dev/shm")
"""A folder in memory, where a sync costs little; processes are killed there, the power is not lost."""
AMPLE_BYTES = 1 << 30


def scratch(prefix: str) -> Path:
    """Make an empty folder, in memory where the machine has such a place."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=QUICK if QUICK.is_dir() else None))


def is_ample() -> bool:
    """Tell whether the folder in memory is there and has room for what the tests of a few workers hold at once."""
    return QUICK.is_dir() and shutil.disk_usage(QUICK).free >= AMPLE_BYTES


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A folder in memory for the fast tests: most of what they took was waiting for the disk. Slow ones are on it."""
    if request.node.get_closest_marker("slow") or not is_ample():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="memory-test-", dir=QUICK, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


@pytest.fixture
def opened(folder: Path) -> Iterator[Callable[..., Ledger]]:
    """Opens the ledger; closes what is still open at the end."""
    ledgers: list[Ledger] = []

    def open_ledger(**options: Any) -> Ledger:
        ledgers.append(Ledger.open(folder, **options))
        return ledgers[-1]

    yield open_ledger
    for ledger in ledgers:
        ledger.close()


@pytest.fixture
def ledger(opened: Callable[..., Ledger]) -> Ledger:
    return opened()


@pytest.fixture
def draft() -> Callable[..., Draft]:
    """A draft with a number in it; half of the numbers are about somebody."""

    def make(number: int, **changes: Any) -> Draft:
        fields: dict[str, Any] = {
            "kind": "task.done",
            "body": {"number": number, "text": f"résumé {number}"},
            "run": f"run-{number % 3}",
            "task": "t1" if number % 2 else None,
            "entities": ("person:anna",) if number % 2 else (),
            "label": {"integrity": "user"},
        }
        return Draft(**(fields | changes))

    return make


class Child:
    """A server that forks a process for each command, so that a process to be killed costs milliseconds to make."""

    def __init__(self, program: Path = CHILD) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def start(self, **command: Any) -> int:
        """Begin a command; the pid of its process."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command) + "\n")
        return int(self.line().removeprefix("pid "))

    def line(self) -> str:
        """The next line that the process says; "exit CODE" is the last one."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the child server died"
        return line.strip()

    def rest(self) -> tuple[list[str], int]:
        """The lines up to the end, and how it ended (negative: the signal)."""
        lines = [self.line()]
        while not lines[-1].startswith("exit "):
            lines.append(self.line())
        return lines[:-1], int(lines[-1].removeprefix("exit "))

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


@pytest.fixture(scope="session")
def child() -> Iterator[Child]:
    server = Child()
    yield server
    server.close()
