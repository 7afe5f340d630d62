"""What of the machine can be heard: power, the network, nobody at it; and what the system tells nothing of: the disk,
how much of the memory is in use, and how hot it is (a driver tells of its own bounds alone).

An ear rings when something may be other than it was, and is read then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol

from kernel.routines.model import Machine, State
from kernel.routines.watching.causes import Causes
from kernel.routines.watching.edges import Reading
from kernel.system import bells
from kernel.system.idling import Idling
from kernel.system.senses import Senses

DISK_AGAIN_S = 300.0
"""So often at most the disk is looked at without a reason, while a routine waits for it."""

LOOKED_AT_S = 30.0
"""So often memory and temperature are looked at, while a routine waits for them."""

_SOON_S = 0.05
_MOST = 100.0


class Ear(Protocol):
    """One kind of thing that is heard."""

    async def hear(self, ring: Callable[[], None]) -> None:
        """Ring when it hears, and whenever something may be other, until cancelled."""

    async def read(self) -> Reading:
        """Return how it is now."""

    def pause_s(self, reading: Reading, waiting: Iterable[Machine]) -> float | None:
        """Return after how long it is to be read anew although nothing rang."""


class PowerEar:
    """Batteries and chargers, told by uevents."""

    def __init__(self, senses: Senses) -> None:
        self._senses = senses

    async def hear(self, ring: Callable[[], None]) -> None:
        await bells.hear(self._senses.uevents, bells.is_of_power, ring)

    async def read(self) -> Reading:
        now = await asyncio.to_thread(self._senses.power)
        plugged = {} if now.plugged is None else {State.PLUGGED: now.plugged, State.UNPLUGGED: not now.plugged}
        if now.percent is None:
            return plugged
        charged = _MOST if now.is_full else now.percent
        return {**plugged, State.BATTERY: now.percent, State.CHARGED: charged, State.ABOVE: charged}

    def pause_s(self, reading: Reading, waiting: Iterable[Machine]) -> float | None:
        return None


class NetworkEar:
    """Whether a way leads out of the machine, told by rtnetlink."""

    def __init__(self, senses: Senses) -> None:
        self._senses = senses

    async def hear(self, ring: Callable[[], None]) -> None:
        await bells.hear(self._senses.routes, bool, ring)

    async def read(self) -> Reading:
        online = await asyncio.to_thread(self._senses.is_online)
        return {State.ONLINE: online, State.OFFLINE: not online}

    def pause_s(self, reading: Reading, waiting: Iterable[Machine]) -> float | None:
        return None


class IdleEar:
    """Whether anybody uses the machine, told by logind."""

    def __init__(self, senses: Senses) -> None:
        self._idling = Idling(senses.around, senses.awake_s)

    async def hear(self, ring: Callable[[], None]) -> None:
        await self._idling.hear(ring)

    async def read(self) -> Reading:
        return {State.IDLE: self._idling.idle_s() or 0.0} if self._idling.is_known else {}

    def pause_s(self, reading: Reading, waiting: Iterable[Machine]) -> float | None:
        idle_s = self._idling.idle_s()
        if idle_s is None:
            return None
        return min((one.bound - idle_s + _SOON_S for one in waiting if one.bound > idle_s), default=None)


class DiskEar:
    """What is free on the disk of the home: looked at after what Steward changes there, and now and then."""

    def __init__(self, senses: Senses, home: str, causes: Causes, again_s: float = DISK_AGAIN_S) -> None:
        self._senses, self._home, self._causes, self._again_s = senses, home, causes, again_s

    async def hear(self, ring: Callable[[], None]) -> None:
        stop = self._causes.watch(ring)
        try:
            ring()
            await asyncio.Event().wait()
        finally:
            stop()

    async def read(self) -> Reading:
        return {State.DISK: await asyncio.to_thread(self._senses.free_bytes, self._home)}

    def pause_s(self, reading: Reading, waiting: Iterable[Machine]) -> float | None:
        return self._again_s


class MemoryEar:
    """How much of the memory is in use: looked at now and then."""

    def __init__(self, senses: Senses, again_s: float = LOOKED_AT_S) -> None:
        self._senses, self._again_s = senses, again_s

    async def hear(self, ring: Callable[[], None]) -> None:
        ring()
        await asyncio.Event().wait()

    async def read(self) -> Reading:
        used = await asyncio.to_thread(self._senses.memory_in_use)
        return {} if used is None else {State.MEMORY: used}

    def pause_s(self, reading: Reading, waiting: Iterable[Machine]) -> float | None:
        return self._again_s


class HeatEar:
    """How hot the machine is: looked at when a driver tells of one of its own bounds, and now and then."""

    def __init__(self, senses: Senses, again_s: float = LOOKED_AT_S) -> None:
        self._senses, self._again_s = senses, again_s

    async def hear(self, ring: Callable[[], None]) -> None:
        await bells.hear(self._senses.uevents, bells.is_of_heat, ring)

    async def read(self) -> Reading:
        celsius = await asyncio.to_thread(self._senses.celsius)
        return {} if celsius is None else {State.HEAT: celsius}

    def pause_s(self, reading: Reading, waiting: Iterable[Machine]) -> float | None:
        return self._again_s
