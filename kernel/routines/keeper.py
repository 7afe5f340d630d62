"""The keeper of routines: one task of the daemon that sleeps until something is due, has it run, and looks again.

What this stops: a moment that runs twice, or is lost between being written down and its run; one routine's fault that
keeps the others from running. What it does not: run while no daemon does; what was missed runs once at the next start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

from kernel.errors import NotNow
from kernel.model import Plan, RunId
from kernel.receiving import new_run_id
from kernel.reminding.alarm import Alarm
from kernel.routines.book import FIRED, PAUSED
from kernel.routines.limiting import stands_still
from kernel.routines.model import Elapsed, Once, Recurring
from kernel.routines.moments import Due, due, following
from kernel.routines.ready import ready
from kernel.routines.routine import Fire, Routine
from kernel.routines.telling import show
from memory.model import Draft
from permissions.labels import KERNEL_SAID

if TYPE_CHECKING:
    from kernel.house import House

MISSED_AFTER_S = 60.0
TRY_AGAIN_S = 30.0


class Keeper:
    """Has the routines of ``house`` run. ``checkpoint`` hears of every step."""

    def __init__(self, house: House, fire: Fire, checkpoint: Callable[[str], None] = lambda _step: None) -> None:
        self._house, self._begins, self._checkpoint = house, fire, checkpoint
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
            await self._take_up(routine)
            if not isinstance(routine.trigger, Once | Recurring | Elapsed):
                return None
            come = due(routine.trigger, routine.since, self._mark(routine), self._now(), self._zone())
            if come is not None and self._is_still(routine, come):
                self._passed[routine.key] = come.mark
            elif come is not None:
                await self._fire(routine, come)
            at = following(routine.trigger, routine.since, self._mark(routine), self._now(), self._zone())
        except NotNow as broken:
            await self._let_rest(routine, str(broken))
            return None
        except Exception as error:  # the task edge: a full disk or a fault of ours; it is tried again
            self._house.report(error)
            return TRY_AGAIN_S
        return None if at is None else max((at - self._now()).total_seconds(), 0.0)

    async def _take_up(self, routine: Routine) -> None:
        """Begin the run of a moment that was written down, and whose run was not: a daemon died, or a disk was full."""
        fired = self._house.routines.last(routine)
        run = str(fired.get("run", ""))
        if run and not self._house.talk.knows(run):
            await self._begin(routine, RunId(run), self._plan(routine, datetime.fromisoformat(fired["at"])))

    async def _fire(self, routine: Routine, come: Due) -> None:
        run, now, plan = new_run_id(), self._now(), self._plan(routine, come.at)
        body: dict[str, Any] = {
            "name": routine.name, "key": routine.key, "mark": come.mark, "run": run, "at": come.at.isoformat(),
            "earlier": come.earlier, "missed": (now - come.at).total_seconds() > MISSED_AFTER_S,
        }  # fmt: skip
        self._passed.pop(routine.key, None)
        await self._house.write_routine(Draft(kind=FIRED, body=body, label=KERNEL_SAID.to_json()))
        self._checkpoint("fired")
        await self._begin(routine, run, plan)

    async def _begin(self, routine: Routine, run: RunId, plan: Plan) -> None:
        await self._begins(routine, plan, run)
        self._checkpoint("begun")

    async def _let_rest(self, routine: Routine, why: str) -> None:
        """Write down that a routine cannot be carried out any more, and tell the person; both as far as they can be."""
        try:
            body = {"name": routine.name, "at": self._now().isoformat(), "why": why}
            await self._house.write_routine(Draft(kind=PAUSED, body=body, label=KERNEL_SAID.to_json()))
            await asyncio.to_thread(show, routine, why)
        except Exception as error:  # the task edge: it is looked at again at its next moment
            self._house.report(error)

    def _plan(self, routine: Routine, at: datetime) -> Plan:
        """The plan as its words mean it on the day of its moment. Raises NotNow where it cannot be carried out."""
        return ready(self._house, routine, at.astimezone(self._zone()))

    def _is_still(self, routine: Routine, come: Due) -> bool:
        """Tell whether the routine's limits keep it still at its moment."""
        return stands_still(routine.limits, come.at.astimezone(self._zone()), self._house.routines.fired(routine))

    def _mark(self, routine: Routine) -> str:
        """The mark of the last moment that fired, or at which it stood still."""
        return self._passed.get(routine.key) or str(self._house.routines.last(routine).get("mark", ""))

    def _now(self) -> datetime:
        return self._house.clock().astimezone(UTC)

    def _zone(self) -> tzinfo:
        return self._house.clock().tzinfo or UTC
