"""Taking the graph out and putting it in: JSON lines that come back, GraphML for other programs.

A line is one of ``{"predicate": ...}``, ``{"entity": ...}``, ``{"same": [a, b]}``, ``{"fact": ...}``, in this order, so
that a line refers only to those before it. Times are nanoseconds, with ISO texts beside them for people.

What this stops: half an import (all lines are looked at before the first event is written); a file that gives its facts
a label (who imports says which label they get) or the voice of the user (``import:`` stands before it).
What it does not: false facts. Import what you trust, or with a label that says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory.graph.claims import check_predicate, check_text, checked
from memory.graph.errors import BadInput
from memory.graph.events import MADE, MERGED, declared, joined, made, object_body, predicate_body
from memory.graph.model import Claim, Entity, Object, Predicate, Query, Type, iso
from memory.graph.names import MAX_NAME_BYTES, new_id, slug
from memory.graph.reading import Groups, Reading, predicate_of
from memory.graph.telling import tell
from memory.graph.vocabulary import BUILT_IN
from memory.model import Draft, EntityId, Json

_ID = re.compile(r"[a-z0-9-]{1,32}:[a-z0-9-]{1,64}")
MAX_LINE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to: how many things were new. ``ids`` are the entities' ids here by those in the file."""

    entities: int
    facts: int
    ids: Mapping[str, EntityId]


@dataclass(slots=True)
class Batch:
    """The lines of a file, read and not yet looked at."""

    predicates: list[Predicate]
    entities: list[Entity]
    same: list[tuple[str, str]]
    claims: list[Claim]


def lines(reading: Reading, query: Query) -> Iterator[str]:
    """Relations of one's own, entities, who is one with whom, and the facts of ``query``, as JSON texts."""
    for predicate in reading.predicates.values():
        if predicate.name not in BUILT_IN:
            yield _line({"predicate": predicate_body(predicate)})
    for entity in _entities(reading):
        named = {"id": entity.id, "kind": entity.kind, "name": entity.name, "names": list(entity.names)}
        yield _line({"entity": named})
    for pair in sorted(reading.groups.pairs):
        yield _line({"same": pair})
    for fact in reading.facts(query):
        said = {
            "id": fact.id, "subject": fact.subject, "predicate": fact.predicate, "object": object_body(fact.object),
            "valid_from": fact.valid_from, "valid_to": fact.valid_to, "extractor": fact.extractor,
            "confidence": fact.confidence, "label": fact.label, "owner": fact.owner, "source": fact.source,
            "recorded_from": fact.recorded_from, "valid": [_iso(fact.valid_from), _iso(fact.valid_to)],
        }  # fmt: skip
        yield _line({"fact": said})


def read(source: Iterable[str], relabel: Callable[[Json], Json], voice: str) -> Batch:
    """The lines of a file. Raises BadInput at the first that is none."""
    batch = Batch([], [], [], [])
    for number, line in enumerate(source, 1):
        try:
            if line.strip():
                _sort(_parsed(line), batch, relabel, voice)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadInput("graph.line", subject=str(number), detail=str(error)) from error
    return batch


def drafts(batch: Batch, reading: Reading) -> tuple[list[Draft], Imported]:
    """The events of a batch, all looked at. Raises BadInput."""
    known = dict(reading.predicates)
    new: list[Draft] = []
    for predicate in batch.predicates:
        check_predicate(predicate)
        if known.setdefault(predicate.name, predicate) != predicate:
            raise BadInput("graph.predicate_differs", subject=predicate.name)
        if predicate.name not in reading.predicates:
            new.append(declared(predicate))
    ids: dict[str, EntityId] = {}
    for entity in batch.entities:
        for text in (entity.kind, *entity.names):
            check_text(text, MAX_NAME_BYTES)
        there = reading.entity(entity.id)
        ids[entity.id] = _id_here(entity, there)
        if there is None or ids[entity.id] != there.id:
            new.append(made(ids[entity.id], entity.kind, entity.name, entity.names[1:], None))
    entities = sum(draft.kind == MADE for draft in new)
    new += _merges(batch.same, ids, reading)
    fresh = set(ids.values())
    claims = [_moved(claim, ids) for claim in batch.claims]
    told = tell([checked(claim, known, lambda id: id in fresh or reading.has(id)) for claim in claims], reading)
    return [*new, *told.drafts], Imported(entities, len(told.drafts), ids)


def _sort(parsed: object, batch: Batch, relabel: Callable[[Json], Json], voice: str) -> None:
    match parsed:
        case {"predicate": dict() as body}:
            batch.predicates.append(predicate_of(body))
        case {"entity": {"id": str() as id, "kind": str() as kind, "name": str() as name, **rest}}:
            more = rest.get("names", [])
            names = dict.fromkeys((name, *map(str, more if isinstance(more, list) else [])))
            batch.entities.append(Entity(EntityId(id), kind, name, tuple(names)))
        case {"same": [str() as one, str() as other]}:
            batch.same.append((one, other))
        case {"fact": dict() as body}:
            batch.claims.append(_claim(body, relabel, voice))
        case _:
            raise ValueError("it is none of predicate, entity, same and fact")


def _claim(body: Mapping[str, Any], relabel: Callable[[Json], Json], voice: str) -> Claim:
    thing = body["object"]
    said = Object(Type(thing["type"]), str(thing["value"]), str(thing.get("unit", "")))
    return Claim(
        EntityId(str(body["subject"])), str(body["predicate"]), said, voice + str(body["extractor"]),
        body["valid_from"], body["valid_to"], confidence=body["confidence"], label=relabel(body["label"]),
        owner=str(body["owner"]),
    )  # fmt: skip


def _id_here(entity: Entity, there: Entity | None) -> EntityId:
    """Its own id where that is well formed and free, or already this entity's."""
    well_formed = _ID.fullmatch(entity.id) is not None and entity.id.startswith(f"{slug(entity.kind)}:")
    if well_formed and (there is None or (there.kind, there.name) == (entity.kind, entity.name)):
        return entity.id
    return new_id(entity.kind, entity.name)


def _merges(same: Iterable[tuple[str, str]], ids: Mapping[str, EntityId], reading: Reading) -> Iterator[Draft]:
    pairs = set(reading.groups.pairs)
    for one, other in same:
        for id in (one, other):
            if id not in ids:
                raise BadInput("graph.unknown_entity", subject=id)
        here = (min(ids[one], ids[other]), max(ids[one], ids[other]))
        if here[1] not in Groups(pairs).of(here[0]):
            pairs.add(here)
            yield joined(MERGED, *here, None)


def _moved(claim: Claim, ids: Mapping[str, EntityId]) -> Claim:
    thing = claim.object
    if thing.type is Type.ENTITY:
        thing = Object.entity(ids.get(thing.value, EntityId(thing.value)))
    return replace(claim, subject=ids.get(claim.subject, claim.subject), object=thing)


def graphml(reading: Reading, query: Query) -> str:
    """Entities as nodes, facts between them as arcs, other facts as attributes of their subject; for networkx."""
    import networkx

    drawn = networkx.MultiDiGraph()
    for entity in _entities(reading):
        drawn.add_node(entity.id, kind=entity.kind, name=_xml(entity.name))
    for fact in reading.facts(query):
        if fact.object.type is Type.ENTITY:
            drawn.add_edge(
                fact.subject, fact.object.value, key=fact.id, predicate=fact.predicate, confidence=fact.confidence,
                extractor=_xml(fact.extractor),
                valid_from=_iso(fact.valid_from) or "", valid_to=_iso(fact.valid_to) or "",
            )  # fmt: skip
        else:
            node = drawn.nodes[fact.subject]
            said = f"{fact.object.value} {fact.object.unit}".strip()
            node[fact.predicate] = "; ".join(filter(None, (node.get(fact.predicate, ""), _xml(said))))
    return "\n".join(networkx.generate_graphml(drawn))


def _entities(reading: Reading) -> Iterator[Entity]:
    for id, _ in list(reading.entities()):
        entity = reading.entity(id)
        assert entity is not None
        yield entity


def _parsed(line: str) -> object:
    if len(line.encode("utf-8", "surrogatepass")) > MAX_LINE_BYTES:
        raise ValueError(f"it has more than {MAX_LINE_BYTES} bytes")
    return json.loads(line)


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _iso(at_ns: int | None) -> str | None:
    return None if at_ns is None else iso(at_ns)


def _xml(text: str) -> str:
    """XML 1.0 has no place for most control characters."""
    return "".join(c if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff") else "\ufffd" for c in text)
