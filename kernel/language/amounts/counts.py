"""Numbers that stand in a sentence on their own, as values: "three", "-5", "twelve euros fifty"."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kernel.language.amounts.money import money_at
from kernel.language.amounts.numbers import number_at
from kernel.language.line import Found, Line
from skills.model import ValueKind

_GROUPS = {"zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "sechst": 6, "siebt": 7, "acht": 8, "zehnt": 10}
"""How many people "zu dritt" are."""


def find_numbers(line: Line) -> Iterator[Found]:
    """Yield INTEGER and NUMBER for every number that stands on its own."""
    index = 0
    while index < line.size:
        found = _read(line, index)
        if found is None:
            index += 1
            continue
        value, end, confidence = found
        negative = _is_negative(line, index)
        first = index - 1 if negative else index
        yield from _both_kinds(-value if negative else value, first, end, confidence)
        index = end


def _read(line: Line, index: int) -> tuple[Decimal, int, float] | None:
    people = _GROUPS.get(line.norm(index + 1), 0) if line.norm(index) == "zu" else 0
    if people:
        return Decimal(people), index + 2, 0.9
    sum_of_money = money_at(line, index)
    return (sum_of_money[0], sum_of_money[2], 0.9) if sum_of_money else number_at(line, index)


def _is_negative(line: Line, index: int) -> bool:
    """A minus belongs to the number when it touches it and nothing on its left."""
    if line.norm(index - 1) not in {"-", "−"} or line.tokens[index - 1].end != line.tokens[index].start:
        return False
    return index == 1 or line.tokens[index - 2].end < line.tokens[index - 1].start


def _both_kinds(value: Decimal, first: int, last: int, confidence: float) -> Iterator[Found]:
    whole = value == value.to_integral_value()
    if whole:
        yield Found(ValueKind.INTEGER, first, last, int(value), confidence, "grammar.number")
    yield Found(
        ValueKind.NUMBER, first, last, int(value) if whole else float(value), confidence - 0.05, "grammar.number"
    )
