"""The truth about the simulated year: which habits there are and when each of them comes.

Hidden from whoever writes a miner: this file, the folder ``hidden`` and the tests of the year, which name some of it.
``habit``, ``people``, ``ledger`` and ``judge`` may be read.

A story comes by its own random numbers alone, so that when it comes is known without making a single request, and is
the same however much of the year is made.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta

from tests.benchmarks.habits.year.habit import Irregular, Kind, Monthly, Once, Story, Tainted, Weekly
from tests.benchmarks.habits.year.hidden import jana, mo, petra
from tests.benchmarks.habits.year.people import PEOPLE, Person, days

STORIES: Mapping[str, tuple[Story, ...]] = {
    "jana": (*jana.HABITS, *jana.DECOYS),
    "mo": (*mo.HABITS, *mo.DECOYS),
    "petra": (*petra.HABITS, *petra.DECOYS),
}
LATEST = 23 * 60 + 30
"""The last minute of a day at which anything begins."""


def habits(person: str) -> tuple[Story, ...]:
    """Return what a person really does again and again."""
    return tuple(one for one in STORIES[person] if one.kind is Kind.HABIT)


def decoys(person: str) -> tuple[Story, ...]:
    """Return what only looks like it, or must not be offered."""
    return tuple(one for one in STORIES[person] if one.kind is not Kind.HABIT)


def tainted(person: str) -> frozenset[str]:
    """Return the values that decide something for ``person`` and came out of what others wrote."""
    slots = [slot for one in decoys(person) for step in one.steps for slot in step.arguments.values()]
    return frozenset(value for slot in slots if isinstance(slot, Tainted) for value in slot.values)


def occurrences(story: Story, person: str, seed: int) -> tuple[datetime, ...]:
    """Return when ``story`` begins, each time, in the person's own time; in order."""
    who, rng = PEOPLE[person], random.Random(f"{seed}/{story.id}")
    found: list[datetime] = []
    for day in days():
        minutes = _due(story, who, day, rng)  # drawn for every day, so that an end moves nothing that comes before it
        comes = rng.random() < story.chance
        if comes and story.first <= day <= story.last and _may(story, who, day):
            found += [_at(story, who, day, minute) for minute in minutes]
    return tuple(sorted(found))


def _may(story: Story, who: Person, day: date) -> bool:
    if who.is_ill(day) or who.is_offline(day) or (story.at_home and who.is_away(day)):
        return False
    return not (story.work and (who.is_off(day) or (isinstance(story.when, Irregular) and day.weekday() > 4)))


def _due(story: Story, who: Person, day: date, rng: random.Random) -> tuple[int, ...]:
    """Return the minutes of ``day`` at which it is due."""
    match story.when:
        case Weekly(weekdays, minute, jitter):
            at = minute + rng.randint(-jitter, jitter)
            return (at,) if day.weekday() in weekdays else ()
        case Monthly(_, minute, jitter):
            at = minute + rng.randint(-jitter, jitter)
            return (at,) if day == _of_month(story.when, who, day) else ()
        case Irregular(per_week):
            draw, at = rng.random(), rng.randint(who.hours[0] * 60 + 30, who.hours[1] * 60 - 30)
            return (at,) if draw < per_week / (5 if story.work else 7) else ()
        case Once(month, on, times):
            return tuple(9 * 60 + 7 * n for n in range(times)) if (day.month, day.day) == (month, on) else ()


def _of_month(when: Monthly, who: Person, day: date) -> date:
    if when.day > 0:
        return day.replace(day=when.day)
    last = (day.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)
    return next((one for n in range(28) if who.works(one := last - timedelta(n))), last)


def _at(story: Story, who: Person, day: date, minute: int) -> datetime:
    since, later = story.shift or (date.max, 0)
    moved = min(minute + (later if day >= since else 0), LATEST)
    begin = datetime.combine(day, time(0), who.zone_on(day))
    return begin.replace(hour=moved // 60, minute=moved % 60)
