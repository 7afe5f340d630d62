"""Keeping the projection up with the ledger: caught up before every answer, built anew where it cannot be trusted.

What this stops: an answer from a state that the ledger has left; a projection of another ledger, of another form, or
damaged, being believed; a forget that did not reach the graph's files.
What it does not: a projection changed by hand so that it still fits its schema; throw ``graph.db`` away then.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from heapq import merge
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from memory.database import translate
from memory.errors import LedgerBroken
from memory.graph import events
from memory.graph.errors import GraphFailed
from memory.graph.projection import Projection
from memory.graph.reading import Reading
from memory.graph.resolve import Names
from memory.graph.texts import Texts
from memory.ledger import Ledger
from memory.model import Event

if TYPE_CHECKING:
    from memory.graph.ranking import Ranks

FILE = "graph.db"
TEXTS = "graph-text.db"
_FEW = 200
"""So many new events are read in one piece; more are read kind by kind, each along its index."""
_PORTION = 5_000
_NAMING = frozenset((events.MADE, events.NAMED, events.FORGOTTEN))
_GROWING = frozenset((events.ASSERTED, events.MADE, events.NAMED, events.DECLARED, events.ENDED))
"""Events that leave the arcs of the ranking as they are, but for new ones."""


class Keeper:
    """The graph's files over one ledger, for one thread at a time."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self.path = folder / FILE
        self._ledger = ledger
        self._texts = Texts(folder / TEXTS)
        self._projection: Projection | None = None
        self._looked = 0
        self._reading: Reading | None = None
        self._names: Names | None = None
        self._ranks: Ranks | None = None

    # --- views of the state now ---------------------------------------------------------------------------------------

    def reading(self) -> Reading:
        """The state after every event so far."""
        projection = self.refresh()
        if self._reading is None:
            self._reading = Reading(projection.connection)
        return self._reading

    def names(self) -> Names:
        """All folded names and whose they are, kept until one is added or forgotten."""
        reading = self.reading()
        if self._names is None:
            self._names = Names(*reading.forms())
        return self._names

    def ranks(self) -> Ranks:
        """The arrays for PageRank, kept while facts are only added."""
        from memory.graph.ranking import Ranks

        reading = self.reading()
        if self._ranks is None:
            self._ranks = Ranks(reading.groups)
            self._ranks.add(reading.pairs())
        return self._ranks

    def search(self, words: str, limit: int) -> list[tuple[str, float]]:
        """The best (fact, score) by words."""
        reading = self.reading()
        return self._texts.search(words, limit, self.refresh(), reading)

    def size_bytes(self) -> int:
        """What the files take."""
        return sum(path.stat().st_size for path in self.path.parent.glob("graph*.db*"))

    def dump(self) -> list[str]:
        """Everything that the projection holds, row by row."""
        return self.refresh().dump()

    # --- keeping up ---------------------------------------------------------------------------------------------------

    def refresh(self) -> Projection:
        """Take in every event that the ledger has beyond what was looked at."""
        projection = self._projection
        if projection is None:
            projection = self._projection = self._opened()
        head = self._ledger.head()[0]
        if head > self._looked:
            self._take(projection, head)
            if projection.chores()[1]:
                self._texts.drop()
                projection.scrub()
                projection.clean()
            self._looked = head
        return projection

    def _take(self, projection: Projection, head: int) -> None:
        new = self._events(max(projection.standing()[0], self._looked), head)
        while portion := list(islice(new, _PORTION)):
            projection.take(portion)
            self._reading = None
            told = {event.kind for event in portion}
            if told & _NAMING:
                self._names = None
            if self._ranks is not None and told <= _GROWING:
                self._ranks.add(events.pairs(portion))
            else:
                self._ranks = None

    def _events(self, after: int, head: int) -> Iterator[Event]:
        few = head - after <= _FEW
        kinds = [events.KINDS] if few else [(kind,) for kind in events.KINDS]
        each = [
            takewhile(
                lambda event: event.seq <= head,
                self._ledger.events(after=after, kinds=some, limit=head - after),
            )
            for some in kinds
        ]
        return merge(*each, key=lambda event: event.seq)

    def _opened(self) -> Projection:
        """The projection, begun anew where it is damaged, of another form, or of another ledger."""
        self._looked = 0
        projection = self._readable()
        if projection is not None and self._belongs(projection):
            return projection
        if projection is not None:
            projection.close()
        self.drop()
        return Projection(self.path)

    def _readable(self) -> Projection | None:
        try:
            return Projection(self.path)
        except LedgerBroken:
            return None
        except sqlite3.DatabaseError as error:
            failure = translate(error, self.path)
            if isinstance(failure, LedgerBroken):
                return None
            raise failure from error

    def _belongs(self, projection: Projection) -> bool:
        seen, digest = projection.standing()
        return seen == 0 or any(event.hash == digest for event in self._ledger.events(after=seen - 1, limit=1))

    def failed(self, error: sqlite3.DatabaseError) -> Exception:
        """What to raise for an error of SQLite; a damaged file goes, and is built anew by the next call."""
        failure = translate(error, self.path)
        if not isinstance(failure, LedgerBroken):
            return failure
        self.close()
        self.drop()
        return GraphFailed("graph.damaged", subject=str(self.path), detail=str(error))

    def drop(self) -> None:
        """Throw the files away."""
        self._texts.drop()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Free the files; the next call opens them again."""
        self._texts.close()
        if self._projection is not None:
            self._projection.close()
        self._projection = self._reading = self._names = self._ranks = None
