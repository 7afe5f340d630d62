"""What is added through Steward (a task, an appointment, a note), as a source of events: its ledger tells.

What this stops: a routine that is set off by what it adds itself; a word of a private run in one; what was only tried
out, did not work, or was taken back before it was there. What it does not: see what another program adds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from kernel.itself.undoing import is_private
from kernel.routines.firing import Come
from kernel.routines.model import Added
from kernel.routines.parts import Part
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.ledger import MOST_TOLD, Telling, at_of, lately, line
from memory.model import Event
from skills.errors import UnknownTool

if TYPE_CHECKING:
    from kernel.house import House

_ENDED, _BEGUN, _FAILED = "run.finished", "task.started", "task.failed"
_WELL = frozenset({"executed", "confirmed"})


@dataclass(frozen=True, slots=True)
class _New:
    """One thing that a run added: of which kind, what it is called, and which one of the run's it is."""

    what: str
    name: str
    number: int


async def _comes(house: House, awake: Sequence[Routine], event: Event) -> list[tuple[Routine, Come]]:
    chain = house.causes.chain(str(event.run))
    waits = [(one, one.trigger.what) for one in awake if isinstance(one.trigger, Added) and chain[-1:] != (one.name,)]
    new = await asyncio.to_thread(_new, house, event) if waits else []
    meant = ((routine, one) for one in new for routine, what in waits if what == one.what)
    return [(routine, _come(house, event, routine, one, chain)) for routine, one in meant]


def last_added(house: House, routine: Routine) -> list[Come]:
    """Return what would have come to ``routine`` with the last things of its kind that were added, newest first."""
    what = routine.trigger.what if isinstance(routine.trigger, Added) else ""
    ended = (event for event in lately(house, (_ENDED,)) if _is_well(event))
    found = ((event, one) for event in ended for one in reversed(_new(house, event)) if one.what == what)
    return [_come(house, event, routine, one, ()) for event, one in islice(found, MOST_TOLD)]


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
    words = say(routine.language, "deed.added")
    brought = {str(Part.TEXT): line(house, event, words, new.name), str(Part.NAME): new.name}
    return Come(f"{event.seq}.{new.number}", at_of(event), 0, brought, words, chain)


ADDITIONS = Telling(_is_well, _comes)
"""What was added."""
