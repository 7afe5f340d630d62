"""Stretches of days: "last week", "in March", "between March and May", "since Monday", "older than 30 days"."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from kernel.language.line import Found, Line, phrases
from kernel.language.time.calendar_words import (
    CALENDAR_UNITS,
    MONTHS,
    TIME_UNITS,
    WEEKDAYS,
    add_months,
    amount_at,
    mentions_time,
    shift,
)
from kernel.language.time.dates import COUNTED, day_at
from kernel.language.time.intervals import Interval, day_number_at, interval_at
from kernel.language.time.months import month_at
from kernel.language.time.near_days import holiday, weekday_and_number
from kernel.language.time.within import so_long_ahead, so_long_back
from kernel.language.time.years import said_year_at
from skills.model import ValueKind

_IN = frozenset("in during from of on within for im aus vom von am während in der zum den dem innerhalb".split())
_RANGE_OPENERS = frozenset("between from zwischen von vom".split())
_RANGE_MARKS = phrases("and|to|until|till|through|up to|-|–|—|und|bis|bis zum|bis zu|bis ende")
_SINCE = phrases("since|seit|ab|from|starting|beginning|starting from|seit dem|ab dem|seit der|ever since")
_AFTER = phrases("after|later than|newer than|nach|nach dem|neuer als|more recent than|younger than|jünger als")
_BEFORE = phrases("before|earlier than|older than|prior to|vor|vor dem|älter als|vor der")
_UNTIL = phrases("until|till|by|up to|through|bis|bis zum|bis zu|no later than|spätestens|not later than|bis ende")
_OLDER = phrases("older than|earlier than|älter als|not newer than|nicht neuer als|nicht jünger als|no newer than")
_NEWER = phrases(
    "newer than|younger than|more recent than|not older than|no older than|neuer als|jünger als|nicht älter als"
)
_MORE = phrases("more than|over|at least|mehr als|über|mindestens")
_LESS = phrases("less than|under|at most|weniger als|unter|höchstens")
_LATELY = frozenset("recently lately kürzlich neulich".split())
_UNTOUCHED = frozenset("not haven't hasn't never n't didn't nicht nie".split())
_BEHIND = frozenset(
    "last letzten letzter letzte letztes past previous ago vorige vorigen voriger voriges vergangene vergangenen "
    "vergangener yesterday gestern vorgestern today heute since seit".split()
)
_SOURCE = "grammar.period"
FUTURE = "grammar.period.future"
"""The source of a stretch that lies behind as it is read, in its reading as one to come."""


def find_periods(line: Line) -> Iterator[Found]:
    """Yield PERIOD for every stretch of days, the longest reading at each place. ``end`` is exclusive."""
    index = 0 if mentions_time(line) else line.size
    while index < line.size:
        found = _at(line, index)
        if found is None:
            index += 1
            continue
        first, last, start, end, confidence = found
        day = day_at(line, first, direction=-1)
        counted = COUNTED if day is not None and day.counted and day.end == last else ""
        yield Found(ValueKind.PERIOD, first, last, _value(start, end), confidence, _SOURCE + counted)
        yield from _ahead(line, first, last, start, end)
        if start is not None and end is None and day is None and day_at(line, first + 1) is not None:
            yield from _ahead(line, first + 1, last, start, start + timedelta(days=1))  # "from Monday to Friday"
        yield from _inner(line, found)
        index = last


def _inner(line: Line, found: _Reading) -> Iterator[Found]:
    """The same stretch without its preposition: "2023" of "from 2023"."""
    index, last, start, end, _ = found
    if line.norm(index) not in _IN:
        return
    first = index + 1
    while first < last and line.norm(first) in {"the", "der", "den", "dem", "year", "jahr"}:
        first += 1
    inner = interval_at(line, first, past=True)
    if inner is not None and (inner.last, inner.start, inner.end) == (last, start, end):
        yield Found(ValueKind.PERIOD, first, last, _value(start, end), max(inner.bare, 0.8), _SOURCE)


_Reading = tuple[int, int, date | None, date | None, float]


def _value(start: date | None, end: date | None) -> dict[str, str | None]:
    return {"start": start.isoformat() if start else None, "end": end.isoformat() if end else None}


def _at(line: Line, index: int) -> _Reading | None:
    word = line.norm(index)
    if not word or (not word[0].isalnum()):
        return None
    for rule in (_compared, _aged, _range, _untouched, _open, so_long_back, _plain):
        try:
            found = rule(line, index)
        except (ValueError, OverflowError):
            continue
        if found is not None:
            return found
    return None


def _compared(line: Line, index: int) -> _Reading | None:
    """Read "older than 30 days", "newer than last Friday", "30 days or older"."""
    for table, older in ((_OLDER, True), (_NEWER, False)):
        length = line.phrase(index, table)
        amount = amount_at(line, index + length) if length else None
        if amount and amount[1] in CALENDAR_UNITS:
            return _ago(line, index, amount[2], amount, older)
    amount = amount_at(line, index)
    if amount and amount[1] in CALENDAR_UNITS and line.norm(amount[2]) in {"or", "oder", "and", "und"}:
        tail = line.norm(amount[2] + 1)
        if tail in {"older", "älter", "newer", "neuer", "younger", "jünger"}:
            return _ago(line, index, amount[2] + 2, amount, tail in {"older", "älter"})
    return None


def _aged(line: Line, index: int) -> _Reading | None:
    """Read "more than a year old", "über zwei Wochen alt"."""
    for table, older in ((_MORE, True), (_LESS, False)):
        length = line.phrase(index, table)
        amount = amount_at(line, index + length) if length else None
        if amount and amount[1] in CALENDAR_UNITS and line.norm(amount[2]) in {"old", "alt", "ago"}:
            return _ago(line, index, amount[2] + 1, amount, older)
    return None


def _ago(line: Line, first: int, last: int, amount: tuple[float, str, int], older: bool) -> _Reading | None:
    moved = shift(line.today, -amount[0], amount[1])
    if moved is None:
        return None
    return (first, last, None, moved, 1.0) if older else (first, last, moved, None, 1.0)


def _untouched(line: Line, index: int) -> _Reading | None:
    """Read "not opened for six months", "haven't touched since 2022": what lies before that."""
    if line.norm(index) not in {"for", "in", "since", "seit"}:
        return None
    window = {line.norm(index - step) for step in range(1, 6)}
    if not window & _UNTOUCHED or window & {",", "."}:
        return None
    after = index + 1 if line.norm(index + 1) not in {"the", "over", "more"} else index + 2
    if line.norm(after) in {"last", "past"}:
        after += 1
    amount = amount_at(line, after)
    if amount and amount[1] in CALENDAR_UNITS:
        return _ago(line, index, amount[2], amount, older=True)
    found = interval_at(line, index + 1, past=True) if line.norm(index) in {"since", "seit"} else None
    return (index, found.last, None, found.start, 0.9) if found else None


def _range(line: Line, index: int) -> _Reading | None:
    """Read "between March and May 2024", "from Monday to Friday", "vom 3. bis 5. März", "March - May"."""
    opened = line.norm(index) in _RANGE_OPENERS
    first = index + 1 if opened else index
    number = day_number_at(line, first)
    if number is not None:
        found = _ago_range(line, index, number) or _days_of_month(line, index, number)
        if found is not None:
            return found
    left = interval_at(line, first, past=True)
    length = line.phrase(left.last, _RANGE_MARKS) if left else 0
    if left is None or not length or (not opened and line.norm(left.last) in {"and", "und"}):
        return None
    return _closed(line, index, first, left, left.last + length)


def _ago_range(line: Line, index: int, number: tuple[int, int]) -> _Reading | None:
    """Read "between 3 and 5 days ago", "2 to 3 weeks ago"."""
    length = line.phrase(number[1], _RANGE_MARKS)
    amount = amount_at(line, number[1] + length) if length else None
    if amount is None or amount[1] not in CALENDAR_UNITS or line.norm(amount[2]) != "ago":
        return None
    near, far = shift(line.today, -number[0], amount[1]), shift(line.today, -amount[0], amount[1])
    if near is None or far is None:
        return None
    return index, amount[2] + 1, min(near, far), max(near, far) + timedelta(days=1), 1.0


def _days_of_month(line: Line, index: int, number: tuple[int, int]) -> _Reading | None:
    """Read "the 3rd to the 5th of March", "3. bis 5. März": the month is said once, at the end."""
    length = line.phrase(number[1], _RANGE_MARKS)
    if not length:
        return None
    after = number[1] + length
    right = interval_at(line, after + (line.norm(after) in {"the", "dem", "den"}), past=True)
    if right is None or (right.end - right.start).days != 1 or number[0] > right.start.day:
        return None
    return index, right.last, right.start.replace(day=number[0]), right.end, 0.95


def _closed(line: Line, index: int, first: int, left: Interval, after: int) -> _Reading | None:
    if line.norm(after) in {"the", "dem", "den"}:
        after += 1
    right = interval_at(line, after, past=True)
    if right is None:
        days = day_number_at(line, after) if (left.end - left.start).days == 1 else None
        return (index, days[1], left.start, left.start.replace(day=days[0]) + timedelta(days=1), 0.9) if days else None
    if right.dated and not left.dated:
        left = interval_at(line, first, year=right.start.year) or left
    elif left.dated and not right.dated:
        right = interval_at(line, after, year=left.start.year) or right
    if right.start < left.start:
        right = (
            interval_at(line, after, year=left.start.year + (right.start.replace(year=left.start.year) < left.start))
            or right
        )
    return (index, right.last, left.start, right.end, 1.0) if left.start < right.end else None


def _open(line: Line, index: int) -> _Reading | None:
    """Read "since Monday", "before 2023", "after March 3", "until Friday"."""
    for table in (_AFTER, _BEFORE, _UNTIL, _SINCE):
        length = line.phrase(index, table)
        if not length:
            continue
        found = _after_article(line, index + length, past=table is not _UNTIL)
        if found is None:
            continue
        reading = _half_open(line, index, table, found)
        if reading is not None:
            return reading
    return None


def _after_article(line: Line, index: int, past: bool) -> Interval | None:
    at = index + 1 if line.norm(index) in {"the", "dem", "den", "der", "year", "jahr"} else index
    return interval_at(line, index, past=past) or (interval_at(line, at, past=past) if at > index else None)


def _half_open(line: Line, index: int, table: object, found: Interval) -> _Reading | None:
    if table is _AFTER:
        return index, found.last, found.end, None, 0.95
    if table is _BEFORE:
        return index, found.last, None, found.start, 0.95
    if table is _UNTIL:
        return index, found.last, None, found.end, 0.9
    onwards = line.norm(found.last) in {"on", "onwards", "onward", "an"}
    if line.norm(index) == "from" and not onwards:
        return None
    return index, found.last + onwards, found.start, None, 0.95


def _plain(line: Line, index: int) -> _Reading | None:
    """Read "in March", "last week", "from yesterday", "2024", "lately"."""
    word = line.norm(index)
    if word in _LATELY:
        return index, index + 1, line.today - timedelta(days=30), None, 0.5
    if word not in _IN:
        found = interval_at(line, index, past=True)
        return (index, found.last, found.start, found.end, found.bare) if found else None
    if day_at(line, index) is not None and word == "in":
        return None  # "in two weeks" is a day
    after = index + 1
    while (
        line.norm(after) in {"the", "der", "den", "dem", "year", "jahr", "jahre", "month", "monat"}
        and after < index + 4
    ):
        if interval_at(line, after, past=True):
            break
        after += 1
    found = interval_at(line, after, past=True)
    return (index, found.last, found.start, found.end, max(found.bare, 0.9)) if found else None


def _ahead(line: Line, first: int, last: int, start: date | None, end: date | None) -> Iterator[Found]:
    """What lies behind, said without its year, may also be what is to come: kept as a weaker reading."""
    if start is None or end is None or start >= line.today:
        return
    said = {line.norm(index) for index in range(first, last)}
    names_year = any(said_year_at(line, index) for index in range(first, last))
    names_year = names_year or any(word.isdigit() and len(word) == 4 for word in said)
    if names_year or said & _BEHIND or any(_is_written_day(word) for word in said):
        return
    later = so_long_ahead(line, first) or _next(line, first, last, start, end)
    if later is not None:
        yield Found(ValueKind.PERIOD, first, last, _value(*later), 0.3, FUTURE)


def _next(line: Line, first: int, last: int, start: date, end: date) -> tuple[date, date] | None:
    """The same days of the next week, month or year, by what they are named by."""
    indices = range(first, last)
    by_weekday = (end - start).days <= 7 and any(line.norm(at) in WEEKDAYS for at in indices)
    if end > line.today and not by_weekday:
        return None
    if any(month_at(line, at) or line.norm(at) in MONTHS for at in indices):
        return _in_year(start, start.year + 1), _in_year(end, end.year + 1)
    dated = next((day for at in indices if (day := weekday_and_number(line, at, 1, None))), None)
    dated = dated or next((day for at in indices if (day := holiday(line, at, 1, None))), None)
    if dated is not None:
        return dated.day, dated.day + timedelta(days=1)
    if by_weekday:
        weeks = timedelta(days=7 * -((start - line.today).days // 7))
        return start + weeks, end + weeks
    numbered = any(day_number_at(line, at) for at in indices)
    if numbered and not any(line.norm(at) in TIME_UNITS for at in indices):
        return _in_later_month(line.today, start, end - timedelta(days=1))
    return None


def _in_later_month(today: date, first: date, last: date) -> tuple[date, date] | None:
    """The days of these numbers in the next month that has them, and that is not over by then."""
    for later in range(1, 4):
        try:
            start, end = (add_months(one.replace(day=1), later).replace(day=one.day) for one in (first, last))
        except ValueError:
            continue
        if end >= today:
            return start, end + timedelta(days=1)
    return None


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:  # 29 February
        return date(year, 3, 1)


def _is_written_day(word: str) -> bool:
    """A day with its year: "2025-03-01", "1.3.2025"."""
    return sum(letter.isdigit() for letter in word) >= 6
