"""Calendar days in a sentence, absolute and relative to the moment it was said, English and German."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from kernel.language import holidays
from kernel.language.calendar_words import (
    CALENDAR_UNITS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    add_months,
    amount_at,
    mentions_time,
    month_at,
    shift,
    year_at,
)
from kernel.language.line import Found, Line, phrases
from kernel.language.nth_days import before_last, edge_at, nth_weekday, weeks_on
from kernel.language.numbers import ordinal_at
from skills.model import ValueKind


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


COUNTED = ".counted"
"""Ends the source of a value that was counted from a length of time: its words may be read one by one as well."""

_NEAR = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "heute": 0,
    "gestern": -1,
    "vorgestern": -2,
    "übermorgen": 2,
}
_NEAR_PHRASES = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "last night": -1,
    "heute morgen": 0,
    "gestern abend": -1,
}
_NEAR_TABLE = phrases("|".join(_NEAR_PHRASES))
_LAST = frozenset(
    "last letzten letzter letztem letzte vorigen voriger vorigem vergangenen vergangener previous".split()
)
_NEXT = frozenset("next nächsten nächster nächstem nächste kommenden kommender coming upcoming".split())
_THIS = frozenset("this diesen dieser diesem".split())
_BACKWARD = frozenset("from since of seit vom after older newer".split())
_ARTICLES = frozenset("the der den dem".split())
_FORWARD = frozenset("until till by bis zum".split())
_BEFORE_HOLIDAY = frozenset(
    "until till by before after since from on at is was bis vor nach seit ab an zu zum ist war vom am".split()
)
_BEFORE_DAY_NUMBER = frozenset("on since until till by before after am vom bis zum ab seit".split())
_NO_MORNING = frozenset("guten am jeden heute gestern der den dem diesen good".split())
_FROM_DAY = phrases("after|before|from|nach|vor|later than|earlier than|prior to|following|past")
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
    word = line.norm(index)
    if not word or not word[0].isalnum():
        return None
    for rule in _RULES:
        try:
            found = rule(line, index, direction, year)
        except (ValueError, OverflowError):
            continue
        if found is not None:
            return _moved(line, found)
    return None


def _moved(line: Line, found: Day) -> Day:
    """The day some weeks after the one just read: "Donnerstag in einer Woche"."""
    later = weeks_on(line, found.day, found.end) if found.confidence >= 0.7 else None
    return Day(*later, 0.97) if later else found


def _nth(line: Line, index: int, direction: int, _year: int | None) -> Day | None:
    found = nth_weekday(line, index, direction) or before_last(line, index)
    return Day(*found, 0.97) if found else None


def _written(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
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
    match = re.fullmatch(r"(\d{1,2})\.(\d{1,2})", line.norm(index))
    before = line.norm(index - 1)
    if match is None or line.language != "de" or before not in {"am", "vom", "zum", "bis", "seit", "ab", "den", "der"}:
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


def _month_first(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """Read "March 3rd, 2025", "March the third", "Mar. 3"."""
    month = month_at(line, index)
    if month is None:
        return None
    after = index + 2 if line.norm(index + 1) in {"the", "."} else index + 1
    day = _day_number(line, after)
    if day is None:
        said = year_at(line, index + 1)
        return Day(date(said, month, 1), index + 2, 0.4) if said else None
    if line.norm(after + 1) in {":", "%"}:
        return None
    return _with_year(line, (month, day), after + 1, direction, year)


def _day_first(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """Read "3 March 2025", "the 3rd of March", "3. März", "dem dritten März"."""
    start = index + 1 if line.norm(index) in {"the", "den", "dem", "der", "am"} else index
    day = _day_number(line, start)
    if day is None:
        return None
    after = start + 1
    while line.norm(after) in {"of", ".", "day"} and after < start + 3:
        after += 1
    month = month_at(line, after)
    if month is None:
        return None
    return _with_year(line, (month, day), after + 1, direction, year)


def _with_year(line: Line, month_day: tuple[int, int], end: int, direction: int, year: int | None) -> Day:
    after = end + 1 if line.norm(end) in {",", "of", "in", "."} else end
    said = year_at(line, after)
    if said is not None:
        return Day(date(said, *month_day), after + 1, 1.0)
    return _near(line, month_day, end, direction, year)


def _day_number(line: Line, index: int) -> int | None:
    word = line.norm(index)
    if word.isascii() and word.isdigit() and len(word) <= 2:
        return int(word) if 1 <= int(word) <= 31 else None
    value = ordinal_at(line, index)
    return value if value is not None and 1 <= value <= 31 else None


def _named(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    length = line.phrase(index, _NEAR_TABLE)
    if length:
        return _days_off(line, _NEAR_PHRASES[line.words(index, length)], index + length)
    word = line.norm(index)
    if word == "morgen":
        return _days_off(line, 1, index + 1) if _is_tomorrow(line, index) else None
    if word not in _NEAR:
        return None
    extra = line.norm(index + 1) in {
        "morning",
        "afternoon",
        "evening",
        "night",
        "früh",
        "abend",
        "nachmittag",
        "mittag",
    }
    return _days_off(line, _NEAR[word], index + (2 if extra else 1))


def _holiday(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """Read "Christmas", "New Year's Eve", "Ostern 2024", in small letters behind a word that goes before a day."""
    length = line.phrase(index, holidays.TABLE)
    if not length or not (line.raw(index)[:1].isupper() or line.norm(index - 1) in _BEFORE_HOLIDAY):
        return None
    name, end = line.words(index, length), index + length
    if name in holidays.FIXED:
        return _with_year(line, holidays.FIXED[name], end, direction, year)
    said = year_at(line, end)
    if said is not None:
        return Day(holidays.in_year(name, said), end + 1, 1.0)
    return Day(_nearest(line, name, direction, year), end, 0.9, dated=False)


def _nearest(line: Line, name: str, direction: int, year: int | None) -> date:
    """A movable day without a year: of ``year``, else the latest gone by, the next to come, or the nearest."""
    today = line.today
    options = [holidays.in_year(name, one) for one in ([year] if year else range(today.year - 1, today.year + 2))]
    if direction:
        options = [one for one in options if (one - today).days * direction >= 0]
    return min(options, key=lambda one: abs((one - today).days))


def _is_tomorrow(line: Line, index: int) -> bool:
    """ "morgen" is tomorrow unless it is the morning: "guten Morgen", "am Morgen"."""
    noun = line.raw(index)[:1].isupper() and index > 0
    return line.language == "de" and not noun and line.norm(index - 1) not in _NO_MORNING


def _days_off(line: Line, days: int, end: int) -> Day:
    return Day(line.today + timedelta(days=days), end, 1.0)


def _weekday(line: Line, index: int, direction: int, _year: int | None) -> Day | None:
    word = line.norm(index)
    start = index + 1 if word in _LAST | _NEXT | _THIS else index
    number = WEEKDAYS.get(line.norm(start))
    if number is None and (start > index or line.norm(index - 1) in {"on", "since", "by"}):
        number = SHORT_WEEKDAYS.get(line.norm(start)) if line.raw(start)[:1].isupper() else None
    if number is None:
        return None
    ahead = (number - line.today.weekday()) % 7
    if word in _LAST:
        return _days_off(line, ahead - 7, start + 1)
    if word in _THIS:
        return _days_off(line, number - line.today.weekday(), start + 1)
    if word in _NEXT:
        return _days_off(line, ahead or 7, start + 1)
    if direction < 0:
        return Day(line.today - timedelta(days=(7 - ahead) % 7), start + 1, 0.85)
    return Day(line.today + timedelta(days=ahead or 7), start + 1, 0.75)


def _counted(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    """Read "in two weeks", "three days ago", "vor einer Woche", "a week from now"."""
    word = line.norm(index)
    if word in {"in", "vor"}:
        return _after_preposition(line, index, word)
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


def _edge(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    found = edge_at(line, index)
    return Day(*found, 0.8) if found else None


def _day_alone(line: Line, index: int, direction: int, _year: int | None) -> Day | None:
    """Read "on the 15th", "am 15." as the next such day, or the last one when looking back."""
    start = index + 1 if line.norm(index) in {"the", "den", "dem"} else index
    if line.norm(index - 1) not in _BEFORE_DAY_NUMBER:
        return None
    ordinal = bool(re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", line.norm(start)))
    dotted = line.language == "de" and line.norm(start).isdigit() and line.norm(start + 1) == "."
    day = _day_number(line, start) if ordinal or dotted else None
    if day is None:
        return None
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


_RULES: tuple[Callable[[Line, int, int, int | None], Day | None], ...] = (
    _written,
    _nth,
    _named,
    _holiday,
    _month_first,
    _day_first,
    _weekday,
    _counted,
    _edge,
    _day_alone,
)
