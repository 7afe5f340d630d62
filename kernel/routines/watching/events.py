"""The calendar as a source of events: what begins soon, looked at when its files change, and slept for.

Each time of an event sets a routine off once: its mark is the event and when it begins. One that is moved is due anew,
one that is deleted is not. A moment that passed while no daemon ran or the machine slept is made up for as long as the
event has not begun; one that was over when the rule was kept, or that passed while it rested, never.

What this stops: a calendar that is looked at again and again although nothing changed. What it does not: read one,
which is the look's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from kernel.authorize import needs_of
from kernel.errors import NotNow
from kernel.reminding.alarm import Alarm
from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.model import About, BeforeEvent
from kernel.routines.routine import Routine
from kernel.routines.waited_for import HORIZON_S, look_task, look_tool
from kernel.routines.watching.settling import Seen
from kernel.routines.watching.source import Awake, HandIn, LetRest
from kernel.routines.watching.watched import Watched
from permissions.model import Action
from skills.model import Tool

if TYPE_CHECKING:
    from kernel.house import House

REST_S = 2.0
"""So long after a change it is looked: whoever fetches a calendar writes many files."""

LATE_S = 60.0
"""So long after an event began a rule for its beginning is still due."""

_HORIZON = timedelta(seconds=HORIZON_S)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was seen of the calendar for one routine: ``comes``, each with when its event begins, up to ``until``.

    ``looked`` is when that was.
    """

    looked: datetime
    until: datetime
    comes: tuple[tuple[datetime, Come], ...]

    def is_good(self, now: datetime) -> bool:
        """Tell whether it says what is due by ``now``: a clock that was set back is before it, a later time behind."""
        return self.looked <= now < self.until


class Events:
    """Tells before events of the calendar begin. One event loop only."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn, looks: Looks, let_rest: LetRest) -> None:
        self._house, self._awake, self._hand_in, self._looks, self._let_rest = house, awake, hand_in, looks, let_rest
        self._alarm: Alarm | None = None
        self._ahead: dict[str, Ahead] = {}
        self._told: set[tuple[str, str]] = set()
        self._changes = 0
        self._other = True
        self.is_ready = False

    def changed(self) -> None:
        """The routines are others now, or what they wait for may be: look again."""
        self._other, self.is_ready = True, False
        if self._alarm is not None:
            self._alarm.ring()

    async def run(self) -> None:
        """Look and sleep until cancelled."""
        self._alarm, watched, changes = Alarm(), Watched(self._seen, self._house.report), 0
        try:
            while True:
                await self._alarm.sleep(await self._turn(watched))
                if self._changes != changes:
                    changes = self._changes
                    await asyncio.sleep(REST_S)
        finally:
            await watched.end()
            self._alarm.close()
            self._alarm, self._ahead = None, {}

    def _seen(self, _seen: list[Seen]) -> None:
        """Something changed where a look reads: what is ahead may be other."""
        self._ahead.clear()
        self._changes += 1
        self.changed()

    async def _turn(self, watched: Watched) -> float | None:
        """Tell what is due by now; return how long to sleep, None where nothing is waited for."""
        self._other = False
        sleep_s = await self._told_now(watched)
        self.is_ready = not self._other
        return sleep_s

    async def _told_now(self, watched: Watched) -> float | None:
        tool = look_tool("event", self._house.registry.skills())
        waiting = [one for one in self._awake() if isinstance(one.trigger, BeforeEvent)] if tool is not None else []
        self._keep([one.key for one in waiting])
        if tool is None or not waiting:
            await watched.want(frozenset())
            return None
        await watched.want(frozenset((one, True) for one in self._read_by(tool)))
        pauses = [await self._look(one, tool) for one in waiting]
        return min((one for one in pauses if one is not None), default=None)

    def _keep(self, keys: Iterable[str]) -> None:
        kept = set(keys)
        self._ahead = {key: one for key, one in self._ahead.items() if key in kept}
        self._told = {one for one in self._told if one[0] in kept}

    def _read_by(self, tool: Tool) -> list[str]:
        """The folders that a look reads: what changes there changes what it finds."""
        around = self._house.circumstances("look", "", "")
        return [right.scope for right, _ in needs_of(tool, {}, around) if right.action is Action.FS_READ]

    async def _look(self, routine: Routine, tool: Tool) -> float | None:
        """Tell what is due by now of what a routine waits for; return how long to sleep."""
        ahead, changes = self._ahead.get(routine.key), self._changes
        try:
            if ahead is None or not ahead.is_good(self._now()):
                ahead = await comes(self._house, self._looks, routine, tool)
                if changes == self._changes:  # else it is looked again in a moment
                    self._ahead[routine.key] = ahead
        except NotNow as broken:
            await self._let_rest(routine, str(broken))
            return None
        now, next_at = self._now(), ahead.until
        for begins, come in ahead.comes:
            if come.at > now:
                next_at = min(next_at, come.at)
            elif self._is_due(routine, begins, come, now):
                self._told.add((routine.key, come.mark))
                self._hand_in(routine, come)
        return max((next_at - now).total_seconds(), 0.0)

    def _is_due(self, routine: Routine, begins: datetime, come: Come, now: datetime) -> bool:
        """Its moment has come, it has not begun, and it has not been told."""
        assert isinstance(routine.trigger, BeforeEvent)
        late = timedelta(0) if routine.trigger.before_s else timedelta(seconds=LATE_S)
        told = (routine.key, come.mark) in self._told or self._house.routines.has_fired(routine, come.mark)
        return not told and now < begins + late and come.at > routine.since.astimezone(UTC)

    def _now(self) -> datetime:
        return self._house.clock().astimezone(UTC)


async def comes(house: House, looks: Looks, routine: Routine, tool: Tool) -> Ahead:
    """Look at what begins soon, and return what of it ``routine`` waits for. Raises NotNow."""
    trigger = routine.trigger
    assert isinstance(trigger, BeforeEvent)
    before, now = timedelta(seconds=trigger.before_s), house.clock().astimezone(UTC)
    found = (await looks.look(routine, look_task(tool, routine))).value
    meant = [one for one in found if one["start"] or About.NOT_ALL_DAY not in dict(routine.such)]
    told = tuple((datetime.fromisoformat(one["begins"]), one) for one in meant)
    return Ahead(now, now + _HORIZON, tuple((begins, _come(begins - before, one)) for begins, one in told))


def _come(at: datetime, event: Mapping[str, Any]) -> Come:
    """What one time of an event is; its mark is a digest, which stays when the run is forgotten."""
    mark = blake2b(f"{event['key']}\0{event['begins']}".encode(), digest_size=12).hexdigest()
    return Come(mark, at, 0, [event], str(event["title"]))


async def next_one(house: House, looks: Looks, routine: Routine) -> Come | None:
    """Return what would come to ``routine`` with the next event ahead that it waits for. Raises NotNow."""
    tool = look_tool("event", house.registry.skills())
    found = (await comes(house, looks, routine, tool)).comes if tool is not None else ()
    return found[0][1] if found else None
