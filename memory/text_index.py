"""Finding texts by their words: SQLite FTS5 with BM25 (Robertson and Zaragoza 2009).

What this stops: a searcher's text being read as query syntax; only its words go through, each quoted.
What it does not: the texts lie in the index readable; keep it in memory, or forget in the index too.
"""

from __future__ import annotations

import re
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from memory.database import open_writer, sqlite_errors, transaction

MAX_WORDS = 64
"""A search looks for the first 64 different words only."""

_WORD = re.compile(r"\w+")
EXACT = "unicode61 remove_diacritics 2"
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS entry (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, part TEXT NOT NULL, words TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entry_part ON entry (part);
CREATE VIRTUAL TABLE IF NOT EXISTS exact USING fts5 (words, content = entry, content_rowid = row,
    tokenize = '{EXACT}');
CREATE VIRTUAL TABLE IF NOT EXISTS stem USING fts5 (words, content = entry, content_rowid = row,
    tokenize = 'porter {EXACT}');
"""
_SEARCH = """
SELECT entry.id, -sum(found.score) AS score FROM (
    SELECT rowid, bm25(exact) AS score FROM exact WHERE exact MATCH :query
    UNION ALL SELECT rowid, bm25(stem) AS score FROM stem WHERE stem MATCH :query
) AS found JOIN entry ON entry.row = found.rowid
WHERE :part IS NULL OR entry.part = :part
GROUP BY entry.row ORDER BY score DESC, entry.id LIMIT :limit
"""


class TextIndex:
    """Texts with an id, in groups. Thread-safe; what was added is found at once.

    Case and diacritics do not matter (``uber`` finds ``Über``); a word counts once as it stands and once as its
    English stem (Porter 1980). In memory, or in a private file at ``path``.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Raises StoreFailed when the file cannot be used."""
        self._path = path or Path(":memory:")
        self._lock = threading.Lock()
        with sqlite_errors(self._path):
            self._connection = open_writer(path) if path else in_memory()
            self._connection.executescript(_SCHEMA)

    def add(self, id: str, text: str, group: str = "") -> None:
        """Add a text, or put it in the place of the one with the same id."""
        self.add_all([(id, text, group)])

    def add_all(self, texts: Iterable[tuple[str, str, str]]) -> None:
        """The same for many (id, text, group) in one transaction: all of them, or none."""
        with self._lock, sqlite_errors(self._path), transaction(self._connection):
            for id, text, group in texts:
                self._remove(id)
                words = readable(text)
                row = self._connection.execute(
                    "INSERT INTO entry (id, part, words) VALUES (?, ?, ?)", (id, group, words)
                ).lastrowid
                for table in ("exact", "stem"):
                    self._connection.execute(f"INSERT INTO {table} (rowid, words) VALUES (?, ?)", (row, words))  # noqa: S608

    def remove(self, id: str) -> bool:
        """Remove a text; whether it was there."""
        with self._lock, sqlite_errors(self._path), transaction(self._connection):
            return self._remove(id)

    def _remove(self, id: str) -> bool:
        found = self._connection.execute("SELECT row, words FROM entry WHERE id = ?", (id,)).fetchone()
        if found is None:
            return False
        for table in ("exact", "stem"):  # an index beside its content is told what to unlearn
            self._connection.execute(f"INSERT INTO {table} ({table}, rowid, words) VALUES ('delete', ?, ?)", found)  # noqa: S608
        self._connection.execute("DELETE FROM entry WHERE row = ?", found[:1])
        return True

    def search(self, words: str, limit: int = 10, group: str | None = None) -> list[tuple[str, float]]:
        """The best (id, score), best first; a text that holds any of the words. Any text may be searched for.

        The score is BM25 over the words plus BM25 over their stems, above 0 and without an upper end; ties go by id.
        """
        query = _query(words)
        if not query or limit < 1:
            return []
        with self._lock, sqlite_errors(self._path):
            return self._connection.execute(_SEARCH, {"query": query, "part": group, "limit": limit}).fetchall()

    def __len__(self) -> int:
        with self._lock:
            count: int = self._connection.execute("SELECT count(*) FROM entry").fetchone()[0]
        return count

    def close(self) -> None:
        """Close the file; what was in memory is gone."""
        with self._lock:
            self._connection.close()


def in_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def readable(text: str) -> str:
    """Composed characters, so that an accent never splits a word; nothing that SQLite would stumble over."""
    return unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode()).replace("\0", " ")


def _query(words: str) -> str:
    """Only letters, digits and underscores get through, each word in quotes: no operator, column or prefix."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(readable(words)):
        found.setdefault(match.group().lower())
        if len(found) == MAX_WORDS:
            break
    return " OR ".join(f'"{word}"' for word in found)
