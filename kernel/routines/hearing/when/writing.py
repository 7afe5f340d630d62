"""From pieces to a trigger: a rule of RFC 5545, a length that comes again, or one time; or why it is none."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise, product

from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.when.bounding import Bounds, Lacking, TimeOfDay, exists
from kernel.routines.hearing.when.hours import each_in_its_part, is_of_part, settle
from kernel.routines.hearing.when.pieces import (
    WEEK,
    Begin,
    Clocks,
    Dated,
    Days,
    Part,
    Piece,
    Single,
    Step,
    Value,
    Window,
)
from kernel.routines.model import Clock, Limit, Once

_SHORTEST_S = 60
_HOUR = 60
_DAY, _NOON, _LATE = 24 * 60, 12, 18
_MOST_PLACES = 99
_PLAIN_YEAR = 2025


@dataclass(slots=True)
class Group:
    """Days and the times on them."""

    days: Days | None = None
    times: list[Clocks] = field(default_factory=list)
    part: str = ""

    def clocks(self) -> list[TimeOfDay]:
        """The times of day that are meant, rising. Raises Lacking where one is none of the part of the day."""
        part = self.part or (self.days.part if self.days is not None else "")
        if not all(is_of_part(one, part) for clocks in self.times for one in clocks.times):
            raise Lacking(Lack.NEVER)
        found = {settle(one, part) for clocks in self.times for one in clocks.times}
        if not found and part in {"noon", "midnight"}:
            found = {(12, 0) if part == "noon" else (0, 0)}
        return sorted(found)


_Written = tuple[Clock, tuple[tuple[Limit, float], ...]]


def written(pieces: Iterable[Piece], now: datetime) -> _Written:
    """Return the trigger that the pieces say, and what limits it. Raises Lacking."""
    pieces = tuple(pieces)
    if any(_are_other_days(*two) for two in pairwise(pieces)):
        raise Lacking(Lack.NEVER)
    dates = [
        one for one in pieces if isinstance(one.value, Days) and one.value.freq == "YEARLY" and one.value.month_days
    ]
    if dates and any(isinstance(one.value, Dated) for one in pieces):
        raise Lacking(Lack.UNKNOWN)  # "on 3 October at 9 and on 24 December at 8"
    values = each_in_its_part([one.value for one in pieces])
    bounds = Bounds(values, now)
    if any(isinstance(one, Single) for one in values):
        return _once(values, now), ()
    groups = _groups(values)
    step = next((one for one in values if isinstance(one, Step)), None)
    window = next((one for one in values if isinstance(one, Window)), None)
    if step is not None:
        return _stepped(step, window, groups, bounds)
    if window is not None and not any(group.times for group in groups):
        raise Lacking(Lack.HOW_OFTEN)  # "every day between 9 and 5"
    groups = [replace(group, days=bounds.kept(group.days)) for group in groups if group.days is not None]
    if not all(group.days is not None and exists(group.days) for group in groups):
        raise Lacking(Lack.NO_SUCH_DAY)
    if not groups or any(group.days is not None and group.days.vague for group in groups):
        raise Lacking(Lack.WHICH_DAY)
    if not all(group.clocks() for group in groups):
        raise Lacking(Lack.TIME_OF_DAY)
    return bounds.bounded(*_rule(groups)), ()


def _are_other_days(one: Piece, other: Piece) -> bool:
    """ "Every Monday on Tuesdays": other days of the week right behind such days, with nothing that joins them."""
    days, more = one.value, other.value
    if not isinstance(days, Days) or not isinstance(more, Days) or one.last != other.first:
        return False
    return bool(days.weekdays and more.weekdays) and {*days.weekdays}.isdisjoint(more.weekdays)


# --- which times are on which days --------------------------------------------------------------------------------


def _groups(values: list[Value]) -> list[Group]:
    groups, leads = [Group()], False
    for value in sorted(values, key=lambda one: isinstance(one, Dated)):  # a date is one of the days that are said
        group = groups[-1]
        if isinstance(value, Clocks):
            leads = leads or group.days is None
            group.times.append(value)
        elif isinstance(value, Part):
            group.part = value.name
        elif isinstance(value, Days | Dated):
            refined = _refined(group.days, value)
            if refined is not None:
                group.days = refined
            elif isinstance(value, Days):
                groups.append(Group(value, [group.times.pop()] if leads and len(group.times) > 1 else []))
    for group, following in zip(groups[-2::-1], groups[:0:-1], strict=True):
        if not group.clocks():
            group.times = following.times  # "on Mondays and on the 1st, at 8"
    return groups


def _refined(days: Days | None, more: Days | Dated) -> Days | None:
    """Days that are said in two pieces as one; None where the second are days of their own."""
    if days is None:
        return more if isinstance(more, Days) else None
    if isinstance(more, Days):
        days = _in_weeks(days, more)
    if isinstance(more, Dated):
        return _on_date(days, more.day)
    if more.vague and not days.vague:
        days, more = more, days
    if days.vague and not more.vague and _fits(days, more):
        return replace(more, interval=days.interval, freq=days.freq, weak=False)
    return _in_part(days, more) or _narrowed(days, more)


def _in_weeks(days: Days, more: Days) -> Days:
    """ "Alle 14 Tage mittwochs": so many days that are whole weeks, where a weekday is said with them."""
    weeks, rest = divmod(days.interval, 7)
    whole = days.freq == "DAILY" and more.freq == "WEEKLY" and weeks > 0 and not rest
    return Days("WEEKLY", weeks, part=days.part, vague=True) if whole else days


def _on_date(days: Days, day: date) -> Days | None:
    """ "Every month on the 15th", "every year on 3 May"."""
    if not days.vague or days.freq == "WEEKLY":
        return None if days.vague else days
    return replace(
        days, months=days.months or ((day.month,) if days.freq == "YEARLY" else ()), month_days=(day.day,), vague=False
    )


def _in_part(days: Days, more: Days) -> Days | None:
    """ "Abends, every Sunday": the part of the day of days that are said beside it."""
    for part, whole in ((days, more), (more, days)):
        if part.freq == "DAILY" and part.interval == 1 and part.part and (part.weak or whole.freq == "WEEKLY"):
            return replace(whole, part=whole.part or part.part)
    return None


def _narrowed(days: Days, more: Days) -> Days | None:
    """ "Every weekday from Monday to Thursday", "3 May, every May"."""
    if days == more or (days.freq == more.freq == "YEARLY" and days.month_days and not more.month_days + more.weekdays):
        return days
    weekly = days.freq == more.freq == "WEEKLY" and days.interval == 1 and more.weak
    return replace(days, weekdays=more.weekdays) if weekly and {*more.weekdays} < {*days.weekdays} else None


def _fits(vague: Days, more: Days) -> bool:
    """Tell whether days are ones of the week, month or year: "every week on Tuesday"."""
    return vague.freq == more.freq or (vague.freq == "YEARLY" and bool(more.months))


# --- rules --------------------------------------------------------------------------------------------------------


def _rule(groups: list[Group]) -> tuple[str, Days]:
    """The one rule that names all times of all groups. Raises Lacking where there is none."""
    merged = _merged(groups)
    if len(merged) == 1:
        days, clocks = merged[0]
        return _by_day(days, clocks), days
    if all(days.freq == "WEEKLY" and days.interval == 1 and not days.months for days, _ in merged):
        return _by_week({(day, *at) for days, clocks in merged for day in days.weekdays for at in clocks}), merged[0][0]
    raise Lacking(Lack.UNKNOWN)


def _merged(groups: list[Group]) -> list[tuple[Days, list[TimeOfDay]]]:
    """Groups of the same days as one, and groups of the same times as one."""
    by_days: dict[Days, set[TimeOfDay]] = {}
    for group in groups:
        assert group.days is not None
        days = replace(group.days, part="", weak=False)
        by_days.setdefault(days, set()).update(group.clocks())
    by_times: dict[tuple[TimeOfDay, ...], list[Days]] = {}
    for days, clocks in by_days.items():
        by_times.setdefault(tuple(sorted(clocks)), []).append(days)
    return [(one, list(clocks)) for clocks, many in by_times.items() for one in _unions(many)]


def _unions(many: list[Days]) -> list[Days]:
    if len(many) > 1 and all(one.freq == many[0].freq == "WEEKLY" and one.interval == 1 for one in many):
        return [Days("WEEKLY", weekdays=tuple(sorted({day for one in many for day in one.weekdays}, key=WEEK.index)))]
    if len(many) > 1 and all(one.freq == "MONTHLY" and one.interval == 1 and one.month_days for one in many):
        return [Days("MONTHLY", month_days=tuple(sorted({day for one in many for day in one.month_days})))]
    return many


def _by_day(days: Days, clocks: list[TimeOfDay]) -> str:
    hours, minutes = sorted({at[0] for at in clocks}), sorted({at[1] for at in clocks})
    every = list(product(hours, minutes))
    if len(every) == len(clocks):
        places = _places(days, len(clocks)) if days.dates else (days.place,) if days.place else ()
        return rule_of(days, places, hours, minutes)
    if days.interval > 1 or days.place or any(len(day) > 2 for day in days.weekdays) or len(clocks) > _MOST_PLACES:
        raise Lacking(Lack.UNKNOWN)
    places = tuple(every.index(at) + 1 for at in clocks)  # of the times of one day
    return rule_of(replace(days, freq="DAILY"), places, hours, minutes)


def _places(days: Days, times: int) -> tuple[int, ...]:
    """Where the dates that are meant stand among all of a year that the rule names, with so many times on each."""
    if (2, 29) in product(days.months, days.month_days):
        raise Lacking(Lack.UNKNOWN)  # it is there in some years only
    there = [one for one in product(days.months, days.month_days) if one[1] <= monthrange(_PLAIN_YEAR, one[0])[1]]
    if not {*days.dates} <= {*there}:
        raise Lacking(Lack.NO_SUCH_DAY)
    return tuple(there.index(one) * times + at for one in days.dates for at in range(1, times + 1))


def _by_week(times: set[tuple[str, int, int]]) -> str:
    days = sorted({one[0] for one in times}, key=WEEK.index)
    hours, minutes = sorted({one[1] for one in times}), sorted({one[2] for one in times})
    every = list(product(days, hours, minutes))
    places = tuple(number for number, one in enumerate(every, 1) if one in times)
    return rule_of(Days("WEEKLY", weekdays=tuple(days)), places if len(places) < len(every) else (), hours, minutes)


def rule_of(days: Days, places: tuple[int, ...], hours: list[int], minutes: list[int]) -> str:
    """Return the rule of RFC 5545 that names each of ``hours`` with each of ``minutes`` on ``days``."""
    parts = {
        "FREQ": days.freq, "INTERVAL": str(days.interval) if days.interval > 1 else "", "BYMONTH": _list(days.months),
        "BYMONTHDAY": _list(days.month_days), "BYDAY": ",".join(days.weekdays), "BYSETPOS": _list(places),
        "BYHOUR": _list(hours), "BYMINUTE": _list(minutes),
    }  # fmt: skip
    return ";".join(f"{name}={value}" for name, value in parts.items() if value)


def _list(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


# --- steps --------------------------------------------------------------------------------------------------------


def _stepped(step: Step, window: Window | None, groups: list[Group], bounds: Bounds) -> _Written:
    if step.seconds < _SHORTEST_S:
        raise Lacking(Lack.TOO_OFTEN)
    said = next((group.days for group in groups if group.days is not None), None)
    part = next((group.part for group in groups if group.part), "")
    days = bounds.kept(said) if said is not None or bounds.keeps_days else None
    if days is not None and days.vague:
        raise Lacking(Lack.WHICH_DAY)
    if window is None and days is None and not step.full:
        return bounds.elapsed(step, next((group.clocks() for group in groups if group.times), [])), ()
    start, until = _window(window, part)
    clocks = _within(step, start, until)
    if not clocks:
        if days is not None or until < start:
            raise Lacking(Lack.UNKNOWN)
        return bounds.elapsed(step, []), _limits(start, until) if window is not None else ()
    days = days or Days("DAILY")
    if window is not None:  # "every hour between 9 and 12 and again at 5 pm"
        clocks = sorted({*clocks, *(at for group in groups for at in group.clocks())})
    return bounds.bounded(_by_day(days, clocks), days), ()


def _window(window: Window | None, part: str) -> tuple[TimeOfDay, TimeOfDay]:
    """The ends of a stretch of the day: "9 to 5" ends in the afternoon, "22 bis 6" in the morning."""
    if window is None:
        return (0, 0), (23, 59)
    part = window.part or part
    start = settle(window.start, part)
    if window.until is None:
        return start, (23, 59)
    until = settle(window.until, part)
    if not window.until.sure and start[0] >= _LATE:
        return start, (window.until.hour, window.until.minute)
    if until <= start and not window.until.sure and until[0] < _NOON:
        until = (until[0] + _NOON, until[1])
    return start, until


def _within(step: Step, start: TimeOfDay, until: TimeOfDay) -> list[TimeOfDay]:
    """The times of a step within a stretch of the day; none where they are others on each day."""
    minutes, first = step.seconds // 60, 60 * start[0] + start[1]
    first += (step.minute - first) % min(minutes, _HOUR) if step.full else 0
    last = 60 * until[0] + until[1] + (_DAY if until < start else 0)
    whole = last - first >= _DAY - 1  # around the clock: every day has to have the same times
    if step.seconds % 60 or (60 % minutes and minutes % 60) or (whole and _DAY % minutes):
        return []
    return sorted((at % _DAY // 60, at % 60) for at in range(first, min(last, first + _DAY - 1) + 1, minutes))


def _limits(start: TimeOfDay, until: TimeOfDay) -> tuple[tuple[Limit, float], ...]:
    """Within both times of day: the last minute is still within."""
    after = 60 * (60 * until[0] + until[1] + 1)
    return ((Limit.FROM, 60.0 * (60 * start[0] + start[1])), (Limit.UNTIL, float(after)))


# --- one time -----------------------------------------------------------------------------------------------------


def _once(values: list[Value], now: datetime) -> Once:
    parts = [
        Part(one.part) if isinstance(one, Days) and one.part else one for one in values
    ]  # "abends" is all evenings
    group = _groups([one for one in parts if isinstance(one, Clocks | Part)])[0]
    clocks = group.clocks()
    day = next((one.day for one in values if isinstance(one, Dated)), None)
    day = day or next((one.day for one in values if isinstance(one, Begin)), None)
    if not clocks:
        raise Lacking(Lack.TIME_OF_DAY)
    wall = now.replace(tzinfo=None)
    at = datetime.combine(day or wall.date(), time(*clocks[0]))
    if day is None and at <= wall:
        at += timedelta(days=1)
    if len(clocks) > 1:
        raise Lacking(Lack.NEVER)
    if at <= wall:
        raise Lacking(Lack.PAST)
    return Once(at)
