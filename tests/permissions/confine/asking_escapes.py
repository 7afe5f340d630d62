"""The part of the escape list about the line at which a call asks for others: what a call may say there, and when.

The control of each is a friend in the open that listens to everything. What is asked for in good form, and by whom, is
judged above (``tests/proofs/deputies.py``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from permissions.confine.asker import LARGEST_QUESTION
from permissions.confine.questions import MOST_QUESTIONS
from permissions.errors import PermissionsError
from permissions.model import CellSpec
from tests.permissions.confine.friends import Friend, holds
from tests.permissions.confine.ground import Attempt, Ground, Outcome, Probe

_SETTLED_S = 0.2
Won = Callable[[list[bytes]], bool]


class _Listener:
    """The daemon's side of one call: it answers every question with itself, and keeps it."""

    def __init__(self, watched: str = "") -> None:
        self.asked: list[bytes] = []
        self.held = False
        self._watched = watched

    async def answer(self, question: bytes, _given_bytes: int) -> bytes:
        self.asked.append(question)
        self.held = self.held or holds(self._watched)
        return question


def _inside(ground: Ground, name: str, spec: CellSpec, listener: _Listener, words: dict[str, Any]) -> None:
    try:
        ground.wall.wait(ground.wall.cells.call(spec, ground.wall.request(name, **words), answer=listener.answer))
    except PermissionsError:
        return


def asking(name: str, won: Won, *, asks: bool = True, **words: Any) -> Callable[[Ground], Outcome]:
    """Do an act at the line of a call, and at the friend's; ``won`` judges what was heard."""

    def trial(ground: Ground) -> Outcome:
        listener = _Listener()
        _inside(ground, name, CellSpec(asks=asks), listener, words)
        with Friend(ground) as friend:
            ground.outside(Attempt(name, {**words, "friend": friend.path}))
            return Outcome(won(friend.asked), won(listener.asked))

    return trial


def _later(ground: Ground) -> Outcome:
    """Somebody whom a call left behind goes on asking."""
    listener = _Listener()

    def still_asks(asked: list[bytes]) -> bool:
        asked.clear()
        time.sleep(_SETTLED_S)
        return b"late" in asked

    _inside(ground, "ask_later", CellSpec(asks=True), listener, {"seconds": 1.5})
    escaped = still_asks(listener.asked)
    with Friend(ground) as friend:
        ground.outside(Attempt("ask_later", {"seconds": 1.5, "friend": friend.path}))
        return Outcome(still_asks(friend.asked), escaped)


def _descriptor_over_the_line(ground: Ground) -> Outcome:
    path = ground.secret()
    listener = _Listener(path)
    words = {"path": path, "variable": "STEWARD_CALLS", "question": "\x01\0\0\0x"}
    _inside(ground, "hand_over", CellSpec(asks=True, read_paths=(os.path.dirname(path),)), listener, words)
    escaped = listener.held or holds(path)
    with Friend(ground) as friend:
        ground.outside(Attempt("hand_over", {**words, "friend": friend.path}))
        return Outcome(friend.took(path), escaped)


def _too_long(asked: list[bytes]) -> bool:
    return any(len(one) > LARGEST_QUESTION for one in asked)


ASKING_PROBES: tuple[Probe, ...] = (
    Probe("85.1", "ask for a call without the right to", asking("ask_anywhere", lambda asked: b"open" in asked,
                                                               asks=False)),
    Probe("85.2", "a question longer than any may be", asking("ask_much", _too_long, size=LARGEST_QUESTION + 1)),
    Probe("85.3", "questions without end", asking("ask_often", lambda asked: len(asked) > MOST_QUESTIONS,
                                                  count=MOST_QUESTIONS + 1)),
    Probe("85.4", "ask on after the end of the call", _later),
    Probe("85.5", "a descriptor handed to the daemon with a question", _descriptor_over_the_line),
)  # fmt: skip
