"""Which documents hold a term, and how much it says there: compressed rows (CSR), built once.

BM25 (Robertson and Zaragoza 2009) with k1 = 1.2, b = 0.75; the part that depends on the document alone is worked out
when the rows are built, the rarity of a term when it is asked for, so that several postings count together.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kernel.ranking.model import Floats

K1, B = 1.2, 0.75

Parts = Callable[[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float32]], Floats]


class Postings:
    """Terms of the documents 0..size-1. ``lengths`` float32 [size] in terms; immutable."""

    def __init__(self, texts: Iterable[Sequence[str]], weigh: Parts) -> None:
        """``weigh`` turns document numbers, counts and lengths of all postings into their weights."""
        rows: dict[str, int] = {}
        numbers, owners = array("i"), array("i")
        lengths = array("f")
        for owner, terms in enumerate(texts):
            lengths.append(len(terms))
            for term in terms:
                numbers.append(rows.setdefault(term, len(rows)))
                owners.append(owner)
        self._rows = rows
        self.lengths = np.frombuffer(lengths, np.float32) if lengths else np.zeros(0, np.float32)
        keys = np.array(numbers, np.int64) * max(1, len(self.lengths)) + np.array(owners, np.int64)
        found, counts = np.unique(keys, return_counts=True)
        self._owners = (found % max(1, len(self.lengths))).astype(np.int32)
        self._weights = weigh(self._owners, counts.astype(np.int32), self.lengths)
        per_row = np.bincount(found // max(1, len(self.lengths)), minlength=len(rows))
        self._starts = np.concatenate([[0], np.cumsum(per_row)])

    @property
    def size(self) -> int:
        """The number of documents."""
        return len(self.lengths)

    @property
    def size_bytes(self) -> int:
        """What the arrays hold; the words themselves are not counted."""
        return int(self._owners.nbytes + self._weights.nbytes + self._starts.nbytes + self.lengths.nbytes)

    def count(self, term: str) -> int:
        """Return in how many documents ``term`` is."""
        row = self._rows.get(term)
        return 0 if row is None else int(self._starts[row + 1] - self._starts[row])

    def scores(self, weights: Mapping[str, float]) -> Floats:
        """Return, float32 [size], for each document the summed weight of the terms it shares with ``weights``."""
        rows = [(self._rows[term], weight) for term, weight in weights.items() if term in self._rows]
        if not rows:
            return np.zeros(self.size, np.float32)
        parts = [slice(self._starts[row], self._starts[row + 1]) for row, _ in rows]
        owners = np.concatenate([self._owners[part] for part in parts], dtype=np.intp)
        values = np.concatenate([self._weights[part] for part in parts], dtype=np.float64)
        values *= np.repeat([weight for _, weight in rows], [part.stop - part.start for part in parts])
        found: Floats = np.bincount(owners, weights=values, minlength=self.size).astype(np.float32)
        return found


def bm25_parts(
    owners: npt.NDArray[np.int32], counts: npt.NDArray[np.int32], lengths: npt.NDArray[np.float32]
) -> Floats:
    """The part of BM25 that depends on the document: saturated frequency, less in a long one."""
    mean = float(lengths.mean()) if len(lengths) else 1.0
    norm = K1 * (1 - B + B * lengths[owners] / max(mean, 1.0))
    parts: Floats = (counts * np.float32(K1 + 1) / (counts + norm)).astype(np.float32)
    return parts


def gram_parts(
    owners: npt.NDArray[np.int32], counts: npt.NDArray[np.int32], lengths: npt.NDArray[np.float32]
) -> Floats:
    """A window is there or not; a long document is told less by one."""
    parts: Floats = (1.0 / np.sqrt(np.maximum(lengths[owners], 1.0))).astype(np.float32)
    return parts


def rarity(count: int, size: int) -> float:
    """Return the inverse document frequency of BM25, above 0."""
    return math.log1p((size - count + 0.5) / (count + 0.5))
