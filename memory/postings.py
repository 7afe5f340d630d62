"""Which texts hold which terms how often, as arrays: BM25 over 100,000 texts in a millisecond or two.

Robertson and Zaragoza 2009 (equation 3.15), with the idf of Lucene, ln(1 + (N - n + 0.5) / (n + 0.5)), which stays
above 0 in small collections. Oracle in the tests: the formula in plain Python, to 1e-5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

K1, B = 1.2, 0.75
_TAIL = 2_048
"""So many texts are added beside the large arrays before these are made again."""

Numbers = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float32]


class Postings:
    """Texts by place (0, 1, 2 ... in the order they came), each a list of term numbers. For one thread at a time."""

    def __init__(self, texts: Sequence[bytes] = ()) -> None:
        """Begin with many texts at once, each its term numbers as int32."""
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) // 4
        self._count = len(texts)
        self._lengths = np.zeros(max(16, self._count), dtype=np.float32)
        self._lengths[: self._count] = lengths
        self._total = int(lengths.sum())
        self._main = _Segment.of_texts(np.frombuffer(b"".join(texts), np.int32), lengths, 0)
        self._tail = _Segment.of_texts(np.empty(0, np.int32), np.empty(0, np.int64), self._count)
        self._fresh: list[Numbers] = []

    def add(self, terms: Numbers) -> int:
        """One more text; its place."""
        place = self._count
        if place == len(self._lengths):
            self._lengths = np.concatenate([self._lengths, np.zeros_like(self._lengths)])
        self._fresh.append(terms)
        self._lengths[place] = len(terms)
        self._total += len(terms)
        self._count += 1
        return place

    def __len__(self) -> int:
        return self._count

    def idf(self, terms: Numbers) -> Scores:
        """How telling terms are, above 0, float32 [terms]."""
        self._settle()
        counts = self._main.counts(terms) + self._tail.counts(terms)
        return np.log1p((self._count - counts + 0.5) / (counts + 0.5)).astype(np.float32)

    def score(self, weights: Mapping[int, float]) -> Scores:
        """BM25 of every text, float32 [texts]; ``weights`` says how much each term counts. 0: it holds none."""
        terms = np.fromiter(weights, dtype=np.int32)
        factors = self.idf(terms) * np.fromiter(weights.values(), dtype=np.float32) * np.float32(K1 + 1)
        scores = np.zeros(self._count, dtype=np.float32)
        average = max(1.0, self._total / max(1, self._count))
        for term, factor in zip(terms, factors, strict=True):
            for segment in (self._main, self._tail):
                places, counts = segment.of(term)
                if len(places):
                    norm = K1 * (1 - B + B * self._lengths[places] / np.float32(average))
                    scores[places] += factor * counts / (counts + norm)
        return scores

    def _settle(self) -> None:
        """Bring the arrays up to date with the texts that were added."""
        if self._main.end + len(self._tail) == self._count:
            return
        lengths = np.fromiter(map(len, self._fresh), dtype=np.int64, count=len(self._fresh))
        terms = np.concatenate([*self._fresh, np.empty(0, np.int32)])
        self._tail = _Segment.of_texts(terms, lengths, self._main.end)
        if len(self._fresh) > max(_TAIL, self._main.end // 8):
            self._main = self._main.joined(self._tail)
            self._tail = _Segment.of_texts(terms[:0], lengths[:0], self._count)
            self._fresh = []


def highest(scores: Scores, limit: int) -> npt.NDArray[np.intp]:
    """The places of the ``limit`` highest scores, highest first; of two that tie the earlier."""
    if limit < 1 or not len(scores):
        return np.empty(0, dtype=np.intp)
    if limit >= len(scores):
        return np.argsort(-scores, kind="stable")
    least = nth_highest(scores, limit)
    above = np.flatnonzero(scores > least)
    level = np.flatnonzero(scores == least)[: limit - len(above)]
    places = np.sort(np.concatenate([above, level]))
    return places[np.argsort(-scores[places], kind="stable")]


def nth_highest(scores: Scores, nth: int) -> float:
    """The ``nth`` highest score, 1 .. len(scores).

    Of the bests of stretches, the ``nth`` highest is no higher than it. That bound leaves few scores to look at, and no
    crowd of equal ones, in which ``np.partition`` takes ten times as long.
    """
    width = len(scores) // (4 * nth)
    if width > 1:
        best = scores[: len(scores) // width * width].reshape(-1, width).max(axis=1)
        bound = np.partition(best, len(best) - nth)[len(best) - nth]
        above = scores[scores > bound]
        if len(above) < nth:
            return float(bound)
        scores = above
    return float(np.partition(scores, len(scores) - nth)[len(scores) - nth])


class _Segment:
    """Texts ``start`` up to ``end`` by their terms, in compressed rows."""

    def __init__(self, keys: npt.NDArray[np.int64], counts: npt.NDArray[np.uint8], start: int, end: int) -> None:
        """``keys``: term << 32 | place, in order, each once."""
        self.start, self.end = start, end
        self._places = (keys & 0xFFFF_FFFF).astype(np.int32)
        self._counts = counts
        self._terms, starts = np.unique((keys >> 32).astype(np.int32), return_index=True)
        self._starts = np.append(starts, len(keys))

    @classmethod
    def of_texts(cls, terms: Numbers, lengths: npt.NDArray[np.int64], start: int) -> _Segment:
        """Of texts one after the other: their terms, and how many each has."""
        end = start + len(lengths)
        places = np.repeat(np.arange(start, end, dtype=np.int64), lengths)
        keys, counts = np.unique(terms.astype(np.int64) << 32 | places, return_counts=True)
        return cls(keys, np.minimum(counts, 255).astype(np.uint8), start, end)

    def joined(self, other: _Segment) -> _Segment:
        """This and the texts that follow it."""
        keys = np.concatenate([self._keys(), other._keys()])
        order = np.argsort(keys, kind="stable")
        counts = np.concatenate([self._counts, other._counts])
        return _Segment(keys[order], counts[order], self.start, other.end)

    def _keys(self) -> npt.NDArray[np.int64]:
        terms = np.repeat(self._terms.astype(np.int64), np.diff(self._starts))
        return terms << 32 | self._places

    def of(self, term: int) -> tuple[Numbers, npt.NDArray[np.uint8]]:
        """(places, counts) of the texts that hold ``term``."""
        at = int(self._terms.searchsorted(term))
        if at == len(self._terms) or self._terms[at] != term:
            return self._places[:0], self._counts[:0]
        some = slice(self._starts[at], self._starts[at + 1])
        return self._places[some], self._counts[some]

    def counts(self, terms: Numbers) -> npt.NDArray[np.int64]:
        """How many texts hold each of ``terms``."""
        if not len(self._terms):
            return np.zeros(len(terms), dtype=np.int64)
        at = np.minimum(self._terms.searchsorted(terms), len(self._terms) - 1)
        return np.where(self._terms[at] == terms, self._starts[at + 1] - self._starts[at], 0)

    def __len__(self) -> int:
        return self.end - self.start
