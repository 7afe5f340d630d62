"""When events take place: single ones, and the times of a series (RRULE, RDATE, EXDATE, RECURRENCE-ID).

The rules are read by dateutil, in the clock time of the event's own zone, so that a series stays at its hour when the
clocks change. Oracle of the tests: recurring-ical-events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from .entries import Entry, Moment, key_of, later

MOST_TIMES = 20_000
"""Times of one rule that are looked at in one question."""

_UNTIL = re.compile(r"UNTIL=([^;]+)", re.IGNORECASE)
_STEPS = {"SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3600, "DAILY": 86_400, "WEEKLY": 604_800}


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time at which an event takes place. ``of`` is that time as its series has it."""

    entry: Entry
    start: Moment
    end: Moment
    of: Moment

    def begins(self, local: tzinfo) -> datetime:
        """When it begins, in the person's zone; a whole day begins at midnight there, wherever that is."""
        return at_zone(self.start, local)

    def ends(self, local: tzinfo) -> datetime:
        """When it ends, in the person's zone."""
        return at_zone(self.end, local)


def at_zone(moment: Moment, local: tzinfo) -> datetime:
    """Return a moment in a zone."""
    return moment.astimezone(local) if isinstance(moment, datetime) else datetime.combine(moment, time(), local)


def between(entries: Iterable[Entry], first: datetime, last: datetime) -> list[Occurrence]:
    """Return what takes place in [first, last), by its beginning; the zone of ``first`` is the person's."""
    entries = list(entries)
    replaced: dict[tuple[str, str], set[Moment]] = {}
    for one in entries:
        if one.replaces is not None:
            replaced.setdefault((one.file.path, one.uid), set()).add(one.replaces)
    found: dict[object, Occurrence] = {}
    for entry in entries:
        if entry.cancelled:
            continue
        gone = replaced.get((entry.file.path, entry.uid), set()) if entry.replaces is None else set()
        for time_of_it in _times(entry, gone, first, last):
            found.setdefault((entry.uid or id(entry), entry.title, key_of(time_of_it.start)), time_of_it)
    local = first.tzinfo or UTC
    return sorted(found.values(), key=lambda one: (one.begins(local).astimezone(UTC), one.entry.title))


def _times(entry: Entry, gone: set[Moment], first: datetime, last: datetime) -> Iterator[Occurrence]:
    local = first.tzinfo or UTC
    if not entry.repeats:
        if _overlaps(entry.start, entry.end, first, last, local) and key_of(entry.start) not in gone:
            yield Occurrence(entry, entry.start, entry.end, entry.replaces or entry.start)
        return
    length = _length(entry)
    for start in _starts(entry, at_zone_of(entry, first) - length - timedelta(days=1), at_zone_of(entry, last)):
        key = key_of(start)
        end = later(start, length)
        if key in gone or _is_left_out(entry, key, start) or not _overlaps(start, end, first, last, local):
            continue
        yield Occurrence(entry, start, end, start)


def _is_left_out(entry: Entry, key: Moment, start: Moment) -> bool:
    """An exception is a time of the series; of some programs it is the day of one."""
    return key in entry.without or (isinstance(start, datetime) and start.date() in entry.without)


def _length(entry: Entry) -> timedelta:
    return key_of(entry.end) - key_of(entry.start)


def _overlaps(start: Moment, end: Moment, first: datetime, last: datetime, local: tzinfo) -> bool:
    begins, ends = at_zone(start, local).astimezone(UTC), at_zone(end, local).astimezone(UTC)
    return begins < last.astimezone(UTC) and (
        ends > first.astimezone(UTC) or (begins == ends and begins >= first.astimezone(UTC))
    )


def at_zone_of(entry: Entry, moment: datetime) -> datetime:
    """Return the clock time of a moment where the event is at home, without a zone."""
    zone = entry.start.tzinfo if isinstance(entry.start, datetime) else moment.tzinfo
    return moment.astimezone(zone).replace(tzinfo=None)


def _starts(entry: Entry, first: datetime, last: datetime) -> list[Moment]:
    """The beginnings of a series in [first, last) by the clock of its zone, and what was added to it by hand."""
    zone = entry.start.tzinfo if isinstance(entry.start, datetime) else None
    begin = entry.start.replace(tzinfo=None) if isinstance(entry.start, datetime) else _midnight(entry.start)
    found: dict[Moment, Moment] = {}
    for at in [begin, *(_by_rule(entry, begin, first, last) if entry.rule else ())]:
        moment: Moment = at.date() if entry.all_day else at.replace(tzinfo=zone)
        found.setdefault(key_of(moment), moment)
    for one in entry.more:
        moment = one if isinstance(one, datetime) or entry.all_day else datetime.combine(one, begin.time(), zone)
        moment = moment.date() if isinstance(moment, datetime) and entry.all_day else moment
        found.setdefault(key_of(moment), moment)
    return list(found.values())


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def _by_rule(entry: Entry, begin: datetime, first: datetime, last: datetime) -> Iterator[datetime]:
    from dateutil.rrule import rrulestr

    rule = _with_plain_until(entry)
    begin = _nearer(rule, begin, first)
    try:
        times = rrulestr(rule, dtstart=begin)
        for count, at in enumerate(times):
            if at >= last or count > MOST_TIMES:
                return
            if at >= first:
                yield at
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):  # a rule that nobody can read: the event alone
        return


def _with_plain_until(entry: Entry) -> str:
    """The rule with the end of it in the clock time of the event: it is written in UTC."""
    found = _UNTIL.search(entry.rule)
    if found is None:
        return entry.rule
    text = found[1].strip()
    whole = len(text) == 8
    try:
        until = datetime.strptime(text.rstrip("Zz"), "%Y%m%d" if whole else "%Y%m%dT%H%M%S")
    except ValueError:
        return entry.rule
    if whole:
        until = until.replace(hour=23, minute=59, second=59)
    elif text[-1] in "zZ" and isinstance(entry.start, datetime):
        until = until.replace(tzinfo=UTC).astimezone(entry.start.tzinfo).replace(tzinfo=None)
    return _UNTIL.sub(f"UNTIL={until:%Y%m%dT%H%M%S}", entry.rule)


def _nearer(rule: str, begin: datetime, first: datetime) -> datetime:
    """A beginning shortly before ``first`` from which the rule has the same times: so years are not counted through."""
    parts = dict(part.upper().split("=", 1) for part in rule.split(";") if "=" in part)
    step = _STEPS.get(parts.get("FREQ", ""))
    interval = parts.get("INTERVAL", "1")
    if step is None or "COUNT" in parts or not interval.isdigit() or int(interval) < 1 or first <= begin:
        return begin
    stride = timedelta(seconds=step * int(interval))
    steps = (first - begin) // stride - 1
    return begin + steps * stride if steps > 0 else begin
