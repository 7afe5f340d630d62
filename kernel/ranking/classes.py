"""What was learnt of the requests of each tool: a classifier over their vectors, and one over their words and pairs.

Their log probabilities are added, the words' counting less (a product of experts: Hinton 2002). Vectors tell what was
meant, and words what such requests are told apart by: "on" and "off", "my" and "the", which lie near each other.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kernel.ranking.fitting import fit_classes
from kernel.ranking.model import Floats
from kernel.ranking.postings import rarity
from kernel.ranking.words import every_term

WORDS = 0.35
"""How much the words' log probability counts beside that of the vectors."""
_PULL, _WORDS_PULL = 3e-4, 3e-4
_FREE = 0.05  # of many requests each pulls for itself: what holds the weights is divided among them
_COLUMNS, _HASHES = 512, 4
_LEAST = 1e-4  # probability from which an opinion counts; its logarithm is what is added up


@dataclass(frozen=True, slots=True)
class Classes:
    """The trained classifiers; ``size`` tools by number, of which ``numbers`` have requests."""

    size: int
    numbers: npt.NDArray[np.intp]
    meant: Floats
    bag: Bag
    worded: tuple[npt.NDArray[np.intp], Floats]

    @classmethod
    def of(
        cls, size: int, rows: Floats, texts: Sequence[str], owners: npt.NDArray[np.intp], more: Mapping[int, Floats]
    ) -> Classes:
        """Learn from requests: vectors ``rows`` [n, d], ``texts``, tools ``owners``; ``more`` are vectors of tools."""
        every = np.append(owners, list(more)).astype(np.intp)
        numbers, classes = np.unique(every, return_inverse=True)
        meant = fit_classes(
            np.concatenate([rows, *(one[None, :] for one in more.values())]), classes, pull=_pull(len(every))
        )
        bag = Bag.of(texts)
        said, of_words = np.unique(owners, return_inverse=True)
        worded = fit_classes(np.array([bag.row(text) for text in texts]), of_words, pull=_WORDS_PULL)
        return cls(size, numbers, meant, bag, (said, worded))

    @property
    def own(self) -> frozenset[int]:
        """The numbers of the tools that have requests."""
        return frozenset(self.worded[0].tolist())

    def learnt(self, vector: Floats, text: str) -> Floats:
        """How probable each tool is, float32 [size]: 1 is certain, 0 is one in ten thousand or less."""
        logs = _logs(self.meant, vector)
        words = np.full(self.size, math.log(_LEAST), np.float32)
        words[self.worded[0]] = _logs(self.worded[1], self.bag.row(text))
        both = logs + np.float32(WORDS) * words[self.numbers]
        both -= both.max()
        both -= np.log(np.exp(both).sum())
        found = np.zeros(self.size, np.float32)
        found[self.numbers] = 1.0 - np.maximum(both, math.log(_LEAST)) / np.float32(math.log(_LEAST))
        return found


@dataclass(frozen=True, slots=True)
class Bag:
    """Words and pairs of words, weighed by how rare they are, in few columns (signed hashing: Weinberger 2009)."""

    weights: Mapping[str, float]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Bag:
        """Count the ``texts``."""
        counts = Counter(term for text in texts for term in _terms(text))
        return cls({term: rarity(count, len(texts)) for term, count in counts.items()})

    def row(self, text: str) -> Floats:
        """The unit vector of ``text``; what was never counted says nothing."""
        row = np.zeros(_COLUMNS, np.float32)
        for term in _terms(text):
            if weight := self.weights.get(term, 0.0):
                for turn in range(_HASHES):
                    place = zlib.crc32(f"{turn}{term}".encode())
                    row[place % _COLUMNS] += weight if place >> 20 & 1 else -weight
        length = np.linalg.norm(row)
        result: Floats = row / length if length else row
        return result


def _terms(text: str) -> set[str]:
    words = every_term(text)
    return {*words, *(f"{left} {right}" for left, right in pairwise(words))}


def _pull(requests: int) -> float:
    return min(_PULL, _FREE / max(requests, 1))


def _logs(weights: Floats, row: Floats) -> Floats:
    scores = row @ weights[:-1] + weights[-1]
    scores = scores - scores.max()
    result: Floats = scores - np.log(np.exp(scores).sum())
    return result
