"""What comes again and again, English and German, as a rule of RFC 5545: "every other Thursday", "jeden 1. des Monats".

A rule has, in this order, FREQ, INTERVAL, BYMONTH, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE. Oracle for what it means:
dateutil.rrule (``tests/kernel/language/test_recurrences.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kernel.language.amounts.numbers import number_at, ordinal_at
from kernel.language.line import Line, phrases
from kernel.language.time.calendar_words import TIME_UNITS, WEEKDAYS
from kernel.language.time.months import month_at
from kernel.language.time.times import time_at

_ORDER = ("FREQ", "INTERVAL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE")
_DAYS = "MO TU WE TH FR SA SU".split()
_WORKDAYS, _WEEKEND = _DAYS[:5], _DAYS[5:]
_EVERY = frozenset("every each jede jeden jeder jedes jedem".split())
_FREQ = {
    "minute": ("MINUTELY", 1),
    "hour": ("HOURLY", 1),
    "day": ("DAILY", 1),
    "week": ("WEEKLY", 1),
    "fortnight": ("WEEKLY", 2),
    "month": ("MONTHLY", 1),
    "quarter": ("MONTHLY", 3),
    "year": ("YEARLY", 1),
}
_ADVERBS = {
    "hourly": ("HOURLY", 1),
    "daily": ("DAILY", 1),
    "nightly": ("DAILY", 1),
    "weekly": ("WEEKLY", 1),
    "biweekly": ("WEEKLY", 2),
    "fortnightly": ("WEEKLY", 2),
    "monthly": ("MONTHLY", 1),
    "bimonthly": ("MONTHLY", 2),
    "quarterly": ("MONTHLY", 3),
    "yearly": ("YEARLY", 1),
    "annually": ("YEARLY", 1),
    "stündlich": ("HOURLY", 1),
    "täglich": ("DAILY", 1),
    "wöchentlich": ("WEEKLY", 1),
    "zweiwöchentlich": ("WEEKLY", 2),
    "vierzehntägig": ("WEEKLY", 2),
    "monatlich": ("MONTHLY", 1),
    "vierteljährlich": ("MONTHLY", 3),
    "halbjährlich": ("MONTHLY", 6),
    "jährlich": ("YEARLY", 1),
    "alljährlich": ("YEARLY", 1),
}
_DAILY = frozenset("morning evening night afternoon noon abend morgen nacht mittag nachmittag vormittag".split())
_WORKDAY = phrases("weekday|weekdays|workday|workdays|working day|business day|werktag|arbeitstag|wochentag")
_ONCE = phrases("once a|once per|once every|einmal im|einmal pro|einmal die|einmal in der|ein mal im|ein mal pro")
_NTH = {"other": 2, "second": 2, "zweite": 2, "zweiten": 2, "zweiter": 2, "zweites": 2}
_OF_MONTH = phrases(
    "of the month|of every month|of each month|in the month|every month|each month|a month",
    "im monat|des monats|jedes monats|jeden monats|eines jeden monats|jeden monat|pro monat",
)
_ON = frozenset("on at am an um every jeden and und the den dem immer always every".split())
_MOST_TAILS = 4

_Parts = dict[str, str]


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A rule read from the tokens [first, last); confidence in 0..1."""

    first: int
    last: int
    rule: str
    confidence: float


def find_recurrences(line: Line) -> Iterator[Recurrence]:
    """Yield every rule that the sentence states, the longest reading at each place."""
    index = 0
    while index < line.size:
        found = None if line.is_mark(index) else _at(line, index)
        if found is None:
            index += 1
            continue
        yield found
        index = found.last


def _at(line: Line, index: int) -> Recurrence | None:
    for head in (_day_of_month, _every, _all_of, _adverb, _usual_days, _once):
        read = head(line, index)
        if read is not None:
            parts, last, sure = read
            parts, last = _tails(line, parts, last)
            return Recurrence(index, last, _written(parts), sure)
    return None


def _written(parts: Mapping[str, str]) -> str:
    return ";".join(f"{name}={parts[name]}" for name in _ORDER if name in parts)


_Head = tuple[_Parts, int, float] | None


def _every(line: Line, index: int) -> _Head:
    """Read "every day", "every other Thursday", "jeden ersten Montag im Monat", "every 3 hours"."""
    if line.norm(index) not in _EVERY:
        return None
    at, step = index + 1, 1
    if line.norm(at) in {"single"}:
        at += 1
    ordinal = ordinal_at(line, at)
    days = _days_at(line, at + 1) if ordinal is not None else None
    if ordinal is not None and days is not None:
        length = line.phrase(days[1], _OF_MONTH)
        if length or ordinal in {-1, 1}:
            return {"FREQ": "MONTHLY", "BYDAY": f"{ordinal}{days[0][0]}"}, days[1] + length, 0.95
    number = number_at(line, at)
    if line.norm(at) in _NTH or (ordinal or 0) > 1:
        step, at = _NTH.get(line.norm(at)) or ordinal or 1, at + 1
    elif number is not None and number[0] == int(number[0]) and 1 <= number[0] <= 1000:
        step, at = int(number[0]), number[1]
    return _unit_or_days(line, at, step)


def _unit_or_days(line: Line, at: int, step: int) -> _Head:
    length = line.phrase(at, _WORKDAY)
    if length and step == 1:
        return _weekly(_WORKDAYS, 1), at + length, 0.95
    unit = TIME_UNITS.get(line.norm(at))
    if unit == "weekend":
        return _weekly(_WEEKEND, step), at + 1, 0.9
    if unit in _FREQ:
        return _each(*_FREQ[unit], step), at + 1, 0.95
    if line.norm(at) in _DAILY:
        return _each("DAILY", 1, step), at + 1, 0.85
    days = _days_at(line, at)
    return (_weekly(days[0], step), days[1], 0.95) if days else None


def _all_of(line: Line, index: int) -> _Head:
    """Read "alle drei Tage", "alle 14 Tage", "alle paar Stunden"."""
    number = number_at(line, index + 1) if line.norm(index) == "alle" else None
    unit = TIME_UNITS.get(line.norm(number[1])) if number else None
    if number is None or unit not in _FREQ or number[0] != int(number[0]) or number[0] < 1:
        return None
    return _each(*_FREQ[unit], int(number[0])), number[1] + 1, 0.95


def _adverb(line: Line, index: int) -> _Head:
    word = line.norm(index)
    if word not in _ADVERBS:
        return None
    return _each(*_ADVERBS[word], 1), index + 1, 0.85


def _usual_days(line: Line, index: int) -> _Head:
    """Read "on Mondays", "montags und mittwochs", "werktags", "on weekdays"."""
    at = index + 1 if line.norm(index) in {"on", "an", "am"} else index
    word = line.norm(at)
    if word in {"weekdays", "workdays", "werktags", "wochentags", "werktagen", "wochentagen"}:
        return _weekly(_WORKDAYS, 1), at + 1, 0.9
    if word in {"weekends", "wochenenden"} and at > index:
        return _weekly(_WEEKEND, 1), at + 1, 0.9
    if not _is_usual(word):
        return None
    days = _days_at(line, at)
    return (_weekly(days[0], 1), days[1], 0.9 if at > index or word in WEEKDAYS else 0.8) if days else None


def _is_usual(word: str) -> bool:
    """ "mondays", "montags": the form that means each of them."""
    return word.endswith("s") and (word[:-1] in WEEKDAYS)


def _once(line: Line, index: int) -> _Head:
    length = line.phrase(index, _ONCE)
    unit = TIME_UNITS.get(line.norm(index + length)) if length else None
    return (_each(*_FREQ[unit], 1), index + length + 1, 0.9) if unit in _FREQ else None


def _day_of_month(line: Line, index: int) -> _Head:
    """Read "the first of every month", "the last Friday of each month", "am 15. jedes Monats"."""
    day = _ordinal_day(line, index)
    if day is None:
        return None
    number, at = day
    days = _days_at(line, at)
    if days is not None:
        length = line.phrase(days[1], _OF_MONTH)
        repeated = length > 0 and "the month" not in line.words(days[1], length)
        parts = {"FREQ": "MONTHLY", "BYDAY": f"{number}{days[0][0]}"}
        return (parts, days[1] + length, 0.95) if repeated and line.norm(days[1]) != "im" else None
    at += line.norm(at) in {"day", "tag"}
    length = line.phrase(at, _OF_MONTH)
    if not length or "the month" in line.words(at, length) or line.words(at, length) == "des monats":
        return None
    return {"FREQ": "MONTHLY", "BYMONTHDAY": str(number)}, at + length, 0.95


def _ordinal_day(line: Line, index: int) -> tuple[int, int] | None:
    """A day by its ordinal and where it ends: "the first", "15.", "dem 3."."""
    at = index + 1 if line.norm(index) in {"the", "den", "dem", "der"} else index
    word = line.norm(at)
    if word.isdigit() and line.norm(at + 1) == "." and 1 <= int(word) <= 31:
        return int(word), at + 2
    number = ordinal_at(line, at)
    return (number, at + 1) if number is not None and -1 <= number <= 31 and number else None


def _days_at(line: Line, index: int) -> tuple[list[str], int] | None:
    """One weekday or several: "Monday and Thursday", "Mo, Mi und Fr" spelt out."""
    found: list[int] = []
    at = index
    while (number := _weekday(line.norm(at))) is not None:
        found.append(number)
        last = at + 1
        at = last + (line.norm(last) in {",", "and", "und", "&"})
        at += line.norm(at) in {"and", "und", "on", "every", "jeden"} and at > last
    return ([_DAYS[day] for day in sorted(set(found))], last) if found else None


def _weekday(word: str) -> int | None:
    return WEEKDAYS.get(word, WEEKDAYS.get(word.removesuffix("s")))


def _each(freq: str, inner: int, step: int) -> _Parts:
    parts, interval = {"FREQ": freq}, inner * step
    return parts | ({"INTERVAL": str(interval)} if interval > 1 else {})


def _weekly(days: list[str], step: int) -> _Parts:
    return _each("WEEKLY", 1, step) | {"BYDAY": ",".join(days)}


def _tails(line: Line, parts: _Parts, last: int) -> tuple[_Parts, int]:
    """Add what is said behind: on which days, on which day of the month or year, at what time."""
    for _ in range(_MOST_TAILS):
        at = last
        while line.norm(at) in _ON and at < last + 3:
            at += 1
        more = _time(line, parts, at) or _days_of(line, parts, at, at > last) or _date_of(line, parts, last)
        if more is None:
            break
        parts, last = more
    return parts, last


def _time(line: Line, parts: _Parts, at: int) -> tuple[_Parts, int] | None:
    clock = time_at(line, at) if "BYHOUR" not in parts and parts["FREQ"] not in {"HOURLY", "MINUTELY"} else None
    if clock is None or clock.confidence < 0.5:
        return None
    return parts | {"BYHOUR": str(clock.hour), "BYMINUTE": str(clock.minute)}, clock.last


def _days_of(line: Line, parts: _Parts, at: int, joined: bool) -> tuple[_Parts, int] | None:
    days = _days_at(line, at) if joined and parts["FREQ"] == "WEEKLY" and "BYDAY" not in parts else None
    return (parts | {"BYDAY": ",".join(days[0])}, days[1]) if days else None


def _date_of(line: Line, parts: _Parts, last: int) -> tuple[_Parts, int] | None:
    """The day of a month or a year: "on the 15th", "am 3. Mai", "on May 3rd"."""
    at = last + (line.norm(last) in {"on", "am", "an", "zum"})
    if at == last or parts["FREQ"] not in {"MONTHLY", "YEARLY"} or {"BYMONTHDAY", "BYDAY"} & parts.keys():
        return None
    month = month_at(line, at)
    day = _ordinal_day(line, at + 1 if month else at) or _plain_day(line, at + 1 if month else at)
    if day is None:
        return None
    after = day[1] + (line.norm(day[1]) == "of")
    if month is None and parts["FREQ"] == "YEARLY":
        month = month_at(line, after)
        if month is None:
            return None
        day = day[0], after + 1
    weekdays = _days_at(line, day[1]) if parts["FREQ"] == "MONTHLY" else None
    if weekdays is not None:
        return parts | {"BYDAY": f"{day[0]}{weekdays[0][0]}"}, weekdays[1]
    return parts | ({"BYMONTH": str(month)} if month else {}) | {"BYMONTHDAY": str(day[0])}, day[1]


def _plain_day(line: Line, index: int) -> tuple[int, int] | None:
    word = line.norm(index)
    return (int(word), index + 1) if word.isascii() and word.isdigit() and 1 <= int(word) <= 31 else None
