"""The flat store: every vector in one matrix, searched exactly; what they are filtered by in a SQLite file beside it.

A search in 100,000 vectors of 384 numbers takes some 9 ms on one core (154 MB are read); no index has to be built, and
nothing is lost to approximation. A row is written and synced before SQLite says that it is there: a crash leaves an
item as it was before or after; a row that SQLite does not know is overwritten at the next opening.

What this stops: a torn vector; two processes in one store; vectors of two encoders side by side; purged bytes.
What it does not: copies made earlier; blocks that a disk or file system has not reused.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory.database import open_writer, sqlite_errors, transaction
from memory.errors import LedgerBroken, StoreFailed
from memory.folder import PRIVATE_FOLDER, cannot_use
from memory.model import EntityId
from memory.postings import nth_highest
from memory.stores.checks import allowed, canonical, concerns, last_of_each, same_encoder, telling, unit
from memory.stores.columns import Columns, Mask
from memory.stores.matrix import Matrix, damaged
from memory.stores.model import EVERYWHERE, Item, Match, Where
from memory.text_index import in_memory

if TYPE_CHECKING:
    from memory.stores.model import Vector

FORMAT = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS made (encoder TEXT NOT NULL, dimensions INTEGER NOT NULL, format INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS item (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,
    about TEXT NOT NULL, label TEXT NOT NULL, fields TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS item_owner ON item (owner);
"""


class FlatStore:
    """See ``VectorStore``. In memory when ``folder`` is None, else in ``folder/name``."""

    def __init__(
        self, folder: Path | None, name: str, encoder: str, dimensions: int = 384, *, renew: bool = False
    ) -> None:
        self.name, self.encoder, self.dimensions = name, encoder, dimensions
        self._folder = folder / name if folder else None
        self._where = self._folder or Path(":memory:")
        self._guard = threading.RLock()
        self._closed = False
        self._held = _hold(self._folder) if self._folder else -1
        try:
            with self._lock():
                if renew and self._folder:
                    for path in self._folder.iterdir():
                        path.unlink()
                self._open()
        except BaseException:
            self.close()
            raise

    # --- opening ------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self._items = open_writer(self._folder / "items.db") if self._folder else in_memory()
        self._items.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is put again
        self._items.executescript(_SCHEMA)
        made = self._items.execute("SELECT encoder, dimensions, format FROM made").fetchone()
        if made is None:
            made = (self.encoder, self.dimensions, FORMAT)
            self._items.execute("INSERT INTO made VALUES (?, ?, ?)", made)
        if made[2] != FORMAT:
            raise damaged(self._where, f"they are of format {made[2]}, not {FORMAT}")
        same_encoder(made[0], made[1], self.encoder, self.dimensions, str(self._where))
        self._matrix = Matrix(self._folder / "vectors.f32" if self._folder else None, self.dimensions)
        self._load()

    def _load(self) -> None:
        """Read what there is of the items, and overwrite the rows that no item has."""
        self._ids: list[str | None] = []
        self._rows: dict[str, int] = {}
        self._columns: Columns | None = None
        self._codes: dict[str, int] = {}
        self._labels = np.full(len(self._matrix.rows), -1, dtype=np.int32)
        for row, id, label in self._items.execute("SELECT row, id, label FROM item ORDER BY row"):
            if row >= len(self._matrix.rows):
                raise damaged(self._where, f"the matrix ends before row {row}")
            self._seat(row, id, label)
        self._free = [row for row, id in enumerate(self._ids) if id is None]
        beyond = np.flatnonzero(self._matrix.rows[len(self._ids) :].any(axis=1)) + len(self._ids)
        stray = [*beyond.tolist(), *(row for row in self._free if self._matrix.rows[row].any())]
        self._matrix.wipe(stray, sync=True)

    def _seat(self, row: int, id: str, label: str) -> None:
        while len(self._ids) <= row:
            self._ids.append(None)
        while len(self._labels) <= row:
            self._labels = np.concatenate([self._labels, np.full_like(self._labels, -1)])
        self._ids[row] = id = sys.intern(id)
        self._rows[id] = row
        self._labels[row] = self._codes.setdefault(label, len(self._codes))

    # --- changing -----------------------------------------------------------------------------------------------------

    def put(self, items: Iterable[Item]) -> None:
        """See ``VectorStore``."""
        several = last_of_each(list(items))
        vectors = np.array([unit(item.vector, self.dimensions) for item in several], dtype=np.float32)
        with self._lock():
            self._fields().check(item.fields for item in several)
            rows = self._take(len(several))
            try:
                self._matrix.write(rows, vectors)
                self._insert(several, rows)
            except BaseException:
                with suppress(OSError):
                    self._matrix.wipe(rows, sync=False)
                self._free = sorted({*self._free, *rows})
                raise
            old = [self._rows[item.id] for item in several if item.id in self._rows]
            self._vacate(old)
            for item, row in zip(several, rows, strict=True):
                self._seat(row, item.id, canonical(item.label))
                self._fields().put(row, item.fields)

    def _take(self, count: int) -> list[int]:
        """Rows that nobody has, in order."""
        taken, self._free = self._free[:count], self._free[count:]
        end = len(self._ids)
        fresh = list(range(end, end + count - len(taken)))
        self._ids += [None] * len(fresh)
        return taken + fresh

    def _insert(self, several: Sequence[Item], rows: Sequence[int]) -> None:
        with transaction(self._items):
            self._items.executemany("DELETE FROM item WHERE id = ?", [(item.id,) for item in several])
            self._items.executemany(
                "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (
                        row,
                        item.id,
                        item.owner,
                        json.dumps(item.about),
                        canonical(item.label),
                        json.dumps(dict(item.fields)),
                    )
                    for item, row in zip(several, rows, strict=True)
                ],
            )

    def remove(self, ids: Iterable[str]) -> int:
        """See ``VectorStore``."""
        with self._lock():
            return self._remove([id for id in dict.fromkeys(ids) if id in self._rows])

    def _remove(self, ids: Sequence[str]) -> int:
        with transaction(self._items):
            self._items.executemany("DELETE FROM item WHERE id = ?", [(id,) for id in ids])
        self._vacate([self._rows[id] for id in ids])
        return len(ids)

    def _vacate(self, rows: Sequence[int]) -> None:
        for row in rows:
            id = self._ids[row]
            if id is not None:
                del self._rows[id]
            self._ids[row] = None
            self._labels[row] = -1
            self._fields().drop(row)
        self._free = sorted({*self._free, *rows})
        self._matrix.wipe(rows, sync=False)

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """See ``VectorStore``."""
        ids, forms = frozenset(entities), telling(words)
        with self._lock():
            rows = self._items.execute("SELECT id, owner, about, fields FROM item").fetchall()
            gone = [
                id
                for id, owner, about, fields in rows
                if id in ids or concerns((owner, json.loads(about), json.loads(fields).values()), ids, forms)
            ]
            count = self._remove(gone)
            self._scrub()
        return count

    def clear(self) -> None:
        """See ``VectorStore``."""
        with self._lock():
            self._remove(list(self._rows))
            self._items.execute("DELETE FROM made")
            self._items.execute("INSERT INTO made VALUES (?, ?, ?)", (self.encoder, self.dimensions, FORMAT))
            self._scrub()

    def _scrub(self) -> None:
        self._matrix.wipe(self._free, sync=True)
        self._items.execute("VACUUM")
        self._items.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # --- asking -------------------------------------------------------------------------------------------------------

    def search(self, vector: Vector, limit: int = 10, where: Where = EVERYWHERE) -> list[Match]:
        """See ``VectorStore``."""
        asked = unit(vector, self.dimensions)
        with self._lock():
            mask = self._mask(where)
            if limit < 1 or not mask.any():
                return []
            cosines = np.einsum("ij,j->i", self._matrix.rows[: len(mask)], asked)  # half of what OpenBLAS's gemv takes
            cosines[~mask] = -np.inf
            wanted = min(limit, int(np.count_nonzero(mask)))
            rows = np.flatnonzero(cosines >= nth_highest(cosines, wanted))
            scores = np.clip(cosines[rows], -1.0, 1.0)
            pairs = zip(rows.tolist(), scores.tolist(), strict=True)
            found = [Match(id, score) for row, score in pairs if (id := self._ids[row]) is not None]
        return sorted(found, key=lambda match: (-match.score, match.id))[:limit]

    def _mask(self, where: Where) -> Mask:
        rows = len(self._ids)
        mask: Mask = self._labels[:rows] >= 0
        if where.label is not None:
            codes = [self._codes[text] for text in allowed(self._codes, where.label)]
            mask = mask & np.isin(self._labels[:rows], codes)
        if where.owners is not None:
            owned = np.zeros(rows, dtype=np.bool_)
            asked = "SELECT row FROM item WHERE owner IN (SELECT value FROM json_each(?))"
            owned[[row for (row,) in self._items.execute(asked, (json.dumps(list(where.owners)),))]] = True
            mask = mask & owned
        some = self._fields().mask(where.fields, where.ranges, rows) if where.fields or where.ranges else None
        return mask if some is None else mask & some

    def _fields(self) -> Columns:
        if self._columns is None:
            self._columns = Columns()
            for row, fields in self._items.execute("SELECT row, fields FROM item"):
                self._columns.put(row, json.loads(fields))
        return self._columns

    def fetch(self, ids: Sequence[str]) -> dict[str, Vector]:
        """See ``VectorStore``."""
        with self._lock():
            rows = {id: self._rows[id] for id in ids if id in self._rows}
            vectors = self._matrix.rows[list(rows.values())]
        return dict(zip(rows, vectors, strict=True))

    def ids(self) -> list[str]:
        """See ``VectorStore``."""
        with self._lock():
            return sorted(self._rows)

    def __len__(self) -> int:
        with self._lock():
            return len(self._rows)

    # --- the file -----------------------------------------------------------------------------------------------------

    def rest(self) -> None:
        """Give back the memory that only searching needs; the next search takes longer once."""
        with self._lock():
            self._matrix.rest()

    def close(self) -> None:
        """See ``VectorStore``."""
        with self._guard:
            self._closed = True
            for part in (getattr(self, "_items", None), getattr(self, "_matrix", None)):
                if part is not None:
                    part.close()
            if self._held >= 0:
                os.close(self._held)
                self._held = -1

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """One thread at a time, with errors in the room's words."""
        with self._guard:
            if self._closed:
                raise StoreFailed("store.closed", f"The store {self.name} is closed.", hint="Open it again.")
            try:
                with sqlite_errors(self._where):
                    yield
            except LedgerBroken as error:
                raise damaged(self._where, str(error.__cause__ or error)) from error


def _hold(folder: Path) -> int:
    """Make the folder (0700) and lock it; the descriptor that holds the lock."""
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise cannot_use(folder, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise StoreFailed(
            "store.busy",
            f"Another process, or another part of this one, holds the vectors in {folder}.",
            subject=str(folder),
            hint="Stop the other daemon (`./steward down`), or wait until it has ended.",
        ) from error
    return descriptor
