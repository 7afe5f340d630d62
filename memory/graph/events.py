"""The graph's events in the ledger, and the drafts of them.

Every event carries in its entity index whom it is about, and the fact's own id, so that ``Ledger.forget`` of any of
them destroys it. What an event refers to is always in its index: what is left never points at what is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory.graph.model import Claim, Fact, FactId, Object, Predicate, Type
from memory.model import Draft, EntityId, Event, Json

ASSERTED = "fact.asserted"
RETRACTED = "fact.retracted"
ENDED = "fact.ended"
MADE = "entity.made"
NAMED = "entity.named"
MERGED = "entity.merged"
SPLIT = "entity.split"
FORGETTING = "entity.forgetting"
DECLARED = "predicate.declared"
FORGOTTEN = "ledger.forgotten"

KINDS = (ASSERTED, RETRACTED, ENDED, MADE, NAMED, MERGED, SPLIT, DECLARED, FORGOTTEN)
"""What the projection reads."""


def asserted(id: FactId, claim: Claim, mentioned: Iterable[EntityId] = ()) -> Draft:
    """A fact, about its subject, its object, whom it is said to concern and whom its text mentions.

    What is not said has no key: a confidence of 1, an owner, times, a source.
    """
    body: dict[str, Json] = {
        "fact": id,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": object_body(claim.object),
        "extractor": claim.extractor,
    }
    more: dict[str, Json] = {
        "valid_from": claim.valid_from,
        "valid_to": claim.valid_to,
        "source": claim.source or None,
        "confidence": None if claim.confidence == 1 else float(claim.confidence),
        "owner": claim.owner or None,
        "about": [*claim.about] or None,
    }
    body |= {key: value for key, value in more.items() if value is not None}
    named = (claim.subject, *_entity_of(claim.object), *claim.about, *mentioned, EntityId(id))
    return Draft(ASSERTED, body, entities=tuple(dict.fromkeys(named)), label=claim.label)


def retracted(fact: Fact, tags: Iterable[EntityId], reason: str) -> Draft:
    """The end of a fact in system time; ``tags`` are those of the fact itself."""
    return Draft(RETRACTED, {"fact": fact.id, "reason": reason}, entities=tuple(tags), label=fact.label)


def ended(fact: Fact, tags: Iterable[EntityId], valid_to: int | None) -> Draft:
    """The end of a fact in world time; None takes an end back."""
    return Draft(ENDED, {"fact": fact.id, "valid_to": valid_to}, entities=tuple(tags), label=fact.label)


def made(id: EntityId, kind: str, name: str, names: Iterable[str], label: Json) -> Draft:
    """A new entity with its names."""
    body: dict[str, Json] = {"entity": id, "kind": kind, "name": name, "names": [*names]}
    return Draft(MADE, body, entities=(id,), label=label)


def named(id: EntityId, name: str, label: Json) -> Draft:
    """One more name."""
    return Draft(NAMED, {"entity": id, "name": name}, entities=(id,), label=label)


def joined(kind: str, one: EntityId, other: EntityId, label: Json) -> Draft:
    """A merge or a split."""
    return Draft(kind, {"a": one, "b": other}, entities=(one, other), label=label)


def declared(predicate: Predicate) -> Draft:
    """A relation; it is about nobody."""
    return Draft(DECLARED, {"predicate": predicate_body(predicate)})


def predicate_body(predicate: Predicate) -> dict[str, Json]:
    """A predicate as JSON."""
    return {
        "name": predicate.name,
        "type": predicate.type.value,
        "kind": predicate.kind.value,
        "functional": predicate.functional,
        "symmetric": predicate.symmetric,
        "half_life_days": predicate.half_life_days,
        "prior": predicate.prior,
    }


def object_body(value: Object) -> dict[str, Json]:
    """An object as JSON."""
    unit: dict[str, Json] = {"unit": value.unit} if value.unit else {}
    return {"type": value.type.value, "value": value.value, **unit}


def _entity_of(value: Object) -> tuple[EntityId, ...]:
    return (EntityId(value.value),) if value.type is Type.ENTITY else ()


def pairs(portion: Iterable[Event]) -> Iterator[tuple[str, str]]:
    """(subject, object) of the facts between entities among some events."""
    for event in portion:
        if event.kind == ASSERTED and event.body is not None:
            match event.body:
                case {"subject": str() as subject, "object": {"type": Type.ENTITY.value, "value": str() as value}}:
                    yield subject, value
