"""Upkeep: what a daemon does beside requests. It loads what the first one waits for, tries its wall, reminds, gives
memory back, destroys what is past its time, and learns from what was done.

None of it holds a request up, and none begins once the daemon ends; a fault in it goes to the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from kernel.house import House
from kernel.installing.renewed import carried_over, noted
from kernel.recalling.keeping_up import KeepingUp
from kernel.remembering import pictures
from kernel.remembering.lapsing import lapse
from kernel.remembering.privacy import Privacy, end_undo, left_behind
from kernel.remembering.retention import Retention
from kernel.routines.routine import Fire, Routine
from kernel.run import Run
from kernel.underway import the_way
from memory.freed import give_back
from skills import one_import

if TYPE_CHECKING:
    from kernel.routines.firing import Come
    from kernel.routines.keeper import Keeper
    from kernel.routines.watching.watcher import Watcher

WARM_AFTER_S = 0.4
"""The first page goes before the learning of words."""

TEST_AFTER_S = 4.0
"""So long after its start the daemon tries its wall, when whoever started it has been served."""

REST_AFTER_S = 30.0
"""Nobody asked for so long: the encoder's weights leave memory."""

DAILY_S = 86_400.0
"""So often what is past its time is destroyed."""


class Upkeep:
    """On the event loop of the kernel. ``tidy`` is what clears away, until cancelled, what others left."""

    def __init__(
        self,
        house: House,
        retention: Retention,
        tidy: Callable[[], Coroutine[Any, Any, None]],
        fire: Fire,
        settled: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        """``fire`` begins the run of a routine whose moment has come, ``settled`` waits until a run ends or waits."""
        self._house = house
        self._fire, self._settled = fire, settled
        self._routines: asyncio.Task[None] | None = None
        self.watcher: Watcher | None = None
        self._retention = retention
        self._tidy = tidy
        self.privacy = Privacy(house)
        self._keeping_up = KeepingUp(house.recollection, self._lives, house.report)
        self._seeing = KeepingUp(house.seeing, self._lives, house.report)
        self._rest: asyncio.TimerHandle | None = None
        self._daily: asyncio.TimerHandle | None = None
        self._reminding: asyncio.Task[None] | None = None
        self._tidying: asyncio.Task[None] | None = None
        self.testing: asyncio.Task[None] | None = None
        self._stopped = False

    async def mend(self) -> None:
        """Finish, before anything begins, what a daemon that was killed could not: private runs are let go of, and
        what was granted to skills that an update has changed goes on or does not.
        """
        await asyncio.to_thread(lambda: end_undo(self._house, left_behind(self._house)))
        await carried_over(self._house)

    def begin(self) -> None:
        """Have all of it begin, each in its time."""
        loop = asyncio.get_running_loop()
        loop.call_later(WARM_AFTER_S, self.warm)
        loop.call_later(TEST_AFTER_S, self.test_wall)
        self.rest_later()

    def warm(self) -> None:
        """Load, in the background, what the first request would wait for, and begin what goes by the clock; once."""
        if self._stopped or self._reminding is not None:
            return
        self._house.learning.begin()
        self._look_after(self._house.talk.read)
        self._look_after(lambda: self._house.learning.learn_own(self._house.ledger))
        asyncio.get_running_loop().run_in_executor(None, the_way)
        self._keep_promises()
        self._look_after(lambda: pictures.drop_left_behind(self._house))
        self._look_after(lambda: noted(self._house))
        self._reminding = asyncio.create_task(self._house.remind())
        self._routines = asyncio.create_task(self._keep_routines())
        self._tidying = asyncio.create_task(self._tidy())

    async def _keep_routines(self) -> None:
        """Have routines run when their moments come, or what they wait for happens, until cancelled."""
        keeper, watcher = await asyncio.to_thread(_kept_by)
        keeps = keeper(self._house, self._fire)
        self.watcher = watcher(self._house, keeps.firing, self._settled)
        await asyncio.gather(self._reported(keeps.run), self._reported(self.watcher.run))

    async def _reported(self, keeping: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let one of them go on until cancelled; a fault that ends it is told at once, and the other goes on."""
        try:
            await keeping()
        except Exception as error:  # the task edge: the other goes on
            self._house.report(error)

    def hand_in(self, routine: Routine, come: Come) -> bool:
        """Have an event wait for its routine; tell whether anything takes it in yet."""
        if self.watcher is None:
            return False
        self.watcher.hand_in(routine, come)
        return True

    def _keep_promises(self) -> None:
        """Finish forgets that were cut short, and destroy what is past its time; now and once a day."""

        def work() -> None:
            self._house.knowledge.finish_forgetting()
            self._retention.apply()
            lapse(self._house)

        self._look_after(work)
        self._daily = asyncio.get_running_loop().call_later(DAILY_S, self._keep_promises)

    def _look_after(self, work: Callable[[], object]) -> None:
        """Do ``work`` in a thread that nobody waits for; a fault in it goes to the log."""
        done = asyncio.get_running_loop().run_in_executor(None, work)
        done.add_done_callback(self._look_at)

    def _look_at(self, ended: asyncio.Future[Any]) -> None:
        error = None if ended.cancelled() else ended.exception()
        if error is not None and not self._stopped:  # at the end the ledger closes while some of it is still at work
            self._house.report(error)

    def test_wall(self) -> None:
        """Try the wall, once, in the background; what was found is an event, and stands in doctor and status."""
        if not self._stopped and self.testing is None and self._house.wall is None:
            self.testing = asyncio.create_task(self._house.test_wall())

    # --- after a run --------------------------------------------------------------------------------------------------

    def after(self, run: Run) -> None:
        """A run has ended: let a private one be forgotten, learn from another, and rest once nobody asks any more."""
        if run.private and not self._stopped:
            self.privacy.let_go_later(run.id)
        if not self._stopped:
            self.learn_later()
            self._keeping_up.soon()
            self._seeing.soon()
        self.rest_later()

    def look_on(self) -> None:
        """Not all that was done is looked at yet: go on with it."""
        if not self._stopped:
            self._seeing.soon()

    def learn_later(self) -> None:
        """Learn from what was done or taken back, in a moment in which no run lives."""
        self._house.learning.learn_later(self._house.ledger, self._lives)

    def _lives(self) -> bool:
        return bool(self._house.live)

    def rest_later(self) -> None:
        """Once, some time after the last run or search: give memory back."""
        if self._rest is not None:
            self._rest.cancel()
        if self._stopped:
            return
        self._rest = asyncio.get_running_loop().call_later(REST_AFTER_S, self._give_back)

    def _give_back(self) -> None:
        self._house.learning.rest()
        self._look_after(self._rested)

    def _rested(self) -> None:
        if self._house.recollection.is_open:
            self._house.recollection.rest()
        give_back()

    # --- the end ------------------------------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Begin nothing more, and end what is at work beside the runs."""
        self._stopped = True
        for task in (self.testing, self._reminding, self._routines, self._tidying):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """When no run lives any more: end learning, and let go of what was private."""
        self._house.learning.stop()
        self._keeping_up.stop()
        self._seeing.stop()
        for timer in (self._rest, self._daily):
            if timer is not None:
                timer.cancel()
        await asyncio.to_thread(self.privacy.close)
        await asyncio.to_thread(self._house.seeing.close)


def _kept_by() -> tuple[type[Keeper], type[Watcher]]:
    with one_import:  # they speak to the desktop and know the language, which no start waits for
        from kernel.routines.keeper import Keeper
        from kernel.routines.watching.watcher import Watcher

    return Keeper, Watcher
