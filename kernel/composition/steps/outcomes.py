"""What a bare noun means of what a step came to: "the number", "die Liste", "the date", "den Ort".

What this stops: that a note says "the number", or holds all that a step told where one part of it was named.
What it does not: guess. A noun that fits nothing of what was found means nothing, and then it is asked for.
"""

from __future__ import annotations

from kernel.composition.steps.results import Fit, Source, project
from kernel.language.outcome_nouns import DAYS, FIGURES, LISTS, NAMES, fields_called
from skills.model import ValueKind

K = ValueKind
_NUMBERS = frozenset({K.NUMBER, K.INTEGER})
_ANSWER = "value"
_PART = 0.9  # a part that is called so
_WHOLE = 0.9


def fit_outcome(source: Source, noun: str) -> Fit | None:
    """Return how ``source`` serves a text where it is called ``noun``; None where that means nothing of it."""
    if source.given:
        return None
    if noun in FIGURES:
        return _figure(source, noun)
    if noun in LISTS:
        return Fit(_WHOLE) if _is_list(source) else None
    if noun in NAMES and source.type.kind is K.TEXT and source.type.many:
        return Fit(_WHOLE)
    called = next((name for one in fields_called(noun) if (name := project(source.type, one))), "")
    if not called and noun in DAYS:
        called = _only_day(source)
    return Fit(_PART, called) if called else None


def _figure(source: Source, noun: str) -> Fit | None:
    """The number that was asked for, of several, or is called so, or the table that holds what was worked out."""
    if source.type.kind is K.TABLE:
        return Fit(_WHOLE) if source.figures else None
    if _ANSWER in source.type.fields:
        return None  # the number is this one, told as its tool tells it
    numbers = [name for name, one in source.type.fields.items() if one.kind in _NUMBERS]
    asked = [name for name in numbers if not source.said.isdisjoint(name.split("_"))]
    called = asked if len(asked) == 1 else [name for name in fields_called(noun) if name in numbers]
    return Fit(_PART, called[0]) if len(numbers) > 1 and called else None


def _is_list(source: Source) -> bool:
    several = source.type.many or any(one.many for one in source.type.fields.values())
    return several or source.type.kind is K.TABLE


def _only_day(source: Source) -> str:
    """The one field that is a day."""
    days = [name for name, one in source.type.fields.items() if one.kind is K.DATE]
    return days[0] if len(days) == 1 else ""
