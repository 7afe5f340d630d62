"""Days and spans that are counted from the day of a request, in the eight words that a pattern has for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

WORDS = ("today", "tomorrow", "this day", "next day", "this week", "last week", "this month", "last month")
"""``today`` and ``tomorrow`` are dates, the others periods."""


def relative_of(value: Any, at: datetime) -> tuple[str, ...]:
    """Return the words for ``value``, a day or a period, on the day of ``at``; none where there are none."""
    if not isinstance(value, str | Mapping):
        return ()
    return tuple(word for word, known in _known_lately(at.date()).items() if known == value)


def value_of(words: str, today: date) -> Any:
    """Return the day or the period that ``words`` mean on ``today``, as a plan holds it. Raises KeyError."""
    return _known(today)[words]


@lru_cache(maxsize=4)
def _known_lately(today: date) -> Mapping[str, Any]:
    return _known(today)


def _known(today: date) -> dict[str, Any]:
    day = timedelta(1)
    week, month = today - timedelta(today.weekday()), today.replace(day=1)
    following, before = (month + 32 * day).replace(day=1), (month - day).replace(day=1)
    return {
        "today": today.isoformat(),
        "tomorrow": (today + day).isoformat(),
        "this day": _period(today, today + day),
        "next day": _period(today + day, today + 2 * day),
        "this week": _period(week, week + 7 * day),
        "last week": _period(week - 7 * day, week),
        "this month": _period(month, following),
        "last month": _period(before, month),
    }


def _period(start: date, end: date) -> dict[str, str]:
    return {"start": start.isoformat(), "end": end.isoformat()}
