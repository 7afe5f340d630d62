"""Finding texts by their words among many: SQLite splits and keeps them, arrays rank them.

FTS5 takes 2.5 microseconds to score each text that holds a word of the search, 50 ms where a word is common; the arrays
(``memory/postings.py``) take 1-2 ms. Words and stems are still those of FTS5, as in ``TextIndex``.

What this stops: a searcher's text being read as query syntax; removed words staying in the file (``scrub``).
What it does not: the words of each text lie in the file readable.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memory.database import broken, open_writer, sqlite_errors, transaction
from memory.text_index import EXACT, MAX_WORDS, in_memory, readable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.postings import Postings

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, terms BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS term (number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
"""
FORMAT = 2
"""1 was SQLite's own index, see ``TextIndex``."""
_PORTION = 2_000
_MANY = 500


class WordIndex:
    """Texts with an id. Thread-safe; what was added is found at once. In memory, or in a private file at ``path``.

    A word counts once as it stands (without case and diacritics) and once as its English stem (Porter 1980).
    """

    def __init__(self, path: Path | None = None) -> None:
        """Raises StoreFailed when the file cannot be used, LedgerBroken when it is damaged."""
        self._path = path or Path(":memory:")
        self._lock = threading.RLock()
        self._splitter = Splitter()
        self._postings: Postings | None = None
        self._ids: list[str] = []
        with sqlite_errors(self._path):
            self._connection = open_writer(path) if path else in_memory()
            self._connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is filled in again
            self._check()

    def _check(self) -> None:
        form: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if form != FORMAT and self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._connection.close()
            raise broken(self._path, f"it is not a word index of format {FORMAT}")
        self._connection.executescript(f"{_SCHEMA} PRAGMA user_version = {FORMAT};")

    def add_all(self, texts: Iterable[tuple[str, str]]) -> None:
        """Add many (id, text) in one transaction, each in the place of the one with its id: all of them, or none."""
        with self._lock, sqlite_errors(self._path), transaction(self._connection):
            portion: list[tuple[str, str]] = []
            for one in texts:
                portion.append(one)
                if len(portion) == _PORTION:
                    self._add(portion)
                    portion = []
            self._add(portion)

    def _add(self, portion: Sequence[tuple[str, str]]) -> None:
        import numpy as np

        texts = dict(portion)
        self._remove(list(texts))
        split = self._splitter.split(list(texts.values()))
        numbers = self._numbers({word for words in split for word in words})
        terms = [np.array([numbers[word] for word in words], dtype=np.int32) for words in split]
        rows = [(id, some.tobytes()) for id, some in zip(texts, terms, strict=True)]
        self._connection.executemany("INSERT INTO entry (id, terms) VALUES (?, ?)", rows)
        if self._postings is not None:
            for id, some in zip(texts, terms, strict=True):
                self._postings.add(some)
                self._ids.append(sys.intern(id))

    def _numbers(self, words: Collection[str], *, add: bool = True) -> dict[str, int]:
        """The number of each word that is known; with ``add`` of all."""
        if add:
            self._connection.executemany("INSERT OR IGNORE INTO term (word) VALUES (?)", [(word,) for word in words])
        found: dict[str, int] = {}
        ordered = sorted(words)
        for at in range(0, len(ordered), _MANY):
            some = ordered[at : at + _MANY]
            asked = f"SELECT word, number FROM term WHERE word IN ({', '.join('?' * len(some))})"  # noqa: S608
            found.update(self._connection.execute(asked, some))
        return found

    def remove(self, ids: Iterable[str]) -> int:
        """Remove texts: how many were there. Their words may lie in the file until ``scrub``."""
        with self._lock, sqlite_errors(self._path), transaction(self._connection):
            return self._remove(list(ids))

    def _remove(self, ids: Sequence[str]) -> int:
        gone = 0
        for at in range(0, len(ids), _MANY):
            some = ids[at : at + _MANY]
            asked = f"DELETE FROM entry WHERE id IN ({', '.join('?' * len(some))})"  # noqa: S608
            gone += self._connection.execute(asked, some).rowcount
        if gone:
            self._postings = None  # made again by the next search, without them
        return gone

    def scrub(self) -> None:
        """Leave no word in the file that no text holds."""
        import numpy as np

        with self._lock, sqlite_errors(self._path):
            used = {
                int(number)
                for (terms,) in self._connection.execute("SELECT terms FROM entry")
                for number in np.frombuffer(terms, np.int32)
            }
            every = [number for (number,) in self._connection.execute("SELECT number FROM term")]
            with transaction(self._connection):
                self._connection.executemany(
                    "DELETE FROM term WHERE number = ?", [(n,) for n in every if n not in used]
                )
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def search(self, words: str, limit: int = 10) -> list[tuple[str, float]]:
        """The best (id, score), best first; a text that holds any of the words. Any text may be searched for.

        The score is BM25 over the words plus BM25 over their stems, above 0 and without an upper end. Of two that tie
        the one that was added first comes first.
        """
        from memory.postings import highest

        with self._lock:
            scores = self.scores(dict.fromkeys(self.split(words), 1.0))
            best = highest(scores, limit)
            return [(self._ids[place], float(scores[place])) for place in best if scores[place] > 0]

    def split(self, words: str) -> list[str]:
        """The different terms of a search, words and stems, at most 64 of each."""
        with self._lock:
            (terms,) = self._splitter.split([words])
        half = len(terms) // 2
        return [term for part in (terms[:half], terms[half:]) for term in list(dict.fromkeys(part))[:MAX_WORDS]]

    def scores(self, weights: dict[str, float]) -> NDArray[np.float32]:
        """BM25 of every text by terms (of ``split``) and what each counts, float32 [len(self)], in order of ``ids``."""
        with self._lock, sqlite_errors(self._path):
            postings = self._loaded()
            known = self._numbers(weights, add=False)
            return postings.score({number: weights[word] for word, number in known.items()})

    def ids(self) -> Sequence[str]:
        """The ids of all texts, in the order in which they were added."""
        with self._lock, sqlite_errors(self._path):
            self._loaded()
            return self._ids

    def _loaded(self) -> Postings:
        if self._postings is None:
            from memory.postings import Postings

            texts: list[bytes] = []
            self._ids = []
            for id, terms in self._connection.execute("SELECT id, terms FROM entry ORDER BY row"):
                self._ids.append(sys.intern(id))
                texts.append(terms)
            self._postings = Postings(texts)
        return self._postings

    def __len__(self) -> int:
        with self._lock, sqlite_errors(self._path):
            count: int = self._connection.execute("SELECT count(*) FROM entry").fetchone()[0]
        return count

    def close(self) -> None:
        """Close the file; what was in memory is gone."""
        with self._lock:
            self._connection.close()
            self._splitter.close()
            self._postings, self._ids = None, []


class Splitter:
    """Texts to terms by FTS5's tokenizers: first every word as it stands (``=word``), then every stem (``~stem``)."""

    def __init__(self) -> None:
        self._connection = in_memory()
        for table, tokenizer in (("exact", EXACT), ("stem", f"porter {EXACT}")):
            self._connection.execute(
                f"CREATE VIRTUAL TABLE {table} USING fts5 (words, content = '', tokenize = '{tokenizer}')"
            )
            self._connection.execute(f"CREATE VIRTUAL TABLE {table}_said USING fts5vocab ({table}, 'instance')")

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """The terms of each text, in order: first all of its words, then, as many, all of its stems."""
        found: list[list[str]] = [[] for _ in texts]
        rows = [(at, readable(text)) for at, text in enumerate(texts)]
        for table, mark in (("exact", "="), ("stem", "~")):
            with transaction(self._connection):
                self._connection.executemany(f"INSERT INTO {table} (rowid, words) VALUES (?, ?)", rows)  # noqa: S608
            said = self._connection.execute(f"SELECT doc, term FROM {table}_said ORDER BY doc, offset")  # noqa: S608
            for at, term in said:
                found[at].append(mark + term)
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608
        return found

    def close(self) -> None:
        """Free what it holds."""
        self._connection.close()
