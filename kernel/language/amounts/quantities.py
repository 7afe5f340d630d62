"""Amounts with a unit: durations in seconds, quantities as written, and units named on their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from kernel.language.amounts.money import money_at
from kernel.language.amounts.numbers import is_whole, number_at
from kernel.language.amounts.units import GERMAN_ONLY, PERCENTS, PHRASES, SYMBOLS, UNITS
from kernel.language.line import Found, Line, phrases
from kernel.language.time.calendar_words import SECONDS, TIME_UNITS, amount_at, mentions_time
from skills.model import ValueKind

_PHRASES = phrases("|".join(PHRASES))
_INTO = frozenset("in into to as nach zu many much viele viel wieviele wieviel from per pro".split())
_CURRENCY = {"$": "USD", "€": "EUR", "£": "GBP"}
_LONG = {"month": 30 * 86400, "year": 365 * 86400, "quarter": 91 * 86400, "decade": 3652 * 86400}
_SHORT_UNITS = {"h": 3600, "min": 60, "s": 1, "d": 86400, "m": 60}
_MOST_PARTS = 4
_UNSAID: Mapping[float, int] = {3600: 60, 60: 1}
_HALVES = frozenset("am pm a.m. p.m. uhr o'clock oclock :".split())
_FREE = frozenset("free spare freie freien".split())
_HALF = frozenset({"half", "halbe", "halben"})
_GOES_ON = frozenset("to - – — bis till until st nd rd th".split())
_TWO_DIGITS = re.compile("[0-9]{2}")
_BARE_SMALLER = frozenset({"foot", "stone"})
_SMALLER = {"foot": ("inch", 12), "pound": ("ounce", 16), "stone": ("pound", 14)}


def find_durations(line: Line) -> Iterator[Found]:
    """Yield DURATION in seconds: "an hour and a half", "1 h 20 min", "anderthalb Stunden"."""
    index = 0 if mentions_time(line) else line.size
    while index < line.size:
        found = _duration(line, index)
        if found is None:
            index += 1
            continue
        seconds, end, confidence = found
        yield Found(ValueKind.DURATION, index, end, _plain(seconds), confidence, "grammar.duration")
        index = end


def _duration(line: Line, index: int) -> tuple[float, int, float] | None:
    first = _part(line, index)
    if first is None:
        return None
    total, end, confidence = first
    smallest = total / max(_count(line, index), 1)
    for _ in range(_MOST_PARTS):
        after = end + 1 if line.norm(end) in {"and", "und", ","} else end
        if after > end and line.words(after, 2) in {"a half", "a quarter"}:
            total += smallest * (0.5 if line.norm(after + 1) == "half" else 0.25)
            return total, after + 2, confidence
        part = _part(line, after) or _smaller(line, after, smallest)
        if part is None or part[0] >= smallest:
            break  # "20 minutes and 95 minutes" are two
        total, end, smallest = total + part[0], part[1], part[0] / max(_count(line, after), 1)
    return total, end, confidence


def _count(line: Line, index: int) -> float:
    amount = amount_at(line, index)
    number = number_at(line, index)
    return amount[0] if amount else float(number[0]) if number else 1.0


def _part(line: Line, index: int) -> tuple[float, int, float] | None:
    quarters = _quarters(line, index) or _free(line, index)
    amount = None if quarters else amount_at(line, index)
    if amount is not None:
        count, unit, end = amount
        if unit in SECONDS:
            return count * SECONDS[unit], end, 0.95
        return (count * _LONG[unit], end, 0.5) if unit in _LONG else None
    number = number_at(line, index)
    if number is None or line.norm(number[1]) not in _SHORT_UNITS:
        return quarters
    glued = line.norm(index)[:1].isdigit()
    sure = 0.9 if line.norm(number[1]) in {"h", "min"} else 0.5
    return (float(number[0]) * _SHORT_UNITS[line.norm(number[1])], number[1] + 1, sure) if glued else None


def _smaller(line: Line, index: int, unit_s: float) -> tuple[float, int, float] | None:
    """Read the 15 of "1 hour 15" and the 30 of "two minutes thirty": the smaller unit, which nobody says.

    A single digit, and what begins a stretch or is the number of a day, is of something else ("2 hours 10 to 12").
    """
    number = number_at(line, index) if unit_s in _UNSAID and _is_bare(line, index, 60) else None
    if number is None or not number[0] or line.norm(number[1]) in _HALVES | _GOES_ON:
        return None
    if (number[0] < 10 and not _TWO_DIGITS.fullmatch(line.norm(index))) or (
        line.norm(number[1]) == "." and number[1] + 1 < line.size
    ):
        return None
    return float(number[0]) * _UNSAID[unit_s], number[1], 0.85


def _quarters(line: Line, index: int) -> tuple[float, int, float] | None:
    if line.words(index, 4) in {"three quarters of an", "a quarter of an"} and line.norm(index + 4) == "hour":
        return (2700 if line.norm(index) == "three" else 900), index + 5, 0.95
    if line.norm(index) in {"viertelstunde", "halbstunde", "dreiviertelstunde"}:
        return {"viertelstunde": 900, "halbstunde": 1800, "dreiviertelstunde": 2700}[line.norm(index)], index + 1, 0.9
    return None


def _free(line: Line, index: int) -> tuple[float, int, float] | None:
    """Read the hour of "a free hour", "eine freie halbe Stunde": what is free is one of them, and no number is said."""
    half = line.norm(index) in _HALF
    if line.norm(index - 1) not in _FREE or line.norm(index + half) not in {"hour", "stunde"}:
        return None
    return SECONDS["hour"] * (0.5 if half else 1.0), index + half + 1, 0.9


def _plain(seconds: float) -> int | float:
    return int(seconds) if seconds == int(seconds) else seconds


def find_quantities(line: Line) -> Iterator[Found]:
    """Yield QUANTITY: a number with a unit, as written ("5.5 miles", "20 °C", "$30")."""
    index = 0
    while index < line.size:
        found = _money(line, index) or _measured(line, index)
        if found is None:
            index += 1
            continue
        yield found
        index = found.last


def _money(line: Line, index: int) -> Found | None:
    """Read "$30", "twelve euros fifty"."""
    with_cents = money_at(line, index)
    if with_cents is not None:
        return _quantity(with_cents[0], with_cents[1], index, with_cents[2], 0.95)
    unit = _CURRENCY.get(line.norm(index))
    number = number_at(line, index + 1) if unit else None
    if unit is None or number is None:
        return None
    return _quantity(number[0], unit, index, number[1], 0.95)


def _measured(line: Line, index: int) -> Found | None:
    number = number_at(line, index)
    if number is None:
        return _one(line, index)
    value, end = _fraction(line, index, number[0], number[1])
    unit = unit_at(line, end, after_number=True)
    if unit is None or line.norm(end) in PERCENTS or line.norm(index - 1) == "/":
        return None  # a share of something is no amount of its own
    joined = _with_smaller(line, value, unit[0], unit[1])
    if joined is not None:
        return _quantity(joined[0], joined[1], index, joined[2], 0.95)
    minus = line.norm(index - 1) in {"-", "minus"} and not line.norm(index - 2)[:1].isdigit()
    return _quantity(-value if minus else value, unit[0], index - minus, unit[1], unit[2])


def _fraction(line: Line, index: int, value: Decimal, end: int) -> tuple[Decimal, int]:
    """Read "3/4" and "1 1/2" before a unit."""
    below = number_at(line, end + 1) if line.norm(end) == "/" else None
    if below is not None and 0 < below[0] <= 64:
        return value / below[0], below[1]
    rest = number_at(line, end)
    if rest is not None and line.norm(rest[1]) == "/" and end == index + 1:
        part = _fraction(line, end, rest[0], rest[1])
        return (value + part[0], part[1]) if part[0] < 1 else (value, end)
    return value, end


def _with_smaller(line: Line, value: Decimal, unit: str, end: int) -> tuple[Decimal, str, int] | None:
    """Read "5 feet 10 inches", "5 foot 10" and "6 pounds 3 ounces" as one quantity in the smaller unit."""
    name = UNITS.get(unit.casefold(), SYMBOLS.get(unit.casefold(), ""))
    smaller, factor = _SMALLER.get(name, ("", 0))
    if name in _BARE_SMALLER and _is_bare(line, end, factor):
        bare = number_at(line, end)
        return (value * factor + bare[0], smaller, bare[1]) if bare else None
    after = end + 1 if line.norm(end) in {"and", "und"} else end
    number = number_at(line, after) if smaller else None
    found = unit_at(line, number[1], after_number=True) if number else None
    if number is None or found is None or UNITS.get(found[0].casefold(), found[0]) != smaller or number[0] >= factor:
        return None
    return value * factor + number[0], found[0], found[1]


def _is_bare(line: Line, index: int, factor: int) -> bool:
    """A number that can only be the smaller unit, which nobody says: "5 foot 11", and not "5 feet 11 boards"."""
    number = number_at(line, index)
    if number is None or not is_whole(number[0]) or number[0] >= factor or line.norm(number[1]) in {"/", "%", "x"}:
        return False
    counts = line.is_content(number[1]) or unit_at(line, number[1], after_number=True) is not None
    return not counts and number_at(line, number[1]) is None


def _one(line: Line, index: int) -> Found | None:
    """Read "a litre", "ein Pfund" as one."""
    if line.norm(index) not in {"a", "an", "ein", "eine", "einem", "einer", "einen"}:
        return None
    unit = unit_at(line, index + 1, after_number=False)
    if unit is None or line.norm(index + 1) in TIME_UNITS:
        return None
    return _quantity(Decimal(1), unit[0], index, unit[1], 0.6)


def _quantity(value: Decimal, unit: str, first: int, last: int, confidence: float) -> Found:
    text = format(value.normalize(), "f") if value else "0"
    return Found(ValueKind.QUANTITY, first, last, {"value": text, "unit": unit}, confidence, "grammar.quantity")


def unit_at(line: Line, index: int, *, after_number: bool) -> tuple[str, int, float] | None:
    """The unit at ``index``: as written (German words by their English name), its end, and how sure that is."""
    length = line.phrase(index, _PHRASES)
    if length:
        return PHRASES[line.words(index, length)], index + length, 0.95
    word = line.norm(index)
    if word in UNITS:
        sign = not word[:1].isalpha() or word in GERMAN_ONLY
        return (UNITS[word] if sign else line.raw(index)), index + 1, 0.9
    if word in SYMBOLS and _is_symbol(line, index, after_number):
        return (SYMBOLS[word] if len(word) == 1 else line.raw(index)), index + 1, 0.7
    if word in {"in", '"'} and after_number and line.norm(index + 1) in {"in", "to", "into", "", "?", "."}:
        return "inch", index + 1, 0.6
    return None


def _is_symbol(line: Line, index: int, after_number: bool) -> bool:
    """Letters that are also words or names are units only right after a number or where a clause ends."""
    if after_number and line.norm(index) not in {"a", "t", "s", "n", "k"}:
        return True
    ends = not line.is_word(index + 1) and not line.norm(index + 1)[:1].isdigit()
    return ends and (after_number or line.norm(index - 1) in _INTO)


def find_units(line: Line) -> Iterator[Found]:
    """Yield UNIT for units named on their own: "in miles", "how many feet", "to km/h"."""
    for index in range(line.size):
        found = unit_at(line, index, after_number=False)
        if found is None or line.norm(index) == "%":
            continue
        unit, end, _ = found
        asked = line.norm(index - 1) in _INTO
        numbered = line.norm(index - 1)[:1].isdigit()
        sure = 0.9 if asked else 0.2 if numbered else 0.45
        if TIME_UNITS.get(line.norm(index)) and not asked:
            sure = 0.2
        yield Found(ValueKind.UNIT, index, end, unit, sure, "grammar.unit")
