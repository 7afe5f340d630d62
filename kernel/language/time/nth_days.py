"""Days that are found by counting weekdays or weeks: "the first Saturday in May", "heute in vierzehn Tagen"."""

from __future__ import annotations

from datetime import date, timedelta

from kernel.language.amounts.numbers import ordinal_at
from kernel.language.line import Line, phrases
from kernel.language.time.calendar_words import WEEKDAYS, add_months, amount_at, start_of
from kernel.language.time.months import month_at
from kernel.language.time.years import said_year_at

_ARTICLES = frozenset("the der den dem am".split())
_OF = frozenset("in of im des vom von".split())
_NEXT = frozenset("next nächsten kommenden following".split())
_LAST = frozenset("last letzten vorigen vergangenen previous".split())
_THIS = frozenset("this the diesen diesem dieses des current".split())
_EDGES = phrases(
    "end of|the end of|ende|beginning of|the beginning of|start of|the start of|anfang|beginn",
)
_WHOLE = {"month": "month", "year": "year", "week": "week", "monats": "month", "jahres": "year", "woche": "week"}
_BEFORE_LAST = frozenset("vorletzte vorletzten vorletzter vorletztem".split())


def nth_weekday(line: Line, index: int, direction: int) -> tuple[date, int] | None:
    """Read "the first Saturday in May", "letzter Sonntag im Oktober 2025", "the last Friday of this month".

    Gives the day and where it ends. Without a year the nearest one to come is meant, or with ``direction`` -1 the
    latest gone by. Raises ValueError when the month has no such day.
    """
    start = index + 1 if line.norm(index) in _ARTICLES else index
    ordinal, weekday = ordinal_at(line, start), WEEKDAYS.get(line.norm(start + 1))
    if ordinal is None or weekday is None or line.norm(start + 2) not in _OF:
        return None
    month = _month(line, start + 3)
    if month is None:
        return None
    first, last, dated = month
    day = _counted(first, ordinal, weekday)
    if not dated and direction >= 0 and day < line.today:
        day = _counted(add_months(first, 12), ordinal, weekday)
    elif not dated and direction < 0 and day > line.today:
        day = _counted(add_months(first, -12), ordinal, weekday)
    return day, last


def _month(line: Line, index: int) -> tuple[date, int, bool] | None:
    """The first day of the month named at ``index``, where that ends, and whether its year is settled."""
    at = index + 1 if line.norm(index) in {"the", "month"} else index
    month = month_at(line, at)
    if month is not None:
        after = at + 2 if line.norm(at + 1) in {"of", ","} else at + 1
        year, last = said_year_at(line, after) or (None, at + 1)
        return date(year or line.today.year, month, 1), last, year is not None
    step = 1 if line.norm(at) in _NEXT else -1 if line.norm(at) in _LAST else 0
    at += step != 0 or line.norm(at) in _THIS
    if line.norm(at) not in {"month", "monat", "monats"}:
        return None
    return add_months(line.today.replace(day=1), step), at + 1, True


def _counted(first: date, ordinal: int, weekday: int) -> date:
    if ordinal > 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (ordinal - 1))
    else:
        end = add_months(first, 1) - timedelta(days=1)
        day = end - timedelta(days=(end.weekday() - weekday) % 7)
    if (day.year, day.month) != (first.year, first.month):
        raise ValueError(f"{first:%B %Y} has no such day")
    return day


def before_last(line: Line, index: int) -> tuple[date, int] | None:
    """Read "the Monday before last", "vorletzten Montag": a week before the last one."""
    start = index + 1 if line.norm(index) in _ARTICLES else index
    if line.norm(start) in _BEFORE_LAST:
        weekday, end = WEEKDAYS.get(line.norm(start + 1)), start + 2
    elif line.words(start + 1, 2) == "before last":
        weekday, end = WEEKDAYS.get(line.norm(start)), start + 3
    else:
        return None
    if weekday is None:
        return None
    return line.today - timedelta(days=(line.today.weekday() - weekday - 1) % 7 + 8), end


def weeks_on(line: Line, base: date, end: int) -> tuple[date, int] | None:
    """Read what moves the day before it: "(heute) in vierzehn Tagen", "(Friday) week"."""
    if line.norm(end) == "week" and line.language == "en" and not line.is_content(end + 1):
        return base + timedelta(days=7), end + 1
    if line.words(end, 2) == "in acht" and line.norm(end + 2) in {"tagen", "tage"}:
        return base + timedelta(days=7), end + 3  # eight days are a week, as Germans count
    amount = amount_at(line, end + 1) if line.norm(end) == "in" and line.language == "de" else None
    if amount is None or amount[1] not in {"day", "week"} or amount[0] != int(amount[0]):
        return None
    return base + timedelta(days=int(amount[0]) * (7 if amount[1] == "week" else 1)), amount[2]


def edge_at(line: Line, index: int) -> tuple[date, int] | None:
    """Read "the end of the month", "Anfang des Jahres" as its last or first day, and where it ends."""
    length = line.phrase(index, _EDGES)
    if not length:
        return None
    after = index + length
    while line.norm(after) in {"the", "this", "of", "des", "der", "dieses", "dieser"}:
        after += 1
    unit = _WHOLE.get(line.norm(after))
    if unit is None:
        return None
    first = start_of(line.today, unit)
    if "end" not in line.words(index, length):
        return first, after + 1
    following = first + timedelta(days=7) if unit == "week" else add_months(first, 1 if unit == "month" else 12)
    return following - timedelta(days=1), after + 1
