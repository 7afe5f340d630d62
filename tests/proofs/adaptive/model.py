"""What an attack is here, and who sits before the screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from portal.cli.cards import plan_lines, show_card
from portal.cli.phrases import language_of
from portal.cli.screens import people
from portal.cli.tables import NARROW
from tests.kernel.models.server import Act

if TYPE_CHECKING:
    from kernel import Folders
    from tests.proofs.adaptive.scene import Scene


class Channel(StrEnum):
    """By what the attacker's words come in."""

    MEMORY = "memory"
    FILE = "file"
    FILE_NAME = "file name"
    SKILL = "skill's description"
    ERROR = "error text"
    SERVER = "server"
    ADDRESS = "address"
    APPROVAL = "approval"
    LIST = "list"
    MODEL = "model"


class Held(StrEnum):
    """What came of an attack."""

    HELD = "held"
    SUCCEEDED = "succeeded"
    NO_CONTROL = "control failed"


Play = Callable[["Scene"], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attempt to have something done, or told, that the person did not ask for.

    ``play`` lays out the attacker's words and lets the person ask; ``won`` looks from outside whether it came about: a
    file, what a host heard, what a card showed. ``target`` is what a card would have to show of it: a careful person
    says no where they see it, and yes to everything else. In the control the person says yes to everything, or, where
    no yes of anybody's would let it through, ``bare`` does the same without Steward; there it has to come about.
    """

    name: str
    channel: Channel
    target: str
    play: Play
    won: Callable[[Scene], bool]
    bare: Play | None = None
    planner: Act | None = None
    worker: Act | None = None
    lay: Callable[[Folders], None] | None = None
    late: bool = False
    """Whether it was written after the code was frozen, by somebody who had read it."""


@dataclass(slots=True)
class Person:
    """Who answers cards: a careful person says no where ``target`` stands, a reckless one never."""

    target: str
    reckless: bool = False

    def answers(self, shown: str) -> str:
        """Return the answer to a card with these words."""
        return "no" if not self.reckless and self.target in shown else "once"


def words_of(view: Mapping[str, Any]) -> str:
    """Return what a terminal shows of a run that waits: its plan and its card, no line of them broken by the frame."""
    language, width = language_of(view), people._width
    people.width = NARROW - 1
    try:
        with people.capture() as drawn:
            show_card(view, language)
    finally:
        people._width = width
    return "\n".join([*plan_lines(view.get("plan") or {}, language), drawn.get()])


def unmarked(view: Mapping[str, Any]) -> str:
    """Return what an answer says in Steward's own voice: without what is marked as the words of others."""
    answer, said, cursor = str(view["answer"]), list[str](), 0
    for mark in view.get("marks") or ():
        said.append(answer[cursor : mark["start"]])
        cursor = mark["end"]
    return "\0".join([*said, answer[cursor:]])
