"""What a trigger brings in parts ("the recipient", "the date"), and where they stand in the texts of a plan.

A rule that speaks of a part is planned with a word that stands in for it. Where that is a whole value the plan has a
reference; within a text a mark is left, and filled when the routine fires. What this stops: words of others in a plan
before it is kept, or in it for the person's own. What it does not: carry a part into anything that is no text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeGuard

from kernel.dispatching.standing_in import MARK
from kernel.model import Argument, Constant, Plan, Task
from kernel.routines.sayings import say
from permissions.labels import KERNEL_SAID, Label


class Part(StrEnum):
    """A part of what sets a rule off."""

    TEXT = "text"  # all that is told of it, in one line
    DATE = "date"  # of the run
    MOMENT = "moment"  # of the run: its day and its time of day
    NAME = "name"  # of what was added
    RECIPIENT = "recipient"  # of a mail that was sent
    SUBJECT = "subject"
    PERSON = "person"  # of a fact
    VALUE = "value"  # of a fact, as a person says it
    DAY = "day"  # of a fact that is one: a birthday


_DAY, _DAY_AFTER = "2101-01-02", "2101-01-03"

OF_THE_CLOCK = frozenset({Part.DATE, Part.MOMENT})
"""What every run has."""

_STANDS = re.compile(rf"{MARK}-({'|'.join(Part)})(?![\w-])")
_LEFT = re.compile(f"\ue000({'|'.join(Part)})\ue001")


def stands_for(part: Part) -> str:
    """Return the word that stands in for ``part`` while a plan is made; for a day it is one."""
    return _DAY if part is Part.DAY else f"{MARK}-{part}"


def part_alone(argument: Argument) -> Part | None:
    """Return the part that is the whole of a value."""
    if isinstance(argument, Constant) and argument.value in (_DAY, {"start": _DAY, "end": _DAY_AFTER}):
        return Part.DAY
    found = _STANDS.fullmatch(argument.value) if _is_text(argument) else None
    return None if found is None else Part(found[1])


def marked(argument: Argument) -> Argument:
    """Return a text with marks where words stand in for parts; anything else as it is."""
    if not _is_text(argument):
        return argument
    return replace(argument, value=_STANDS.sub(_mark, argument.value), text=_STANDS.sub(_mark, argument.text))


def with_parts(plan: Plan, values: Mapping[Part, str], label: Label = KERNEL_SAID) -> Plan:
    """Return ``plan`` with these values in place of their marks; a text that has one is worth ``label``."""
    return replace(plan, tasks=tuple(_filled(task, values, label) for task in plan.tasks))


def of_the_clock(at: datetime) -> dict[Part, str]:
    """Return what the moment ``at`` brings, as a person reads it."""
    return {Part.DATE: f"{at:%Y-%m-%d}", Part.MOMENT: f"{at:%Y-%m-%d %H:%M}"}


def parts_in(value: Any) -> frozenset[Part]:
    """Return the parts whose marks stand in ``value``."""
    return frozenset(Part(one) for one in _LEFT.findall(value)) if isinstance(value, str) else frozenset()


def is_beside_words(argument: Argument) -> bool:
    """Tell whether a text has a part and other words."""
    return (
        _is_text(argument) and bool(parts_in(argument.value)) and bool(re.search(r"\w", _LEFT.sub("", argument.value)))
    )


def in_words(value: Any, language: str) -> Any:
    """Return a text with the names of the parts where their marks are, or words that stand in for them."""
    if not isinstance(value, str):
        return value
    return _LEFT.sub(lambda found: f"‹{say(language, f'part {found[1]}')}›", _STANDS.sub(_mark, value))


def _filled(task: Task, values: Mapping[Part, str], label: Label) -> Task:
    return replace(task, arguments={name: _with(one, values, label) for name, one in task.arguments.items()})


def _with(argument: Argument, values: Mapping[Part, str], label: Label) -> Argument:
    if not _is_text(argument) or parts_in(argument.value).isdisjoint(values):
        return argument
    text = _LEFT.sub(lambda found: values.get(Part(found[1]), found[0]), argument.value)
    whole = argument.label if label == KERNEL_SAID else label
    return replace(argument, value=text, text=text, label=whole)


def _is_text(argument: Argument) -> TypeGuard[Constant]:
    return isinstance(argument, Constant) and isinstance(argument.value, str)


def _mark(found: re.Match[str]) -> str:
    return f"\ue000{found[1]}\ue001"
