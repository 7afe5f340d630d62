"""A graph as one reader sees it: facts whose labels they may not read do not exist, nor does who is known from these.
A door of its own.

What this stops: a fact, a name or a further name that only such facts vouch for, in any answer; writing.
What it does not: hide in an order, or in what is not found for being in too many names, that there is more than is
shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import islice
from typing import Never

from memory.graph.errors import BadInput
from memory.graph.graph import Graph
from memory.graph.model import Candidate, Conflict, Entity, Fact, Query, Type
from memory.graph.names import folded
from memory.model import Draft, EntityId, Json

_EVERYTHING = Query()
_FURTHER = 4
"""So many times as many candidates are looked at as are wanted, since some of them are not seen."""


class Seen(Graph):
    """What a reader sees of ``graph``, for as long as that is open. ``may_read`` decides from a fact's label."""

    def __init__(self, graph: Graph, may_read: Callable[[Json], bool]) -> None:
        self.__dict__.update(graph.__dict__)  # the same files, the same lock
        self._may_read = may_read

    def facts(self, query: Query = _EVERYTHING) -> tuple[Fact, ...]:
        """The facts that ``query`` asks for and the reader may read."""
        return super().facts(self._narrowed(query))

    def conflicts(self, recorded_at: int | None = None) -> tuple[Conflict, ...]:
        """What sources disagree on, where the reader may read both."""
        found = super().conflicts(recorded_at)
        return tuple(one for one in found if self._may_read(one.first.label) and self._may_read(one.second.label))

    def neighbours(self, entity: EntityId, query: Query = _EVERYTHING) -> tuple[tuple[EntityId, Fact], ...]:
        """(other entity, fact) for facts that the reader may read."""
        return super().neighbours(entity, self._narrowed(query))

    def search(self, words: str, limit: int = 10, query: Query = _EVERYTHING) -> tuple[tuple[Fact, float], ...]:
        """(fact, score) of facts that the reader may read."""
        return super().search(words, limit, self._narrowed(query))

    def by_activation(self, query: Query, now_ns: int) -> tuple[tuple[Fact, float], ...]:
        """Facts that the reader may read, strongest first."""
        return super().by_activation(self._narrowed(query), now_ns)

    def entity(self, id: EntityId) -> Entity:
        """The entity with this id, if the reader may read a fact about it. Raises BadInput."""
        found = super().entity(id)
        if not self._knows(id):
            raise BadInput("graph.unknown_entity", subject=id)
        return replace(found, same_as=tuple(one for one in found.same_as if self._knows(one)))

    def entities(self, kind: str | None = None) -> tuple[Entity, ...]:
        """All entities, or those of a kind, that the reader may read a fact about."""
        with self._now() as reading:
            ids = map(EntityId, [id for id, _ in reading.entities()] if kind is None else reading.of_kind(kind))
            return tuple(self.entity(id) for id in ids if self._knows(id))

    def resolve(
        self, name: str, kind: str | None = None, context: Collection[EntityId] = (), *, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Whom ``name`` may mean, of those the reader may read of, by names that such facts vouch for."""
        found = super().resolve(name, kind, context, limit=limit * _FURTHER)
        seen = (self._candidate(one, name) for one in found)
        return tuple(one for one in seen if one is not None)[:limit]

    def named_in(self, text: str, besides: Collection[str] = ()) -> Mapping[EntityId, str]:
        """Whom ``text`` names, of those the reader may read of."""
        named = super().named_in(text, besides)
        whole = super().entity
        seen = ((self._called((id, *whole(id).same_as), _stems(form)), form) for id, form in named.items())
        return {one.id: form for one, form in seen if one is not None and one.kind not in besides}

    def rank(self, seeds: Mapping[EntityId, float], limit: int | None = None) -> tuple[tuple[EntityId, float], ...]:
        """Entities that the reader may read of, by personalised PageRank over all that is known."""
        whole = super().entity
        ranked = ((self._known((id, *whole(id).same_as)), share) for id, share in super().rank(seeds))
        return tuple(islice(((id, share) for id, share in ranked if id is not None), limit))

    def _candidate(self, found: Candidate, name: str) -> Candidate | None:
        own = self._called((found.entity.id, *found.entity.same_as), folded(name))
        return None if own is None else replace(found, entity=own)

    def _called(self, same: Collection[EntityId], forms: Collection[str]) -> Entity | None:
        """The first of these that the reader may read of, and one of whose own names holds a folded form."""
        for own in (self.entity(id) for id in same if self._knows(id)):
            words = {word for one in own.names for form in folded(one) for word in form.split()}
            if any(set(form.split()) <= words for form in forms):
                return own
        return None

    def _known(self, same: Collection[EntityId]) -> EntityId | None:
        """The first of these that the reader may read of."""
        return next((id for id in same if self._knows(id)), None)

    def _knows(self, id: EntityId) -> bool:
        """Whether a fact that the reader may read is about just this entity."""
        return any(
            id == fact.subject or (fact.object.type is Type.ENTITY and id == fact.object.value)
            for fact in self.facts(Query(either=id))
        )

    def _narrowed(self, query: Query) -> Query:
        other = query.label
        if other is None:
            return replace(query, label=self._may_read)
        return replace(query, label=lambda label: self._may_read(label) and other(label))

    # --- what a reader does not do --------------------------------------------------------------------------------

    def _write(self, *drafts: Draft) -> Never:
        del drafts
        raise BadInput("graph.only_read")

    def forget(self, entity: EntityId | None, also: Collection[str] = ()) -> Never:
        """Raises BadInput: a reader forgets nothing."""
        del entity, also
        raise BadInput("graph.only_read")

    def export_lines(self, query: Query = _EVERYTHING) -> Never:
        """Raises BadInput: what is taken out is taken out whole."""
        del query
        raise BadInput("graph.only_read")

    def export_graphml(self, query: Query = _EVERYTHING) -> Never:
        """Raises BadInput, as ``export_lines``."""
        del query
        raise BadInput("graph.only_read")

    def foresee(self, entity: EntityId | None, also: Collection[str] = ()) -> Never:
        """Raises BadInput: what a forget would reach is told to whoever may forget."""
        del entity, also
        raise BadInput("graph.only_read")

    def stats(self) -> Never:
        """Raises BadInput: how much there is counts what the reader may not read."""
        raise BadInput("graph.only_read")

    def dump(self) -> Never:
        """Raises BadInput, as ``export_lines``."""
        raise BadInput("graph.only_read")


def _stems(form: str) -> tuple[str, ...]:
    """A folded form as it stands in a text, and without the s of a genitive."""
    return (form, form.removesuffix("s"))
