"""A slot tagger for one tool, learned from its few examples and from what other skills' examples teach.

Two learners over the same features - word vectors, the directions that matter on other skills, words and shapes, and
the shared evidence - a softmax for each token and a chain for the sentence; both twice, with the features weighed
differently. Their log probabilities are added, and the best sequence of labels is taken (Viterbi). Ten examples are
enough to be useful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernel.slots import softmax
from kernel.slots.chain import Chain, viterbi
from kernel.slots.chain import train as train_chain
from kernel.slots.labels import LabelSet
from kernel.slots.looks import Projection, Vocabulary, shapes, words_of
from kernel.slots.model import Floats, Labelled, Proposal, Vectors
from kernel.slots.shared import Shared

_PLAIN = 0.3  # scale of words and shapes beside vectors of length one
_SCALES = ((1.0, 0.2), (2.0, 0.3))
"""Of the discriminant's directions and of the shared evidence, for each pair of learners."""
_RIDGE, _SMOOTH, _STEPS = 0.05, 0.05, 60
# All of these were chosen on draws of SNIPS that are not reported (tests/benchmarks/understanding/snips.py).


@dataclass(frozen=True, slots=True)
class _Pair:
    """A softmax for each token and a chain for the sentence, over features weighed in one way."""

    directions: float
    evidence: float
    each: softmax.Softmax
    chain: Chain


@dataclass(frozen=True, slots=True)
class Tagger:
    """The trained parts of one tool."""

    labels: LabelSet
    vocabulary: Vocabulary
    projection: Projection
    shared: Shared | None
    pairs: tuple[_Pair, ...]
    transitions: Floats

    @classmethod
    def train(
        cls, examples: Sequence[Labelled], projection: Projection, vectors: Vectors, shared: Shared | None = None
    ) -> Tagger:
        """Learn from ``examples`` of one tool; ``shared`` knows other skills. Raises ValueError without any example."""
        if not examples:
            raise ValueError("a tagger needs at least one example; give the tool example sentences with marked values")
        labels = LabelSet(tuple(sorted({name for example in examples for *_, name in example.slots})))
        vocabulary = Vocabulary.of([example.text for example in examples])
        gold = [labels.of(example) for example in examples]
        parts = [_parts(example.text, projection, vocabulary, shared, vectors) for example in examples]
        flat = np.concatenate(gold)
        pairs = []
        for directions, evidence in _SCALES if shared else ((1.0, 1.0),):
            rows = [_rows(part, directions, evidence) for part in parts]
            each = softmax.train(np.concatenate(rows), flat, labels.size, ridge=_RIDGE, steps=_STEPS)
            chain = train_chain(rows, gold, labels.size, ridge=_RIDGE, smooth=_SMOOTH, steps=_STEPS)
            pairs.append(_Pair(directions, evidence, each, chain))
        return cls(labels, vocabulary, projection, shared, tuple(pairs), labels.transitions(gold))

    def tag(self, text: str, vectors: Vectors) -> list[Proposal]:
        """The values in ``text``, from left to right; no two share a token."""
        if not words_of(text):
            return []
        logs = self._logs(text, vectors)
        path = viterbi(logs.sum(axis=0), self.transitions)
        sure = logs.mean(axis=0)
        return [
            Proposal(name, first, last, float(np.exp(sure[range(first, last), path[first:last]].mean())))
            for first, last, name in self.labels.spans([int(label) for label in path])
        ]

    def fit(self, text: str, vectors: Vectors) -> float:
        """Mean log probability per token of the best labels: how much ``text`` is like the examples."""
        if not words_of(text):
            return 0.0
        logs = self._logs(text, vectors)
        path = viterbi(logs.sum(axis=0), self.transitions)
        return float(logs.mean(axis=0)[range(len(path)), path].mean())

    def _logs(self, text: str, vectors: Vectors) -> Floats:
        """The learners' log probabilities [learners, tokens, labels]."""
        part = _parts(text, self.projection, self.vocabulary, self.shared, vectors)
        logs = []
        for pair in self.pairs:
            rows = _rows(part, pair.directions, pair.evidence)
            logs += [np.maximum(pair.each.logs(rows), -20.0), np.log(pair.chain.marginals(rows) + 1e-9)]
        return np.stack(logs)


_Parts = tuple[Floats, Floats, Floats]


def _parts(
    text: str, projection: Projection, vocabulary: Vocabulary, shared: Shared | None, vectors: Vectors
) -> _Parts:
    """What is known of each token: vectors with words and shapes, discriminating directions, shared evidence."""
    near = projection.rows(text, vectors)
    own = np.concatenate([near, shapes(text) * _PLAIN, vocabulary.rows(text) * _PLAIN], axis=1)
    if shared is None:
        return own, near[:, :0], near[:, :0]
    return own, shared.discriminant.rows(near), shared.evidence(text, vectors)


def _rows(parts: _Parts, directions: float, evidence: float) -> Floats:
    return np.concatenate([parts[0], parts[1] * directions, parts[2] * evidence], axis=1)
