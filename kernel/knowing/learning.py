"""Facts that a tool found in a person's files: checked, written with file and label, and taken back where a file is
silent.

The tool runs in a cell like any other and returns them as its result; nothing is read here. What it returns is somebody
else's word: relations that are not known, values of another type and texts without measure are passed over.

What this stops: a file that speaks with the person's voice (the extractor is the file, the label that of the result),
ends what they said, or merges people for good (who is called alike is joined, which can be split again).
What it does not: a false address book.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory.graph import Claim, Object, Query
from memory.graph.errors import BadInput
from memory.graph.model import Fact, Type
from memory.model import EntityId
from permissions.labels import Label

if TYPE_CHECKING:
    from memory.graph import Graph
    from skills.model import Tool

_FIELDS = frozenset(("subject", "kind", "names", "predicate", "object", "object_kind", "source"))
_KINDS = frozenset(("person", "org", "place", "thing", "event"))
_LONGEST_NAME = 200


@dataclass(slots=True)
class Learnt:
    """What a result came to: new facts, those that a file no longer says, and how many were passed over."""

    facts: list[Fact] = field(default_factory=list)
    retracted: list[Fact] = field(default_factory=list)
    passed_over: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return what undoing it needs."""
        return {"facts": [one.id for one in self.facts], "ended": [], "retracted": [one.id for one in self.retracted]}


def gives_facts(tool: Tool) -> bool:
    """Tell whether a tool of Steward's own returns facts: its result has a field ``facts`` of just this shape."""
    facts = (tool.result.fields or {}).get("facts")
    return facts is not None and facts.many and set(facts.fields or ()) == _FIELDS


def learn(
    graph: Graph, value: Mapping[str, Any] | Sequence[Mapping[str, Any]], label: Label, owner: str, source: int
) -> Learnt:
    """Write the facts of a result down, read from the event ``source``; of a tool that was run for each of several
    things it is a list. Raises StoreFailed.
    """
    learnt = Learnt()
    results = [one for one in ([value] if isinstance(value, Mapping) else value) if isinstance(one, Mapping)]
    said: dict[str, list[Mapping[str, Any]]] = {str(path): [] for one in results for path in one.get("sources") or ()}
    for one in (fact for result in results for fact in result.get("facts") or ()):
        if _is_sound(one):
            said.setdefault(str(one["source"]), []).append(one)
        else:
            learnt.passed_over += 1
    standing = _standing(results)
    for path, facts in said.items():
        _learn_file(graph, _voice(owner, path), facts, standing.get(path, frozenset()), (label, owner, source), learnt)
    present = [str(path) for one in results for path in one.get("present") or ()]
    if present:
        _end_gone(graph, owner, {_voice(owner, path) for path in (*present, *said)}, learnt)
    return learnt


def _end_gone(graph: Graph, owner: str, voices: Collection[str], learnt: Learnt) -> None:
    """Take back what files said that are gone; ``voices`` are those of all that there are."""
    for fact in graph.facts(Query(owner=owner)):
        is_file = fact.extractor.startswith(f"{owner}:")
        if is_file and fact.extractor not in voices and fact.valid_to is None:
            graph.retract(fact.id, "no longer there")
            learnt.retracted.append(fact)


def _standing(results: Iterable[Mapping[str, Any]]) -> dict[str, set[str]]:
    """The events that each file still holds, by its path, also those of which nothing is told any more."""
    found: dict[str, set[str]] = {}
    for one in (one for result in results for one in result.get("standing") or ()):
        if isinstance(one, Mapping) and isinstance(one.get("name"), str) and isinstance(one.get("source"), str):
            found.setdefault(one["source"], set()).add(_short(one["name"]))
    return found


def _short(name: str) -> str:
    return " ".join(name.split())[:_LONGEST_NAME]


def _voice(owner: str, path: str) -> str:
    """The file as one that says things: its name, and a digest that tells it from others of that name."""
    return f"{owner}:{path.rpartition('/')[2][:80]}#{hashlib.sha256(path.encode()).hexdigest()[:6]}"


def _is_sound(one: Any) -> bool:
    if not isinstance(one, Mapping) or not set(one) >= _FIELDS:
        return False
    texts = [one["subject"], one["predicate"], one["object"], one["source"]]
    kinds = {one["kind"], one["object_kind"] or "person"}
    return all(isinstance(text, str) and text.strip() for text in texts) and kinds <= _KINDS


def _learn_file(
    graph: Graph, voice: str, facts: Sequence[Mapping[str, Any]], standing: Collection[str],
    origin: tuple[Label, str, int], learnt: Learnt,
) -> None:  # fmt: skip
    label, owner, source = origin
    before = graph.facts(Query(extractor=voice))
    people = _People(graph, before, label)
    claims = []
    for one in facts:
        claim = _claim(graph, people, one)
        if claim is None:
            learnt.passed_over += 1
            continue
        claims.append(Claim(*claim, voice, source=source, label=label.to_json(), owner=owner))
    now = _written(graph, claims, learnt)
    known = {fact.id for fact in before}
    learnt.facts += [fact for fact in now if fact.id not in known]
    told = {fact.id for fact in now}
    over = set(standing) - {_short(str(one[part])) for one in facts for part in ("subject", "object")}
    for fact in before:
        if fact.id not in told and fact.valid_to is None and not _is_of(graph, fact, over):
            graph.retract(fact.id, "no longer said")
            learnt.retracted.append(fact)


def _is_of(graph: Graph, fact: Fact, events: Collection[str]) -> bool:
    """Tell whether a fact is about one of these events, or says who was there."""
    ids = [fact.subject, *([EntityId(fact.object.value)] if fact.object.type is Type.ENTITY else ())]
    return any(one.kind == "event" and one.name in events for one in map(graph.entity, ids if events else ()))


def _written(graph: Graph, claims: list[Claim], learnt: Learnt) -> list[Fact]:
    try:
        return list(graph.assert_facts(*claims))
    except BadInput:  # one of them is not what it should be: the others are written
        written = []
        for claim in claims:
            try:
                written.append(graph.assert_fact(claim))
            except BadInput:
                learnt.passed_over += 1
        return written


def _claim(graph: Graph, people: _People, one: Mapping[str, Any]) -> tuple[EntityId, str, Object] | None:
    predicate = graph.predicates().get(one["predicate"])
    if predicate is None or (predicate.type is Type.ENTITY) != bool(one["object_kind"]):
        return None
    try:
        subject = people.named(one["kind"], one["subject"], one["names"])
        if predicate.type is Type.ENTITY:
            return subject, predicate.name, Object.entity(people.named(one["object_kind"], one["object"], ()))
        value = one["object"]
        if predicate.type is Type.TIME:
            value = str(int(datetime.fromisoformat(value).timestamp()) * 10**9)
        return subject, predicate.name, Object(predicate.type, value)
    except (ValueError, OverflowError, BadInput):
        return None


class _People:
    """Who is meant by the names of one file: those it spoke of before, else new ones, joined with who is called
    alike.
    """

    def __init__(self, graph: Graph, before: Iterable[Fact], label: Label) -> None:
        self._graph = graph
        self._label = label.to_json()
        self._known: dict[tuple[str, str], EntityId] = {}
        for fact in before:
            self._note(fact.subject)
            if fact.object.type is Type.ENTITY:
                self._note(EntityId(fact.object.value))

    def _note(self, id: EntityId) -> None:
        entity = self._graph.entity(id)
        self._known.setdefault((entity.kind, entity.name), id)

    def named(self, kind: str, name: str, names: Iterable[str]) -> EntityId:
        """Return whom the file means. Raises BadInput for a name without measure."""
        short = _short(name)
        if (kind, short) not in self._known:
            self._known[kind, short] = self._new(kind, short, names)
        return self._known[kind, short]

    def _new(self, kind: str, name: str, names: Iterable[str]) -> EntityId:
        called = self._graph.resolve(name, kind)
        same = [one.entity for one in called if one.reasons[0] == "exact" and one.entity.kind == kind]
        if len(same) == 1 and kind != "person":
            return same[0].id
        further = [str(one)[:_LONGEST_NAME] for one in names if str(one).strip()][:5]
        made = self._graph.make_entity(kind, name, further, label=self._label)
        if len(same) == 1:
            self._graph.merge(same[0].id, made.id, label=self._label)
        return made.id
