"""Days that are said by their number and month: "2026-03-03", "3.3.26", "March 3rd", "the twenty-first of may"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from kernel.language.amounts.numbers import number_word, ordinal_at
from kernel.language.line import Line
from kernel.language.time.calendar_words import MONTHS, SHORT_MONTHS, add_months
from kernel.language.time.months import month_after_day, month_at, month_before_day
from kernel.language.time.years import said_year_at, year_behind

_BEFORE_DAY_NUMBER = frozenset("on since until till by before after am vom bis zum ab seit".split())
_ONTO_DAY = frozenset("to for from auf für von".split())


@dataclass(frozen=True, slots=True)
class Day:
    """A day read from the tokens up to ``end``; ``dated`` tells whether its year was said.

    ``base`` is where the day begins from which this one was counted ("90 days after 1 March"); 0 when there is none.
    ``counted`` tells that a length of time and a direction were said, which also have a meaning of their own.
    """

    day: date
    end: int
    confidence: float
    dated: bool = True
    base: int = 0
    counted: bool = False


Rule = Callable[[Line, int, int, int | None], Day | None]
"""Reads a day from an index on, in a direction of time (-1, 0, 1), of a year where one was said."""


def first_day(rules: Iterable[Rule], line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """The day that the first of the rules reads; a day that does not exist is none."""
    if not line.norm(index)[:1].isalnum():
        return None
    for rule in rules:
        try:
            found = rule(line, index, direction, year)
        except (ValueError, OverflowError):
            continue
        if found is not None:
            return found
    return None


def written_day(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    """Read "2025-03-03", "3.3.2025", "3/3/25", and "am 3.5." in German."""
    word = line.norm(index)
    if not word[0].isdigit():
        return None
    match = re.fullmatch(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})", word)
    if match:
        return Day(date(*map(int, match.group(1, 3, 4))), index + 1, 1.0)
    match = re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{2,4})", word)
    if match:
        day, month, year = map(int, match.groups())
        return Day(date(_full_year(year), month, day), index + 1, 1.0)
    match = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{2,4})", word)
    return _slashed(line, index, *map(int, match.groups())) if match else _dotted_short(line, index)


def _slashed(line: Line, index: int, first: int, second: int, year: int) -> Day:
    """03/04/2025 is March 4th in English unless that is no date; the order of the other countries where it must be."""
    swap = first > 12 or line.language == "de"
    month, day = (second, first) if swap and second <= 12 else (first, second)
    sure = first > 12 or second > 12 or first == second
    return Day(date(_full_year(year), month, day), index + 1, 0.95 if sure else 0.7)


def _dotted_short(line: Line, index: int) -> Day | None:
    """Read "3.5." and "am 3.5." as a German day and month."""
    before = line.norm(index - 1)
    known = before in {"am", "vom", "zum", "bis", "seit", "ab", "den", "der"}
    return short_day(line, index, 0, None) if known else None


def short_day(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    """Read "20.3." as a German day and month, wherever it stands: a number with a fraction looks the same."""
    match = re.fullmatch(r"(\d{1,2})\.(\d{1,2})", line.norm(index))
    if match is None or line.language != "de":
        return None
    end = index + 2 if line.norm(index + 1) == "." else index + 1
    return _near(line, (int(match.group(2)), int(match.group(1))), end, 0, None)


def _full_year(year: int) -> int:
    if year >= 1000:
        return year
    if year >= 100:
        raise ValueError("three digits are no year")
    return year + (2000 if year < 70 else 1900)


def _near(line: Line, month_day: tuple[int, int], end: int, direction: int, year: int | None) -> Day:
    """A day without a year: the latest gone by, the next to come, or the nearest, as ``direction`` says."""
    month, day = month_day
    if year is not None:
        return Day(date(year, month, day), end, 0.9, dated=False)
    today = line.today
    options = []
    for candidate in range(today.year - 4, today.year + 5):
        try:
            options.append(date(candidate, month, day))
        except ValueError:
            continue
    if direction < 0:
        return Day(max(option for option in options if option <= today), end, 0.9, dated=False)
    if direction > 0:
        return Day(min(option for option in options if option >= today), end, 0.9, dated=False)
    return Day(min(options, key=lambda option: abs((option - today).days)), end, 0.9, dated=False)


def month_first(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """Read "March 3rd, 2025", "March the third", "Mar. 3"."""
    if line.norm(index) not in MONTHS and line.norm(index) not in SHORT_MONTHS:
        return None
    after = index + 2 if line.norm(index + 1) in {"the", "."} else index + 1
    day = _day_number(line, after)
    if day is None:
        return _first_of_month(line, index)
    month = month_before_day(line, index, after, day[1])
    if month is None or line.norm(after + 1) in {":", "%"}:
        return None
    return with_year(line, (month, day[0]), day[1], direction, year)


def _first_of_month(line: Line, index: int) -> Day | None:
    month, said = month_at(line, index), said_year_at(line, index + 1)
    return Day(date(said[0], month, 1), said[1], 0.4) if month and said else None


def day_first(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """Read "3 March 2025", "the 3rd of march", "3. März", "the twenty first of May", "dem dritten März"."""
    start = index + 1 if line.norm(index) in {"the", "den", "dem", "der", "am"} else index
    day = _day_number(line, start)
    if day is None:
        return None
    after = day[1]
    while line.norm(after) in {"of", ".", "day"} and after < day[1] + 2:
        after += 1
    month = month_after_day(line, after, start)
    if month is None:
        return None
    return with_year(line, (month, day[0]), after + 1, direction, year)


def with_year(line: Line, month_day: tuple[int, int], end: int, direction: int, year: int | None) -> Day:
    """The day of ``month_day`` (month, day) in the year that is said behind it, or without one (see ``day_at``)."""
    said = year_behind(line, end)
    if said is not None:
        return Day(date(said[0], *month_day), said[1], 1.0)
    return _near(line, month_day, end, direction, year)


def _day_number(line: Line, index: int) -> tuple[int, int] | None:
    """The number of a day and where it ends: "3", "3rd", "third", "twenty first", "einunddreißigsten"."""
    word = line.norm(index)
    if word.isascii() and word.isdigit() and len(word) <= 2:
        return (int(word), index + 1) if 1 <= int(word) <= 31 else None
    value, end = ordinal_at(line, index), index + 1
    tens = number_word(word, "en")
    unit = ordinal_at(line, index + 1) if tens in {20, 30} and line.is_word(index + 1) else None
    if unit is not None and tens is not None and 1 <= unit <= 9:
        value, end = tens + unit, index + 2
    return (value, end) if value is not None and 1 <= value <= 31 else None


def day_number(line: Line, index: int) -> tuple[int, int, bool] | None:
    """The number of a day without its month, where it ends, and whether its form says so ("20th", "20.")."""
    ordinal = bool(re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", line.norm(index)))
    dotted = line.language == "de" and line.norm(index).isdigit() and line.norm(index + 1) == "."
    said = _day_number(line, index) if ordinal or dotted or not line.norm(index).isdigit() else None
    return None if said is None else (said[0], said[1] + dotted, ordinal or dotted)


def _counts_a_thing(line: Line, index: int) -> bool:
    """ "to the 3rd page", "auf den 3. Platz": the number counts what stands behind it, and is no day."""
    return line.is_content(index + 1 + (line.norm(index + 1) == "."))


def day_alone(line: Line, index: int, direction: int, _year: int | None) -> Day | None:
    """Read "on the 15th", ", the 15th at 4", "am 15." as the next such day, or the last one when looking back."""
    start = index + 1 if line.norm(index) in {"the", "den", "dem"} else index
    apart = line.norm(index - 1) == "," and start > index and not line.is_content(start + 1)
    whole = index == 0 and start > index and start + 1 == line.size  # "the 1st", and nothing else
    onto = line.norm(index - 1) in _ONTO_DAY and start > index and not _counts_a_thing(line, start)
    if line.norm(index - 1) not in _BEFORE_DAY_NUMBER and not onto and not apart and not whole:
        return None
    ordinal = bool(re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", line.norm(start)))
    dotted = line.language == "de" and line.norm(start).isdigit() and line.norm(start + 1) == "."
    number = _day_number(line, start) if ordinal or dotted else None
    if number is None or month_after_day(line, number[1] + dotted, start) is not None:
        return None  # "am 31. April" is no day, and not the next 31st
    day = number[0]
    step = direction or 1
    first = line.today.replace(day=1)
    for months in (0, step, 2 * step, 3 * step):
        month = add_months(first, months)
        try:
            found = month.replace(day=day)
        except ValueError:
            continue
        if (found - line.today).days * step >= 0:
            return Day(found, start + (2 if dotted else 1), 0.6)
    return None
