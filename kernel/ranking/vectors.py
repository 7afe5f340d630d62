"""The vectors of a stretch of the shelf: rows with an owner each, nearest first.

Up to 16,384 rows the search is exact. Beyond, rows are kept in 16 bits a number, and a first pass counts in how many
signs each differs from what is asked (``kernel.ranking.signs``); those that differ in fewest are compared number by
number. ``tests.benchmarks.understanding.scale`` holds that against the exact search.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kernel.ranking.model import Floats, Places
from kernel.ranking.signs import Signs, fewest

EXACT_ROWS = 16_384
LOOKED_AT = 96  # times as many rows are compared number by number as are wanted
_AT_ONCE = 8_192  # rows that are rounded together
_COMPARED = 1_024  # and that are compared together
_ONE = np.float32(32_767)  # what 1 is in 16 bits: a number is off by 1.5e-5 at most, a cosine hardly more


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
        self._searched = np.flatnonzero(searched)
        self._most = int(self._examples.max(initial=0)) + 1  # rows of one document that are searched
        self._rows: npt.NDArray[np.float32] | npt.NDArray[np.int16] = np.asarray(rows, np.float32)
        self._unit, self._signs = np.float32(1), None
        if len(rows) > EXACT_ROWS:
            self._rows, self._unit, self._signs = _rounded(rows), 1 / _ONE, Signs(rows, self._searched)

    @cached_property
    def _first_pass(self) -> Floats:
        """What an exact search runs over; few documents are never searched so, and cost no copy."""
        return np.asarray(self._rows[self._searched], np.float32)

    @property
    def size_bytes(self) -> int:
        """What the arrays hold."""
        signs = self._signs.size_bytes if self._signs is not None else 0
        return int(self._rows.nbytes + self._owners.nbytes + self._searched.nbytes + signs)

    def nearest(self, vector: Floats, wanted: int) -> Places:
        """Return the documents nearest to the unit ``vector`` by their whole or an example, of ``wanted`` rows."""
        if self._signs is None:
            return np.unique(self._owners[_best(self._first_pass @ vector, wanted)]).astype(np.intp)
        near = fewest(self._signs.apart(vector), wanted * LOOKED_AT)
        scores = self._compared(self._searched[near], vector)
        best = _best(scores, wanted * self._most)  # rows of so many documents at least
        owners = self._owners[near[best]]
        _, first = np.unique(owners, return_index=True)
        return np.asarray(owners[np.sort(first)[:wanted]], np.intp)

    def _compared(self, rows: Places, vector: Floats) -> Floats:
        """The cosines of some rows, a stretch at a time: it stays near the processor from 16 bits to the product."""
        asked = vector * self._unit
        found = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _COMPARED):
            some = self._rows.take(rows[start : start + _COMPARED], axis=0)
            found[start : start + _COMPARED] = some.astype(np.float32, copy=False) @ asked
        return found

    def cosines(self, places: Places, vector: Floats) -> tuple[Floats, Floats, Floats]:
        """Return for each document of ``places`` the cosine of its whole, its best sentence and its best example.

        What a document has not, counts as its whole (a sentence) or as -1 (an example).
        """
        counts = self._counts[places]
        ends = np.cumsum(counts)
        first = ends - counts
        if np.array_equal(places, np.arange(len(self._counts))):  # of all of them, none is copied
            scores = np.asarray(self._rows, np.float32) @ (vector * self._unit)
        else:
            taken = np.repeat(self._starts[places] - first, counts) + np.arange(ends[-1] if len(ends) else 0)
            scores = self._compared(taken, vector)
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


def _best(scores: Floats, most: int) -> Places:
    """The places of the ``most`` highest scores, best first."""
    cut = max(len(scores) - most, 0)
    places = np.argpartition(scores, cut)[cut:] if cut else np.arange(len(scores))
    return places[np.argsort(-scores[places], kind="stable")]


def _rounded(rows: Floats) -> npt.NDArray[np.int16]:
    """Numbers of -1..1 as shares of 32,767, some rows at a time: of all at once there would be a second copy."""
    found = np.empty(rows.shape, np.int16)
    for start in range(0, len(rows), _AT_ONCE):
        found[start : start + _AT_ONCE] = np.rint(rows[start : start + _AT_ONCE] * _ONE)
    return found
