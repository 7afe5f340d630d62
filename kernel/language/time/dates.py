"""Calendar days in a sentence, absolute and relative to the moment it was said, English and German."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language.line import Found, Line, phrases
from kernel.language.time.calendar_days import Day, day_alone, day_first, first_day, month_first, written_day
from kernel.language.time.calendar_words import CALENDAR_UNITS, amount_at, mentions_time, shift
from kernel.language.time.near_days import edge, holiday, named_day, weekday, weekday_and_number
from kernel.language.time.nth_days import before_last, nth_weekday, weeks_on
from kernel.language.time.weekday_dates import weekday_and_date
from kernel.language.time.within import within_at
from kernel.language.time.years import seen_year_at
from skills.model import ValueKind

COUNTED = ".counted"
"""Ends the source of a value that was counted from a length of time: its words may be read one by one as well."""

_BACKWARD = frozenset("from since of seit vom after older newer".split())
_ARTICLES = frozenset("the der den dem".split())
_FORWARD = frozenset("until till by bis zum".split())
_FROM_DAY = phrases("after|before|from|nach|vor|later than|earlier than|prior to|following|past")
_DEADLINE = 0.7
_BACK_FROM = frozenset("before earlier prior vor".split())


def find_dates(line: Line) -> Iterator[Found]:
    """Yield DATE for every day that the sentence names, the longest reading at each place."""
    index = 0 if mentions_time(line) else line.size
    while index < line.size:
        found = day_at(line, index, direction=_direction(line, index))
        if found is None:
            index += 1
            continue
        bare = index + 1 if line.norm(index) in _ARTICLES else index
        source = "grammar.date" + (COUNTED if found.counted else "")
        for first in {index, bare}:
            yield Found(ValueKind.DATE, first, found.end, found.day.isoformat(), found.confidence, source)
        index = max(bare + 1, found.base) if found.base else found.end


def _direction(line: Line, index: int) -> int:
    before = line.norm(index - 1) if line.norm(index - 1) not in {"the", "dem", "den"} else line.norm(index - 2)
    return -1 if before in _BACKWARD else 1 if before in _FORWARD else 0


def day_at(line: Line, index: int, *, direction: int = 0, year: int | None = None) -> Day | None:
    """The day named at ``index``.

    Without a year, ``direction`` -1 is the latest such day gone by, 1 the next one to come, 0 the nearest; ``year``
    is used where none is said.
    """
    key = ("day", index, direction, year)
    if key not in line.memo:
        line.memo[key] = _day_at(line, index, direction, year)
    found: Day | None = line.memo[key]
    return found


def _day_at(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    found = first_day(_RULES, line, index, direction, year)
    return _moved(line, found) if found else None


def _moved(line: Line, found: Day) -> Day:
    """The day some weeks after the one just read: "Donnerstag in einer Woche"."""
    later = weeks_on(line, found.day, found.end) if found.confidence >= 0.7 else None
    return Day(*later, 0.97) if later else found


def _nth(line: Line, index: int, direction: int, _year: int | None) -> Day | None:
    found = nth_weekday(line, index, direction) or before_last(line, index)
    return Day(*found, 0.97) if found else None


def _counted(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    """Read "in two weeks", "three days ago", "vor einer Woche", "a week from now", "within a week"."""
    word = line.norm(index)
    if word in {"in", "vor"}:
        return _after_preposition(line, index, word)
    within = within_at(line, index)
    if within is not None:
        return _shifted(line, *within, _DEADLINE)  # the last day on which it may be
    found = amount_at(line, index)
    if found is None or found[1] not in CALENDAR_UNITS:
        return None
    count, unit, end = found
    if line.norm(end) in {"ago", "back", "earlier"} and line.norm(end + 1) != "than":
        return _shifted(line, -count, unit, end + 1)
    if line.norm(end) in {"from", "ab"} and line.norm(end + 1) in {"now", "today", "heute", "jetzt"}:
        return _shifted(line, count, unit, end + 2, base=end + 1)
    length = line.phrase(end, _FROM_DAY)
    base = day_at(line, end + length) if length else None
    sign = -1 if line.norm(end) in _BACK_FROM else 1
    moved = shift(base.day, sign * count, unit) if base else None
    return Day(moved, base.end, 1.0, base=end + length, counted=True) if base and moved else None


def _after_preposition(line: Line, index: int, word: str) -> Day | None:
    if word == "vor" and line.language != "de":
        return None
    found = amount_at(line, index + 1)
    if found is None or found[1] not in CALENDAR_UNITS:
        return None
    count, unit, end = found
    if word == "in" and line.norm(index - 1) in {"not", "nicht"}:
        return None
    return _shifted(line, count if word == "in" else -count, unit, end, 0.85)


def _shifted(line: Line, count: float, unit: str, end: int, confidence: float = 1.0, *, base: int = 0) -> Day | None:
    moved = shift(line.today, count, unit)
    return Day(moved, end, confidence, base=base, counted=True) if moved else None


def _year_first(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    """Read "dieses Jahr der 24. Dezember", "this year December 24": the year stands before its day."""
    seen = seen_year_at(line, index)
    found = day_at(line, seen[1], year=seen[0]) if seen else None
    return Day(found.day, found.end, 1.0) if found and seen and found.day.year == seen[0] else None


_RULES = (
    written_day,
    _year_first,
    _nth,
    named_day,
    holiday,
    month_first,
    day_first,
    weekday_and_date,
    weekday_and_number,
    weekday,
    _counted,
    edge,
    day_alone,
)
