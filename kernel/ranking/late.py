"""Late interaction: how well each word of a request finds its like in a tool's description, and the other way round.

The sum over one side's word pieces of the best cosine on the other side (ColBERT's MaxSim: Khattab and Zaharia 2020),
each weighted by how rare the piece is among the descriptions, divided by the weights.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from kernel.ranking.model import Floats, Places

MOST_DOCUMENTS = 4_096
"""So many descriptions are kept piece by piece: some 25 kB each."""


class Pieces:
    """The word pieces of descriptions, float16, those of one description together. Immutable."""

    def __init__(self, described: Sequence[tuple[list[str], Floats]], seen: Counter[str] | None = None) -> None:
        """``seen`` says in how many earlier descriptions a piece was."""
        self.seen = Counter(seen or {})
        for words, _ in described:
            self.seen.update(set(words))
        self._size = max(self.seen.values(), default=1) + 1
        self._starts = np.cumsum([0, *(len(words) for words, _ in described)])[:-1]
        self._rows = (
            np.concatenate([rows for _, rows in described]).astype(np.float16)
            if described
            else np.zeros((0, 1), np.float16)
        )
        self._weights = np.array([self._weight(word) for words, _ in described for word in words], np.float32)

    @property
    def size_bytes(self) -> int:
        """What the arrays hold."""
        return int(self._rows.nbytes + self._weights.nbytes)

    def _weight(self, word: str) -> float:
        return math.log1p(self._size / (self.seen.get(word, 0) + 0.5))

    def scores(self, places: Places, asked: tuple[list[str], Floats]) -> tuple[Floats, Floats]:
        """Return for each description of ``places`` how well the request is found in it, and it in the request."""
        words, rows = asked
        if not len(places) or not words:
            return np.zeros(len(places), np.float32), np.zeros(len(places), np.float32)
        ends = np.append(self._starts, len(self._weights))
        counts = ends[places + 1] - ends[places]
        first = np.cumsum(counts) - counts
        taken = np.repeat(ends[places] - first, counts) + np.arange(int(counts.sum()))
        cosines = self._rows[taken].astype(np.float32) @ rows.T
        weights = np.array([self._weight(word) for word in words], np.float32)
        forth = np.maximum.reduceat(cosines, first, axis=0) @ weights / weights.sum()
        own = self._weights[taken]
        back = np.add.reduceat(cosines.max(axis=1) * own, first) / np.add.reduceat(own, first)
        return forth.astype(np.float32), back.astype(np.float32)
