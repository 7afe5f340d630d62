"""The vectors of a stretch of the shelf: rows with an owner each, nearest first.

Up to 16,384 rows the search is exact. Beyond, rows are kept in half precision and a first pass runs over their
projection on the main axes of a sample (PCA, 128 of 384 dimensions, a third of the bytes); what comes out of it is
compared exactly. ``tests.benchmarks.understanding.scale`` holds that against the exact search.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kernel.ranking.model import Floats, Places

EXACT_ROWS = 16_384
AXES = 128
LOOKED_AT = 96  # times as many rows are compared exactly as are wanted
_SAMPLE = 8_192
_FEW = 50_000  # scores of which all are compared
_STEP, _DEEPER = 17, 1.15  # odd: the rows of a tool stand side by side, and every kind of row must be in a sample


class Vectors:
    """Unit vectors float32 [rows, n], those of one document together; ``counts`` says how many each document has.

    The first row of a document is the whole of it, ``examples`` of the last ones are its examples, those between its
    sentences. Immutable.
    """

    def __init__(self, rows: Floats, counts: Sequence[int], examples: Sequence[int]) -> None:
        self._counts = np.asarray(counts, np.intp)
        self._examples = np.asarray(examples, np.intp)
        self._starts = np.concatenate([[0], np.cumsum(self._counts)]).astype(np.intp)
        owners = np.repeat(np.arange(len(self._counts), dtype=np.int32), self._counts)
        within = np.arange(len(rows)) - self._starts[owners]
        searched = (within == 0) | (within >= (self._counts - self._examples)[owners])
        self._owners = owners[searched]
        if len(rows) <= EXACT_ROWS:
            self._rows: npt.NDArray[np.floating] = np.asarray(rows, np.float32)
            self._axes = None
        else:
            self._rows = rows.astype(np.float16)
            self._axes = _main_axes(rows)
        self._searched = np.flatnonzero(searched)
        if self._axes is not None:
            self._projected = (rows[searched] @ self._axes).astype(np.float32)

    @cached_property
    def _first_pass(self) -> Floats:
        """What a search of the nearest runs over; few documents are never searched so, and cost no copy."""
        return np.asarray(self._rows[self._searched], np.float32) if self._axes is None else self._projected

    @property
    def size_bytes(self) -> int:
        """What the arrays hold."""
        own = [self._rows, self._owners, self._searched, *([] if self._axes is None else [self._projected])]
        return int(sum(array.nbytes for array in own))

    def rows_of(self, owner: int) -> Floats:
        """Return the rows of one document."""
        return np.asarray(self._rows[self._starts[owner] : self._starts[owner + 1]], np.float32)

    def nearest(self, vector: Floats, wanted: int) -> Places:
        """Return the documents nearest to the unit ``vector`` by their whole or an example; at least ``wanted``."""
        if not len(self._owners):
            return np.zeros(0, np.intp)
        scores = self._first_pass @ (vector if self._axes is None else vector @ self._axes)
        most = min(len(scores), wanted * (1 if self._axes is None else LOOKED_AT))
        best = highest(scores, most)
        if self._axes is not None:
            exact = np.asarray(self._rows[self._searched[best]], np.float32) @ vector
            best = best[np.argsort(-exact, kind="stable")]
            found = np.unique(self._owners[best], return_index=True)
            order = np.sort(found[1])[:wanted]
            return np.asarray(self._owners[best[order]], np.intp)
        return np.unique(self._owners[best]).astype(np.intp)

    def cosines(self, places: Places, vector: Floats) -> tuple[Floats, Floats, Floats]:
        """Return for each document of ``places`` the cosine of its whole, its best sentence and its best example.

        What a document has not, counts as its whole (a sentence) or as -1 (an example).
        """
        counts = self._counts[places]
        ends = np.cumsum(counts)
        first = ends - counts
        rows = self._rows
        if not np.array_equal(places, np.arange(len(self._counts))):  # of all of them, none is copied
            rows = rows[np.repeat(self._starts[places] - first, counts) + np.arange(ends[-1] if len(ends) else 0)]
        scores = np.asarray(rows, np.float32) @ vector
        within = np.arange(len(scores)) - np.repeat(first, counts)
        is_example = within >= np.repeat(counts - self._examples[places], counts)
        whole = scores[first]
        sentence = np.where(is_example | (within == 0), np.float32(-1), scores)
        example = np.where(is_example & (within > 0), scores, np.float32(-1))
        best = np.maximum.reduceat(sentence, first) if len(first) else sentence
        return (
            whole,
            np.where(best < -0.99, whole, best),
            np.maximum.reduceat(example, first) if len(first) else example,
        )


def highest(scores: npt.NDArray[np.floating], most: int) -> Places:
    """Return the places of the ``most`` highest scores, in no order; of many scores, up to twice as many.

    Of many a threshold is read from every 17th, which takes a tenth of the time of an exact partition.
    """
    if len(scores) > _FEW and most:
        rank = int(_DEEPER * most / _STEP) + _STEP
        sample = scores[::_STEP]
        if rank < len(sample):
            found = np.flatnonzero(scores >= np.partition(sample, len(sample) - rank)[len(sample) - rank])
            if most <= len(found) <= 2 * most:
                return found
    return np.argpartition(scores, len(scores) - most)[len(scores) - most :]


def _main_axes(rows: Floats) -> Floats:
    """The main axes of a sample, float32 [dimensions, AXES]; not centred, for a cosine must stay one."""
    step = max(1, len(rows) // _SAMPLE)
    sample = rows[::step].astype(np.float32)
    _, axes = np.linalg.eigh(sample.T @ sample)
    return np.ascontiguousarray(axes[:, ::-1][:, :AXES], dtype=np.float32)
