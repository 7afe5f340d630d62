"""The graph of this installation, opened by the first who needs it, and every store that must forget with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memory import Ledger
from skills import one_import

if TYPE_CHECKING:
    from memory.graph import Graph, Store

FORGETTING = "entity.forgetting"
_MADE = "entity.made"
_WRITTEN = (FORGETTING, _MADE, "fact.asserted")


class Knowledge:
    """The graph, later. Thread-safe; a start pays nothing for it."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self.folder = folder
        self._ledger = ledger
        self._stores: list[Callable[[], Store]] = []
        self._graph: Graph | None = None
        self._lock = threading.Lock()
        self._kinds: set[str] = set()
        self._looked: dict[str, int] = {}

    def join(self, store: Callable[[], Store]) -> None:
        """Let what ``store`` makes forget with the graph: it is made when that is opened, so join before."""
        self._stores.append(store)

    def graph(self) -> Graph:
        """Return the graph; the first caller waits until it is loaded. Raises StoreFailed."""
        with self._lock:
            if self._graph is None:
                with one_import:
                    from memory.graph import Graph, Stores

                stores = Stores(*(make() for make in self._stores))
                self._graph = Graph.open(self.folder, self._ledger, stores)
            return self._graph

    def is_empty(self) -> bool:
        """Tell, without opening it, whether nobody was ever told of and nothing learnt."""
        return self._graph is None and next(self._ledger.events(kinds=_WRITTEN, limit=1), None) is None

    def has_made(self, kind: str) -> bool:
        """Tell, without opening it, whether anybody or anything of this kind was ever made.

        What was looked through once is not looked through again.
        """
        if kind not in self._kinds:
            for event in self._ledger.events(after=self._looked.get(kind, 0), kinds=(_MADE,)):
                self._looked[kind] = event.seq
                if event.body is not None and event.body.get("kind") == kind:
                    self._kinds.add(kind)
                    break
        return kind in self._kinds

    def finish_forgetting(self) -> None:
        """Open the graph where a forget was cut short: that finishes it."""
        if any(event.body is not None for event in self._ledger.events(kinds=(FORGETTING,))):
            self.graph()

    def size_bytes(self) -> int:
        """Return what its files take, opened or not."""
        return sum(path.stat().st_size for path in self.folder.glob("*")) if self.folder.is_dir() else 0

    def close(self) -> None:
        """Free the files."""
        with self._lock:
            if self._graph is not None:
                self._graph.close()
                self._graph = None
