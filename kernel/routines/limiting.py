"""What keeps a routine still although its moment has come: the time of day, the day, and how often it may."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from kernel.routines.model import Limit

OF_THE_CLOCK = frozenset({Limit.FROM, Limit.UNTIL, Limit.DAYS, Limit.APART, Limit.A_DAY})
"""What time alone decides."""


def stands_still(limits: Iterable[tuple[Limit, float]], at: datetime, fired: Sequence[datetime]) -> bool:
    """Tell whether one of ``limits`` keeps a routine still at the moment ``at``, in the zone of the person.

    ``fired`` are moments at which it ran, those of the last days at least.
    """
    held = dict(limits)
    start, end = held.get(Limit.FROM), held.get(Limit.UNTIL)
    if not _is_within(at.hour * 3600 + at.minute * 60 + at.second, start, end):
        return True
    if Limit.DAYS in held and not int(held[Limit.DAYS]) >> at.weekday() & 1:
        return True
    if Limit.APART in held and any(at - one < timedelta(seconds=held[Limit.APART]) for one in fired):
        return True
    today = sum(one.astimezone(at.tzinfo).date() == at.date() for one in fired)
    return Limit.A_DAY in held and today >= held[Limit.A_DAY]


def _is_within(second: int, start: float | None, end: float | None) -> bool:
    """From ``start`` until before ``end``; where it ends before it starts, over midnight."""
    if start is not None and end is not None and end < start:
        return second >= start or second < end
    return (start is None or second >= start) and (end is None or second < end)
