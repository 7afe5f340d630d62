"""Keeping what was told: names become entities, statements facts of the user's voice; what is over ends, what is wrong
goes.

Names are looked up first, all of them: where one may mean several, nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kernel.knowing.finding import SELF, Chosen, find, oneself
from kernel.knowing.model import ONESELF, Denied, Statement
from kernel.knowing.statements import TEXT
from memory.graph import Claim, Object, Query
from memory.graph.errors import BadInput
from memory.graph.model import Entity, Fact
from memory.model import EntityId
from permissions.labels import USER_SAID

if TYPE_CHECKING:
    from memory.graph import Graph

VOICE = "user"
"""The extractor of what a person said."""


@dataclass(slots=True)
class Kept:
    """What was written down: new facts, those known already, those that ended, and those taken back as wrong.

    ``ended`` has the end that each had before; ``rivals`` are facts of other sources that say otherwise.
    """

    facts: list[Fact] = field(default_factory=list)
    known: list[Fact] = field(default_factory=list)
    ended: list[tuple[Fact, int | None]] = field(default_factory=list)
    retracted: list[Fact] = field(default_factory=list)
    rivals: list[Fact] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return what undoing it needs: ids and times, no words."""
        return {
            "facts": [fact.id for fact in self.facts],
            "ended": [[fact.id, before] for fact, before in self.ended],
            "retracted": [fact.id for fact in self.retracted],
        }

    @property
    def changed(self) -> bool:
        """Tell whether anything was written."""
        return bool(self.facts or self.ended or self.retracted)


def keep(graph: Graph, said: Sequence[Statement], source: int, now_ns: int, chosen: Chosen) -> Kept:
    """Write ``said`` down, read from the event ``source``. Raises Several (nothing was written), BadInput."""
    found = [(one, _subject(graph, one, chosen), _object(graph, one, chosen)) for one in said]
    _check(said)
    kept = Kept()
    claims = []
    for one, subject, thing in found:
        if one.denied is not Denied.NOT_AT_ALL:
            claims += _denied(graph, one, (subject, thing), now_ns, kept)
        else:
            claims.append((one, one.since_ns, one.until_ns, subject, thing))
    made = _Made(graph)
    drafts = [
        Claim(made.subject(one, subject), one.predicate, made.object(one, thing), VOICE, since, until,
              source=source, label=USER_SAID.to_json())
        for one, since, until, subject, thing in claims
    ]  # fmt: skip
    _write(graph, drafts, kept)
    return kept


def unsay(graph: Graph, said: Sequence[Statement], chosen: Chosen) -> Kept:
    """Take back what was told, as wrong or not to be kept. Raises Several."""
    kept = Kept()
    for one in said:
        for fact in _matching(graph, one, _subject(graph, one, chosen), _object(graph, one, chosen)):
            graph.retract(fact.id)
            kept.retracted.append(fact)
    return kept


def take_back(graph: Graph, kept: dict[str, Any]) -> int:
    """Undo what ``Kept.to_json`` says; return how many facts that touched. What was forgotten meanwhile stays so."""
    touched = 0
    for id in kept["facts"]:
        for fact in graph.facts(Query(ids=(id,))):
            graph.retract(fact.id, "undone")
            touched += 1
    for id, before in kept["ended"]:
        for fact in graph.facts(Query(ids=(id,))):
            graph.end(fact.id, before)
            touched += 1
    for id in kept["retracted"]:
        for fact in graph.facts(Query(ids=(id,), retracted=True)):
            graph.assert_fact(Claim(
                fact.subject, fact.predicate, fact.object, fact.extractor, fact.valid_from, fact.valid_to,
                confidence=fact.confidence, label=fact.label, owner=fact.owner,
            ))  # fmt: skip
            touched += 1
    return touched


def _write(graph: Graph, drafts: Sequence[Claim], kept: Kept) -> None:
    if not drafts:
        return
    there = {fact.id for draft in drafts for fact in graph.facts(Query(subject=draft.subject, extractor=VOICE))}
    for fact in graph.assert_facts(*drafts):
        (kept.known if fact.id in there else kept.facts).append(fact)
        kept.rivals += rivals(graph, fact)


def rivals(graph: Graph, fact: Fact) -> list[Fact]:
    """Return what other sources say of the same time, where only one of them can be true."""
    predicate = graph.predicates()[fact.predicate]
    if not predicate.functional:
        return []
    beside = graph.facts(Query(subject=fact.subject, predicate=fact.predicate))
    return [
        other for other in beside
        if other.voice != fact.voice and other.object != fact.object
        and max(other.begin, fact.begin) < min(other.end, fact.end)
    ]  # fmt: skip


def _denied(
    graph: Graph, one: Statement, ends: tuple[Entity | None, Entity | None], now_ns: int, kept: Kept
) -> list[tuple[Statement, int | None, int | None, Entity | None, Entity | None]]:
    """End or take back what is denied; return what is still to be told: that something unknown is over."""
    at = one.since_ns or one.until_ns or now_ns
    standing = [fact for fact in _matching(graph, one, *ends) if fact.end > at or one.denied is Denied.NEVER]
    for fact in standing:
        if one.denied is Denied.NEVER or fact.begin >= at:
            graph.retract(fact.id)
            kept.retracted.append(fact)
        else:
            kept.ended.append((graph.end(fact.id, at), fact.valid_to))
    if standing or one.denied is Denied.NEVER:
        return []
    return [(one, None, at, *ends)]


def _matching(graph: Graph, one: Statement, subject: Entity | None, thing: Entity | None) -> list[Fact]:
    if one.predicate == TEXT:
        wanted = one.object.casefold()
        return [fact for fact, _ in graph.search(one.object, 20, Query(predicate=TEXT))
                if fact.object.value.casefold() == wanted]  # fmt: skip
    if subject is None or (one.object_kind and thing is None):
        return []
    found = graph.facts(Query(subject=subject.id, predicate=one.predicate))
    if one.object_kind and thing is not None:
        same = {thing.id, *thing.same_as}
        return [fact for fact in found if same & {fact.object.value, fact.subject} - {subject.id}]
    return [fact for fact in found if fact.object.value.casefold() == one.object.casefold()]


def _subject(graph: Graph, one: Statement, chosen: Chosen) -> Entity | None:
    return find(graph, one.subject, one.subject_kind, chosen, exact=True)


def _object(graph: Graph, one: Statement, chosen: Chosen) -> Entity | None:
    return find(graph, one.object, one.object_kind, chosen, exact=True) if one.object_kind else None


def _check(said: Sequence[Statement]) -> None:
    """Raise BadInput before anybody is made for a statement that cannot be kept."""
    for one in said:
        if one.since_ns is not None and one.until_ns is not None and one.until_ns <= one.since_ns:
            raise BadInput("graph.time", detail="it ends before it begins")
        for name in (one.subject, one.object if one.object_kind else ""):
            if len(name.encode()) > 1024:
                raise BadInput("graph.text", detail=f"it has {len(name.encode())} bytes, more than 1024")


class _Made:
    """Makes who is new, each once for a sentence."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._new: dict[str, EntityId] = {}

    def subject(self, one: Statement, found: Entity | None) -> EntityId:
        if one.subject == ONESELF:
            speaker = oneself(self._graph)
            return speaker.id if speaker else self._made(SELF, "me")
        return found.id if found else self._made(one.subject_kind, one.subject)

    def object(self, one: Statement, found: Entity | None) -> Object:
        if one.object_kind:
            return Object.entity(found.id if found else self._made(one.object_kind, one.object))
        return Object(self._graph.predicates()[one.predicate].type, one.object)

    def _made(self, kind: str, name: str) -> EntityId:
        key = name.casefold()
        if key not in self._new:
            self._new[key] = self._graph.make_entity(kind, name, label=USER_SAID.to_json()).id
        return self._new[key]
