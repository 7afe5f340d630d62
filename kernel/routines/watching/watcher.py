"""The watcher of routines: one task of the daemon that is told what happened, and has run what waits for it.

What this stops: a routine that its own work sets off, a circle of routines (it ends, with its name told), and a storm:
more than ``MOST_AT_ONCE`` events that wait, or ``most_an_hour`` runs within one, and the routine rests and says so.
What it does not: make up for what happened while no daemon ran.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kernel.errors import NotNow
from kernel.model import RunId
from kernel.routines.firing import Come, Firing
from kernel.routines.limiting import most_an_hour
from kernel.routines.looking import Looks
from kernel.routines.model import FileSeen, Trigger
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.waited_for import is_mail
from kernel.routines.watching.additions import ADDITIONS
from kernel.routines.watching.ahead import AheadWatch
from kernel.routines.watching.contents import CONTENTS
from kernel.routines.watching.deeds import DEEDS
from kernel.routines.watching.events import EVENTS
from kernel.routines.watching.facts import FACTS
from kernel.routines.watching.files import Files
from kernel.routines.watching.ledger import LedgerWatch
from kernel.routines.watching.machine import EARS, MachineWatch
from kernel.routines.watching.mails import MAILS
from kernel.routines.watching.source import Source
from kernel.routines.watching.tasks import TASKS
from kernel.routines.watching.unopened import Unopened

if TYPE_CHECKING:
    from kernel.house import House

MOST_AT_ONCE = 100
TRY_AGAIN_S = 30.0

Settled = Callable[[str], Awaitable[Any]]
"""Waits until a run has ended, or waits for an answer."""


class Watcher:
    """Has the routines of ``house`` run when what they wait for happens. One event loop only."""

    def __init__(self, house: House, firing: Firing, settled: Settled) -> None:
        self._house, self._firing, self._settled = house, firing, settled
        self._come = asyncio.Event()
        self._waiting: deque[tuple[Routine, Come]] = deque()
        self.looks = Looks(house)
        machine = (MachineWatch(house, self._awake, self.hand_in, states) for states in EARS)
        looked = (house, self._awake, self.hand_in, self.looks, firing.let_rest)
        mails, contents = Unopened(*looked, MAILS), Unopened(*looked, CONTENTS)
        ahead = (AheadWatch(*looked, kind) for kind in (EVENTS, TASKS))
        files = Files(house, self._awake, self.hand_in, mails.take_in, contents.take_in)
        others = (LedgerWatch(house, self._awake, self.hand_in, one) for one in (DEEDS, ADDITIONS, FACTS))
        self._sources: tuple[Source, ...] = (files, mails, contents, *ahead, *others, *machine)

    async def run(self) -> None:
        """Watch until cancelled."""
        stop = self._house.routines.watch(self._changed)
        try:
            async with asyncio.TaskGroup() as tasks:
                for source in self._sources:
                    tasks.create_task(self._kept_up(source))
                tasks.create_task(self._work())
        finally:
            stop()

    async def _kept_up(self, source: Source) -> None:
        """Let a source run; after a fault in it, anew, and no other is touched."""
        while True:
            try:
                await source.run()
            except Exception as error:  # the task edge: the other sources go on
                self._house.report(error)
            await asyncio.sleep(TRY_AGAIN_S)

    @property
    def is_ready(self) -> bool:
        """Whether everything that is waited for is watched."""
        return all(one.is_ready for one in self._sources)

    def _changed(self) -> None:
        keys = [one.key for one in self._house.routines.every()]
        self.looks.keep(keys)
        self._house.routines.unread.keep(keys)
        for one in self._sources:
            one.changed()

    def _awake(self) -> tuple[Routine, ...]:
        return tuple(one for one in self._house.routines.every() if not one.paused)

    def hand_in(self, routine: Routine, come: Come) -> None:
        """Have an event wait for its routine."""
        self._waiting.append((routine, come))
        self._come.set()

    async def _work(self) -> None:
        """Have run what waits, one after the other."""
        while True:
            while self._waiting:
                await self._storms()
                if self._waiting:
                    await self._look(*self._waiting.popleft())
            self._come.clear()
            await self._come.wait()

    async def _storms(self) -> None:
        """Let routines rest for which more waits than a person can have meant; nothing of that is done."""
        if len(self._waiting) <= MOST_AT_ONCE:
            return
        for name, count in Counter(routine.name for routine, _ in self._waiting).items():
            if count > MOST_AT_ONCE:
                of = next(routine.trigger for routine, _ in self._waiting if routine.name == name)
                await self._rests(name, self._kind(of), count=str(count))

    def _kind(self, trigger: Trigger) -> str:
        """What came at once: mails, files, or something else."""
        if is_mail(trigger, str(self._house.folders.home)):
            return "mails"
        return "storm" if isinstance(trigger, FileSeen) else "many"

    async def _look(self, routine: Routine, come: Come) -> None:
        known = self._house.routines.get(routine.name)
        if known is None or known.paused or not self._still_waits(known, routine):
            return
        routine = known
        if self._house.routines.has_fired(routine, come.mark):
            return
        try:
            if routine.name in come.chain:
                circle = (*come.chain[come.chain.index(routine.name) :], routine.name)
                await self._rests(routine.name, "circle", circle=" → ".join(circle))
            elif self._firing.is_too_often(routine, come):
                await self._rests(routine.name, "too often", count=str(most_an_hour(routine.trigger)))
            elif not self._firing.is_still(routine, come):
                await self._until_settled(await self._firing.fire(routine, come))
        except NotNow as broken:
            await self._firing.let_rest(routine, str(broken))
        except Exception as error:  # the task edge: the next one may go well
            self._house.report(error)

    def _still_waits(self, now: Routine, then: Routine) -> bool:
        """Tell whether what came to a routine as it was ``then`` is what it waits for as it is ``now``."""
        same = self._house.routines.has_key(now.name, then.key)
        return same and (now.trigger, now.such) == (then.trigger, then.such)

    async def _until_settled(self, run: RunId) -> None:
        with suppress(NotNow):
            await self._settled(run)

    async def _rests(self, name: str, why: str, **values: str) -> None:
        routine = self._house.routines.get(name)
        self._waiting = deque(one for one in self._waiting if one[0].name != name)
        if routine is not None and not routine.paused:
            await self._firing.let_rest(routine, say(routine.language, f"broken.{why}", **values))
