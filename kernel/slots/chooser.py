"""Which of a few tools a sentence asks for, by their examples alone: three experts, their log probabilities added.

A softmax on sentence vectors, a softmax on words and pairs of words, and late interaction: how well the words of the
sentence find their like in an example and the example's in the sentence (MaxSim of ColBERT, Khattab and Zaharia 2020),
the three nearest examples of each tool counted. For thousands of tools there is ``kernel/ranking``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kernel.slots import softmax
from kernel.slots.looks import words_of
from kernel.slots.model import Floats, Vectors

_NEAREST, _SHARPNESS = 3, 20.0
_SENTENCES, _WORDS = 0.003, 0.02  # ridges


@dataclass(frozen=True, slots=True)
class Chooser:
    """The trained experts; ``tools`` in the order of their scores."""

    tools: tuple[str, ...]
    center: Floats
    sentences: softmax.Softmax
    columns: Mapping[str, int]
    words: softmax.Softmax
    examples: tuple[tuple[Floats, ...], ...]

    @classmethod
    def train(cls, examples: Mapping[str, Sequence[str]], vectors: Vectors) -> Chooser:
        """Learn from the ``examples`` of each tool; at least two tools."""
        tools = tuple(sorted(examples))
        texts = [text for tool in tools for text in examples[tool]]
        owners = np.array([at for at, tool in enumerate(tools) for _ in examples[tool]], dtype=np.intp)
        units = [_units(text, vectors) for text in texts]
        means = np.array([_mean(own) for own in units])
        center = means.mean(axis=0)
        columns = {name: at for at, name in enumerate(sorted({name for text in texts for name in _bag(text)}))}
        bags = np.array([_row(text, columns) for text in texts])
        return cls(
            tools,
            center,
            softmax.train(means - center, owners, len(tools), ridge=_SENTENCES),
            columns,
            softmax.train(bags, owners, len(tools), ridge=_WORDS),
            tuple(
                tuple(own for own, owner in zip(units, owners, strict=True) if owner == at) for at in range(len(tools))
            ),
        )

    def scores(self, text: str, vectors: Vectors) -> dict[str, float]:
        """Log probability of each tool, highest for the one that is meant."""
        units = _units(text, vectors)
        logs = self.sentences.logs((_mean(units) - self.center)[None])[0]
        logs = logs + self.words.logs(_row(text, self.columns)[None])[0]
        logs = logs + softmax.log_softmax(_SHARPNESS * np.array([[self._late(units, own) for own in self.examples]]))[0]
        logs = softmax.log_softmax(logs[None])[0]
        return dict(zip(self.tools, map(float, logs), strict=True))

    @staticmethod
    def _late(units: Floats, examples: Sequence[Floats]) -> float:
        """Mean of the nearest examples' MaxSim, both ways, 0..2."""
        found = []
        for example in examples:
            cosines = units @ example.T
            found.append(float(cosines.max(axis=1).mean() + cosines.max(axis=0).mean()))
        return float(np.mean(sorted(found)[-_NEAREST:]))


def _units(text: str, vectors: Vectors) -> Floats:
    """The last layer's token vectors at unit length [tokens, D]."""
    (rows,) = vectors([text])
    last = rows[:, rows.shape[1] // 2 :].astype(np.float64)
    result: Floats = last / np.maximum(np.linalg.norm(last, axis=1, keepdims=True), 1e-9)
    return result


def _mean(units: Floats) -> Floats:
    mean = units.mean(axis=0)
    result: Floats = mean / max(float(np.linalg.norm(mean)), 1e-9)
    return result


def _bag(text: str) -> set[str]:
    words = ["<", *(word.lower() for word in words_of(text))]
    return {*words, *(f"{left} {right}" for left, right in pairwise(words))}


def _row(text: str, columns: Mapping[str, int]) -> Floats:
    row = np.zeros(len(columns))
    row[[columns[name] for name in _bag(text) if name in columns]] = 1.0
    result: Floats = row / max(float(np.linalg.norm(row)), 1e-9)
    return result
