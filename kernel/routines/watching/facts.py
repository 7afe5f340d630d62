"""What is learnt of people, as a source of events: the facts that the person told Steward; the ledger tells.

What this stops: a routine that is set off by what others wrote, or by what a tool found in a file of anybody. What it
does not: know what was told before it was waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kernel.routines.firing import Come
from kernel.routines.model import About, Learnt
from kernel.routines.parts import Part
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.ledger import Telling, at_of
from memory.model import Event
from skills import one_import

if TYPE_CHECKING:
    from kernel.house import House

_TOLD = "user"
"""Whose facts set one off: those of the person's own voice."""


def _is_told(event: Event) -> bool:
    return event.kind == "fact.asserted" and (event.body or {}).get("extractor") == _TOLD


async def _comes(house: House, awake: Sequence[Routine], event: Event) -> list[tuple[Routine, Come]]:
    body = event.body or {}
    meant = [one for one in awake if isinstance(one.trigger, Learnt) and one.trigger.predicate == body.get("predicate")]
    if not meant:
        return []
    known = await asyncio.to_thread(_read, house, str(body["fact"]), {one.language for one in meant})
    if known is None:
        return []
    return [(one, _come(event, one, known)) for one in meant if _is_about(one, known["person"])]


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
    parts = {Part.TEXT: known["said"][routine.language], Part.PERSON: known["person"], Part.VALUE: known["value"]}
    if known["day"]:
        parts[Part.DAY] = known["value"]
    brought = {str(one): text for one, text in parts.items()}
    return Come(f"{event.seq}", at_of(event), 0, brought, say(routine.language, "learnt"))


FACTS = Telling(_is_told, _comes)
"""What the person told of people."""
