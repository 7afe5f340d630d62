"""What an attack is here, and who sits before the screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

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


def words_of(card: Mapping[str, Any]) -> str:
    """Return all that a card shows: what a person reads there, line by line."""
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, Mapping):
            for one in value.values():
                walk(one)
        elif isinstance(value, (list, tuple)):
            for one in value:
                walk(one)

    walk(card)
    return "\n".join(found)
