"""The nouns of habits: what a person did, how its arguments generalise, and what is seen in many days of it.

    runs of the ledger -> [Deed] -> Pattern (steps with slots, and what was seen) -> an offer -> a macro

A pattern is a value. It says nothing of what to do with it: ``kernel.macros`` keeps one that a person took.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

# --- how an argument generalises ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Same:
    """The same value each time, as JSON; paths are whole."""

    value: Any


@dataclass(frozen=True, slots=True)
class Output:
    """What step ``step`` (from 0) of the pattern made: all of it, one ``field``, one item."""

    step: int
    field: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Within:
    """Another one of the same ``folder`` each time, or below the same address."""

    folder: str


@dataclass(frozen=True, slots=True)
class Relative:
    """A day or a span that is counted from the day of the request; ``words`` are its words in English ("last week")."""

    words: str


@dataclass(frozen=True, slots=True)
class Open:
    """Something else each time: only the person can say it. ``values`` are the last ones, for the question."""

    values: tuple[Any, ...] = ()


Slot = Same | Output | Within | Relative | Open

# --- what was done ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Made:
    """Where a value came from: what step ``step`` (from 0) of run ``run`` made, all of it, one ``field``, one item."""

    run: str
    step: int
    field: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What an argument was given: a ``value`` as JSON, and what ``made`` the same lately.

    A value that others wrote is not kept: ``said`` is false, and ``value`` is None.
    """

    value: Any = None
    said: bool = False
    made: tuple[Made, ...] = ()


@dataclass(frozen=True, slots=True)
class Deed:
    """One call that a person's request came to, number ``step`` of its run.

    ``against`` says why it is no evidence: it was ``refused``, it ``failed``, or an ``untrusted`` value decided.
    """

    run: str
    step: int
    tool: str
    arguments: Mapping[str, Given]
    at: datetime  # with the zone of the person
    against: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a pattern. An argument that is left out is the tool's default."""

    tool: str
    arguments: Mapping[str, Slot] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """What speaks for a pattern: how often, when first and last, on how many days, and how sure it is (0..1).

    ``held`` is the share of held-back chances (its first step came, at its time) at which the rest followed.
    ``saves`` are requests a time.
    """

    times: int
    first: datetime
    last: datetime
    days: int
    held: float
    score: float  # log-lift x sqrt(support), after decay
    saves: int
    runs: tuple[str, ...] = ()  # the latest ones it was seen in, newest last
    weekdays: tuple[int, ...] = ()  # 0 is Monday; where it keeps to some
    hour: float | None = None  # of the day, where it keeps to one


@dataclass(frozen=True, slots=True)
class Pattern:
    """Steps that come again, over one or several requests. ``key`` tells it from every other, over restarts."""

    key: str
    steps: tuple[Step, ...]
    seen: Seen
