"""The nouns of filling arguments from a schema alone: what is wanted, what may be it, what was chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Wanted(StrEnum):
    """What kind of value a parameter takes."""

    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    TRUTH = "truth"
    CHOICE = "choice"
    SEVERAL = "several"  # a list; ``Slot.items`` says of what


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter as its schema describes it: a name, a type, a sentence about it, the values it may take."""

    name: str
    wanted: Wanted
    doc: str
    required: bool
    choices: tuple[str, ...] = ()
    items: Wanted = Wanted.TEXT


@dataclass(frozen=True, slots=True)
class Guess:
    """A value that a sentence may give: the tokens [first, last) it was read from (none when empty) and how.

    ``source`` is one of ``SOURCES``; ``unit`` the word or sign that stands by a number.
    """

    value: Any
    source: str
    first: int = 0
    last: int = 0
    unit: str = ""

    def cuts(self, spans: Iterable[tuple[int, int]]) -> bool:
        """Tell whether it begins or ends inside of one of ``spans``."""
        return any(first < self.first < last or first < self.last < last for first, last in spans)

    def is_part(self, spans: Iterable[tuple[int, int]]) -> bool:
        """Tell whether it lies in one of ``spans`` that is longer."""
        return any(
            first <= self.first and self.last <= last and (first, last) != (self.first, self.last)
            for first, last in spans
        )


SOURCES = ("none", "number", "percent", "date", "quoted", "name", "chunk", "gram", "mark", "listed", "choice",
           "yes", "no", "list", "bracket", "ordinal", "implied", "rest")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Argument:
    """A chosen value; ``probability`` is the model's for this parameter alone, 0..1."""

    slot: str
    value: Any
    probability: float
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Filled:
    """All arguments of a call; ``confidence`` is the calibrated probability that every one is right, 0..1."""

    arguments: tuple[Argument, ...]
    confidence: float
