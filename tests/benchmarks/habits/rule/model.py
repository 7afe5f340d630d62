"""The nouns of judging rules: what the kernel made of one, and what a part of it comes to beside the golden one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from kernel.model import Argument, Plan, TaskId
from kernel.routines import Trigger
from kernel.routines.model import Limit
from skills.model import Tool, ToolId

Rule = dict[str, Any]
"""One rule of tests/golden/rules, as its README tells."""


class Verdict(StrEnum):
    """What one rule came to, by tests/golden/rules/README.md; ``UNCLEAR`` is what code cannot tell."""

    RIGHT = "right"
    ASKED = "asked"
    MISSED = "missed"
    WRONG_TRIGGER = "wrong trigger"
    WRONG_PLAN = "wrong plan"
    UNCLEAR = "unclear"


class Match(StrEnum):
    """What a part of a rule is beside the golden one."""

    SAME = "same"
    OTHER = "other"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Finding:
    """One part that was compared, with both sides in words."""

    match: Match
    part: str
    golden: str
    found: str

    def __str__(self) -> str:
        return f"{self.part}: {self.golden!r} and {self.found!r}"


@dataclass(frozen=True, slots=True)
class Compiled:
    """A rule that was kept: as a routine, or ``handed`` to the one tool that repeats by itself.

    ``gathered`` are the parts of texts that its plan makes of several things, by the step that made each.
    """

    trigger: Trigger
    plan: Plan
    limits: tuple[tuple[Limit, float], ...] = ()
    such: tuple[tuple[str, str], ...] = ()
    handed: bool = False
    gathered: Mapping[TaskId, tuple[Argument, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """What the kernel answered to a rule, whether that was a question about it, and what it kept."""

    answer: str
    asked: bool = False
    kept: Compiled | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where and when rules were said: the home, the moment with its zone, and the tools there."""

    home: str
    now: datetime
    tool: Callable[[ToolId], Tool]


def same(holds: bool) -> Match:
    """The match of what code can tell."""
    return Match.SAME if holds else Match.OTHER
