"""The recall of this installation: opened by the first who asks, told what is new, and forgetting with the graph.

What this stops: that a daemon which nobody asks about the past pays for it; that a request waits for vectors (what is
new is found by its words at once, its vectors are made when nobody waits); that a forgotten run is found again.
What it does not: keep anything that the ledger does not have. Its files may be deleted at any time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from kernel.knowing.knowledge import Knowledge
from kernel.recalling.vectors import FLAT, Vectors
from memory import Ledger
from memory.errors import StoreFailed, StoreMissing
from memory.model import EntityId
from skills import one_import

if TYPE_CHECKING:
    from memory import Encoder
    from memory.graph import Graph
    from memory.graph.model import Fact
    from memory.recall import Hit, Question, Recall, Turn

_log = logging.getLogger("steward.kernel")

TOLD = ("run.finished", "fact.asserted")
_PORTION = 64
"""So many turns are encoded in one go, so that a search waits for no more."""


class Recollection:
    """Recall, later. Thread-safe. ``encoder`` returns the sentence encoder once it is warm."""

    def __init__(
        self, folder: Path, ledger: Ledger, knowledge: Knowledge, encoder: Callable[[], Encoder | None], home: str,
        vectors: str = FLAT,
    ) -> None:  # fmt: skip
        self.folder = folder
        self.vectors = Vectors(folder, vectors)
        self._ledger, self._knowledge, self._encoder, self._home = ledger, knowledge, encoder, home
        self._recall: Recall | None = None
        self._encodes = False
        self._lock = threading.RLock()

    @property
    def is_open(self) -> bool:
        """Tell whether somebody has asked since it was last put to rest."""
        return self._recall is not None

    # --- asking ---------------------------------------------------------------------------------------------------

    def search(self, question: Question) -> list[Hit]:
        """Return what bears on ``question``, best first, of all that is over by now. Raises StoreFailed."""
        with self._with_graph() as graph:
            recall = self._opened()
            self._tell(recall, graph)
            return recall.search(question, graph)

    def size_bytes(self) -> int:
        """Return what its files take, opened or not."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def beside(self, id: str) -> tuple[Turn | None, Turn | None]:
        """Return what was said just before and after a turn."""
        with self._lock:
            return self._opened().beside(id)

    # --- telling --------------------------------------------------------------------------------------------------

    def keep_up(self) -> int:
        """Tell what is new and make a portion of vectors, if it is open; return how many are left to be made."""
        if not self.is_open:
            return 0
        with self._with_graph() as graph:
            if self._recall is None:
                return 0
            self._tell(self._opened(), graph)
        return self._caught_up()

    @contextmanager
    def _with_graph(self) -> Iterator[Graph | None]:
        """The graph, where anything is known, held before recall is: a forget takes them in this order."""
        graph = None if self._knowledge.is_empty() else self._knowledge.graph()
        with graph.held() if graph is not None else nullcontext(), self._lock:
            yield graph

    def _caught_up(self) -> int:
        with self._lock:
            return 0 if self._recall is None else self._recall.catch_up(_PORTION)

    def _tell(self, recall: Recall, graph: Graph | None) -> None:
        """Tell it every run that ended and every fact that was written since it was last told."""
        from kernel.recalling.turns import turns_of

        standing = recall.standing
        turns: list[Turn] = []
        facts: set[int] = set()
        seen = standing
        for event in self._ledger.events(after=standing, kinds=TOLD):
            seen = event.seq
            if event.kind == "fact.asserted":
                facts.add(event.seq)
            elif event.run is not None and event.body is not None:
                turns += turns_of(event.run, list(self._ledger.events(run=event.run)), self._home)
        if seen > standing:
            recall.add(*turns, encode=False)
            if facts and graph is not None:
                recall.add_facts(*_sentences(graph, facts), encode=False)
            recall.add(seen=seen)

    # --- opening --------------------------------------------------------------------------------------------------

    def _opened(self) -> Recall:
        """Return recall; opened anew where the encoder has become warm since."""
        encoder = self._encoder()
        if self._recall is not None and (self._encodes or encoder is None):
            return self._recall
        self._close()
        with one_import:
            import memory.recall  # noqa: F401
        try:
            self._recall = self.vectors.open(encoder)
        except StoreFailed as error:
            if error.code != "store.damaged":
                raise
            _log.warning("recall is made anew: %s", error)
            self.vectors.make_anew()
            self._recall = self.vectors.open(encoder)  # it is told again from the ledger
        self._encodes = encoder is not None
        return self._recall

    def rest(self) -> None:
        """Give back its memory; who asks next opens it again."""
        with self._lock:
            self._close()

    close = rest

    def _close(self) -> None:
        if self._recall is not None:
            self._recall.close()
            self._recall = None

    # --- forgetting -----------------------------------------------------------------------------------------------

    def drop_forgotten(self) -> int:
        """Remove the turns of runs whose words were destroyed, to the last byte; return how many went."""
        return self._removed(self._without_gone)

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Remove what is about ``entities`` or holds one of the names, and what is of runs that went with them."""
        return self._removed(lambda recall: recall.purge(entities, words) + self._without_gone(recall))

    def _without_gone(self, recall: Recall) -> int:
        from kernel.recalling.turns import run_of

        return recall.forget(*_of_runs(recall.ids(), self._gone(), run_of))

    def _gone(self) -> set[str]:
        created = self._ledger.events(kinds=("run.created",))
        return {event.run for event in created if event.run is not None and event.body is None}

    def _removed(self, work: Callable[[Recall], int]) -> int:
        with self._lock:
            if self._recall is None and not (self.folder / "recall.db").exists():
                return 0
            was_open = self.is_open
            if self._encoder() is None:
                return self._removed_without_vectors(work)
            try:
                self.vectors.must_answer()
                count = work(self._opened())
            except (StoreFailed, StoreMissing) as error:  # a server that does not answer keeps nothing alive
                _log.warning("vectors are made again after a forget: %s", error)
                return self._removed_without_vectors(work)
            if not was_open:
                self._close()
            return count

    def _removed_without_vectors(self, work: Callable[[Recall], int]) -> int:
        """Remove from the words, and let go of all vectors: nobody can take single ones out; they are made again."""
        self._close()
        self.vectors.give_up()
        with one_import:
            import memory.recall  # noqa: F401
        with closing(self.vectors.open(None)) as recall:
            return work(recall)


def _of_runs(ids: Sequence[str], runs: Collection[str], run_of: Callable[[str], str]) -> list[str]:
    return [id for id in ids if run_of(id) in runs]


def _sentences(graph: Graph, seqs: Collection[int]) -> list[tuple[Fact, str]]:
    """The facts that these events told, each as a sentence."""
    from kernel.knowing.answering import fact_view

    return [(one, str(fact_view(one, graph, "en")["words"])) for one in graph.facts() if one.seq in seqs]


class RecollectionStore:
    """The recall as a store of the graph's purge."""

    name = "recall"

    def __init__(self, recollection: Recollection) -> None:
        self._recollection = recollection

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Remove what is to be forgotten; return how many turns and facts went."""
        return self._recollection.purge(entities, words)
