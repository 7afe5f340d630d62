"""Slots as one label per token: O outside, B-name where a value begins, I-name inside (Ramshaw and Marcus 1995)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.language import tokenize
from kernel.slots.model import Floats, Labelled

OUTSIDE, BEGIN, INSIDE = 0, 1, 2
_IMPOSSIBLE = -1e4
_SEEN_BEFORE = 0.1  # of a count, for label pairs that no example has


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of some slots: index 0 is outside, then B and I of each name in order."""

    names: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many labels there are."""
        return 1 + 2 * len(self.names)

    def part(self) -> npt.NDArray[np.intp]:
        """OUTSIDE, BEGIN or INSIDE for each label [size]."""
        return np.array([OUTSIDE] + [BEGIN, INSIDE] * len(self.names), dtype=np.intp)

    def of(self, sentence: Labelled) -> npt.NDArray[np.intp]:
        """The labels [tokens] of a sentence; a token that a slot only touches belongs to it."""
        tokens = tokenize(sentence.text, "en")
        labels = np.zeros(len(tokens), dtype=np.intp)
        for start, end, name in sentence.slots:
            inside = [at for at, token in enumerate(tokens) if token.start < end and token.end > start]
            for step, at in enumerate(inside):
                labels[at] = 1 + 2 * self.names.index(name) + (step > 0)
        return labels

    def spans(self, labels: Sequence[int]) -> list[tuple[int, int, str]]:
        """The values as (first token, last token exclusive, name)."""
        found: list[tuple[int, int, str]] = []
        for at, label in enumerate(labels):
            if label == 0:
                continue
            name, inside = self.names[(label - 1) // 2], (label - 1) % 2 == 1
            if inside and found and found[-1][1:] == (at, name):
                found[-1] = (found[-1][0], at + 1, name)
            else:
                found.append((at, at + 1, name))
        return found

    def transitions(self, sentences: Sequence[npt.NDArray[np.intp]]) -> Floats:
        """Log probability of each label after each other [size + 1, size]; the last row is the start."""
        counts = np.full((self.size + 1, self.size), _SEEN_BEFORE)
        for labels in sentences:
            counts[self.size, labels[0]] += 1
            np.add.at(counts, (labels[:-1], labels[1:]), 1)
        logs: Floats = np.log(counts / counts.sum(axis=1, keepdims=True))
        for inside in range(2, self.size, 2):  # an I follows only the B or I of its own name
            logs[[row for row in range(self.size + 1) if row not in {inside - 1, inside}], inside] = _IMPOSSIBLE
        return logs
