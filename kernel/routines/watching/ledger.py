"""The ledger as a source of events: what it tells is looked at, one event after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kernel.routines.firing import Come
from kernel.routines.routine import Routine
from kernel.routines.watching.source import Awake, HandIn
from memory.model import Event

if TYPE_CHECKING:
    from kernel.house import House

MOST_TOLD = 3
_MOST_LOOKED_AT = 20_000
"""So many events back it is looked for what would have come."""

Comes = Callable[["House", Sequence[Routine], Event], Awaitable[Iterable[tuple[Routine, Come]]]]
"""Returns what comes of an event, to which of the routines that do not rest."""


@dataclass(frozen=True, slots=True)
class Telling:
    """Which events of the ledger tell something, asked on its writer's thread, and what ``comes`` of each."""

    is_meant: Callable[[Event], bool]
    comes: Comes


class LedgerWatch:
    """Tells of what one kind of events comes to."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn, telling: Telling) -> None:
        self._house, self._awake, self._hand_in, self._telling = house, awake, hand_in, telling
        self._told: asyncio.Queue[Event] = asyncio.Queue()
        self.is_ready = False

    def changed(self) -> None:
        """Every event is looked at anyhow."""

    async def run(self) -> None:
        """Listen until cancelled."""
        loop = asyncio.get_running_loop()

        def listens(event: Event) -> None:  # on the writer's thread
            if self._telling.is_meant(event):
                loop.call_soon_threadsafe(self._told.put_nowait, event)

        stop = self._house.ledger.subscribe(listens)
        self.is_ready = True
        try:
            while True:
                event = await self._told.get()
                for routine, come in await self._telling.comes(self._house, self._awake(), event):
                    self._hand_in(routine, come)
        finally:
            self.is_ready = False
            stop()


def lately(house: House, kinds: Iterable[str]) -> Iterator[Event]:
    """Yield the last events of ``kinds``, newest first."""
    head, _ = house.ledger.head()
    return reversed(list(house.ledger.events(after=max(0, head - _MOST_LOOKED_AT), kinds=tuple(kinds))))


def at_of(event: Event) -> datetime:
    """Return when an event was, in UTC."""
    return datetime.fromtimestamp(event.at_ns / 1e9, UTC)


def line(house: House, event: Event, words: str, on: str) -> str:
    """Return when an event was, by the clock of the person, what it was and on what, as one line."""
    return f"{at_of(event).astimezone(house.clock().tzinfo):%Y-%m-%d %H:%M}: {words}: {on}"
