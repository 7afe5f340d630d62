"""What bounds times that come again: their first and last day, how often in all, which days are left out."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from kernel.language.time.calendar_words import SECONDS, shift
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.when.hours import settle
from kernel.routines.hearing.when.pieces import WEEK, Begin, Days, End, Except, Lasting, Only, Step, Times, Value
from kernel.routines.model import Elapsed, Recurring
from kernel.routines.moments import moment_of
from skills.schedule import HORIZON, walls

TimeOfDay = tuple[int, int]


class Lacking(Exception):
    """The pieces say too little, or too much."""

    def __init__(self, why: Lack) -> None:
        super().__init__(why)
        self.why = why


class Bounds:
    """From when, until when, how often in all, and on which days."""

    def __init__(self, values: list[Value], now: datetime) -> None:
        self.now, self.wall = now, now.replace(tzinfo=None)
        begins = [one for one in values if isinstance(one, Begin)]
        self.begin = next((one.day for one in begins if one.day is not None), None)
        self.ends = [one for one in values if isinstance(one, End)]
        self.count = next((one.count for one in values if isinstance(one, Times)), 0)
        self.lasting = next((one for one in values if isinstance(one, Lasting)), None)
        self.only = [one.days for one in values if isinstance(one, Only)]
        self.without = [one.days for one in values if isinstance(one, Except)]

    @property
    def keeps_days(self) -> bool:
        """Tell whether days are left out or kept to."""
        return bool(self.only or self.without)

    def kept(self, days: Days | None) -> Days:
        """Return the days that are left of ``days`` (None: all). Raises Lacking where none are, or some are unknown."""
        if None in self.without:
            raise Lacking(Lack.UNKNOWN)
        days = days or Days("DAILY")
        for out in self.without:
            assert out is not None
            days = _meet(days, _complement(out))
        for kept in self.only:
            days = _meet(days, kept)
        return days

    def elapsed(self, step: Step, clocks: list[TimeOfDay]) -> Elapsed:
        """Return a length that comes again. Raises Lacking."""
        if self.keeps_days:
            raise Lacking(Lack.UNKNOWN)
        begins, count = self.now.astimezone(UTC), self.count  # real time: no arithmetic on the wall
        if self.begin is not None or clocks:
            day = self.begin or self.wall.date()
            wall = datetime.combine(day, time(*(clocks[0] if clocks else (0, 0))))
            wall += timedelta(days=1) if self.begin is None and wall <= self.wall else timedelta()
            first = self._moment(wall)
            begins = first - timedelta(seconds=step.seconds) if first > self.now else begins
        last = self._last_moment(begins)
        if last is not None:
            within = int((last - begins) / timedelta(seconds=step.seconds))
            count = min(count, within) if count else within
            if within < 1:
                raise Lacking(Lack.NEVER)
        return Elapsed(step.seconds, begins, count)

    def _last_moment(self, begins: datetime) -> datetime | None:
        if self.lasting is not None and self.lasting.unit in SECONDS:
            return begins + timedelta(seconds=self.lasting.amount * SECONDS[self.lasting.unit])
        for end in self.ends:
            if end.clock is not None:
                hour, minute = settle(end.clock, "")
                return self._moment(datetime.combine(self.wall.date(), time(hour, minute)))
            if end.day is not None:
                return self._moment(datetime.combine(end.day, time(23, 59)))
        return None

    def _moment(self, wall: datetime) -> datetime:
        return moment_of(wall, self.now.tzinfo or UTC)

    def bounded(self, rule: str, days: Days) -> Recurring:
        """Return the rule with its first and last day. Raises Lacking."""
        begins = self.begin or self.wall.date()
        if days.interval > 1:
            begins = self._aligned(rule, days, begins)
        elif rule.startswith("FREQ=WEEKLY") and "BYSETPOS" in rule:
            if self.begin is not None and self.begin.weekday():
                raise Lacking(Lack.UNKNOWN)
            begins -= timedelta(days=begins.weekday())  # positions are counted in whole weeks
        ends = self._end_day(begins)
        if ends is not None and ends < begins:
            raise Lacking(Lack.NEVER)
        ends = self._counted(rule, begins, ends) if self.count else ends
        if next(self._times(rule, begins, ends), None) is None:
            raise Lacking(Lack.NEVER)
        return Recurring(rule, begins, ends)

    def _aligned(self, rule: str, days: Days, begins: date) -> date:
        """Every second Tuesday begins with the next Tuesday."""
        plain = rule.replace(f";INTERVAL={days.interval}", "")
        first = next(self._times(plain, begins, None), None)
        return first.date() if first is not None else begins

    def _times(self, rule: str, begins: date, ends: date | None) -> Iterator[datetime]:
        start = datetime.combine(begins, time())
        last = datetime.combine(ends, time.max) if ends else max(start, self.wall) + HORIZON
        return (at for at in walls(rule, start, last) if at > self.wall)

    def _end_day(self, begins: date) -> date | None:
        days = [one.day for one in self.ends if one.day is not None]
        if any(one.clock is not None for one in self.ends):
            raise Lacking(Lack.UNKNOWN)
        if self.lasting is not None:
            moved = shift(begins, self.lasting.amount, self.lasting.unit)
            if moved is None:
                raise Lacking(Lack.UNKNOWN)
            days.append(moved - timedelta(days=1))
        return min(days) if days else None

    def _counted(self, rule: str, begins: date, ends: date | None) -> date:
        """The day of the last of so many times. Raises Lacking where it is not the last of its day."""
        last = None
        for number, at in enumerate(self._times(rule, begins, ends), 1):
            if number > self.count:
                if last is not None and at.date() == last:
                    raise Lacking(Lack.UNKNOWN)
                break
            last = at.date()
        if last is None:
            raise Lacking(Lack.NEVER)
        return last


def exists(days: Days) -> bool:
    """Tell whether a month has the days: 29 February is one, 31 April is none."""
    if any(not -31 <= day <= 31 or day == 0 for day in days.month_days):
        return False
    longest = [calendar.monthrange(2024, month)[1] for month in days.months]
    return not longest or not days.month_days or any(abs(day) <= most for day in days.month_days for most in longest)


def _complement(days: Days) -> Days:
    if days.weekdays:
        return Days("WEEKLY", weekdays=tuple(day for day in WEEK if day not in days.weekdays))
    return Days("YEARLY", months=tuple(month for month in range(1, 13) if month not in days.months))


def _meet(days: Days, kept: Days) -> Days:
    """The days that are in both. Raises Lacking where there are none, or no rule has them."""
    if kept.months and not kept.month_days and not kept.weekdays:
        months = tuple(month for month in (days.months or range(1, 13)) if month in kept.months)
        if not months:
            raise Lacking(Lack.NEVER)
        return replace(days, months=months)
    if kept.freq != "WEEKLY" or kept.interval != 1 or not kept.weekdays:
        raise Lacking(Lack.UNKNOWN)
    if days.freq == "DAILY" and days.interval == 1 and not days.vague:
        return replace(days, freq="WEEKLY", weekdays=kept.weekdays)
    if days.freq == "DAILY" or days.month_days:
        return replace(days, weekdays=kept.weekdays) if not days.weekdays else days
    both = tuple(day for day in days.weekdays if day[-2:] in kept.weekdays)
    if not both and not days.vague:
        raise Lacking(Lack.NEVER)
    if days.place and both != days.weekdays:
        raise Lacking(Lack.UNKNOWN)
    return replace(days, weekdays=both)
