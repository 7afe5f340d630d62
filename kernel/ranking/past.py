"""The past: the person's own requests, and what they say about a new one.

Requests that were accepted are examples of their tools: the nearest ones by vector and by character n-grams (which work
in any language), the middle of each tool's, and a classifier over all. A request that was refused or taken back speaks
against its tool where the new one is like it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kernel.ranking.classes import Classes
from kernel.ranking.habits import Habits
from kernel.ranking.model import Encode, Floats, Moment, Question, Request
from kernel.ranking.postings import Postings, bm25_parts, gram_parts, rarity
from kernel.ranking.words import grams, terms

MOST = 5_000
"""So many of the latest requests count."""
NEAREST = 3
_FEWEST_CLASSES, _FEWEST_REQUESTS = 2, 8

COLUMNS = ("near", "alike", "said", "centroid", "learnt", "against", "prior", "hour", "next", "reliable")
_OWN = COLUMNS[:6]


class Past:
    """Requests of the past, oldest first, with what was learnt from them. Immutable after it is made."""

    def __init__(
        self,
        requests: Iterable[Request] = (),
        encode: Encode | None = None,
        described: Mapping[str, Floats] | None = None,
        earlier: Past | None = None,
    ) -> None:
        """``described`` are vectors of tools' documents, float32 [384]: one more example each for the classifier.

        What was encoded for ``earlier``, by the same encoder, is taken from there.
        """
        self.requests = tuple(requests)[-MOST:]
        self.habits = Habits(self.requests)
        self._tools = sorted({tool for one in self.requests for tool in one.tools})
        self._numbers = {tool: number for number, tool in enumerate(self._tools)}
        texts = [sorted(grams(one.text)) for one in self.requests]
        self._postings = Postings(texts, gram_parts)
        self._norms = _lengths(texts, self._postings)
        self._heard = "", self._compared("")
        self._vectors = self._encoded(encode, earlier) if encode and self.requests else None
        pairs = [(at, self._numbers[tool]) for at, one in enumerate(self.requests) for tool in one.tools]
        good = [self.requests[at].accepted for at, _ in pairs]
        self._pairs = np.array([pair for pair, ok in zip(pairs, good, strict=True) if ok], np.intp).reshape(-1, 2)
        self._refused = np.array([pair for pair, ok in zip(pairs, good, strict=True) if not ok], np.intp).reshape(-1, 2)
        self._words = self._said()
        self._described = {tool: one for tool, one in (described or {}).items() if tool in self._numbers}
        self._middles = self._middle() if self._vectors is not None else None
        self._classes = self._classify() if self._vectors is not None else None

    def __len__(self) -> int:
        return len(self.requests)

    @property
    def tools(self) -> Sequence[str]:
        """Every tool that a request came to."""
        return self._tools

    def _encoded(self, encode: Encode, earlier: Past | None) -> Floats:
        """The vectors of all requests; only texts that are new are encoded."""
        known: dict[str, Floats] = {}
        if earlier is not None and earlier._vectors is not None:
            known = dict(zip((one.text for one in earlier.requests), earlier._vectors, strict=True))
        new = [text for text in dict.fromkeys(one.text for one in self.requests) if text not in known]
        known |= dict(zip(new, encode(new), strict=True)) if new else {}
        return np.array([known[one.text] for one in self.requests], np.float32)

    def columns(self, ids: Sequence[str], question: Question, moment: Moment) -> dict[str, Floats]:
        """Return what the past says of each of ``ids``, a column float32 [ids] for every name in COLUMNS."""
        own: dict[str, Floats] = {name: np.zeros(len(self._tools), np.float32) for name in _OWN}
        if len(self.requests):
            shared = self._alike(question.text)
            own["alike"] = self._best(self._pairs, shared)
            own["said"] = self._worded(question.text)
            nearness = shared
            if self._vectors is not None and question.vector is not None:
                nearness = self._vectors @ question.vector
                own |= self._meant(question.vector, question.text, nearness)
            own["against"] = self._best(self._refused, nearness)
        places = np.array([self._numbers.get(one, -1) for one in ids], np.intp)
        found = {name: _spread(values, places) for name, values in own.items()}
        return found | {name: np.array(values, np.float32) for name, values in self.habits.columns(ids, moment).items()}

    def has_requests(self, ids: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Tell of each of ``ids`` whether a classifier learnt it from requests of its own."""
        own = self._classes.own if self._classes is not None else frozenset[int]()
        return np.array([self._numbers.get(one, -1) in own for one in ids], np.bool_)

    def likely(self, question: Question, wanted: int) -> list[str]:
        """Return the tools of the requests most like ``question``: candidates whatever their documents say."""
        if not len(self._pairs):
            return []
        near = self._alike(question.text)
        if self._vectors is not None and question.vector is not None:
            near = np.maximum(near, self._vectors @ question.vector)
        best = self._best(self._pairs, near)
        return [self._tools[at] for at in np.argsort(-best, kind="stable")[:wanted] if best[at] > 0]

    def nearest(self, question: Question) -> float:
        """Return how near the nearest accepted request is, -1..1; 0 without any."""
        if not len(self._pairs):
            return 0.0
        if self._vectors is None or question.vector is None:
            return float(self._alike(question.text)[self._pairs[:, 0]].max())
        return float((self._vectors[self._pairs[:, 0]] @ question.vector).max())

    def _meant(self, vector: Floats, text: str, nearness: Floats) -> dict[str, Floats]:
        found = {"near": self._mean_of_best(nearness)}
        if self._middles is not None:
            found["centroid"] = self._middles @ vector
        if self._classes is not None:
            found["learnt"] = self._classes.learnt(vector, text)
        return found

    def _best(self, pairs: npt.NDArray[np.intp], nearness: Floats) -> Floats:
        best = np.zeros(len(self._tools), np.float32)
        if len(pairs):
            np.maximum.at(best, pairs[:, 1], nearness[pairs[:, 0]].astype(np.float32))
        return best

    def _mean_of_best(self, nearness: Floats) -> Floats:
        """The mean of each tool's NEAREST nearest; of fewer where it has fewer."""
        scores = nearness[self._pairs[:, 0]]
        order = np.lexsort((-scores, self._pairs[:, 1]))
        tools, ranked = self._pairs[order, 1], scores[order]
        starts = np.flatnonzero(np.append(True, tools[1:] != tools[:-1])) if len(tools) else np.zeros(0, np.intp)
        rank = np.arange(len(tools)) - np.repeat(starts, np.diff(np.append(starts, len(tools))))
        kept = rank < NEAREST
        sums = np.bincount(tools[kept], weights=ranked[kept], minlength=len(self._tools))
        counts = np.bincount(tools[kept], minlength=len(self._tools))
        means: Floats = (sums / np.maximum(counts, 1)).astype(np.float32)
        return means

    def _alike(self, text: str) -> Floats:
        """The cosine of the n-grams of ``text`` with those of every request; kept, for a request asks for it twice."""
        heard, found = self._heard
        if heard != text:
            found = self._compared(text)
            self._heard = text, found
        return found

    def _compared(self, text: str) -> Floats:
        size = self._postings.size
        squared = {gram: rarity(self._postings.count(gram), size) ** 2 for gram in grams(text)}
        own = sum(squared.values()) ** 0.5
        shared = self._postings.scores(squared) * np.sqrt(np.maximum(self._postings.lengths, 1.0))
        found: Floats = (shared / np.maximum(self._norms * own, 1e-9)).astype(np.float32)
        return found

    def _said(self) -> Postings:
        """What was said to each tool, as one text a tool."""
        texts: list[list[str]] = [[] for _ in self._tools]
        for at, number in self._pairs.tolist():
            texts[number] += terms(self.requests[at].text)
        return Postings(texts, bm25_parts)

    def _worded(self, text: str) -> Floats:
        """BM25 of what was said to each tool, the best as 1."""
        size = self._words.size
        counts = {term: self._words.count(term) for term in set(terms(text))}
        scores = self._words.scores({term: rarity(count, size) for term, count in counts.items() if count})
        return scores / max(float(scores.max(initial=0.0)), 1e-6)

    def _middle(self) -> Floats:
        assert self._vectors is not None
        sums = np.zeros((len(self._tools), self._vectors.shape[1]), np.float32)
        for tool, vector in self._described.items():
            sums[self._numbers[tool]] += vector
        np.add.at(sums, self._pairs[:, 1], self._vectors[self._pairs[:, 0]])
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        middles: Floats = sums / np.maximum(lengths, 1e-9)
        return middles

    def _classify(self) -> Classes | None:
        """The classifiers over the accepted requests; None where there is too little to tell tools apart."""
        assert self._vectors is not None
        at, owners = self._pairs[:, 0], self._pairs[:, 1]
        more = {self._numbers[tool]: vector for tool, vector in self._described.items()}
        if len({*owners.tolist(), *more}) < _FEWEST_CLASSES or len(owners) < _FEWEST_REQUESTS:
            return None
        texts = [self.requests[one].text for one in at.tolist()]
        return Classes.of(len(self._tools), self._vectors[at], texts, owners, more)


def _spread(values: Floats, places: npt.NDArray[np.intp]) -> Floats:
    """``values`` by place, 0 where the place is -1."""
    if not len(values):
        return np.zeros(len(places), np.float32)
    return np.where(places >= 0, values[np.maximum(places, 0)], np.float32(0.0)).astype(np.float32)


def _lengths(texts: Sequence[Sequence[str]], postings: Postings) -> Floats:
    size = postings.size
    known = defaultdict[str, float](float)
    for windows in texts:
        for gram in windows:
            known.setdefault(gram, rarity(postings.count(gram), size) ** 2)
    return np.sqrt(np.array([sum(known[gram] for gram in windows) for windows in texts], np.float32))
