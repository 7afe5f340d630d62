"""The house as it was when a run began, as far as that is recorded; for looking at, and for nothing else.

What this stops: a replay that does anything. Of the house there is only what stands here; whatever else is asked for,
be it added later, is shut: to call it raises ``Acts``, and the replay notes that the code of today would act there.
The ledger ends with the first event of the run and takes nothing in, so what was said and learnt later is not known;
the graph takes nothing in; nobody can be asked, and no model, no cell, no mailbox and no transaction is reached.
What it does not: bring back files, grants, facts and skills of then. ``model.Today`` names them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Never

from kernel.clients.book import KINDS as CLIENTS
from kernel.clients.book import ClientBook
from kernel.context.conversations import Conversations
from kernel.house import House
from kernel.knowing.knowledge import Knowledge
from kernel.macros.book import KINDS as MACROS
from kernel.macros.book import MacroBook
from kernel.model import RunId
from kernel.models import Models
from kernel.ranking.log import REFITTED
from kernel.recalling.recollection import Recollection
from kernel.remember import RunLog
from kernel.replaying.places import places_then
from kernel.routines.book import KINDS as ROUTINES
from kernel.routines.book import RoutineBook
from memory import Ledger
from memory.graph import Graph
from memory.graph.model import Conflict, Fact, Query
from memory.model import Draft, EntityId, Event
from permissions.labels import KERNEL_SAID, Label
from permissions.model import Change
from skills import one_import

if TYPE_CHECKING:
    from memory.recall import Recall

_EVERYTHING = Query()
_LOOKED_AT = ("settings", "folders", "registry", "learning", "policy", "private", "wall")
"""The parts that are handed on as they are: they are values, or are only read."""

_ASKS = frozenset({"approval.requested"})
"""What is never written in a replay: that somebody is asked."""


class Acts(Exception):
    """The code of today would do something here, which a replay does not: ``what``."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Shut:
    """A part of the house that a replay does not have; ``open_`` are the few things of it that may be read."""

    def __init__(self, name: str, open_: Mapping[str, Any] | None = None) -> None:
        self.__dict__.update(open_ or {})
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Never:
        raise Acts(f"{self.__dict__['_name']}.{name}")

    def __call__(self, *_: Any, **__: Any) -> Never:
        raise Acts(str(self.__dict__["_name"]))


class LedgerThen(Ledger):
    """A ledger as it was when event ``last`` had been written; it takes nothing in."""

    def __init__(self, ledger: Ledger, last: int) -> None:
        self.folder = ledger.folder
        self._whole = ledger
        self._last = last

    def events(
        self, *, after: int = 0, run: str | None = None, kinds: Collection[str] = (), limit: int | None = None
    ) -> Iterator[Event]:
        """Events after seq ``after``, in order, that there were by then."""
        for event in self._whole.events(after=after, run=run, kinds=kinds, limit=limit):
            if event.seq > self._last:
                return
            yield event

    @contextmanager
    def until(self, seq: int) -> Iterator[None]:
        """End with event ``seq`` for a while."""
        last, self._last = self._last, min(seq, self._last)
        try:
            yield
        finally:
            self._last = last

    def nth_latest(self, kind: str, count: int) -> int:
        """Return the seq of the ``count``-th latest event of a kind by then, 0 where there were fewer."""
        found = [event.seq for event in self.events(kinds=(kind,))]
        return found[-count] if len(found) >= count else 0

    def runs_without(self, end: str, kinds: Collection[str]) -> list[str]:
        """Return the runs that had an event of ``kinds`` by then and none of kind ``end``, oldest first."""
        begun = dict.fromkeys(event.run for event in self.events(kinds=kinds))
        over = {event.run for event in self.events(kinds=(end,))}
        return [run for run in begun if run is not None and run not in over]

    def head(self) -> tuple[int, str]:
        """(seq, hash) of the last event of then."""
        last = next(self._whole.events(after=self._last - 1, limit=1))
        return last.seq, last.hash

    def submit(self, *drafts: Draft) -> Future[tuple[Event, ...]]:
        """Take nothing in: what a learner notes of itself is left out, anything else raises Acts."""
        others = [draft.kind for draft in drafts if draft.kind != REFITTED]
        if others:
            raise Acts(others[0])
        nothing: Future[tuple[Event, ...]] = Future()
        nothing.set_result(())
        return nothing

    def append(self, *drafts: Draft) -> tuple[Event, ...]:
        """The same."""
        return self.submit(*drafts).result()

    def forget(self, entity: EntityId) -> Never:
        """Raises Acts."""
        raise Acts("ledger.forget")

    def destroy(self, seqs: Collection[int]) -> Never:
        """Raises Acts."""
        raise Acts("ledger.destroy")

    def let_go(self, run: str | None = None, seqs: Collection[int] = ()) -> Never:
        """Raises Acts."""
        raise Acts("ledger.let_go")

    def subscribe(self, listener: Callable[[Event], None]) -> Never:
        """Raises Acts."""
        raise Acts("ledger.subscribe")

    def close(self) -> None:
        """It stays open: it is somebody else's."""


class KnowledgeThen(Knowledge):
    """What is known: of today's names and relations, the facts that were known at ``at_ns``; it takes nothing in."""

    def __init__(self, whole: Knowledge, then: Ledger, at_ns: int) -> None:
        super().__init__(whole.folder, then)
        self._whole = whole
        self._at_ns = at_ns

    def graph(self) -> Graph:
        """Return the graph, for reading. Raises StoreFailed."""
        return _GraphThen(self._whole.graph(), self._at_ns)

    def close(self) -> None:
        """It stays open: it is somebody else's."""


class _GraphThen(Graph):
    def __init__(self, graph: Graph, at_ns: int) -> None:
        self.__dict__.update(graph.__dict__)  # the same files, the same lock
        self._at_ns = at_ns

    def facts(self, query: Query = _EVERYTHING) -> tuple[Fact, ...]:
        """The facts that ``query`` asks for, as they were known then."""
        return super().facts(self._then(query))

    def conflicts(self, recorded_at: int | None = None) -> tuple[Conflict, ...]:
        """What different sources said of one time then."""
        return super().conflicts(recorded_at or self._at_ns)

    def neighbours(self, entity: EntityId, query: Query = _EVERYTHING) -> tuple[tuple[EntityId, Fact], ...]:
        """(other entity, fact) for facts that were known then."""
        return super().neighbours(entity, self._then(query))

    def search(self, words: str, limit: int = 10, query: Query = _EVERYTHING) -> tuple[tuple[Fact, float], ...]:
        """(fact, score) of facts that were known then."""
        return super().search(words, limit, self._then(query))

    def by_activation(self, query: Query, now_ns: int) -> tuple[tuple[Fact, float], ...]:
        """Facts that were known then, strongest first."""
        return super().by_activation(self._then(query), now_ns)

    def _then(self, query: Query) -> Query:
        return query if query.recorded_at is not None else replace(query, recorded_at=self._at_ns)

    def _write(self, *drafts: Draft) -> None:
        raise Acts(drafts[0].kind if drafts else "memory")

    def forget(self, entity: EntityId | None, also: Collection[str] = ()) -> Never:
        """Raises Acts: a replay forgets nothing."""
        del entity, also
        raise Acts("memory.forget")


class RecollectionThen(Recollection):
    """What was said by then, found by its words alone: in memory, told from the ledger of then at the first question.

    Nothing of it lies on the disk, and the recall of today is not looked at.
    """

    def __init__(self, ledger: LedgerThen, knowledge: KnowledgeThen, home: str) -> None:
        super().__init__(ledger.folder, ledger, knowledge, lambda: None, home)

    def _opened(self) -> Recall:
        with one_import:
            from memory.recall import Recall

        if self._recall is None:
            self._recall = Recall.open(None)
        return self._recall

    def _removed(self, work: Callable[[Recall], int]) -> Never:
        """Raises Acts: a replay forgets nothing."""
        del work
        raise Acts("memory.forget")


class Told(RunLog):
    """The events of a run that is gone through again: kept here, and written nowhere."""

    def __init__(self, ledger: Ledger, run: RunId) -> None:
        super().__init__(ledger, run)
        self.events: list[tuple[str, str | None, dict[str, Any]]] = []

    async def say(
        self, kind: str, task: str | None, body: Mapping[str, Any], durable: bool = True, label: Label = KERNEL_SAID
    ) -> None:
        """Keep one event. Raises Acts where a person would be asked."""
        if kind in _ASKS:
            raise Acts(f"{kind}: {body.get('stage')}")
        self.events.append((kind, task, dict(body)))

    async def number_of(self, kind: str, task: str | None = None) -> int:
        """It has no number."""
        return 0

    def first(self, kind: str) -> dict[str, Any] | None:
        """Return what the first event of a kind says."""
        return next((body for one, _, body in self.events if one == kind), None)

    def last(self, kind: str) -> dict[str, Any] | None:
        """Return what the last event of a kind says."""
        return next((body for one, _, body in reversed(self.events) if one == kind), None)


class _Still:
    """A clock that stands."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now_s(self) -> float:
        return self._now.timestamp()


def house_then(house: House, ledger: LedgerThen, begun: Event, now: datetime, models: Models) -> House:
    """Return ``house`` with the ``ledger`` of then, as it was after the event ``begun``, at ``now``, with ``models``;
    nothing can be done in it.
    """
    home = str(house.folders.home)
    talk, knowledge = Conversations(ledger, home), KnowledgeThen(house.knowledge, ledger, begun.at_ns)
    clock: Callable[[], datetime] = lambda: now  # noqa: E731
    over = {event.run for event in ledger.events(kinds=("run.finished",))}
    effects, changes = house.transactions.effects, _changes_since(house, over)
    own: dict[str, Any] = {
        "ledger": ledger, "talk": talk, "models": models, "clock": clock, "steady": _Still(now),
        "world": places_then(house.world, changes), "knowledge": knowledge,
        "recollection": RecollectionThen(ledger, knowledge, home),
        "routines": RoutineBook(ledger.events(kinds=ROUTINES)), "macros": MacroBook(ledger.events(kinds=MACROS)),
        "clients": ClientBook(ledger.events(kinds=CLIENTS)), "transactions": Shut("transactions", {"effects": effects}),
        "post": Shut("post", {"vault": Shut("vault")}), "deeds": {}, "waiting": {}, "live": set[str](),
        "with_effects": [one for one in house.with_effects if one in over],
        "lapsed": {grant.id for grant in house.policy.grants}, "ends": (house.policy.nodes, math.inf), "placed": None,
    }  # fmt: skip
    own |= {name: getattr(house, name) for name in _LOOKED_AT}
    parts: dict[str, Any] = {one.name: own[one.name] if one.name in own else Shut(one.name) for one in fields(House)}
    return House(**parts)


def _changes_since(house: House, over: Collection[str | None]) -> Iterator[Change]:
    """Yield what runs have changed that were not ``over`` then, the latest first."""
    for run in reversed([run for run in house.with_effects if run not in over]):
        yield from reversed(house.transactions.effects(run))
