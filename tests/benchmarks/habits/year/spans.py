"""Days and spans that are counted from the day of a request: how they are said, and what a plan holds of them."""

from __future__ import annotations

from datetime import date, timedelta

SAID = {
    "today": {"de": "heute", "en": "today"}, "this day": {"de": "heute", "en": "today"},
    "tomorrow": {"de": "morgen", "en": "tomorrow"}, "next day": {"de": "morgen", "en": "tomorrow"},
    "this week": {"de": "diese Woche", "en": "this week"}, "last week": {"de": "letzte Woche", "en": "last week"},
    "this month": {"de": "diesen Monat", "en": "this month"},
    "last month": {"de": "letzten Monat", "en": "last month"},
}  # fmt: skip
"""How each of ``habit.RELATIVE`` is said."""


def relative(what: str, today: date) -> str | dict[str, str]:
    """Return a day or a span that is counted from ``today``, as a plan holds it. Raises KeyError."""
    day, week, month = timedelta(1), today - timedelta(today.weekday()), today.replace(day=1)
    if what in ("today", "tomorrow"):
        return (today if what == "today" else today + day).isoformat()
    following, before = (month + 32 * day).replace(day=1), (month - day).replace(day=1)
    start, end = {
        "this day": (today, today + day), "next day": (today + day, today + 2 * day),
        "this week": (week, week + 7 * day), "last week": (week - 7 * day, week),
        "this month": (month, following), "last month": (before, month),
    }[what]  # fmt: skip
    return {"start": start.isoformat(), "end": end.isoformat()}
