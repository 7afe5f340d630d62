"""What is learnt of people, as a source of events: the facts that the person told Steward; the ledger tells.

What this stops: a routine that is set off by what others wrote, or by what a tool found in a file of anybody. What it
does not: know what was told before it was waited for.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from kernel.routines.firing import Come
from kernel.routines.model import About, Learnt
from kernel.routines.parts import Part
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.source import Awake, HandIn
from memory.model import Event
from skills import one_import

if TYPE_CHECKING:
    from kernel.house import House

_TOLD = "user"
"""Whose facts set one off: those of the person's own voice."""


class Facts:
    """Tells of what was learnt."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn) -> None:
        self._house, self._awake, self._hand_in = house, awake, hand_in
        self._told: asyncio.Queue[Event] = asyncio.Queue()
        self.is_ready = False

    def changed(self) -> None:
        """Every fact is looked at anyhow."""

    async def run(self) -> None:
        """Listen until cancelled."""
        loop = asyncio.get_running_loop()

        def listens(event: Event) -> None:  # on the writer's thread
            if event.kind == "fact.asserted" and (event.body or {}).get("extractor") == _TOLD:
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
        body = event.body or {}
        meant = [
            one
            for one in self._awake()
            if isinstance(one.trigger, Learnt) and one.trigger.predicate == body.get("predicate")
        ]
        if not meant:
            return
        known = await asyncio.to_thread(_read, self._house, str(body["fact"]), {one.language for one in meant})
        for routine in meant:
            if known is not None and _is_about(routine, known["person"]):
                self._hand_in(routine, _come(event, routine, known))


def _read(house: House, fact_id: str, languages: set[str]) -> dict[str, Any] | None:
    """Return whom a fact is about, its value, and how it is said; None where it is gone again."""
    with one_import:
        from kernel.knowing import wording
        from memory.graph.model import FactId, Query, Type
        from memory.model import EntityId

    graph = house.knowledge.graph()
    fact = next(iter(graph.facts(Query(ids=(FactId(fact_id),)))), None)
    if fact is None:
        return None

    def named(id: str) -> Any:
        return graph.entity(EntityId(id))

    value = named(fact.object.value).name if fact.object.type is Type.ENTITY else str(fact.object.value)
    said = {language: wording.line(fact, None, named, language) for language in languages}
    return {"person": named(fact.subject).name, "value": value, "said": said, "day": fact.object.type is Type.DAY}


def _is_about(routine: Routine, person: str) -> bool:
    words = set(person.casefold().split())
    wanted = [said.casefold().split() for about, said in routine.such if about is About.PERSON]
    return all(words >= set(one) for one in wanted)


def _come(event: Event, routine: Routine, known: dict[str, Any]) -> Come:
    at = datetime.fromtimestamp(event.at_ns / 1e9, UTC)
    parts = {Part.TEXT: known["said"][routine.language], Part.PERSON: known["person"], Part.VALUE: known["value"]}
    if known["day"]:
        parts[Part.DAY] = known["value"]
    return Come(f"{event.seq}", at, 0, {str(one): text for one, text in parts.items()}, say(routine.language, "learnt"))
