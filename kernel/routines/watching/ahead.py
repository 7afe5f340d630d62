"""What lies ahead as a source of events: looked at when its files change, and slept for.

Each thing sets a routine off once, by its mark. What was over when the rule was kept, or passed while it rested, never
does; what passed while no daemon ran or the machine slept is made up for as long as its kind says (``Ahead.comes``).

What this stops: a look that is made again and again although nothing changed. What it does not: read anything, which is
the look's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from kernel.authorize import needs_of
from kernel.errors import NotNow
from kernel.reminding.alarm import Alarm
from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.model import BeforeEvent, TaskDue
from kernel.routines.routine import Routine
from kernel.routines.waited_for import HORIZON_S, look_tool
from kernel.routines.watching.settling import Seen
from kernel.routines.watching.source import Awake, HandIn, LetRest
from kernel.routines.watching.watched import Watched
from permissions.model import Action
from skills.model import Tool

if TYPE_CHECKING:
    from kernel.house import House

REST_S = 2.0
"""So long after a change it is looked: whoever fetches a calendar writes many files."""

HORIZON = timedelta(seconds=HORIZON_S)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was seen for one routine: ``comes``, each with until when it is made up for, good up to ``until``.

    ``looked`` is when that was, ``zone`` where.
    """

    looked: datetime
    until: datetime
    zone: tzinfo | None
    comes: tuple[tuple[datetime, Come], ...]

    def is_good(self, now: datetime) -> bool:
        """Tell whether it says what is due by ``now``: a clock that was set back is before it, a later time behind."""
        return self.looked <= now < self.until and self.zone == now.tzinfo


@dataclass(frozen=True, slots=True)
class Kind:
    """Things that a tool finds which ``brings`` them, and that a ``trigger`` waits for; ``comes`` looks at them.

    ``late``: what is entered after its moment counts at once.
    """

    brings: str
    trigger: type[BeforeEvent] | type[TaskDue]
    comes: Callable[[House, Looks, Routine, Tool], Awaitable[Ahead]]
    late: bool


class AheadWatch:
    """Tells of things of one ``kind`` when they are due. One event loop only."""

    def __init__(
        self, house: House, awake: Awake, hand_in: HandIn, looks: Looks, let_rest: LetRest, kind: Kind
    ) -> None:  # fmt: skip
        self._house, self._awake, self._hand_in, self._looks, self._let_rest = house, awake, hand_in, looks, let_rest
        self._kind = kind
        self._alarm: Alarm | None = None
        self._ahead: dict[str, Ahead] = {}
        self._passed: dict[str, datetime] = {}  # up to when everything was told that was due
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
        tool = look_tool(self._kind.brings, self._house.registry.skills())
        waiting = [one for one in self._awake() if isinstance(one.trigger, self._kind.trigger)] if tool else []
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
        self._passed = {key: one for key, one in self._passed.items() if key in kept}
        self._told = {one for one in self._told if one[0] in kept}

    def _read_by(self, tool: Tool) -> list[str]:
        """The folders that a look reads: what changes there changes what it finds."""
        around = self._house.circumstances("look", "", "")
        return [right.scope for right, _ in needs_of(tool, {}, around) if right.action is Action.FS_READ]

    async def _look(self, routine: Routine, tool: Tool) -> float | None:
        """Tell what is due by now of what a routine waits for; return how long to sleep."""
        ahead, changes, looked = self._ahead.get(routine.key), self._changes, None
        try:
            if ahead is None or not ahead.is_good(self._house.clock()):
                ahead = await self._kind.comes(self._house, self._looks, routine, tool)
                looked = ahead.looked
                if changes == self._changes:  # else it is looked again in a moment
                    self._ahead[routine.key] = ahead
        except NotNow as broken:
            await self._let_rest(routine, str(broken))
            return None
        now, next_at = self._house.clock().astimezone(UTC), ahead.until
        for until, come in ahead.comes:
            if come.at > now:
                next_at = min(next_at, come.at)
            elif self._is_due(routine, until, come, now):
                self._told.add((routine.key, come.mark))
                self._hand_in(routine, come)
        self._passed[routine.key] = now if looked is None else min(now, looked.astimezone(UTC))
        return max((next_at - now).total_seconds(), 0.0)

    def _is_due(self, routine: Routine, until: datetime, come: Come, now: datetime) -> bool:
        """Its moment has come, is not over, and has not been told."""
        told = (routine.key, come.mark) in self._told or self._house.routines.has_fired(routine, come.mark)
        passed = None if self._kind.late else self._passed.get(routine.key)
        entered_late = passed is not None and come.at <= passed
        return not (told or entered_late) and now < until and come.at > routine.since.astimezone(UTC)
