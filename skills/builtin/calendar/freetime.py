"""What is free between events, and which of them overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from .occurrences import Occurrence

_QUARTER = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch in which nothing is planned."""

    start: datetime
    end: datetime


def gaps(
    taken: Sequence[Occurrence], days: Sequence[date], hours: tuple[time, time], least: timedelta, now: datetime
) -> list[Gap]:
    """Return the stretches of at least ``least`` on those days between those hours, from ``now`` on."""
    local = now.tzinfo
    assert local is not None
    busy = sorted((one.begins(local).astimezone(UTC), one.ends(local).astimezone(UTC)) for one in taken if blocks(one))
    found: list[Gap] = []
    for day in days:
        opens, closes = _bounds(day, hours, local)
        opens = max(opens, _rounded(now).astimezone(UTC))
        found += [Gap(a.astimezone(local), b.astimezone(local)) for a, b in _between(busy, opens, closes, least)]
    return found


def blocks(one: Occurrence) -> bool:
    """Tell whether an event takes up time: not what is of whole days, nor what its file calls free."""
    return one.entry.busy and not one.entry.all_day


def _bounds(day: date, hours: tuple[time, time], local: tzinfo) -> tuple[datetime, datetime]:
    ends = day + timedelta(days=hours[1] <= hours[0])
    return datetime.combine(day, hours[0], local).astimezone(UTC), datetime.combine(ends, hours[1], local).astimezone(
        UTC
    )


def _rounded(now: datetime) -> datetime:
    """The next quarter of an hour."""
    late = timedelta(minutes=now.minute % 15, seconds=now.second, microseconds=now.microsecond)
    return now - late + _QUARTER if late else now


def _between(
    busy: Sequence[tuple[datetime, datetime]], opens: datetime, closes: datetime, least: timedelta
) -> Iterator[tuple[datetime, datetime]]:
    at = opens
    for begins, ends in busy:
        if ends <= at:
            continue
        if begins >= closes:
            break
        if begins - at >= least:
            yield at, begins
        at = max(at, ends)
    if closes - at >= least:
        yield at, closes


def overlapping(found: Sequence[Occurrence], local: tzinfo) -> list[tuple[Occurrence, Occurrence]]:
    """Return the pairs of events that take place at the same time, by their beginning."""
    pairs: list[tuple[Occurrence, Occurrence]] = []
    running: list[Occurrence] = []
    for one in sorted(filter(blocks, found), key=lambda one: one.begins(local).astimezone(UTC)):
        begins = one.begins(local).astimezone(UTC)
        running = [other for other in running if other.ends(local).astimezone(UTC) > begins]
        if one.ends(local).astimezone(UTC) > begins:
            pairs += [(other, one) for other in running]
            running.append(one)
    return pairs
