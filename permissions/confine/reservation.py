"""The reservation of one call: the memory it begins with, raised while it runs, up to what it may ever have.

What this stops: a call that hangs because it is slowed down at its reservation (version 2) and nobody raises it; one
that takes the memory which this machine no longer has; one of which a part lives on after the kernel killed another
part for lack of memory. Each is raised or ended at once.
What it does not: widen a limit. ``Limits.memory_bytes`` is the hard limit of the group, and stays it.

Calls that end soon are not watched: watching begins ``AFTER_S`` after a call did, and costs the others one timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from permissions.confine import cgroup
from permissions.confine.gauge import Gauge, available_bytes, open_gauge, room_in
from permissions.model import Limits, Raised

AFTER_S = 0.05
LEFT_TO_OTHERS_BYTES = 256 << 20
"""What a machine keeps when a call wants more."""

Where = tuple[str, bool] | None
"""The group that counts the memory of a call: its folder, and whether it is of version 2. None: nobody counts."""


def spare_bytes() -> int:
    """Return the memory that a call could be given on this machine now; zero where it has none to spare."""
    return max(0, min(available_bytes(), room_in(cgroup.find_groups())) - LEFT_TO_OTHERS_BYTES)


class Reservation:
    """What one call has been given so far. Belongs to one event loop."""

    def __init__(
        self,
        limits: Limits,
        on_raised: Callable[[Raised], None] | None = None,
        left_bytes: int = LEFT_TO_OTHERS_BYTES,
    ) -> None:
        """``left_bytes`` is what the machine keeps for others.

        ``ended`` is true once the call was ended for lack of memory, ``starved`` where the machine had no more.
        """
        self.most = limits.memory_bytes
        self.reserved = min(limits.reserve_bytes or self.most, self.most)
        self.starved = self.ended = False
        self._end: Callable[[], None] = self.stop
        self._on_raised = on_raised
        self._left = left_bytes
        self._seen = (0, 0)  # in use and needed, when most was in use
        self._needed = 0
        self._marked = 0
        self._woken = asyncio.Event()
        self._over = False
        self._timer: asyncio.TimerHandle | None = None
        self._following: asyncio.Task[None] | None = None

    def begin(self, where: Where, end: Callable[[], None]) -> None:
        """Watch the call from soon on. ``end`` kills it."""
        self._end = end
        if where:
            self._timer = asyncio.get_running_loop().call_later(AFTER_S, self._start, where)

    def stop(self) -> None:
        """Stop watching; waits for nothing."""
        self._over = True
        self._woken.set()
        if self._timer:
            self._timer.cancel()

    def peak(self, used_bytes: int) -> int:
        """Return the most that was needed at once, of a call that used ``used_bytes`` at most.

        It is an upper bound: whatever came after the last look counts as needed.
        """
        use, need = self._seen
        return min(used_bytes, max(self._needed, need + max(0, used_bytes - use)))

    def _start(self, where: tuple[str, bool]) -> None:
        self._following = asyncio.get_running_loop().create_task(self._follow(where))

    async def _follow(self, where: tuple[str, bool]) -> None:
        with suppress(OSError):  # the group has ended, and the call with it
            gauge = await asyncio.to_thread(open_gauge, where[0], unified=where[1])
            loop = asyncio.get_running_loop()
            loop.add_reader(gauge.fileno(), self._woken.set)
            try:
                await self._look_until_over(gauge)
            finally:
                loop.remove_reader(gauge.fileno())
                gauge.close()

    async def _look_until_over(self, gauge: Gauge) -> None:
        """Look whenever the gauge wakes. The first times right before and after there is a mark.

        In version 2 a mark that lies behind already would slow the call down, for seconds after it is raised as well.
        """
        _, need = gauge.use()
        if self._is_near(need):
            await self._raise(gauge, need)
        else:
            await self._mark_at(gauge, self.reserved)
        while not self._over:
            if gauge.woken():  # the kernel kills one process; all of the call shall go
                self._end_call()
                return
            await self._attend(gauge)
            await self._woken.wait()
            self._woken.clear()

    async def _attend(self, gauge: Gauge) -> None:
        use, need = gauge.use()
        self._needed = max(self._needed, need)
        if use >= self._seen[0]:
            self._seen = use, need
        if self._is_near(need):
            await self._raise(gauge, need)
        elif use >= self._marked:  # full of what can be taken back
            await self._mark_past(gauge, use)

    def _is_near(self, need: int) -> bool:
        return need >= self.reserved - self.reserved // 8

    async def _raise(self, gauge: Gauge, need: int) -> None:
        """Give the call more, as long as it may have more and the machine has it."""
        if self.reserved >= self.most or self.ended:
            return  # from here on the kernel decides, at the hard limit
        rest = min(available_bytes(), gauge.room()) - self._left
        wanted = min(self.most, max(2 * self.reserved, need * 5 // 4), need + rest)
        if wanted <= self.reserved:
            self.starved = True
            self._end_call()
            return
        before, self.reserved = self.reserved, wanted
        await self._mark_at(gauge, wanted)
        if self._on_raised:
            self._on_raised(Raised(before, wanted, self.most))

    def _end_call(self) -> None:
        self.ended = True
        self._end()

    async def _mark_at(self, gauge: Gauge, use: int) -> None:
        self._marked = use
        if use >= self.most:
            await asyncio.to_thread(gauge.wake_never)
        else:
            await asyncio.to_thread(gauge.wake_at, use)

    async def _mark_past(self, gauge: Gauge, use: int) -> None:
        """Version 1: look again when more is in use. Version 2 keeps its mark: the kernel takes back what it can."""
        if gauge.holds_back:
            return
        await self._mark_at(gauge, use + self.reserved // 2)
