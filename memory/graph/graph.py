"""The graph itself: every change is an event of the ledger first, every answer is of the state after the last event."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from memory.errors import StoreFailed
from memory.folder import PRIVATE_FOLDER, cannot_use
from memory.graph import claims, events, exchange
from memory.graph.errors import BadInput, GraphFailed
from memory.graph.exchange import Imported
from memory.graph.keeper import Keeper
from memory.graph.model import (
    Candidate,
    Claim,
    Conflict,
    Entity,
    Fact,
    FactId,
    Foreseen,
    Forgotten,
    Predicate,
    Query,
    Stats,
    Type,
)
from memory.graph.names import MAX_NAME_BYTES, new_id
from memory.graph.purge import Forgetting, Stores
from memory.graph.reading import Reading
from memory.graph.resolve import MANY_NAMES, Resolver, named_in
from memory.graph.telling import tell
from memory.ledger import Ledger
from memory.model import Draft, EntityId, Json

_EVERYTHING = Query()
_SPARE, _FURTHER = 2, 8
"""A search asks the index for so many times what is wanted, and for so many times more while too few get through."""


class Graph:
    """The graph over one ledger, in a private folder of its own. Thread-safe; one at a time for a ledger.

    What writes raises BadInput (nothing was written) and what ``Ledger.append`` raises, and is on disk when it returns;
    all raise GraphFailed or StoreFailed when a file fails. Not from a listener of the ledger.
    """

    def __init__(self, folder: Path, ledger: Ledger, stores: Stores) -> None:
        self._ledger = ledger
        self._lock = threading.RLock()
        self._keeper = Keeper(folder, ledger)
        self._forgetting = Forgetting(ledger, stores, self._keeper.refresh)
        self._closed = False

    @classmethod
    def open(cls, folder: Path, ledger: Ledger, stores: Stores | None = None) -> Graph:
        """Open the graph of ``ledger``, caught up with it; forgets that were cut short are finished first.

        ``stores`` forget with it; all must have joined by now. Raises StoreFailed.
        """
        try:
            folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            folder.chmod(PRIVATE_FOLDER)
        except OSError as error:
            raise cannot_use(folder, error) from error
        graph = cls(folder, ledger, stores or Stores())
        try:
            with graph._now():
                graph._forgetting.resume()
        except StoreFailed as error:
            if error.code != "store.read_only":  # a ledger that is only looked at keeps its unfinished forgets
                graph.close()
                raise
        except BaseException:
            graph.close()
            raise
        return graph

    # --- writing ------------------------------------------------------------------------------------------------------

    def declare(self, predicate: Predicate) -> None:
        """Make a relation known; the same declaration again changes nothing."""
        claims.check_predicate(predicate)
        with self._now() as reading:
            there = reading.predicates.get(predicate.name)
            if there is None:
                self._write(events.declared(predicate))
            elif there != predicate:
                raise BadInput("graph.predicate_differs", subject=predicate.name)

    def make_entity(self, kind: str, name: str, names: Collection[str] = (), *, label: Json = None) -> Entity:
        """Somebody or something new; whether it is known already is for ``resolve`` to say."""
        for text in (kind, name, *names):
            claims.check_text(text, MAX_NAME_BYTES)
        with self._now() as reading:
            while reading.has(id := new_id(kind, name)):
                pass  # one in four thousand million
            self._write(events.made(id, kind, name, names, label))
            return self.entity(id)

    def add_name(self, entity: EntityId, name: str, *, label: Json = None) -> Entity:
        """One more name for an entity."""
        claims.check_text(name, MAX_NAME_BYTES)
        with self._now():
            if name not in self.entity(entity).names:
                self._write(events.named(entity, name, label))
            return self.entity(entity)

    def merge(self, one: EntityId, other: EntityId, *, label: Json = None) -> None:
        """Say that two entities are one. Nothing is rewritten; ``split`` takes it back whole."""
        with self._now() as reading:
            for id in (one, other):
                self.entity(id)
            if other in reading.groups.of(one):
                raise BadInput("graph.same", subject=one, detail=other)
            self._write(events.joined(events.MERGED, one, other, label))

    def split(self, one: EntityId, other: EntityId, *, label: Json = None) -> None:
        """Take a merge of these two back."""
        with self._now() as reading:
            if (min(one, other), max(one, other)) not in reading.groups.pairs:
                raise BadInput("graph.not_same", subject=one, detail=other)
            self._write(events.joined(events.SPLIT, one, other, label))

    def assert_fact(self, claim: Claim) -> Fact:
        """Write one fact down, see ``assert_facts``."""
        return self.assert_facts(claim)[0]

    def assert_facts(self, *several: Claim) -> tuple[Fact, ...]:
        """Write facts down, all or none; the fact of each claim, in order.

        What its source says already, and what still holds, is not written again. Raises BadInput, also for what memory
        itself answered (``graph.echo``).
        """
        with self._now() as reading:
            known = cache(reading.has)
            checked = [claims.checked(claim, reading.predicates, known) for claim in several]
            for seq in {claim.source for claim in checked}:
                self._check_source(seq)
            told = tell(checked, reading)
            self._write(*told.drafts)
            found = {fact.id: fact for fact in self._keeper.reading().facts(Query(ids=told.ids))}
            return tuple(found[id] for id in told.ids)

    def retract(self, fact: FactId, reason: str = "") -> None:
        """Take a fact back: from now on it does not count. What was known before stays known as of then."""
        claims.check_text(reason, MAX_NAME_BYTES, may_be_empty=True)
        with self._now() as reading:
            standing = self._fact(fact)
            self._write(events.retracted(standing, reading.tags(standing), reason))

    def end(self, fact: FactId, valid_to: int | None) -> Fact:
        """Say until when a fact was true (world time); said again, the last one counts. None: what its source said."""
        with self._now() as reading:
            standing = self._fact(fact)
            if valid_to is not None:
                claims.check_end(standing.valid_from, valid_to)
            self._write(events.ended(standing, reading.tags(standing), valid_to))
            return self._fact(fact)

    def forget(self, entity: EntityId | None, also: Collection[str] = ()) -> Forgotten:
        """Destroy everything about an entity, what it is one with, and texts that mention their names; for good.

        Also every other event about it in the ledger, and what it left in the stores that joined. ``also`` are further
        names to look for; with ``entity`` None they are all there is. A crash or a failing store in between is finished
        at the next opening.
        """
        with self._now() as reading:
            self._check_doomed(entity, also)
            return self._forgetting.forget(entity, also, reading)

    def foresee(self, entity: EntityId | None, also: Collection[str] = ()) -> Foreseen:
        """What ``forget`` of the same would reach in the graph; nothing is changed."""
        with self._now() as reading:
            self._check_doomed(entity, also)
            return self._forgetting.foresee(entity, also, reading)

    def _check_doomed(self, entity: EntityId | None, also: Collection[str]) -> None:
        if entity is not None:
            self.entity(entity)
        for name in also:
            claims.check_text(name, MAX_NAME_BYTES)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nobody change it meanwhile. Whoever asks it under a lock that a forget takes too enters here first."""
        with self._lock:
            yield

    def import_lines(
        self, lines: Iterable[str], relabel: Callable[[Json], Json], *, voice: str = "import:"
    ) -> Imported:
        """Write exported lines down as new events, all or none.

        ``relabel`` gives the label here from the one in the file, which nothing vouches for. ``voice`` is put before
        each extractor, so that a file never ends what another source said; "" only for one's own backup. What is known
        already is not written again. Raises BadInput, with the line.
        """
        batch = exchange.read(lines, relabel, voice)
        with self._now() as reading:
            drafts, imported = exchange.drafts(batch, reading)
            self._write(*drafts)
            return imported

    # --- reading ------------------------------------------------------------------------------------------------------

    def facts(self, query: Query = _EVERYTHING) -> tuple[Fact, ...]:
        """The facts that ``query`` asks for, in the order they were told; merged entities answer as one."""
        with self._now() as reading:
            return tuple(reading.facts(query))

    def conflicts(self, recorded_at: int | None = None) -> tuple[Conflict, ...]:
        """What different sources say of one time where only one can be true."""
        with self._now() as reading:
            return tuple(reading.conflicts(recorded_at))

    def entity(self, id: EntityId) -> Entity:
        """The entity with this id. Raises BadInput."""
        with self._now() as reading:
            found = reading.entity(id)
            if found is None:
                raise BadInput("graph.unknown_entity", subject=id)
            return found

    def entities(self, kind: str | None = None) -> tuple[Entity, ...]:
        """All entities, or those of a kind, in the order they were made."""
        with self._now() as reading:
            ids = [id for id, _ in reading.entities()] if kind is None else reading.of_kind(kind)
            return tuple(self.entity(EntityId(id)) for id in ids)

    def neighbours(self, entity: EntityId, query: Query = _EVERYTHING) -> tuple[tuple[EntityId, Fact], ...]:
        """(other entity, fact) for the facts that connect ``entity`` with another."""
        with self._now() as reading:
            ours = reading.groups.of(entity)
            facts = reading.facts(replace(query, either=entity))
            between = [fact for fact in facts if fact.object.type is Type.ENTITY]
            return tuple(
                (EntityId(fact.object.value) if fact.subject in ours else fact.subject, fact) for fact in between
            )

    def resolve(
        self, name: str, kind: str | None = None, context: Collection[EntityId] = (), *, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Whom ``name`` may mean, best first; ``context`` are entities that were just spoken of."""
        with self._now() as reading:
            return tuple(Resolver(reading, self._keeper.names()).resolve(name, kind, context, limit))

    def named_in(self, text: str, besides: Collection[str] = ()) -> Mapping[EntityId, str]:
        """Whom ``text`` names by a whole name or by a word of one, with the folded words that do; homonyms all of them.

        A word that is in more names than a few says nothing about one of them; in a graph of very many, whole names
        alone are found. ``besides``: kinds that are not meant.
        """
        with self._now() as reading:
            names = self._keeper.names() if reading.has_few_names(MANY_NAMES) else None
            return named_in(text, reading, names, besides)

    def search(self, words: str, limit: int = 10, query: Query = _EVERYTHING) -> tuple[tuple[Fact, float], ...]:
        """(fact, score) by the words of subject, relation and object, best first; only what ``query`` lets through."""
        with self._now() as reading:
            wanted = limit * _SPARE
            while True:
                scores = dict(self._keeper.search(words, wanted))
                facts = reading.facts(replace(query, ids=tuple(scores)))
                ranked = sorted(((fact, scores[fact.id]) for fact in facts), key=lambda one: (-one[1], one[0].seq))
                if len(ranked) >= limit or len(scores) < wanted:
                    return tuple(ranked[:limit])
                wanted *= _FURTHER

    def by_activation(self, query: Query, now_ns: int) -> tuple[tuple[Fact, float], ...]:
        """Facts with their activation (recency, frequency, prior of the relation), strongest first."""
        from memory.graph.ranking import by_activation

        with self._now() as reading:
            return tuple(by_activation(reading.facts(query), reading.predicates, now_ns))

    def rank(self, seeds: Mapping[EntityId, float], limit: int | None = None) -> tuple[tuple[EntityId, float], ...]:
        """Entities by personalised PageRank from ``seeds`` (weights above 0), greatest first; () for unknown seeds."""
        with self._now():
            return tuple(self._keeper.ranks().rank(seeds, limit=limit))

    def predicates(self) -> Mapping[str, Predicate]:
        """All relations by name, built-in and declared."""
        with self._now() as reading:
            return dict(reading.predicates)

    def export_lines(self, query: Query = _EVERYTHING) -> tuple[str, ...]:
        """Entities and the facts of ``query`` as JSON lines, see ``memory/graph/exchange.py``."""
        with self._now() as reading:
            return tuple(exchange.lines(reading, query))

    def export_graphml(self, query: Query = _EVERYTHING) -> str:
        """The same as GraphML, for looking at it in other programs."""
        with self._now() as reading:
            return exchange.graphml(reading, query)

    def stats(self) -> Stats:
        """How much there is."""
        with self._now() as reading:
            entities, facts, retracted = reading.count()
            found = len(reading.conflicts())
            return Stats(entities, facts, retracted, len(reading.groups.pairs), found, self._keeper.size_bytes())

    def dump(self) -> list[str]:
        """What the projection holds, row by row; equal for equal events, however they came."""
        with self._now():
            return self._keeper.dump()

    # --- inside -------------------------------------------------------------------------------------------------------

    @contextmanager
    def _now(self) -> Iterator[Reading]:
        """The state after every event so far; a damaged file is named, and built anew by the next call."""
        with self._lock:
            if self._closed:
                raise GraphFailed("graph.closed")
            try:
                yield self._keeper.reading()
            except sqlite3.DatabaseError as error:
                raise self._keeper.failed(error) from error

    def _write(self, *drafts: Draft) -> None:
        self._ledger.append(*drafts)
        self._keeper.refresh()

    def _check_source(self, seq: int) -> None:
        if seq == 0:
            return
        found = next(self._ledger.events(after=seq - 1, limit=1), None) if seq > 0 else None
        if found is None or found.seq != seq:
            raise BadInput("graph.source", subject=str(seq))
        if claims.is_echo(found.kind):
            raise BadInput("graph.echo", subject=str(seq))

    def _fact(self, id: FactId) -> Fact:
        for fact in self._keeper.reading().facts(Query(ids=(id,))):
            return fact
        raise BadInput("graph.unknown_fact", subject=id)

    def close(self) -> None:
        """Free the files. Twice is harmless."""
        with self._lock:
            self._closed = True
            self._keeper.close()

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
