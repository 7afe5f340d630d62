"""The nouns of knowing: what a sentence tells, asks, or wants forgotten. Names are as they were said; nobody is looked
up.

World times are nanoseconds since 1970-01-01 UTC, like the graph's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ONESELF = ""
"""The name of whoever speaks: "I", "my", "ich", "mein"."""


class Denied(StrEnum):
    """What a statement says of something that was known: that it is so, that it is over, or that it never was."""

    NOT_AT_ALL = ""
    NO_LONGER = "no longer"
    NEVER = "not"


@dataclass(frozen=True, slots=True)
class Statement:
    """Something told: ``subject`` stands in ``predicate`` to ``object``, both as said.

    ``predicate`` is ``remembered`` where the sentence has no form that is known; then ``object`` is its text.
    """

    subject: str
    predicate: str
    object: str
    subject_kind: str = "person"
    object_kind: str = ""
    since_ns: int | None = None
    until_ns: int | None = None
    denied: Denied = Denied.NOT_AT_ALL


@dataclass(frozen=True, slots=True)
class Tell:
    """Statements to be kept, of one sentence; ``text`` is what was said."""

    statements: tuple[Statement, ...]
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Unsay:
    """Statements that were wrong, or are to be forgotten one by one."""

    statements: tuple[Statement, ...]
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class About:
    """Everything about somebody or something. ``sure`` is False where the words may well mean something else."""

    name: str
    language: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing about somebody: the objects of ``predicates``, or who stands in them to ``name`` (``inverse``).

    ``at_ns`` is the world time asked for, None for now.
    """

    name: str
    predicates: tuple[str, ...]
    language: str
    inverse: bool = False
    at_ns: int | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Search:
    """What was told in words that hold all of ``words``."""

    words: str
    language: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Everything about somebody is to go. ``sure`` is False for a bare "forget Anna"."""

    name: str
    language: str
    sure: bool = True


Heard = Tell | Unsay | About | Asked | Search | Forget
