"""The signs of vectors, a bit a number: in how many two vectors differ tells about how far apart they point.

Of two unit vectors the share of differing signs is on average their angle over pi, where the axes lie as random ones do
(Charikar 2002; Goemans and Williamson 1995). 384 numbers are 48 bytes, and counting them is an exclusive or and a
population count, so this is a first pass over very many rows. Oracle: the signs compared one by one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernel.ranking.model import Floats, Places

_AT_ONCE = 8_192  # rows that are packed together
_WORD = 8  # bytes


class Signs:
    """The signs of those rows of a matrix that are at ``places``. Immutable."""

    def __init__(self, rows: Floats, places: Places) -> None:
        # one row a word: the differences are added up along whole rows
        self._words = np.empty((-(-rows.shape[1] // (8 * _WORD)), len(places)), np.uint64)
        for start in range(0, len(places), _AT_ONCE):
            self._words[:, start : start + _AT_ONCE] = _packed(rows[places[start : start + _AT_ONCE]]).T

    @property
    def size_bytes(self) -> int:
        """What the array holds."""
        return self._words.nbytes

    def apart(self, vector: Floats) -> npt.NDArray[np.uint16]:
        """Return, uint16 [places], in how many signs each row differs from ``vector``."""
        found = np.zeros(self._words.shape[1], np.uint16)
        for words, asked in zip(self._words, _packed(vector[None])[0], strict=True):
            found += np.bitwise_count(words ^ asked)
        return found


def _packed(rows: Floats) -> npt.NDArray[np.uint64]:
    """A bit for each number above 0, filled up with zeros to whole words."""
    bits = np.packbits(rows > 0, axis=1)
    whole = np.zeros((len(rows), -(-bits.shape[1] // _WORD) * _WORD), np.uint8)
    whole[:, : bits.shape[1]] = bits
    return whole.view(np.uint64)


def fewest(counts: npt.NDArray[np.uint16], most: int) -> Places:
    """Return the places of the ``most`` smallest of ``counts``, in order; of equals the first ones."""
    if most >= len(counts):
        return np.arange(len(counts))
    bound = int(np.searchsorted(np.cumsum(np.bincount(counts)), most))
    below = np.flatnonzero(counts < bound)
    equal = np.flatnonzero(counts == bound)[: most - len(below)]
    return np.sort(np.concatenate([below, equal]))
