"""Recall itself: keeps turns and facts in step with their words and vectors, and weighs them for a question."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory.database import sqlite_errors
from memory.encoder import Encoder
from memory.errors import LedgerBroken
from memory.folder import PRIVATE_FOLDER, cannot_use
from memory.freed import give_back
from memory.graph.model import Fact, Query
from memory.graph.names import folded, holds
from memory.model import EntityId
from memory.postings import highest
from memory.recall.features import NAMES, Evidence, Scores, first_look, table
from memory.recall.kept import FACT, TURN, Kept, Places, fields, filters
from memory.recall.model import Hit, Question, Turn
from memory.recall.weights import VECTOR
from memory.stores import Item, Place, VectorStore, Where, open_store
from memory.stores.columns import Mask
from memory.stores.matrix import damaged
from memory.word_index import WordIndex

if TYPE_CHECKING:
    import numpy.typing as npt

    from memory.graph import Graph
    from memory.stores.model import Vector

STORE = "recall"
"""What the store of a recall's vectors is called in its folder."""
DEPTH = 200
"""So many memories by words and by meaning are candidates; with what stands around the best of them."""
_AROUND = 50
_CONNECTED = 20
_PORTION = 256
_SOON = 200
"""So many missing vectors are made when recall is opened; more wait for ``catch_up``."""


class Recall:
    """Turns and facts in a private folder of its own. Thread-safe; one at a time for a folder.

    Without an encoder it goes by words alone. All raise StoreFailed when a file or a server fails. It joins
    ``memory.graph.Stores`` as the store ``recall``.
    """

    name = "recall"

    def __init__(self, kept: Kept, words: WordIndex, store: VectorStore | None, encoder: Encoder | None) -> None:
        self._kept, self._words, self._store, self._encoder = kept, words, store, encoder
        self._lock = threading.RLock()
        self._order: npt.NDArray[np.intp] | None = None
        self._behind: list[str] = []
        self._path = Path("recall.db")

    @classmethod
    def open(
        cls, folder: Path | None, encoder: Encoder | None = None, place: Place | None = None, *, renew: bool = False,
        name: str = STORE, earlier: VectorStore | None = None,
    ) -> Recall:  # fmt: skip
        """Open the recall in ``folder`` (None: in memory), or begin it; vectors lie at ``place`` (default: beside it).

        ``name`` is the store's there; on a server each recall needs one of its own. Vectors that are not there yet are
        taken from the store ``earlier``, which has them of the same encoder, and are left in it.
        Raises EncoderMismatch when its vectors are another encoder's: open it with ``renew``, which clears them, and
        ``catch_up``.
        """
        if folder is not None:
            try:
                folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
                folder.chmod(PRIVATE_FOLDER)
            except OSError as error:
                raise cannot_use(folder, error) from error
        with ExitStack() as opened:
            kept = opened.enter_context(closing(_kept(folder)))
            words = opened.enter_context(closing(_words(folder)))
            store = _store(folder, encoder, place, name, renew=renew) if encoder is not None else None
            if store is not None:
                opened.enter_context(closing(store))
            recall = cls(kept, words, store, encoder)
            recall._path = folder or recall._path
            if earlier is not None:
                recall._take_over(earlier)
            recall._reconcile()
            opened.pop_all()
        give_back()  # what only opening needed
        return recall

    # --- telling ------------------------------------------------------------------------------------------------------

    def add(self, *turns: Turn, seen: int | None = None, encode: bool = True) -> int:
        """Take turns in: how many were new. A turn that is there stays as it is.

        ``seen`` is the last event of the ledger that was read for them; ``standing`` gives it back. Without ``encode``
        they are found by words at once, and by meaning after ``catch_up``.
        """
        return self._add([(TURN, turn) for turn in turns], seen, encode)

    def add_facts(self, *facts: tuple[Fact, str], seen: int | None = None, encode: bool = True) -> int:
        """Take facts in, each with the sentence that says it: how many were new. See ``add``."""
        return self._add([(FACT, _told(fact, sentence)) for fact, sentence in facts], seen, encode)

    def _add(self, several: Sequence[tuple[str, Turn]], seen: int | None, encode: bool) -> int:
        with self._now():
            fresh = self._kept.add(several, seen)
            self._index([turn for _, turn in fresh])
            if encode:
                self._encode(fresh)
            elif self._store is not None:
                self._behind += [turn.id for _, turn in fresh]
            return len(fresh)

    def _index(self, turns: Sequence[Turn]) -> None:
        self._words.add_all((turn.id, _said(turn)) for turn in turns)
        self._order = None

    def _encode(self, turns: Sequence[tuple[str, Turn]]) -> None:
        if self._store is None or self._encoder is None:
            return
        for at in range(0, len(turns), _PORTION):
            some = turns[at : at + _PORTION]
            vectors = self._encoder.encode([_said(turn) for _, turn in some])
            self._put((kind, turn, vector) for (kind, turn), vector in zip(some, vectors, strict=True) if vector.any())

    def _put(self, several: Iterable[tuple[str, Turn, Vector]]) -> None:
        if self._store is not None:
            items = (Item(one.id, row, one.id, one.about, one.label, fields(kind, one)) for kind, one, row in several)
            self._store.put(items)

    @property
    def standing(self) -> int:
        """The last event that was looked at; tell what comes after it."""
        with self._now():
            return self._kept.seen

    def _reconcile(self) -> None:
        """Bring words and vectors in step with what is kept, after a crash between the two."""
        with self._now():
            known = set(self._words.ids())
            lacking = [id for id in self._kept.ids if id not in known]
            self._words.remove(known - set(self._kept.places))
            for at in range(0, len(lacking), _PORTION):
                self._index([turn for _, turn in self._kept.turns(lacking[at : at + _PORTION]).values()])
            self._behind = self._unencoded()
            if len(self._behind) <= _SOON:
                self.catch_up()

    def _unencoded(self) -> list[str]:
        if self._store is None:
            return []
        there = set(self._store.ids())
        self._store.remove(there - set(self._kept.places))
        return [id for id in self._kept.ids if id not in there]

    def _take_over(self, earlier: VectorStore) -> None:
        """Put the vectors that another store of the same encoder has of memories that have none here."""
        with self._now():
            lacking = self._unencoded()
            for at in range(0, len(lacking), _PORTION):
                found = earlier.fetch(lacking[at : at + _PORTION])
                turns = self._kept.turns(list(found))
                self._put((*turns[id], vector) for id, vector in found.items())

    def catch_up(self, most: int | None = None) -> int:
        """Encode memories that have no vector yet, at most so many: how many are left (found by words until then)."""
        with self._now():
            some = self._behind[:most]
            self._encode(list(self._kept.turns(some).values()))
            self._behind = self._behind[len(some) :]
            return len(self._behind)

    # --- forgetting ---------------------------------------------------------------------------------------------------

    def forget(self, *ids: str) -> int:
        """Remove memories by their ids, to the last byte: how many there were."""
        return self._forget(ids)

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """See ``memory.graph.Store``: what is about ``entities``, or holds one of the names, goes to the last byte."""
        with self._now():
            return self._forget(self._kept.concerned(entities, words))

    def _forget(self, ids: Sequence[str]) -> int:
        with self._now():
            count = self._kept.remove(ids)
            self._words.remove(ids)
            gone = set(ids)
            self._behind = [id for id in self._behind if id not in gone]
            if self._store is not None:
                self._store.remove(ids)
                self._store.purge((), ())
            self._words.scrub()
            self._kept.scrub()
            self._order = None
            return count

    def clear(self) -> None:
        """Remove everything, to the last byte; tell it again from the first event."""
        with self._now():
            self._words.remove(list(self._words.ids()))
            self._words.scrub()
            if self._store is not None:
                self._store.clear()
            self._kept.clear()
            self._behind, self._order = [], None

    # --- asking -------------------------------------------------------------------------------------------------------

    def search(self, question: Question, graph: Graph | None = None) -> list[Hit]:
        """The memories that bear on ``question``, best first.

        With ``graph`` what is connected with the question's entities is drawn in, and a fact is a hit only while the
        graph holds it.
        """
        with graph.held() if graph is not None else nullcontext(), self._now():  # as a forget does: the graph first
            mask = self._kept.mask(question)
            if question.limit < 1 or not mask.any():
                return []
            evidence, candidates = self._evidence(question, mask, graph)
            features = table(evidence, self._kept.arrays(), candidates)
            scores = features @ VECTOR
            order = highest(scores, len(scores))
            return list(self._hits(question, graph, candidates[order], features[order]))

    def _evidence(self, question: Question, mask: Mask, graph: Graph | None) -> tuple[Evidence, Places]:
        terms = [term for term in self._words.split(question.text) if term.startswith("~")]
        words = self._by_words(dict.fromkeys(terms, 1.0), mask)
        asked = self._encoder.encode([question.text])[0] if self._encoder and self._store else None
        meaning = np.zeros(len(mask), dtype=np.float32)
        nearest = self._by_meaning(asked, question, mask, meaning)
        connected = self._connected(question, graph, mask)
        best = highest(words, DEPTH)
        drawn = np.union1d(np.union1d(best[words[best] > 0], nearest), np.flatnonzero(connected))
        candidates = self._with_neighbours(drawn.astype(np.intp), words, meaning, mask)
        self._cosines(asked, np.setdiff1d(candidates, nearest, assume_unique=True), meaning)
        return Evidence(words, meaning, connected, self._spoken(question), question.times), candidates

    def _by_words(self, weights: dict[str, float], mask: Mask) -> Scores:
        """BM25 by place; 0 for what the filters shut out."""
        scores = self._words.scores(weights)
        if self._order is None:
            places = self._kept.places
            self._order = np.fromiter((places[id] for id in self._words.ids()), dtype=np.intp)
        found = np.zeros(len(mask), dtype=np.float32)
        found[self._order] = scores
        return np.where(mask, found, np.float32(0))

    def _by_meaning(
        self, asked: npt.NDArray[np.float32] | None, question: Question, mask: Mask, into: Scores
    ) -> Places:
        """The places of the nearest, whose cosines are put into ``into``."""
        if asked is None or self._store is None:
            return np.empty(0, dtype=np.intp)
        owners = [self._kept.ids[place] for place in np.flatnonzero(mask)] if question.people else None
        where = Where(owners, *filters(question), question.label)
        matches = self._store.search(asked, DEPTH, where)
        places = np.array([self._kept.places[match.id] for match in matches], dtype=np.intp)
        into[places] = [match.score for match in matches]
        return places

    def _with_neighbours(self, drawn: Places, words: Scores, meaning: Scores, mask: Mask) -> Places:
        """``drawn`` and what was said just before and after the best of them."""
        arrays = self._kept.arrays()
        best = drawn[highest(first_look(words, meaning, drawn), _AROUND)]
        beside = np.concatenate([arrays.before[best], arrays.after[best]])
        beside = beside[beside >= 0]
        return np.union1d(drawn, beside[mask[beside]])

    def _cosines(self, asked: npt.NDArray[np.float32] | None, candidates: Places, into: Scores) -> None:
        """Put the cosines of candidates into ``into``."""
        if asked is None or self._store is None:
            return
        found = self._store.fetch([self._kept.ids[place] for place in candidates])
        if found:
            into[[self._kept.places[id] for id in found]] = np.array(list(found.values())) @ asked

    def _spoken(self, question: Question) -> list[int]:
        """The speakers that the question names."""
        said = folded(question.text)
        return [
            number
            for name, number in self._kept.speakers().items()
            if name and any(holds(text, form) for text in said for form in folded(name))
        ]

    def _connected(self, question: Question, graph: Graph | None, mask: Mask) -> Scores:
        """How near what a memory is about is to the question's entities (personalised PageRank), by place."""
        found = np.zeros(len(mask), dtype=np.float32)
        if not question.entities:
            return found
        near = dict.fromkeys(question.entities, 1.0)
        if graph is not None:
            shares = dict(graph.rank(near, _CONNECTED))
            top = max(shares.values(), default=1.0)
            near = {entity: share / top for entity, share in shares.items()} | near
        for place, entities in self._kept.about(near).items():
            found[place] = sum(near[EntityId(entity)] for entity in entities) if mask[place] else 0
        return found

    def _hits(
        self, question: Question, graph: Graph | None, places: Places, features: npt.NDArray[np.float32]
    ) -> Iterator[Hit]:
        """Hits in order, until there are enough; facts that the graph no longer holds are passed over."""
        left = question.limit
        for at in range(0, len(places), 4 * question.limit):
            ids = [self._kept.ids[place] for place in places[at : at + 4 * question.limit]]
            turns = self._kept.turns(ids)
            facts = [id for id in ids if turns[id][0] == FACT]
            held = _held(facts, question, graph)
            for id, row in zip(ids, features[at:], strict=False):
                kind, turn = turns[id]
                if kind == FACT and id not in held:
                    continue
                yield Hit(turn, kind, float(row @ VECTOR), _reasons(row))
                left -= 1
                if not left:
                    return

    def beside(self, id: str) -> tuple[Turn | None, Turn | None]:
        """What was said just before and just after a turn, in its session."""
        with self._now():
            place = self._kept.places.get(id)
            if place is None:
                return None, None
            arrays = self._kept.arrays()
            ids = [self._kept.ids[at] if at >= 0 else "" for at in (arrays.before[place], arrays.after[place])]
            found = self._kept.turns([one for one in ids if one])
            before, after = (found[one][1] if one else None for one in ids)
            return before, after

    def ids(self) -> tuple[str, ...]:
        """The ids of all memories, in the order in which they were told."""
        with self._now():
            return tuple(self._kept.ids)

    # --- the rest -----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        with self._now():
            return len(self._kept)

    def rest(self) -> None:
        """Give back the memory that only searching needs."""
        rest = getattr(self._store, "rest", None)
        if rest is not None:
            rest()

    def close(self) -> None:
        """Free the files."""
        with self._lock:
            self._kept.close()
            self._words.close()
            if self._store is not None:
                self._store.close()

    @contextmanager
    def _now(self) -> Iterator[None]:
        with self._lock:
            try:
                with sqlite_errors(self._path):
                    yield
            except LedgerBroken as error:
                raise damaged(self._path, str(error.__cause__ or error)) from error


def _kept(folder: Path | None) -> Kept:
    if folder is None:
        return Kept(None)
    try:
        with sqlite_errors(folder):
            return Kept(folder / "recall.db")
    except LedgerBroken as error:
        raise damaged(folder, str(error.__cause__ or error)) from error


def _words(folder: Path | None) -> WordIndex:
    """The words; a damaged file is made anew from what is kept."""
    if folder is None:
        return WordIndex()
    path = folder / "words.db"
    try:
        return WordIndex(path)
    except LedgerBroken:
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return WordIndex(path)


def _store(folder: Path | None, encoder: Encoder, place: Place | None, name: str, *, renew: bool) -> VectorStore:
    where = place or Place(folder=folder / "vectors" if folder else None)
    return open_store(where, name, encoder.digest, encoder.dimensions, renew=renew)


def _said(turn: Turn) -> str:
    """What is indexed of a turn: who said it counts as a word of it."""
    return f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text


def _told(fact: Fact, sentence: str) -> Turn:
    ends = [fact.subject, *([EntityId(fact.object.value)] if fact.object.type == "entity" else [])]
    return Turn(
        fact.id, sentence, fact.recorded_from if fact.valid_from is None else fact.valid_from, "", "", fact.extractor,
        fact.source, fact.label, tuple(ends),
    )  # fmt: skip


def _held(facts: Sequence[str], question: Question, graph: Graph | None) -> Collection[str]:
    """Which facts the graph holds; all where there is no graph to ask."""
    if graph is None or not facts:
        return facts
    return {fact.id for fact in graph.facts(Query(ids=tuple(facts), label=question.label))}


def _reasons(row: npt.NDArray[np.float32]) -> dict[str, float]:
    """What each feature added, greatest first; what added nothing is not named."""
    added = {name: float(part) for name, part in zip(NAMES, row * VECTOR, strict=True) if part}
    return dict(sorted(added.items(), key=lambda pair: -abs(pair[1])))
