"""When a task that is due sets a rule off, and which tasks are meant.

- A day and a time of day are those of the wall where the person is (``moments.moment_of``).
- A task that has no time of day counts at eight in the morning, or when the rule's limits first let it.
- It is overdue a minute after its time; without one when its day is over, which counts at eight the next morning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from kernel.routines.judging import folded
from kernel.routines.model import Limit, TaskDue
from kernel.routines.moments import moment_of

OF_A_DAY_S = 8 * 3600
"""At this time of day (seconds after midnight) a task counts that has none of its own."""

LATE = timedelta(days=7)
"""So long a moment is made up for that passed unseen, as long as its task is open."""

_MINUTE_S = 60
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Deadline:
    """By when an open task is to be done: its day, and its time of day where it has one."""

    day: date
    at: time | None

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Deadline:
        """Read what the tool told that ``brings`` tasks. Raises ValueError on anything else."""
        return cls(date.fromisoformat(str(found["day"])), time.fromisoformat(found["time"]) if found["time"] else None)


def moment(trigger: TaskDue, deadline: Deadline, usual_s: int, zone: tzinfo) -> datetime:
    """Return when (UTC) a task sets a rule off; ``usual_s`` is the time of day of one that has none."""
    day = deadline.day - trigger.days * _DAY
    if trigger.overdue and (deadline.at is None or trigger.clock >= 0):
        day += _DAY
    return moment_of(_on(day, _second(trigger, deadline, usual_s)), zone) - timedelta(seconds=trigger.before_s)


def made_up_until(trigger: TaskDue, at: datetime, zone: tzinfo) -> datetime:
    """Return until when (UTC) the moment ``at`` is made up for where it passed unseen: of a rule that waits for a time
    before, as long as what it says of that time is right ("is due tomorrow"; half of "in an hour").
    """
    if trigger.days > 0:
        return moment_of(_on(at.astimezone(zone).date() + _DAY, 0), zone)
    return at + (timedelta(seconds=trigger.before_s / 2) if trigger.before_s else LATE)


def usual_s(limits: Iterable[tuple[Limit, float]]) -> int:
    """Return the time of day (seconds after midnight) at which a task counts that has none, within ``limits``."""
    held = dict(limits)
    first, last = int(held.get(Limit.FROM, 0)), int(held.get(Limit.UNTIL, 0)) or 24 * 3600
    within = first <= OF_A_DAY_S < last if first <= last else not last <= OF_A_DAY_S < first
    return OF_A_DAY_S if within else first


def is_meant(trigger: TaskDue, found: Mapping[str, Any]) -> bool:
    """Tell whether a rule means a task: whole words of what it says, or how one begins; its list; its priority."""
    title = folded(str(found["title"])).split()
    said = all(any(word.startswith(one) for word in title) for one in folded(trigger.words).split())
    listed = not trigger.group or _plain(trigger.group) == _plain(str(found["group"]))
    return said and listed and trigger.priority in ("", found["priority"])


def _plain(group: str) -> str:
    """The name of a list without the "s" that joins it to "Liste": "Einkaufsliste"."""
    return folded(group).strip().removesuffix("s")


def _second(trigger: TaskDue, deadline: Deadline, usual_s: int) -> int:
    if trigger.clock >= 0:
        return trigger.clock
    if deadline.at is None:
        return usual_s
    return deadline.at.hour * 3600 + deadline.at.minute * 60 + trigger.overdue * _MINUTE_S


def _on(day: date, second: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(seconds=second)
