"""From claims to drafts: what is known already is not told twice, and what a text mentions is noted."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.graph import events
from memory.graph.model import Claim, Fact, FactId, Query, Type, canonical
from memory.graph.names import folded, is_telling
from memory.graph.reading import Reading
from memory.model import Draft, EntityId

_LONGEST_MENTION = 4
"""A name of more words than this is not looked for in texts when they are told."""


@dataclass(frozen=True, slots=True)
class Told:
    """What claims come to: the fact of each, in order, and the drafts of those that are new."""

    ids: tuple[FactId, ...]
    drafts: tuple[Draft, ...]


def tell(claims: Sequence[Claim], reading: Reading) -> Told:
    """Which facts the checked claims are, and what has to be written for them."""
    ids: dict[tuple[object, ...], FactId] = {}
    drafts = []
    for claim in claims:
        key = _key(claim)
        if key not in ids:
            there = _standing(reading, claim)
            ids[key] = there or FactId(f"fact:{os.urandom(8).hex()}")
            if there is None:
                drafts.append(events.asserted(ids[key], claim, _mentioned(reading, claim)))
    return Told(tuple(ids[_key(claim)] for claim in claims), tuple(drafts))


def _key(claim: Claim) -> tuple[object, ...]:
    return (claim.subject, claim.predicate, claim.object, *_how(claim), claim.valid_from, claim.valid_to)


def _how(one: Claim | Fact) -> tuple[object, ...]:
    return one.extractor, canonical(one.label), float(one.confidence), one.owner


def _standing(reading: Reading, claim: Claim) -> FactId | None:
    """The fact in which its voice said just this already, where saying it again would change nothing."""
    asked = Query(subject=claim.subject, predicate=claim.predicate, object=claim.object, extractor=claim.extractor)
    held = {fact.id: fact for fact in reading.facts(asked)}
    for fact in reading.asserted(asked):
        said = (fact.valid_from, fact.valid_to) == (claim.valid_from, claim.valid_to) and _how(fact) == _how(claim)
        if said and not _superseded(held[fact.id], dated=claim.valid_from is not None):
            return fact.id
    return None


def _superseded(held: Fact, *, dated: bool) -> bool:
    """Whether another fact stands in its place: for one with a date only another of the same beginning does."""
    return held.closed_by is not None and (not dated or held.end <= held.begin)


def _mentioned(reading: Reading, claim: Claim) -> Iterable[EntityId]:
    """Entities that a text names, and no other by that name, so that it is forgotten with them."""
    if claim.object.type is not Type.TEXT:
        return ()
    said = [form.split() for form in folded(claim.object.value)]
    runs = {
        " ".join(words[at : at + length])
        for words in said
        for at in range(len(words))
        for length in range(1, _LONGEST_MENTION + 1)
    }
    whose: dict[str, set[str]] = defaultdict(set)
    for form, entity in reading.named({run for run in runs if is_telling(run)}):
        whose[form].add(entity)
    groups = reading.groups
    return [EntityId(id) for ids in whose.values() if len({groups.one(id) for id in ids}) == 1 for id in sorted(ids)]
