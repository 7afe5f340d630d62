"""So much time, counted from today: "within three days", "innerhalb von zwei Wochen", "binnen einer Woche"."""

from __future__ import annotations

from datetime import date, timedelta

from kernel.language.line import Line
from kernel.language.time.calendar_words import CALENDAR_UNITS, amount_at, shift

_WITHIN = frozenset("within innerhalb binnen".split())
_FROM_OTHER = frozenset("of after from before nach vor ab von".split())


def within_at(line: Line, index: int) -> tuple[float, str, int] | None:
    """Read "within three days": how many, of which unit, and where it ends.

    "Within a week of the party" is counted from another day, which is not read.
    """
    if line.norm(index) not in _WITHIN:
        return None
    found = amount_at(line, index + 1 + (line.norm(index + 1) in {"of", "von"}))
    counted = found is not None and found[1] in CALENDAR_UNITS and line.norm(found[2]) not in _FROM_OTHER
    return found if counted else None


def so_long_back(line: Line, index: int) -> tuple[int, int, date, date, float] | None:
    """Return those days up to today, as a stretch of the words from ``index`` on."""
    amount = within_at(line, index)
    moved = shift(line.today, -amount[0], amount[1]) if amount else None
    return (index, amount[2], moved, line.today + timedelta(days=1), 0.9) if amount and moved else None


def so_long_ahead(line: Line, index: int) -> tuple[date, date] | None:
    """Return those days from today on; ``end`` is exclusive."""
    amount = within_at(line, index)
    moved = shift(line.today, amount[0], amount[1]) if amount else None
    return (line.today, moved + timedelta(days=1)) if moved else None
