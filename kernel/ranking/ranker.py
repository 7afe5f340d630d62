"""The ranker: candidates of a whole request in order, each with its reasons and its share of the probability.

A linear model over reasons. What depends on the request (words, vectors) is divided by the best candidate's value, so
that one weight serves short and long requests and small and large shelves; what depends on the person is 0..1 anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from kernel.ranking.model import Encode, EncodeTokens, Floats, Moment, Question, Ranked
from kernel.ranking.past import Past
from kernel.ranking.shelf import Shelf
from kernel.ranking.weights import Weights, shipped

RELATIVE = frozenset("text grams dense sentence example late late_back".split())
"""Reasons that are divided by the best candidate's."""
COSINE = "cosine"
"""The cosine itself: no reason to prefer a tool to another, but one to trust the first."""
TOLD = {"text": 0.5, "grams": 0.5, "late": 0.5, "late_back": 0.5, "dense": 0.1, "sentence": 0.1}
"""What a description counts where the tool's own requests speak: they say the same, and better."""
_LIKELY = 32  # tools of the nearest past requests that are candidates too
_EVEN = np.float32(1e-6)


def question_of(text: str, encode: Encode | None = None, encode_tokens: EncodeTokens | None = None) -> Question:
    """Return ``text`` as a question, encoded where there is an encoder."""
    if encode_tokens is not None:
        vector, words, rows = encode_tokens([text])[0]
        return Question(text, vector, (words, rows))
    return Question(text, encode([text])[0] if encode is not None else None)


@dataclass(frozen=True, slots=True)
class Ranker:
    """A shelf, a past and the weights. Immutable; ``rank`` is pure."""

    shelf: Shelf
    past: Past = field(default_factory=Past)
    weights: Weights = field(default_factory=lambda: shipped("request"))

    def rank(self, question: Question, moment: Moment | None = None, *, limit: int = 10) -> list[Ranked]:
        """Return the best candidates, best first; ties go by id. Probabilities sum to 1 over all candidates."""
        ids, columns = self.reasons(question, moment or Moment())
        if not ids:
            return []
        names = [name for name in columns if self.weights.values.get(name) or name == COSINE]
        scores = total(columns, self.weights.values)
        shares = np.exp((scores - scores.max()) / self.weights.temperature)
        shares /= shares.sum()
        best = sorted(range(len(ids)), key=lambda at: (-scores[at], ids[at]))[:limit]
        return [
            Ranked(ids[at], float(scores[at]), float(shares[at]), {name: float(columns[name][at]) for name in names})
            for at in best
        ]

    def reasons(self, question: Question, moment: Moment) -> tuple[tuple[str, ...], dict[str, Floats]]:
        """Return the candidates and their reasons, a column float32 [candidates] for each."""
        found = self.shelf.look(question, also=self.past.likely(question, _LIKELY))
        columns = {name: relative(values) if name in RELATIVE else values for name, values in found.columns.items()}
        columns[COSINE] = np.maximum(found.columns["dense"], found.columns["sentence"])
        own = self.past.has_requests(found.ids)
        columns |= {
            name: np.where(own, np.float32(share) * columns[name], columns[name]) for name, share in TOLD.items()
        }
        columns |= self.past.columns(found.ids, question, moment)
        columns["linked"] = _given(found.ids, moment.linked)
        columns["granted"] = _given(found.ids, moment.granted)
        return found.ids, columns


def total(columns: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """Return the weighted sum of ``columns``."""
    size = len(next(iter(columns.values())))
    scores = np.zeros(size, np.float32)
    for name, values in columns.items():
        scores += np.float32(weights.get(name, 0.0)) * values
    return scores


def relative(values: Floats) -> Floats:
    """Return ``values`` as shares of the best; what is below 0 counts as 0."""
    top = values.max(initial=0.0)
    return np.maximum(values, 0.0) / top if top > _EVEN else np.zeros_like(values)


def _given(ids: Iterable[str], known: Mapping[str, float]) -> Floats:
    return np.array([known.get(one, 0.0) for one in ids], np.float32)
