"""When a trigger of the clock is due: each of its times once, whatever the clock on the wall does.

- A time of day is one of the wall where the person is. One that the clocks skip is due at the next that exists, one
  that comes twice at the first. Two times of a rule that fall on one moment so are one.
- After a move, times are those of the new zone. What was due for a time of the wall is not due for it again; what the
  move leaps over is due at the move. After the clock was set back nothing is due again.
- A length is real time.

``last`` is the mark of what fired last (empty: nothing yet): marks of one trigger rise, so one is enough to know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

from kernel.routines.model import Clock, Elapsed, Once
from skills.schedule import HORIZON, walls

_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Due:
    """A time that has come. ``mark`` tells it from every other of its trigger, ``at`` (UTC) is when it came.

    ``earlier`` are the moments before it that passed unseen.
    """

    mark: str
    at: datetime
    earlier: int = 0


def due(trigger: Clock, made: datetime, last: str, now: datetime, zone: tzinfo) -> Due | None:
    """Return the last time of ``trigger`` that has come by ``now``, later than ``made`` and not fired yet."""
    if isinstance(trigger, Elapsed):
        return _elapsed(trigger, made, last, now)
    found: list[tuple[str, datetime]] = []
    for mark, at in _times(trigger, made, last, now, zone):
        if at > now:
            break
        if found and found[-1][1] == at:
            found.pop()
        found.append((mark, at))
    return Due(*found[-1], earlier=len(found) - 1) if found else None


def following(trigger: Clock, made: datetime, last: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return when ``trigger`` is next due (UTC): ``now`` or before where it is already, None where never again."""
    return next(coming(trigger, made, last, now, zone), None)


def coming(trigger: Clock, made: datetime, last: str, now: datetime, zone: tzinfo) -> Iterator[datetime]:
    """Yield when ``trigger`` is next due and after that (UTC), each moment once."""
    if not isinstance(trigger, Elapsed):
        seen = None
        for _, at in _times(trigger, made, last, now, zone):
            if at != seen:
                yield at
            seen = at
        return
    number = _number(trigger, made, last) + 1
    while not trigger.count or number <= trigger.count:
        yield _nth(trigger, number)
        number += 1


def _times(trigger: Clock, made: datetime, last: str, now: datetime, zone: tzinfo) -> Iterator[tuple[str, datetime]]:
    """Yield marks and moments, rising, that are later than ``made`` and whose marks come after ``last``."""
    for wall in _walls(trigger, now, zone):
        mark = wall.isoformat(timespec="minutes")
        at = moment_of(wall, zone)
        if mark > last and at > made:
            yield mark, at


def _walls(trigger: Clock, now: datetime, zone: tzinfo) -> Iterator[datetime]:
    if isinstance(trigger, Once):
        yield trigger.at
    elif not isinstance(trigger, Elapsed):
        start = datetime.combine(trigger.begins, time())
        until = max(start, now.astimezone(zone).replace(tzinfo=None)) + HORIZON
        if trigger.ends is not None:
            until = min(until, datetime.combine(trigger.ends, time.max))
        yield from walls(trigger.rule, start, until)


def moment_of(wall: datetime, zone: tzinfo) -> datetime:
    """Return when a time on the wall is, in UTC: of two the first, of none the next time that exists."""
    at = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if at.astimezone(zone).replace(tzinfo=None) == wall:
        return at
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)  # by the offset that counts after the change
    offset = before.astimezone(zone).utcoffset()
    while at - before > _SECOND:
        middle = (before + (at - before) / 2).replace(microsecond=0)
        before, at = (middle, at) if middle.astimezone(zone).utcoffset() == offset else (before, middle)
    return at


# --- lengths ------------------------------------------------------------------------------------------------------


def _elapsed(trigger: Elapsed, made: datetime, last: str, now: datetime) -> Due | None:
    begun = _number(trigger, made, last)
    number = _passed(trigger, now)
    if trigger.count:
        number = min(number, trigger.count)
    return Due(str(number), _nth(trigger, number), number - begun - 1) if number > begun else None


def _number(trigger: Elapsed, made: datetime, last: str) -> int:
    """The number of the last time that fired, or that passed before the routine was made."""
    return max(0, _passed(trigger, made), int(last or 0))


def _passed(trigger: Elapsed, at: datetime) -> int:
    """How many times have passed. In UTC: between two times of one zone, Python counts what the wall shows."""
    return int((at.astimezone(UTC) - trigger.begins.astimezone(UTC)) / timedelta(seconds=trigger.every_s))


def _nth(trigger: Elapsed, number: int) -> datetime:
    return trigger.begins.astimezone(UTC) + number * timedelta(seconds=trigger.every_s)
