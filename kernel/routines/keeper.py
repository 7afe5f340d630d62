"""The keeper of routines: one task of the daemon that sleeps until something is due, has it run, and looks again.

What this stops: a moment that runs twice, or is lost between being written down and its run; one routine's fault that
keeps the others from running; one that runs without end (``most_an_hour``). What it does not: run while no daemon does;
what was missed runs once at the next start.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from kernel.errors import NotNow
from kernel.reminding.alarm import Alarm
from kernel.routines.firing import Come, Firing
from kernel.routines.limiting import most_an_hour
from kernel.routines.model import Elapsed, Once, Recurring
from kernel.routines.moments import due, following
from kernel.routines.routine import Fire, Routine
from kernel.routines.sayings import say

if TYPE_CHECKING:
    from kernel.house import House

TRY_AGAIN_S = 30.0


class Keeper:
    """Has the routines of ``house`` run. ``checkpoint`` hears of every step."""

    def __init__(self, house: House, fire: Fire, checkpoint: Callable[[str], None] = lambda _step: None) -> None:
        self._house, self.firing = house, Firing(house, fire, checkpoint)
        self._passed: dict[str, str] = {}

    async def run(self) -> None:
        """Keep the clock until cancelled."""
        alarm = Alarm()
        stop = self._house.routines.watch(alarm.ring)
        try:
            while True:
                await alarm.sleep(await self._turn())
        finally:
            stop()
            alarm.close()

    async def _turn(self) -> float | None:
        """Have run what is due by now; return how long to sleep, None where nothing is to come."""
        pauses = [await self._look(one) for one in self._house.routines.every() if not one.paused]
        return min((one for one in pauses if one is not None), default=None)

    async def _look(self, routine: Routine) -> float | None:
        try:
            await self.firing.take_up(routine)
            if not isinstance(routine.trigger, Once | Recurring | Elapsed):
                return None
            found = due(routine.trigger, routine.since, self._mark(routine), self._now(), self._zone())
            come = None if found is None else Come(found.mark, found.at, found.earlier)
            if come is not None and self.firing.is_still(routine, come):
                self._passed[routine.key] = come.mark
            elif come is not None and self.firing.is_too_often(routine, come):
                count = str(most_an_hour(routine.trigger))
                await self.firing.let_rest(routine, say(routine.language, "broken.too often", count=count))
                return None
            elif come is not None:
                self._passed.pop(routine.key, None)
                await self.firing.fire(routine, come)
            at = following(routine.trigger, routine.since, self._mark(routine), self._now(), self._zone())
        except NotNow as broken:
            await self.firing.let_rest(routine, str(broken))
            return None
        except Exception as error:  # the task edge: a full disk or a fault of ours; it is tried again
            self._house.report(error)
            return TRY_AGAIN_S
        return None if at is None else max((at - self._now()).total_seconds(), 0.0)

    def _mark(self, routine: Routine) -> str:
        """The mark of the last moment that fired, or at which it stood still."""
        return self._passed.get(routine.key) or self._house.routines.reached(routine)

    def _now(self) -> datetime:
        return self._house.clock().astimezone(UTC)

    def _zone(self) -> tzinfo:
        return self._house.clock().tzinfo or UTC
