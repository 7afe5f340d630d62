"""The names of months, weekdays and spans of time in English and German, as data, and stepping through the calendar."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from kernel.language.amounts.numbers import number_at
from kernel.language.line import Line
from kernel.language.time.holidays import FIRST_WORDS

_EN = "january february march april may june july august september october november december".split()
_DE = "januar februar märz april mai juni juli august september oktober november dezember".split()
_SHORT = "jan feb mar apr jun jul aug sep sept oct nov dec mrz okt dez".split()
_SHORT_MONTHS = (1, 2, 3, 4, 6, 7, 8, 9, 9, 10, 11, 12, 3, 10, 12)

MONTHS = {name: index for names in (_EN, _DE) for index, name in enumerate(names, start=1)}
MONTHS |= {"jänner": 1, "feber": 2, "maerz": 3}
SHORT_MONTHS = dict(zip(_SHORT, _SHORT_MONTHS, strict=True))
DOUBTFUL_MONTHS = frozenset("may march mai august april june".split())
"""Also names of people or verbs, which are months only where something says so."""

WEEKDAYS = {
    name: index
    for names in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "montags dienstags mittwochs donnerstags freitags samstags sonntags",
    )
    for index, name in enumerate(names.split())
}
WEEKDAYS["sonnabend"] = 5
SHORT_WEEKDAYS = {name: index for index, name in enumerate("mon tue wed thu fri sat sun".split())}
SHORT_WEEKDAYS |= {"tues": 1, "thurs": 3}
SHORT_GERMAN_WEEKDAYS = {name: index for index, name in enumerate("mo di mi do fr sa so".split())}

_UNITS = {
    "second": "second seconds sec secs sekunde sekunden",
    "minute": "minute minutes min mins minuten",
    "hour": "hour hours hr hrs stunde stunden std",
    "day": "day days tag tage tagen tages",
    "week": "week weeks wk wks woche wochen",
    "fortnight": "fortnight fortnights",
    "month": "month months monat monate monaten monats",
    "quarter": "quarter quarters quartal quartale quartalen quartals",
    "year": "year years yr yrs jahr jahre jahren jahres",
    "decade": "decade decades jahrzehnt jahrzehnte jahrzehnten",
    "weekend": "weekend weekends wochenende wochenenden",
}
TIME_UNITS = {word: unit for unit, words in _UNITS.items() for word in words.split()}
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "fortnight": 1209600}
CALENDAR_UNITS = frozenset("day week fortnight month quarter year decade".split())

_ONE = frozenset("a an one ein eine einen einem einer 1".split())
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


_NEAR = frozenset(
    "today tonight yesterday tomorrow tmrw tmr heute gestern vorgestern morgen übermorgen this last recently lately "
    "kürzlich neulich spring summer autumn winter frühling frühjahr sommer herbst viertelstunde halbstunde "
    "dreiviertelstunde h min s d m".split()
)
TIME_NAMES = frozenset().union(MONTHS, SHORT_MONTHS, WEEKDAYS, SHORT_WEEKDAYS, TIME_UNITS, FIRST_WORDS, _NEAR)
"""Words that may belong to a day, a stretch of days, a time of day or a duration."""


_BEFORE_NUMBER = frozenset("am den dem zum vom ab bis".split())


def mentions_time(line: Line) -> bool:
    """Tell whether any token could belong to a day, a stretch of days or a duration: most sentences have none."""
    named = any(token.norm in TIME_NAMES or _is_dated(token.norm) for token in line.tokens)
    return named or (line.language == "de" and any(_is_numbered(line, at) for at in range(1, line.size - 1)))


def _is_numbered(line: Line, index: int) -> bool:
    """ "am 3.": a day by its number alone."""
    return line.norm(index).isdigit() and line.norm(index + 1) == "." and line.norm(index - 1) in _BEFORE_NUMBER


def _is_dated(word: str) -> bool:
    return word[0] in "0123456789q" and (len(word) == 4 or not word.isdigit())


def amount_at(line: Line, index: int) -> tuple[float, str, int] | None:
    """Read "30 days", "a year", "half a year", "two weeks": how many, of which unit, and where it ends."""
    key = ("amount", index)
    if key not in line.memo:
        line.memo[key] = _amount_at(line, index)
    found: tuple[float, str, int] | None = line.memo[key]
    return found


def _amount_at(line: Line, index: int) -> tuple[float, str, int] | None:
    half = _half(line, index)
    if half is not None:
        return half
    found = number_at(line, index)
    count, end = (float(found[0]), found[1]) if found else (1.0, index + 1)
    if found is None and line.norm(index) not in _ONE:
        return None
    if line.norm(end) in {"of", "more", "full", "whole", "ganze", "ganzen", "volle", "vollen"}:
        end += 1
    unit = TIME_UNITS.get(line.norm(end))
    return (count, unit, end + 1) if unit else None


def _half(line: Line, index: int) -> tuple[float, str, int] | None:
    """Read "half a year", "half an hour", "eine halbe Stunde", "einem halben Jahr"."""
    english = line.norm(index) == "half" and line.norm(index + 1) in {"a", "an"}
    german = line.norm(index) in _ONE and line.norm(index + 1) in {"halbe", "halben", "halbes", "halber"}
    unit = TIME_UNITS.get(line.norm(index + 2)) if english or german else None
    return (0.5, unit, index + 3) if unit else None


def shift(day: date, count: float, unit: str) -> date | None:
    """Return ``day`` moved by ``count`` units; None beyond the calendar's years 1 to 9999."""
    try:
        if unit in _DAYS:
            return day + timedelta(days=round(count * _DAYS[unit]))
        return add_months(day, round(count * _MONTHS[unit])) if unit in _MONTHS else None
    except (OverflowError, ValueError):
        return None


def add_months(day: date, months: int) -> date:
    """Return the same day ``months`` later, or that month's last day. Raises ValueError beyond years 1 to 9999."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise ValueError(f"year {year} is outside the calendar")
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def start_of(day: date, unit: str) -> date:
    """Return the first day of the week (Monday), month, quarter, year or decade that holds ``day``."""
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return date(day.year, 3 * ((day.month - 1) // 3) + 1, 1)
    if unit == "year":
        return date(day.year, 1, 1)
    return date(day.year - day.year % 10 or 1, 1, 1) if unit == "decade" else day
