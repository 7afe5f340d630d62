"""What keeps a routine still although its moment has come: the time of day, the day, how often it may, the machine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from kernel.routines.model import Elapsed, Limit, Once, Recurring, Trigger

if TYPE_CHECKING:
    from kernel.system.power import Power

HOW_OFTEN = frozenset({Limit.APART, Limit.AN_HOUR, Limit.A_DAY, Limit.A_WEEK, Limit.A_MONTH})
"""What the times decide at which it ran."""

OF_THE_CLOCK = HOW_OFTEN | {Limit.FROM, Limit.UNTIL, Limit.DAYS}
"""What time alone decides."""

OF_ONE_MOMENT = frozenset({Limit.FROM, Limit.UNTIL, Limit.DAYS})
"""What a moment by itself decides, whatever fired before."""

OF_THE_MACHINE = frozenset({Limit.CHARGING, Limit.BATTERY, Limit.NOT_LOW})
"""What the machine runs on decides, at that moment."""


MOST_AN_HOUR = 100
MOST_AN_HOUR_BY_CLOCK = 60
"""No rule of the clock is due more often: what runs so often all the same is one that was changed again and again."""

_HOUR, _SHORT_S = timedelta(hours=1), 600


def most_an_hour(trigger: Trigger) -> int:
    """Return how often a routine may run within an hour before it rests."""
    return MOST_AN_HOUR_BY_CLOCK if isinstance(trigger, Once | Recurring | Elapsed) else MOST_AN_HOUR


def may_reach_it(trigger: Trigger) -> bool:
    """Tell whether a person has to know of ``most_an_hour``: of a rule of the clock only where it comes often."""
    return not isinstance(trigger, Once | Recurring) and not (
        isinstance(trigger, Elapsed) and trigger.every_s > _SHORT_S
    )


def is_too_often(trigger: Trigger, at: datetime, fired: Iterable[datetime]) -> bool:
    """Tell whether it has run so often within an hour of ``at``, before or behind it, that it is to rest."""
    return sum(abs(at - one) < _HOUR for one in fired) >= most_an_hour(trigger)


def stands_still(
    limits: Iterable[tuple[Limit, float]], at: datetime, fired: Sequence[datetime], power: Callable[[], Power],
    lasted_s: float = 0.0,
) -> bool:  # fmt: skip
    """Tell whether one of ``limits`` keeps a routine still at the moment ``at``, in the zone of the person.

    ``fired`` are moments at which it ran, those of the last days at least. ``power`` is asked what the machine runs on
    now; ``lasted_s`` is how long what is over by this moment was so.
    """
    held = dict(limits)
    if is_out_of_time(held, at, fired) or (Limit.LASTED in held and lasted_s < held[Limit.LASTED]):
        return True
    return not OF_THE_MACHINE.isdisjoint(held) and _is_held_by(held, power())


def is_out_of_time(held: Mapping[Limit, float], at: datetime, fired: Sequence[datetime]) -> bool:
    """Tell whether what time alone decides keeps a routine still at the moment ``at``."""
    start, end = held.get(Limit.FROM), held.get(Limit.UNTIL)
    if not _is_within(at.hour * 3600 + at.minute * 60 + at.second, start, end):
        return True
    if Limit.DAYS in held and not int(held[Limit.DAYS]) >> at.weekday() & 1:
        return True
    if Limit.APART in held and any(at - one < timedelta(seconds=held[Limit.APART]) for one in fired):
        return True
    return any(
        sum(counts(one.astimezone(at.tzinfo), at) for one in fired) >= held[limit]
        for limit, counts in COUNTED.items()
        if limit in held
    )


def _within(length: timedelta) -> Callable[[datetime, datetime], bool]:
    return lambda one, at: at.astimezone(UTC) - one.astimezone(UTC) < length  # real time, also where clocks change


COUNTED: Mapping[Limit, Callable[[datetime, datetime], bool]] = {
    Limit.AN_HOUR: _within(timedelta(hours=1)),
    Limit.A_DAY: lambda one, at: one.date() == at.date(),
    Limit.A_WEEK: _within(timedelta(days=7)),
    Limit.A_MONTH: lambda one, at: (one.year, one.month) == (at.year, at.month),
}
"""Which of the times at which it ran, in the zone of the person, count for a limit at a moment."""


def _is_held_by(held: Mapping[Limit, float], power: Power) -> bool:
    """What nobody tells keeps it still: a limit is to be sure of."""
    if Limit.CHARGING in held and (power.plugged is None or power.plugged == bool(held[Limit.CHARGING])):
        return True
    if {Limit.BATTERY, Limit.NOT_LOW}.isdisjoint(held):
        return False
    least, most = held.get(Limit.BATTERY, 0.0), held.get(Limit.NOT_LOW, math.inf)
    return power.percent is None or not least <= power.percent < most


def _is_within(second: int, start: float | None, end: float | None) -> bool:
    """From ``start`` until before ``end``; where it ends before it starts, over midnight."""
    if start is not None and end is not None and end < start:
        return second >= start or second < end
    return (start is None or second >= start) and (end is None or second < end)
