"""A date with its weekday before it: "Thursday, 26 March", "Freitag, den 20.3.", "Mon March 16th".

What this stops: that the weekday is read as a day of its own, the next one to come, beside the date.
What it does not: put right a date that is no such weekday. Both stay what they are, and the person is asked.
"""

from __future__ import annotations

from kernel.language.line import Line
from kernel.language.time.calendar_days import Day, day_first, first_day, month_first, short_day, written_day
from kernel.language.time.calendar_words import SHORT_GERMAN_WEEKDAYS, SHORT_WEEKDAYS, WEEKDAYS

_ARTICLES = frozenset("the den dem der".split())
_RULES = (written_day, short_day, month_first, day_first)


def weekday_and_date(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """Read a weekday and the date behind it; without a year, of the year in which it is that weekday."""
    found = _weekday(line, index)
    if found is None:
        return None
    wanted, at = found
    starts = (at, at + 1) if line.norm(at) in _ARTICLES else (at,)
    days = (first_day(_RULES, line, start, way, year) for start in starts for way in dict.fromkeys((direction, 0, 1)))
    return next((one for one in days if one is not None and one.day.weekday() == wanted), None)


def _weekday(line: Line, index: int) -> tuple[int, int] | None:
    """The weekday that is named at ``index``, and where its words end, with the comma behind it."""
    word, end = line.norm(index), index + 1
    number = WEEKDAYS.get(word)
    if number is None and line.raw(index)[:1].isupper():
        short = SHORT_GERMAN_WEEKDAYS if line.language == "de" else SHORT_WEEKDAYS
        number, end = short.get(word), end + (line.norm(end) == ".")
    return None if number is None else (number, end + (line.norm(end) == ","))
