"""Firing: a moment or an event of a routine is written down, and then its run begins.

What this stops: a moment that runs twice, or is lost between being written down and its run. What it does not: say
when.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

from kernel.model import Plan, RunId
from kernel.receiving import new_run_id
from kernel.routines.book import BROUGHT, FIRED, PAUSED
from kernel.routines.limiting import is_too_often, stands_still
from kernel.routines.ready import ready
from kernel.routines.routine import Fire, Routine
from kernel.routines.telling import show
from memory.model import Draft
from permissions.labels import KERNEL_SAID, Label

if TYPE_CHECKING:
    from kernel.house import House

MISSED_AFTER_S = 60.0


@dataclass(frozen=True, slots=True)
class Come:
    """A time or an event that has come: ``mark`` tells it from every other of its trigger, ``at`` (UTC) is when.

    ``earlier`` are moments before it that passed unseen; ``value`` is what it brings, as its tool would return it, and
    ``words`` what a person reads of that. ``chain`` are the routines whose doing it is, the last one first to blame;
    ``lasted_s`` is how long what is over now was so.
    """

    mark: str
    at: datetime
    earlier: int = 0
    value: Any = None
    words: str = ""
    chain: tuple[str, ...] = ()
    lasted_s: float = 0.0


class Firing:
    """Begins runs in the names of routines. ``checkpoint`` hears of every step."""

    def __init__(self, house: House, begins: Fire, checkpoint: Callable[[str], None] = lambda _step: None) -> None:
        self._house, self._begins, self._checkpoint = house, begins, checkpoint
        self._one = asyncio.Lock()
        self._beginning = ""  # the run that is being written down, or begun

    async def take_up(self, routine: Routine) -> None:
        """Begin the run of a moment that was written down, and whose run was not: a daemon died, or a disk was full.

        Raises NotNow where the routine cannot be carried out any more.
        """
        fired = self._house.routines.last(routine)
        run = RunId(str(fired.get("run", "")))
        if not run or run == self._beginning or self._house.talk.knows(run):
            return
        come = Come(str(fired["mark"]), datetime.fromisoformat(fired["at"]))
        if fired.get("brings"):
            kept = next(iter(self._house.ledger.events(run=run, kinds=(BROUGHT,))), None)
            if kept is None or kept.body is None:
                return  # it was forgotten meanwhile
            come = Come(come.mark, come.at, value=kept.body["value"], words=str(kept.body["words"]))
        await self._begin(routine, run, self._plan(routine, come))

    async def fire(self, routine: Routine, come: Come) -> RunId:
        """Write down that a routine's time or event has come, and begin its run. Raises NotNow."""
        run, plan = new_run_id(), self._plan(routine, come)
        body: dict[str, Any] = {
            "name": routine.name, "key": routine.key, "mark": come.mark, "run": run, "at": come.at.isoformat(),
            "earlier": come.earlier, "missed": (self._now() - come.at).total_seconds() > MISSED_AFTER_S,
        }  # fmt: skip
        drafts = [Draft(kind=FIRED, body=body, label=KERNEL_SAID.to_json())]
        if come.value is not None:
            body["brings"] = True
            brought = {"value": come.value, "words": come.words}
            drafts.insert(0, Draft(kind=BROUGHT, body=brought, run=run, label=Label().to_json()))
        async with self._one:
            self._beginning = run
            await self._house.write_routine(*drafts)
            self._house.causes.fired(run, routine.name, come.chain)
            self._checkpoint("fired")
            await self._begin(routine, run, plan)
        return run

    def is_still(self, routine: Routine, come: Come) -> bool:
        """Tell whether the routine's limits keep it still at its moment."""
        at, fired = come.at.astimezone(self._zone()), self._house.routines.fired(routine)
        return stands_still(routine.limits, at, fired, self._house.senses.power, come.lasted_s)

    def is_too_often(self, routine: Routine, come: Come) -> bool:
        """Tell whether the routine has run so often within an hour that it is to rest."""
        return is_too_often(routine.trigger, come.at, self._house.routines.fired(routine))

    async def let_rest(self, routine: Routine, why: str) -> None:
        """Write down that a routine cannot be carried out any more, and tell the person; both as far as they can be."""
        try:
            body = {"name": routine.name, "at": self._now().isoformat(), "why": why}
            await self._house.write_routine(Draft(kind=PAUSED, body=body, label=KERNEL_SAID.to_json()))
            await asyncio.to_thread(show, routine, why)
        except Exception as error:  # the task edge: it is looked at again at its next moment
            self._house.report(error)

    async def _begin(self, routine: Routine, run: RunId, plan: Plan) -> None:
        await self._begins(routine, plan, run)
        self._checkpoint("begun")

    def _plan(self, routine: Routine, come: Come) -> Plan:
        """The plan as its words mean it on the day of its moment, with what it brings. Raises NotNow."""
        return ready(self._house, routine, come.at.astimezone(self._zone()), come.value, come.words)

    def _now(self) -> datetime:
        return self._house.clock().astimezone(UTC)

    def _zone(self) -> tzinfo:
        return self._house.clock().tzinfo or UTC
