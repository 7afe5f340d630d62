"""The machine as a source of events: a state that begins, told to the routines that wait for it.

One of these for each thing that is heard: where one fails, the others go on. A state that is there already when a rule
is kept, or when Steward starts, sets nothing off until it begins anew.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from typing import TYPE_CHECKING

from kernel.routines.firing import Come
from kernel.routines.model import Limit, Machine, State
from kernel.routines.routine import Routine
from kernel.routines.watching.ears import DiskEar, Ear, HeatEar, IdleEar, MemoryEar, NetworkEar, PowerEar
from kernel.routines.watching.edges import Edges, stands
from kernel.routines.watching.source import Awake, HandIn

if TYPE_CHECKING:
    from kernel.house import House

REST_S = 0.5
"""So long after a bell it is read: a plug that is put in, or a network that comes up, rings often."""


EARS: Mapping[frozenset[State], Callable[[House], Ear]] = {
    frozenset({State.BATTERY, State.CHARGED, State.ABOVE, State.PLUGGED, State.UNPLUGGED}): (
        lambda house: PowerEar(house.senses)
    ),
    frozenset({State.ONLINE, State.OFFLINE}): lambda house: NetworkEar(house.senses),
    frozenset({State.IDLE}): lambda house: IdleEar(house.senses),
    frozenset({State.DISK}): lambda house: DiskEar(house.senses, str(house.folders.home), house.causes),
    frozenset({State.MEMORY}): lambda house: MemoryEar(house.senses),
    frozenset({State.HEAT}): lambda house: HeatEar(house.senses),
}
"""What tells of which states."""


class MachineWatch:
    """Tells of some ``states``, by the ear for them; it is made when a routine waits for one."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn, states: frozenset[State]) -> None:
        self._house, self._awake, self._hand_in, self._states = house, awake, hand_in, states
        self._ear: Ear | None = None
        self._rung = asyncio.Event()
        self._edges = Edges()
        self.is_ready = False

    def changed(self) -> None:
        """The routines are others now: something else is waited for, perhaps."""
        self.is_ready = False
        self._rung.set()

    async def run(self) -> None:
        """Listen while a routine waits for it."""
        while True:
            while not self._waiting():
                self._edges.keep(())
                self.is_ready = True
                self._rung.clear()
                await self._rung.wait()
            self._ear = self._ear or EARS[self._states](self._house)
            with self._hearing(self._ear) as hearing:
                await self._listen(self._ear, hearing)

    async def _listen(self, ear: Ear, hearing: asyncio.Task[None]) -> None:
        """Read whenever it rings, until no routine waits any more. Raises what ended the hearing."""
        pause_s: float | None = None
        while self._waiting():
            ringing = asyncio.create_task(self._rung.wait())
            try:
                await asyncio.wait({hearing, ringing}, timeout=pause_s, return_when=asyncio.FIRST_COMPLETED)
            finally:
                ringing.cancel()
            if hearing.done():
                hearing.result()
            if self._rung.is_set():
                await asyncio.sleep(REST_S)
                self._rung.clear()
            pause_s = await self._look(ear)

    @contextmanager
    def _hearing(self, ear: Ear) -> Iterator[asyncio.Task[None]]:
        hearing = asyncio.create_task(ear.hear(self._rung.set))
        try:
            yield hearing
        finally:
            hearing.cancel()
            hearing.add_done_callback(_looked_at)

    async def _look(self, ear: Ear) -> float | None:
        """Hand in what begins now; return after how long to look anew, although nothing rang."""
        reading, now_s = await ear.read(), self._house.senses.clock()
        waiting = self._waiting()
        self._edges.keep([routine.key for routine, _ in waiting])
        for routine, trigger in waiting:
            if trigger.state not in reading:
                continue
            held_s = dict(routine.limits).get(Limit.HELD, 0.0)
            lasted_s = self._edges.begins(routine.key, stands(trigger, reading[trigger.state]), now_s, held_s)
            if lasted_s is not None:
                at = self._house.clock().astimezone(UTC)
                self._hand_in(routine, Come(f"{trigger.state} {at.isoformat()}", at, lasted_s=lasted_s))
        self.is_ready = not self._rung.is_set()
        again_s = ear.pause_s(reading, [trigger for _, trigger in waiting])
        left_s = (self._edges.left_s(one.key, now_s, dict(one.limits).get(Limit.HELD, 0.0)) for one, _ in waiting)
        return min((one for one in (again_s, *left_s) if one is not None), default=None)

    def _waiting(self) -> list[tuple[Routine, Machine]]:
        return [
            (one, one.trigger)
            for one in self._awake()
            if isinstance(one.trigger, Machine) and one.trigger.state in self._states
        ]


def _looked_at(hearing: asyncio.Task[None]) -> None:
    """Take note of how it ended: who listened has been told, or does not want to know any more."""
    with contextlib.suppress(asyncio.CancelledError):
        hearing.exception()
