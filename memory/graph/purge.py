"""Forgetting somebody for good: the keys in the ledger, the graph's rows, and every other store that has joined.

What this stops: a forget that a crash or a failing store cuts short (what is to go is written down first, under a token
whose key goes last; it is taken up again at the next opening); a store that keeps what the ledger has forgotten.
What it does not: copies made earlier; stores that never joined. See also ``docs/ledger-format.md``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from memory.graph import events as kinds
from memory.graph.mentions import Mentions
from memory.graph.model import FactId, Foreseen, Forgotten, Query
from memory.graph.names import folded, holds, is_telling
from memory.graph.reading import Reading
from memory.ledger import Ledger
from memory.model import Draft, EntityId, Json


class Store(Protocol):
    """Anything that keeps what was derived from the ledger: vectors, mined patterns, caches, backups."""

    name: str

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Remove, to the last byte, what is about ``entities`` or holds one of their names (``words``, as written).

        A name that another entity has too is not among ``words``; ``Mentions`` tells whether a text holds one.

        Among ``entities`` are the ids of the facts that go (``fact:...``), for stores that keep something for a fact.

        How many things went. Called again after a failure; must then finish what is left.
        """
        ...


class Stores:
    """Every store that must forget with the ledger; the one place where they join."""

    def __init__(self, *stores: Store) -> None:
        self._stores = list(stores)

    def join(self, store: Store) -> None:
        """From now on ``store`` forgets with the others."""
        self._stores.append(store)

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> dict[str, int]:
        """Purge them in the order in which they joined: how many things went, by store."""
        return {store.name: store.purge(entities, words) for store in self._stores}


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to go.

    ``ids``: whose keys, entities and facts that were found to mention them. ``gone``: entities and all facts about
    them, for the stores, with the names (``words``) that they look for.
    """

    token: EntityId
    ids: tuple[EntityId, ...]
    gone: tuple[EntityId, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> _Order:
        return cls(EntityId(body["token"]), tuple(body["ids"]), tuple(body["gone"]), tuple(body["words"]))

    def draft(self) -> Draft:
        body: dict[str, Json] = {"token": self.token, "ids": self.ids, "gone": self.gone, "words": self.words}
        return Draft(kinds.FORGETTING, body, entities=(self.token,))


class Forgetting:
    """Carries forgets out, and those that were cut short."""

    def __init__(self, ledger: Ledger, stores: Stores, catch_up: Callable[[], object]) -> None:
        self._ledger = ledger
        self._stores = stores
        self._catch_up = catch_up

    def foresee(self, entity: EntityId | None, also: Collection[str], reading: Reading) -> Foreseen:
        """What forgetting ``entity``, all that it is one with, and the further names ``also`` would reach."""
        group = tuple(map(EntityId, reading.groups.of(entity))) if entity is not None else ()
        said = tuple(dict.fromkeys([*(name for id in group for name in _names(reading, id)), *also]))
        words, kept = _telling(said, group, reading)
        mentions = Mentions(words)
        about = reading.tagged(group) if group else set()
        late = {id for id, text in reading.said() if id not in about and mentions.in_text(text)}
        facts = (FactId(id) for id in sorted(about | late))
        return Foreseen(group, tuple(facts), words, kept, frozenset(late))

    def forget(self, entity: EntityId | None, also: Collection[str], reading: Reading) -> Forgotten:
        """Forget ``entity``, all that it is one with, and every fact that is about or mentions one of their names."""
        seen = self.foresee(entity, also, reading)
        self._ledger.append(*_lasting_ends(reading, seen.facts))
        token = EntityId(f"forget:{os.urandom(8).hex()}")
        facts = tuple(map(EntityId, seen.facts))
        late = tuple(id for id in facts if id in seen.late)
        order = _Order(token, (*seen.entities, *late), (*seen.entities, *facts), seen.words)
        self._ledger.append(order.draft())
        events, stores = self._carry_out(order)
        return Forgotten(seen.entities, events, stores, seen.kept)

    def resume(self) -> int:
        """Finish what was cut short: how many forgets."""
        open_orders = [event.body for event in self._ledger.events(kinds=(kinds.FORGETTING,)) if event.body is not None]
        for body in open_orders:
            self._carry_out(_Order.of(body))
        return len(open_orders)

    def _carry_out(self, order: _Order) -> tuple[int, dict[str, int]]:
        events = sum(self._ledger.forget(id) for id in order.ids)
        self._catch_up()
        stores = self._stores.purge(order.gone, order.words)
        self._ledger.forget(order.token)
        return events, stores


def _names(reading: Reading, id: str) -> tuple[str, ...]:
    entity = reading.entity(id)
    return entity.names if entity else ()


def _telling(
    words: Collection[str], group: Collection[str], reading: Reading
) -> tuple[tuple[str, ...], tuple[EntityId, ...]]:
    """(names that mean nobody else, other entities whose names hold one of them)."""
    forms = {form for word in words for form in folded(word) if is_telling(form)}
    others = [(form, entity) for form, entity in zip(*reading.forms(), strict=True) if entity not in group]
    shared = {mine for mine in forms for other, _ in others if holds(other, mine)}
    kept = sorted({entity for other, entity in others if any(holds(other, mine) for mine in forms)})
    telling = tuple(word for word in words if forms & {*folded(word)} - shared)
    return telling, tuple(map(EntityId, kept))


def _lasting_ends(reading: Reading, facts: Collection[str]) -> Iterator[Draft]:
    """What remains stays ended where a fact that goes had ended it."""
    doomed = set(facts)
    relations = {fact.predicate for fact in reading.facts(Query(ids=tuple(doomed)))}
    for name in sorted(name for name in relations if reading.predicates[name].functional):
        for fact in reading.facts(Query(predicate=name)):
            if fact.closed_by in doomed and fact.id not in doomed and fact.valid_to is not None:
                yield kinds.ended(fact, reading.tags(fact), fact.valid_to)
