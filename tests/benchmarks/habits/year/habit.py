"""The nouns of the simulated year: what a person does again and again, and how each argument of it changes.

A story is a sequence of requests at times of its own. It is a habit, or a decoy: something that looks like one and
is not, or must not be offered. Which ones there are stands in ``truth``, which whoever writes a miner does not read;
these nouns alone may be read, for suggestions are written in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

# --- how an argument generalises ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Same:
    """The same value each time. Paths are absolute in a suggestion, and may begin with ``~`` in the truth."""

    value: Any


@dataclass(frozen=True, slots=True)
class Output:
    """What step ``step`` (from 0) of the sequence made: all of it, one ``field``, one item."""

    step: int
    field: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Within:
    """Another one of the same folder (or below the same address) each time; ``name`` is how these are called."""

    folder: str
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Relative:
    """A day or a span that is counted from the day of the request: one of ``RELATIVE``."""

    what: str


RELATIVE = ("today", "tomorrow", "this day", "next day", "this week", "last week", "this month", "last month")
"""``today`` and ``tomorrow`` are dates, the others periods."""


@dataclass(frozen=True, slots=True)
class Open:
    """Something else each time, which only the person can say."""

    values: tuple[Any, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Tainted:
    """A value that decides something and came out of what others wrote: one of ``values``. Decoys alone have it."""

    values: tuple[str, ...]


Slot = Same | Output | Within | Relative | Open
"""How an argument of a suggestion generalises."""

# --- what is offered ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suggested:
    """A call of a suggestion. An argument that is left out is the tool's default, or asked for: ``Open``."""

    tool: str
    arguments: Mapping[str, Slot] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a miner offers: to whom, when (with a time zone), and the calls in order, over one or several requests."""

    person: str
    at: datetime
    steps: tuple[Suggested, ...]


# --- what is done -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a tool. ``optional``: it is left out so often (0..1), and a suggestion may have it or not; such a step
    stands in a request of its own.
    """

    tool: str
    arguments: Mapping[str, Slot | Tainted] = field(default_factory=dict)
    optional: float = 0.0


@dataclass(frozen=True, slots=True)
class Ask:
    """A request: its steps, and its words in both languages, with arguments in braces by their names."""

    de: str
    en: str
    steps: tuple[Step, ...]


# --- when ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weekly:
    """On these days of the week (0 is Monday), about ``minute`` of the day, give or take ``jitter`` minutes."""

    weekdays: tuple[int, ...]
    minute: int
    jitter: int = 12


@dataclass(frozen=True, slots=True)
class Monthly:
    """On a day of the month, or on its last working day (-1)."""

    day: int
    minute: int
    jitter: int = 30


@dataclass(frozen=True, slots=True)
class Irregular:
    """When something happens, about so often a week, at any waking hour: the first step is what the rest follows."""

    per_week: float


@dataclass(frozen=True, slots=True)
class Once:
    """So many times on one single day."""

    month: int
    day: int
    times: int


When = Weekly | Monthly | Irregular | Once


class Kind(StrEnum):
    """What a story is."""

    HABIT = "habit"
    CHANCE = "chance"  # two things that are often asked on one day, at times that have nothing to do with each other
    POPULAR = "popular"  # a tool that is used all the time, at no time in particular
    FLOOD = "flood"  # very often, on one day
    UNTRUSTED = "untrusted"  # what decides came from a mail, a page or a file's name
    REFUSED = "refused"  # the person always says no
    UNDONE = "undone"  # the person always takes it back
    FAILED = "failed"  # it never works


FORBIDDEN = frozenset({Kind.UNTRUSTED, Kind.REFUSED, Kind.UNDONE, Kind.FAILED})
"""What must never be offered, however often it comes."""


@dataclass(frozen=True, slots=True)
class Story:
    """Something that a person does again and again.

    ``chance`` is how often it comes when it is due; ``gap`` the most minutes between its requests, ``noise`` how often
    something else is asked between them. ``work``: not on holidays. ``at_home``: not on a journey. ``shift`` moves it
    by minutes from a day on. ``cwd`` is the folder that it is asked in. The requests of one of ``Kind.CHANCE`` come at
    any times of their day.
    """

    id: str
    kind: Kind
    when: When
    asks: tuple[Ask, ...]
    chance: float = 0.92
    first: date = date(2027, 1, 1)
    last: date = date(2027, 12, 31)
    gap: int = 6
    noise: float = 0.2
    work: bool = True
    at_home: bool = False
    shift: tuple[date, int] | None = None
    cwd: str = ""

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return its steps, over all its requests."""
        return tuple(step for ask in self.asks for step in ask.steps)
