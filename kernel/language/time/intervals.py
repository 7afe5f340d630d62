"""The named stretches that periods are made of: a day, week, month, quarter, season, year, or the last seven days."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from kernel.language.amounts.numbers import ordinal_at
from kernel.language.line import Line
from kernel.language.time.calendar_words import (
    CALENDAR_UNITS,
    DOUBTFUL_MONTHS,
    TIME_UNITS,
    add_months,
    amount_at,
    shift,
    start_of,
)
from kernel.language.time.dates import day_at
from kernel.language.time.months import month_at
from kernel.language.time.years import year_at, year_behind

_LAST = frozenset(
    "last previous past letzte letzten letzter letztes letztem vorige vorigen voriger voriges vergangene vergangenen "
    "vergangener vergangenes".split()
)
_NEXT = frozenset(
    "next coming upcoming following nächste nächsten nächster nächstes nächstem kommende kommenden kommender "
    "kommendes".split()
)
_THIS = frozenset(
    "this current diese diesen dieser dieses diesem aktuelle aktuellen aktueller aktuelles laufenden laufende".split()
)
_MINE, _THE = frozenset("my mein meine meinem meiner".split()), frozenset("the das dem".split())
_ON_WEEKEND = frozenset("am übers ums zum over".split())
_OF_THE_PAST = {
    "en": frozenset("did was were had".split()),
    "de": frozenset("war waren warst hatte hatten hattest gab fand fanden traf trafen lag lagen stand standen".split()),
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_SEASONS |= {"frühling": 3, "frühjahr": 3, "sommer": 6, "herbst": 9}
_BEFORE_MONTH = frozenset(
    "in during since from of before after until till by between and to last this next im seit vom von vor nach bis "
    "zwischen und ab aus for through letzten diesen nächsten".split()
)


@dataclass(frozen=True, slots=True)
class Interval:
    """Days [start, end) read from the tokens up to ``last``.

    ``dated`` tells whether the year was said or follows from now; ``bare`` is how sure the reading is with no
    preposition before it.
    """

    start: date
    end: date
    last: int
    dated: bool = True
    bare: float = 0.95


def interval_at(line: Line, index: int, *, past: bool = False, year: int | None = None) -> Interval | None:
    """The interval named at ``index``. ``past`` prefers what has begun; ``year`` is used where none is said."""
    if not line.norm(index)[:1].isalnum():
        return None
    for rule in _RULES:
        try:
            found = rule(line, index, past, year)
        except (ValueError, OverflowError):
            continue
        if found is not None:
            return found
    return None


def day_number_at(line: Line, index: int) -> tuple[int, int] | None:
    """A day of the month alone, as the first part of "3rd to 5th of March"."""
    start = index + 1 if line.norm(index) in {"the", "dem", "den"} else index
    word = line.norm(start)
    number = int(word) if word.isascii() and word.isdigit() and len(word) <= 2 else ordinal_at(line, start)
    if number is None or not 1 <= number <= 31:
        return None
    return number, start + (2 if line.norm(start + 1) == "." else 1)


def _relative(line: Line, index: int, _past: bool, _year: int | None) -> Interval | None:
    """Read "last week", "this month", "the next 3 days", "past year", "letzten Sommer"."""
    start = index + 1 if line.norm(index) in {"the", "den", "der", "dem", "die", "das"} else index
    word = line.norm(start)
    step = -1 if word in _LAST else 1 if word in _NEXT else 0 if word in _THIS else None
    if step is None:
        return None
    amount = amount_at(line, start + 1) if step else None
    if amount and amount[1] in CALENDAR_UNITS:
        return _rolling(line, step, amount)
    unit = TIME_UNITS.get(line.norm(start + 1))
    if unit == "weekend":
        return _weekend(line, step, start + 2)
    if unit in CALENDAR_UNITS:
        return _rolling(line, -1, (1, unit or "", start + 2)) if word == "past" else _unit(line, step, unit, start + 2)
    return _season(line, start + 1, step) or _relative_month(line, start + 1, step)


def _own_week(line: Line, index: int, _past: bool, _year: int | None) -> Interval | None:
    """Read "my week", "meine Woche", "the weekend", "am Wochenende": the one that is, or that comes next.

    Where the sentence looks back ("was hatte ich am Wochenende?") a weekend is the last one that has begun.
    """
    start = index + (line.norm(index) in _MINE | _THE)
    unit = TIME_UNITS.get(line.norm(start))
    if unit == "week" and line.norm(index) in _MINE:
        return _unit(line, 0, unit, start + 1)
    led = start > index or line.norm(index - 1) in _ON_WEEKEND
    if unit != "weekend" or not led or (line.language == "en" and line.is_content(start + 1)):
        return None  # "the weekend trip"
    found = _weekend(line, 0, start + 1)
    return _weekend(line, -1, start + 1) if found.start > line.today and _is_past(line) else found


def _is_past(line: Line) -> bool:
    return looks_back(map(line.norm, range(line.size)), line.language)


def looks_back(norms: Iterable[str], language: str) -> bool:
    """Tell whether a verb among the words of a sentence is of the past."""
    return not _OF_THE_PAST.get(language, frozenset()).isdisjoint(norms)


def _rolling(line: Line, step: int, amount: tuple[float, str, int]) -> Interval | None:
    moved = shift(line.today, step * amount[0], amount[1])
    if moved is None:
        return None
    tomorrow = line.today + timedelta(days=1)
    return (
        Interval(moved, tomorrow, amount[2]) if step < 0 else Interval(line.today, moved + timedelta(days=1), amount[2])
    )


def _unit(line: Line, step: int, unit: str | None, last: int) -> Interval | None:
    first = start_of(line.today, unit or "")
    begin, end = shift(first, step, unit or ""), shift(first, step + 1, unit or "")
    return Interval(begin, end, last) if begin and end else None


def _weekend(line: Line, step: int, last: int) -> Interval:
    saturday = start_of(line.today, "week") + timedelta(days=5 + 7 * step)
    return Interval(saturday, saturday + timedelta(days=2), last)


def _season(line: Line, index: int, step: int) -> Interval | None:
    month = _SEASONS.get(line.norm(index))
    if month is None:
        return None
    first = date(line.today.year, month, 1)
    while first > line.today:
        first = add_months(first, -12)
    current = line.today < add_months(first, 3)
    if step > 0 or (step == 0 and not current):
        first = add_months(first, 12)
    elif step < 0 and current:
        first = add_months(first, -12)
    return Interval(first, add_months(first, 3), index + 1)


def _relative_month(line: Line, index: int, step: int) -> Interval | None:
    """Read "last March": the latest that is over; "this March" of this year; "next March" the first to come."""
    month = month_at(line, index)
    if month is None:
        return None
    first = date(line.today.year, month, 1)
    if step < 0 and add_months(first, 1) > line.today:
        first = add_months(first, -12)
    if step > 0 and first <= line.today:
        first = add_months(first, 12)
    return Interval(first, add_months(first, 1), index + 1)


def _day(line: Line, index: int, past: bool, year: int | None) -> Interval | None:
    found = day_at(line, index, direction=-1 if past else 0, year=year)
    if found is None or found.confidence < 0.5:
        return None
    return Interval(found.day, found.day + timedelta(days=1), found.end, found.dated, min(found.confidence, 0.9))


def _month(line: Line, index: int, past: bool, year: int | None) -> Interval | None:
    """Read "March 2024", "March of 2024", "March"."""
    month = month_at(line, index)
    if month is None:
        return None
    said = _year_said(line, index + 1)
    if said is not None:
        first = date(said[0], month, 1)
        return Interval(first, add_months(first, 1), said[1])
    if line.norm(index) in DOUBTFUL_MONTHS and line.norm(index - 1) not in _BEFORE_MONTH:
        return None
    first = date(year or line.today.year, month, 1)
    if year is None and past and first > line.today:
        first = add_months(first, -12)
    return Interval(first, add_months(first, 1), index + 1, dated=False, bare=0.45)


def _year_said(line: Line, index: int) -> tuple[int, int] | None:
    """The year behind a month, quarter or season and where it ends: "2024", "of 2024", "last year"."""
    said = year_behind(line, index)
    if said is not None:
        return said
    after = index + 1 if line.norm(index) in {"of", ",", ".", "in", "von", "des", "/"} else index
    start = after + 1 if line.norm(after) in {"the", "des"} else after
    word = line.norm(start)
    step = -1 if word in _LAST else 1 if word in _NEXT else 0 if word in _THIS else None
    if step is None or TIME_UNITS.get(line.norm(start + 1)) != "year":
        return None
    return line.today.year + step, start + 2


def _quarter(line: Line, index: int, _past: bool, _year: int | None) -> Interval | None:
    """Read "Q1 2025", "the first quarter of 2025", "erstes Quartal 2025"."""
    match = re.fullmatch(r"q([1-4])", line.norm(index))
    number, after = (int(match.group(1)), index + 1) if match else (0, index)
    if not match:
        start = index + 1 if line.norm(index) in {"the", "das", "dem", "im", "des"} else index
        ordinal = ordinal_at(line, start)
        dotted = 1 if line.norm(start + 1) == "." else 0
        if ordinal is None and dotted and line.norm(start) in {"1", "2", "3", "4"}:
            ordinal = int(line.norm(start))
        if ordinal not in {1, 2, 3, 4} or TIME_UNITS.get(line.norm(start + 1 + dotted)) != "quarter":
            return None
        number, after = ordinal, start + 2 + dotted
    said = _year_said(line, after)
    year, last = said or (line.today.year, after)
    first = date(year, 3 * number - 2, 1)
    return Interval(first, add_months(first, 3), last, dated=said is not None)


def _half(line: Line, index: int, _past: bool, _year: int | None) -> Interval | None:
    """Read "the second half of 2024", "the first half of March", "zweite Hälfte 2024", "erstes Halbjahr 2024"."""
    start = index + 1 if line.norm(index) in {"the", "die", "der", "das", "dem", "im", "des"} else index
    ordinal, noun = ordinal_at(line, start), line.norm(start + 1)
    if ordinal not in {1, 2, -1} or noun not in {"half", "hälfte", "halbjahr", "halbjahres"}:
        return None
    after = start + 2
    while line.norm(after) in {"of", "von", "the", "des", "der", "year", "jahres"} and after < start + 5:
        after += 1
    whole = (
        _year_alone(line, after, False, None) or _month(line, after, True, None) or _relative(line, after, True, None)
    )
    if whole is None and noun.startswith("halbjahr"):
        whole = Interval(start_of(line.today, "year"), add_months(start_of(line.today, "year"), 12), start + 2)
    if whole is None:
        return None
    yearly = (whole.end - whole.start).days > 300
    middle = add_months(whole.start, 6) if yearly else whole.start + (whole.end - whole.start) // 2
    first, last = (whole.start, middle) if ordinal == 1 else (middle, whole.end)
    return Interval(first, last, whole.last, whole.dated)


def _week_of(line: Line, index: int, _past: bool, year: int | None) -> Interval | None:
    """Read "the week of April 20", "die Woche vom 20. April", "calendar week 12", "KW 12 2025"."""
    start = index + 1 if line.norm(index) in {"the", "die", "der"} else index
    if line.norm(start) == "kw" or line.words(start, 2) in {"calendar week", "kalenderwoche"}:
        return _numbered_week(line, start + (1 if line.norm(start) == "kw" else 2))
    if line.norm(start) not in {"week", "woche"} or line.norm(start + 1) not in {
        "of",
        "from",
        "vom",
        "ab",
        "beginning",
    }:
        return None
    after = start + 3 if line.norm(start + 2) in {"the", "dem", "den"} else start + 2
    day = day_at(line, after, year=year)
    if day is None:
        return None
    monday = start_of(day.day, "week")
    return Interval(monday, monday + timedelta(days=7), day.end, day.dated)


def _numbered_week(line: Line, index: int) -> Interval | None:
    word = line.norm(index)
    if not word.isdigit() or not 1 <= int(word) <= 53:
        return None
    said = _year_said(line, index + 1)
    monday = date.fromisocalendar(said[0] if said else line.today.year, int(word), 1)
    return Interval(monday, monday + timedelta(days=7), said[1] if said else index + 1, dated=said is not None)


def _season_of(line: Line, index: int, _past: bool, _year: int | None) -> Interval | None:
    """Read "summer 2024", "the summer of 2024"; a season alone only after "in" or "im"."""
    month = _SEASONS.get(line.norm(index))
    if month is None:
        return None
    said = _year_said(line, index + 1)
    if said is not None:
        first = date(said[0], month, 1)
        return Interval(first, add_months(first, 3), said[1])
    if line.norm(index - 1) not in {"im", "in", "the"} or line.norm(index - 1) + line.norm(index - 2) == "thein":
        return None
    return _season(line, index, -1)


def _year_alone(line: Line, index: int, _past: bool, _year: int | None) -> Interval | None:
    said = year_at(line, index)
    if said is None or line.norm(index + 1) in {"%", "*", "+", "/", "x", "×"}:
        return None
    return Interval(date(said, 1, 1), date(said + 1, 1, 1), index + 1, bare=0.45)


_RULES: tuple[Callable[[Line, int, bool, int | None], Interval | None], ...] = (
    _relative,
    _own_week,
    _quarter,
    _half,
    _week_of,
    _day,
    _month,
    _season_of,
    _year_alone,
)
