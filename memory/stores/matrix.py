"""A matrix of unit vectors in a file, mapped: rows are written where they belong, and never is the file written anew.

What this stops: a row that is believed before it is on disk (``write`` syncs before it returns).
What it does not: blocks that a disk or file system has not reused.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memory.errors import StoreFailed
from memory.folder import touch_private

if TYPE_CHECKING:
    from memory.stores.model import Vector

_LEAST = 1_024
_FLOAT = 4


class Matrix:
    """``rows`` float32 [capacity, dimensions]; what was never written is 0. In memory when ``path`` is None."""

    def __init__(self, path: Path | None, dimensions: int) -> None:
        self._path = path
        self._width = dimensions * _FLOAT
        self._dimensions = dimensions
        self._file = -1
        self._mapping: mmap.mmap | None = None
        self.rows: Vector = np.zeros((_LEAST, dimensions), dtype=np.float32)
        if path is not None:
            touch_private(path)
            self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            self._map(max(_LEAST, os.fstat(self._file).st_size // self._width))

    def _map(self, capacity: int) -> None:
        os.ftruncate(self._file, capacity * self._width)
        self._mapping = mmap.mmap(self._file, capacity * self._width, access=mmap.ACCESS_READ)
        self.rows = np.frombuffer(self._mapping, np.float32).reshape(capacity, self._dimensions)

    def write(self, places: Sequence[int], vectors: Vector) -> None:
        """Write rows and have them on disk. Raises OSError, with the rows in no certain state."""
        self._reserve(max(places, default=-1) + 1)
        if self._path is None:
            self.rows[list(places)] = vectors
            return
        for begin, end in _runs(places):
            self._put(places[begin] * self._width, np.ascontiguousarray(vectors[begin:end]).tobytes())
        os.fdatasync(self._file)

    def wipe(self, places: Sequence[int], *, sync: bool) -> None:
        """Overwrite rows with 0."""
        ordered = sorted(places)
        if self._path is None:
            self.rows[ordered] = 0
            return
        for begin, end in _runs(ordered):
            self._put(ordered[begin] * self._width, bytes((end - begin) * self._width))
        if sync:
            os.fdatasync(self._file)

    def _put(self, at: int, data: bytes) -> None:
        done = 0
        while done < len(data):
            done += os.pwrite(self._file, data[done:], at + done)

    def _reserve(self, capacity: int) -> None:
        have = len(self.rows)
        if capacity <= have:
            return
        capacity = max(capacity, have + have // 8, _LEAST)
        if self._path is not None:
            self._map(capacity)
        else:
            self.rows = np.concatenate([self.rows, np.zeros((capacity - have, self._dimensions), dtype=np.float32)])

    def rest(self) -> None:
        """Let go of the pages that were read; they come back from the page cache."""
        if self._mapping is not None:
            self._mapping.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Free file and mapping (the mapping with the last array that looks at it)."""
        self.rows = np.zeros((0, self._dimensions), dtype=np.float32)
        self._mapping = None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """(begin, end) of the stretches of ``places`` that lie one after the other."""
    edges = [at for at in range(1, len(places)) if places[at] != places[at - 1] + 1]
    return list(zip([0, *edges], [*edges, len(places)], strict=True)) if places else []


def damaged(folder: Path, reason: str) -> StoreFailed:
    """The error for files that cannot be believed and can be worked out again."""
    return StoreFailed(
        "store.damaged",
        f"What lies in {folder} cannot be used: {reason}.",
        subject=str(folder),
        hint=f"Remove that folder; it is built again from the ledger: rm -r {folder}",
    )
