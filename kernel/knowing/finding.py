"""Whom a said name means: one, several to be told apart, or nobody yet. Nothing is guessed and nothing written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kernel.knowing import forms
from kernel.knowing.model import ONESELF
from memory.graph.model import Entity, Query, Type
from memory.model import EntityId

if TYPE_CHECKING:
    from memory.graph import Graph

SELF = "self"
"""The kind of the one entity that is whoever speaks."""

TOOL = "tool"
"""The kind of tools in the graph; nobody means one by a name."""

_BY_ROLE = re.compile(rf"(?:my|meine?[rsnm]?) (?P<w>{forms.ROLES})", re.IGNORECASE)
_LIKELY = 0.5
"""Of names that only look alike, those below this are another's."""

Chosen = Mapping[str, str]
"""What a person answered: the id that each name, case-folded, means."""


@dataclass(frozen=True, slots=True)
class Several(Exception):
    """A name means more than one: ``name`` as said, and who they are, likeliest first."""

    name: str
    entities: tuple[Entity, ...]


def oneself(graph: Graph) -> Entity | None:
    """Return whoever speaks; None as long as nothing was said of them."""
    return next(iter(graph.entities(SELF)), None)


def find(graph: Graph, name: str, kind: str, chosen: Chosen, *, exact: bool = False) -> Entity | None:
    """Return whom ``name`` means, None for nobody known. Raises Several.

    ``exact``: a name that only looks alike is another's, so that what is told goes to nobody else.
    """
    if name == ONESELF:
        return oneself(graph)
    if picked := chosen.get(name.casefold()):
        return graph.entity(EntityId(picked))
    if by_role := _BY_ROLE.fullmatch(name):
        return _related(graph, name, forms.relation_of(by_role["w"]))
    found = _best(graph, name, kind, exact=exact)
    if not found and not exact:
        found = _best(graph, f"{name}s", kind, exact=True)  # the s of "Klaus Adresse" is not a case's
    if len(found) > 1:
        raise Several(name, tuple(found))
    return found[0] if found else None


def _best(graph: Graph, name: str, kind: str, *, exact: bool) -> list[Entity]:
    """Return those who are called just so; else whose names hold it; else, of look-alikes, the likeliest one."""
    by_reason: dict[str, list[Entity]] = {}
    for candidate in graph.resolve(name, kind or None, limit=12):
        reason = candidate.reasons[0].partition(":")[0]
        other = "other kind" in candidate.reasons and candidate.entity.kind not in ("thing", "name")
        alike = reason == "alike" and (exact or candidate.score < _LIKELY)
        if not (other or alike or candidate.entity.kind in (SELF, TOOL)):
            by_reason.setdefault(reason, []).append(candidate.entity)
    return by_reason.get("exact") or by_reason.get("part of the name") or by_reason.get("alike", [])[:1]


def _related(graph: Graph, name: str, relation: str) -> Entity | None:
    speaker = oneself(graph)
    if speaker is None:
        return None
    facts = graph.facts(Query(subject=speaker.id, predicate=relation))
    ids = {fact.object.value for fact in facts if fact.object.type is Type.ENTITY and fact.valid_to is None}
    found = tuple(graph.entity(EntityId(id)) for id in sorted(ids))
    if len(found) > 1:
        raise Several(name, found)
    return found[0] if found else None


_TELLING = ("works_at", "role", "lives_in", "birthday", "email", "phone", "boss", "partner")


def told_apart(graph: Graph, entities: Sequence[Entity], say: Mapping[str, str]) -> list[str]:
    """Return one line for each of them: the name, and what tells them apart. ``say`` has a phrase for each relation."""
    return [_line(graph, one, say) for one in entities]


def _line(graph: Graph, entity: Entity, say: Mapping[str, str]) -> str:
    facts = [fact for fact in graph.facts(Query(subject=entity.id)) if fact.valid_to is None]
    facts.sort(key=lambda fact: _TELLING.index(fact.predicate) if fact.predicate in _TELLING else len(_TELLING))
    marks = []
    for fact in facts[:2]:
        value = fact.object.value
        if fact.object.type is Type.ENTITY:
            value = graph.entity(EntityId(value)).name
        marks.append(say.get(fact.predicate, "{}").format(value))
    return f"{entity.name} ({', '.join(marks) or entity.id.rpartition('-')[2]})"
