"""Whether a condition of a plan holds, once the result that it is about is there.

Compared are counts, numbers (also with units of the same measure), days and text; what cannot be compared is an error
in words and never a no: a branch is not taken, or left, by mistake. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from kernel.dispatching.binding import project
from kernel.dispatching.coercion import base_amount
from kernel.errors import TaskFailed
from kernel.fields import as_text
from kernel.model import Comparison, Condition, FromTask, Measure, Outcome, TaskId

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Held:
    """Whether a condition holds, and what was found there, for a person to read."""

    holds: bool
    found: str


def held(condition: Condition, outcomes: Mapping[TaskId, Outcome]) -> Held:
    """Return whether ``condition`` holds. Raises TaskFailed where that cannot be told."""
    value = project(outcomes[condition.task], FromTask(condition.task, condition.field))
    if condition.measure is Measure.COUNT:
        count = count_of(value)
        return Held(_compared(Decimal(count), condition.comparison, Decimal(str(condition.value))), str(count))
    found = as_text(value)
    short = found if len(found) <= _LONGEST else f"{found[: _LONGEST - 1]}…"
    return Held(_value_holds(condition, value, found), short)


def count_of(value: Any) -> int:
    """Return how many things a result is: items, rows of a table; of anything else whether it is there."""
    if isinstance(value, list | tuple):
        return len(value)
    if isinstance(value, Mapping) and "rows" in value and "columns" in value:
        return len(value["rows"])
    return 0 if value is None or value == "" else 1


def counts(condition: Condition, count: int) -> bool:
    """Tell whether a condition on how many were found holds of ``count``."""
    return condition.measure is Measure.COUNT and _compared(count, condition.comparison, condition.value)


def _value_holds(condition: Condition, value: Any, found: str) -> bool:
    comparison, wanted = condition.comparison, condition.value
    if comparison in (Comparison.CONTAINS, Comparison.LACKS):
        return (as_text(wanted).casefold() in found.casefold()) is (comparison is Comparison.CONTAINS)
    pair = _numbers(value, wanted) or _days(value, wanted)
    if pair is not None:
        return _compared(pair[0], comparison, pair[1])
    if comparison in (Comparison.EQUAL, Comparison.UNEQUAL):
        same = found.casefold().strip() == as_text(wanted).casefold().strip()
        return same is (comparison is Comparison.EQUAL)
    raise _open(condition, found)


def _compared(found: Any, comparison: Comparison, wanted: Any) -> bool:
    match comparison:
        case Comparison.EQUAL:
            return bool(found == wanted)
        case Comparison.UNEQUAL:
            return bool(found != wanted)
        case Comparison.LESS:
            return bool(found < wanted)
        case Comparison.AT_MOST:
            return bool(found <= wanted)
        case Comparison.MORE:
            return bool(found > wanted)
        case _:
            return bool(found >= wanted)


def _numbers(found: Any, wanted: Any) -> tuple[Decimal, Decimal] | None:
    """Both as numbers of the same measure; None where one is none, or they measure different things."""
    mine, theirs = base_amount(found), base_amount(wanted)
    if mine is None or theirs is None:
        return None
    plain = not mine[1] or not theirs[1]  # "over 100" of what is 120 €
    if plain:
        mine, theirs = base_amount(found, plain=True), base_amount(wanted, plain=True)
        return None if mine is None or theirs is None else (mine[0], theirs[0])
    return (mine[0], theirs[0]) if mine[1] == theirs[1] else None


def _days(found: Any, wanted: Any) -> tuple[date, date] | None:
    try:
        return date.fromisoformat(str(found)[:10]), date.fromisoformat(str(wanted)[:10])
    except ValueError:
        return None


def _open(condition: Condition, found: str) -> TaskFailed:
    words = condition.text or f"{condition.comparison} {as_text(condition.value)}"
    short = found[:_LONGEST]
    return TaskFailed(
        "condition.open", f"Whether {words!r} holds cannot be told: it is {short!r}.", subject=condition.task,
        hint="Compare with a value of the same kind. Nothing was changed.",
        de=f"Ob {words!r} gilt, lässt sich nicht sagen: Es ist {short!r}.",
        de_hint="Vergleiche mit einem Wert derselben Art. Nichts wurde geändert.",
    )  # fmt: skip
