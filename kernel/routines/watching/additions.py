"""What is added through Steward (a task, an appointment, a note), as a source of events: its ledger tells.

What this stops: a routine that is set off by what it adds itself; a word of a private run in one; what was only tried
out, did not work, or was taken back before it was there. What it does not: see what another program adds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from kernel.itself.undoing import is_private
from kernel.routines.firing import Come
from kernel.routines.model import Added
from kernel.routines.parts import Part
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.source import Awake, HandIn
from memory.model import Event
from skills.errors import UnknownTool

if TYPE_CHECKING:
    from kernel.house import House

_ENDED, _BEGUN, _FAILED = "run.finished", "task.started", "task.failed"
_WELL = frozenset({"executed", "confirmed"})
_MOST_TOLD = 3
_MOST_LOOKED_AT = 20_000
"""So many events back additions are looked for."""


@dataclass(frozen=True, slots=True)
class _New:
    """One thing that a run added: of which kind, what it is called, and which one of the run's it is."""

    what: str
    name: str
    number: int


class Additions:
    """Tells of what was added."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn) -> None:
        self._house, self._awake, self._hand_in = house, awake, hand_in
        self._told: asyncio.Queue[Event] = asyncio.Queue()
        self.is_ready = False

    def changed(self) -> None:
        """Every run is looked at anyhow while a routine waits for one."""

    async def run(self) -> None:
        """Listen until cancelled."""
        loop = asyncio.get_running_loop()

        def listens(event: Event) -> None:  # on the writer's thread
            if _is_well(event):
                loop.call_soon_threadsafe(self._told.put_nowait, event)

        stop = self._house.ledger.subscribe(listens)
        self.is_ready = True
        try:
            while True:
                await self._take_in(await self._told.get())
        finally:
            self.is_ready = False
            stop()

    async def _take_in(self, event: Event) -> None:
        chain = self._house.causes.chain(str(event.run))
        waits = [one for one in self._awake() if isinstance(one.trigger, Added) and chain[-1:] != (one.name,)]
        new = await asyncio.to_thread(_new, self._house, event) if waits else []
        for one in new:
            for routine in waits:
                if isinstance(routine.trigger, Added) and routine.trigger.what == one.what:
                    self._hand_in(routine, _come(self._house, event, routine, one, chain))


def last_added(house: House, routine: Routine) -> list[Come]:
    """Return what would have come to ``routine`` with the last things of its kind that were added, newest first."""
    what = routine.trigger.what if isinstance(routine.trigger, Added) else ""
    head, _ = house.ledger.head()
    lately = house.ledger.events(after=max(0, head - _MOST_LOOKED_AT), kinds=(_ENDED,))
    ended = (event for event in reversed(list(lately)) if _is_well(event))
    found = ((event, one) for event in ended for one in reversed(_new(house, event)) if one.what == what)
    return [_come(house, event, routine, one, ()) for event, one in islice(found, _MOST_TOLD)]


def _is_well(event: Event) -> bool:
    body = event.body or {}
    return event.kind == _ENDED and not body.get("trial") and body.get("resolution") in _WELL


def _new(house: House, ended: Event) -> list[_New]:
    """Return what the run of ``ended`` added, in the order of its calls; nothing of a private one."""
    events = list(house.ledger.events(run=ended.run, kinds=(_BEGUN, _FAILED)))
    failed = {event.task for event in events if event.kind == _FAILED}
    calls = {
        (event.task, (event.body or {}).get("call")): event.body or {}
        for event in events
        if event.kind == _BEGUN and event.task not in failed
    }  # fmt: skip
    found = [_New(*one, number) for number, one in enumerate(_added(house, calls.values()))]
    return [] if found and is_private(house.ledger, str(ended.run)) else found


def _added(house: House, calls: Any) -> Iterator[tuple[str, str]]:
    for body in calls:
        try:
            adds = house.registry.tool(body.get("tool", "")).adds
        except UnknownTool:
            continue
        given: Mapping[str, Any] = body.get("arguments") or {}
        if adds is not None:
            yield adds.what, str(given.get(adds.called) or "")


def _come(house: House, event: Event, routine: Routine, new: _New, chain: tuple[str, ...]) -> Come:
    at = datetime.fromtimestamp(event.at_ns / 1e9, UTC)
    words = say(routine.language, "deed.added")
    text = f"{at.astimezone(house.clock().tzinfo):%Y-%m-%d %H:%M}: {words}: {new.name}"
    brought = {str(Part.TEXT): text, str(Part.NAME): new.name}
    return Come(f"{event.seq}.{new.number}", at, 0, brought, words, chain)
