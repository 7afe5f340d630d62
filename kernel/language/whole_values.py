"""What the whole of some words is, as a value of one kind: "last week" as a period, "drei" as a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from kernel.language.amounts.counts import find_numbers
from kernel.language.amounts.quantities import find_durations, find_quantities
from kernel.language.amounts.sizes import find_sizes
from kernel.language.line import Line
from kernel.language.time.dates import find_dates
from kernel.language.time.hours import find_hours, find_repeats
from kernel.language.time.periods import find_periods
from kernel.language.tokens import tokenize
from kernel.language.truth import find_booleans
from skills.model import ValueKind

_READ: Mapping[ValueKind, tuple[Callable[[Line], Iterator[Any] | list[Any]], ...]] = {
    ValueKind.DATE: (find_dates,),
    ValueKind.PERIOD: (find_periods, find_dates),
    ValueKind.INTEGER: (find_numbers,),
    ValueKind.NUMBER: (find_numbers,),
    ValueKind.BOOLEAN: (find_booleans,),
    ValueKind.DURATION: (find_durations,),
    ValueKind.SIZE: (find_sizes,),
    ValueKind.QUANTITY: (find_quantities,),
    ValueKind.HOURS: (find_hours,),
    ValueKind.RECURRENCE: (find_repeats,),
}

TIMELY = frozenset({ValueKind.DATE, ValueKind.PERIOD})
"""Kinds whose words mean something else on another day."""


def is_read(kind: ValueKind) -> bool:
    """Tell whether values of ``kind`` are read from words."""
    return kind in _READ


def whole_values(text: str, kind: ValueKind, language: str, now: datetime) -> Iterator[Any]:
    """Yield what the whole of ``text`` may be, in an order that does not depend on the day."""
    line = Line(text, tokenize(text, language), language, now)
    for grammar in _READ[kind]:
        for found in grammar(line):
            if found.kind is kind and found.first == 0 and found.last == line.size:
                yield found.value
