"""The ground on which the escape list is tried: fresh secrets and folders, somebody to attack, and two sides.

A trial does the same act twice as the same user: in a cell, and in the open. Only where it succeeds in the open does it
prove anything; else it is skipped, and the list says so.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from permissions.errors import PermissionsError
from permissions.model import CellSpec, CellStatus, Level
from tests.permissions.confine.conftest import Wall

SECRET = "its-secret"  # what every secret file holds
_PATIENCE_S = 20.0


@dataclass(frozen=True)
class Attempt:
    """One act with what it is given.

    ``won`` judges its answer; ``outside`` changes the words for the control, ``apart`` gives that mounts of its own.
    """

    act: str
    words: dict[str, Any] = field(default_factory=dict)
    spec: CellSpec = field(default_factory=CellSpec)
    won: Callable[[Any], bool] = lambda _answer: True
    outside: dict[str, Any] = field(default_factory=dict)
    apart: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a trial showed: whether the act succeeds in the open, and whether it did in the cell."""

    live: bool
    escaped: bool


@dataclass(frozen=True)
class Probe:
    """One attack.

    ``own_bytes`` is running what one brought along, which is allowed. ``weak`` says why the wall does not promise to
    stop it below L3; it is tried there all the same, and shown.
    """

    number: str
    title: str
    trial: Callable[[Ground], Outcome]
    own_bytes: bool = False
    weak: str = ""


class Ground:
    """Where probes are tried: one wall, with somebody of the same user to attack.

    What several probes share is ``kept``, and ends with ``until``.
    """

    def __init__(self, wall: Wall) -> None:
        self.wall = wall
        self._made = 0
        self.kept: dict[str, Any] = {}
        self.until = ExitStack()
        self.target: dict[str, Any] = self._told(["be_target", {"secret": self.secret()}])

    def _told(self, wish: list[Any]) -> dict[str, Any]:
        """Have the control do something; return what it says."""
        control = self.wall.control
        assert control.stdin
        assert control.stdout
        control.stdin.write(json.dumps(wish) + "\n")
        control.stdin.flush()
        if not select.select([control.stdout], [], [], _PATIENCE_S)[0]:
            raise TimeoutError(f"the control of {wish[0]} hangs")
        return dict(json.loads(control.stdout.readline()))

    @property
    def strong(self) -> bool:
        """Whether the wall stands at L3."""
        return self.wall.level is Level.L3

    def secret(self, text: str = SECRET) -> str:
        """Return a new file that was granted to nobody."""
        self._made += 1
        return self.wall.file(f"secrets/{self._made}/key", text)

    def folder(self) -> str:
        """Return a new, empty folder."""
        self._made += 1
        return str(self.wall.folder(f"folder-{self._made}"))

    def inside(self, attempt: Attempt) -> bool:
        """Do it in a cell; tell whether it succeeded. What is refused before it runs, or dies, did not."""
        try:
            outcome = self.wall.call(attempt.act, attempt.spec, **attempt.words)
        except PermissionsError:
            return False
        if outcome.status is not CellStatus.RETURNED:
            return False
        return _succeeded(json.loads(outcome.reply or b"{}"), attempt)

    def outside(self, attempt: Attempt) -> bool:
        """Do it in the open, as the same user; tell whether it succeeded."""
        return _succeeded(self._told([attempt.act, {**attempt.words, **attempt.outside}, attempt.apart]), attempt)

    def close(self) -> None:
        """Let the target go, and all that was kept."""
        self.until.close()
        os.kill(self.target["pid"], signal.SIGTERM)


def _succeeded(found: dict[str, Any], attempt: Attempt) -> bool:
    return "value" in found and bool(attempt.won(found["value"]))


Make = Callable[[Ground], Attempt]


def cell(number: str, title: str, make: Make, *, own_bytes: bool = False, weak: str = "") -> Probe:
    """Return the probe that does what ``make`` says on both sides, each with things of its own."""

    def trial(ground: Ground) -> Outcome:
        escaped = ground.inside(make(ground))
        return Outcome(ground.outside(make(ground)), escaped)

    return Probe(number, title, trial, own_bytes, weak)


def act(
    number: str, title: str, name: str, /, *, weak: str = "", own_bytes: bool = False, apart: bool = False, **words: Any
) -> Probe:
    """Return the probe of an act whose words are the same everywhere."""
    return cell(number, title, lambda _ground: Attempt(name, words, apart=apart), weak=weak, own_bytes=own_bytes)


def is_held(lock: str) -> bool:
    """Tell whether somebody alive holds a lock."""
    with open(lock, "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


@contextmanager
def opened(wall: Wall) -> Iterator[Ground]:
    """A ground on ``wall``, and its end."""
    ground = Ground(wall)
    try:
        yield ground
    finally:
        ground.close()
