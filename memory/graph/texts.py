"""The words of facts, findable: a text index in a file of the graph's own, filled when it is searched.

What this stops: forgotten words staying in the index (the file is thrown away, and filled anew from what is left).
What it does not: blocks that a disk has not reused.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memory.errors import LedgerBroken
from memory.folder import sync_folder
from memory.graph.projection import Projection
from memory.graph.reading import Reading
from memory.word_index import WordIndex

_PORTION = 5_000


class Texts:
    """One text for each fact: its subject's name, its relation and its object."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._index: WordIndex | None = None

    def search(self, words: str, limit: int, projection: Projection, reading: Reading) -> list[tuple[str, float]]:
        """The best (fact, score); the index takes in first what it lacks. A damaged file is made anew."""
        try:
            return self._search(words, limit, projection, reading)
        except LedgerBroken:
            projection.indexed(0)
            self.drop()
            return self._search(words, limit, projection, reading)

    def _search(self, words: str, limit: int, projection: Projection, reading: Reading) -> list[tuple[str, float]]:
        indexed, _ = projection.chores()
        if indexed == 0 and self._index is None:
            self.drop()  # a crash may have left what was to go
        if self._index is None:
            self._index = WordIndex(self._path)
        self._fill(indexed, projection, reading)
        return self._index.search(words, limit)

    def _fill(self, indexed: int, projection: Projection, reading: Reading) -> None:
        assert self._index is not None
        names: dict[str, str] = {}

        def name(id: str) -> str:
            if id not in names:
                entity = reading.entity(id)
                names[id] = " ".join(entity.names) if entity else ""
            return names[id]

        portion: list[tuple[str, str]] = []
        last = indexed
        for last, id, subject, predicate, kind, value in reading.texts(indexed):
            said = name(value) if kind == "entity" else value
            portion.append((id, f"{name(subject)} {predicate.replace('_', ' ')} {said}"))
            if len(portion) == _PORTION:
                self._add(portion, last, projection)
                portion = []
        self._add(portion, last, projection)

    def _add(self, portion: Iterable[tuple[str, str]], last: int, projection: Projection) -> None:
        assert self._index is not None
        if portion:
            self._index.add_all(portion)
            projection.indexed(last)

    def drop(self) -> None:
        """Throw the file away."""
        self.close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        sync_folder(self._path.parent)

    def close(self) -> None:
        """Close the file."""
        if self._index is not None:
            self._index.close()
            self._index = None
