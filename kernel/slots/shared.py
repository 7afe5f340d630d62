"""What other skills' examples teach about a new one: where a value begins and ends, and which name it may go by.

Trained once on the examples of all skills but the one it is asked about, so nothing of that skill's own. A span
detector (a chain of outside, begin, inside), a softmax over the slot names that were seen, and the directions of word
vectors in which the labels differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.slots import softmax
from kernel.slots.chain import Chain
from kernel.slots.chain import train as train_chain
from kernel.slots.discriminant import Discriminant
from kernel.slots.labels import LabelSet
from kernel.slots.looks import Projection, Vocabulary, shapes, words_of
from kernel.slots.model import Floats, Labelled, Vectors

_WORDS, _RARE = 600, 3
_PLAIN = 0.3  # scale of words and shapes beside vectors of length one
_RIDGE, _STEPS = 0.5, 40
_FLOOR = 1e-3
_OFTEN = 15  # times that a word is outside of any value


@dataclass(frozen=True, slots=True)
class Shared:
    """The detector, the softmax over names and the discriminant, with what their features are made of."""

    projection: Projection
    vocabulary: Vocabulary
    detector: Chain
    names: softmax.Softmax
    discriminant: Discriminant

    @classmethod
    def train(cls, sentences: Sequence[Labelled], projection: Projection, vectors: Vectors) -> Shared:
        """Train on labelled ``sentences`` of other skills; some hundred are enough, some dozen are better than none."""
        texts = [sentence.text for sentence in sentences]
        vocabulary = Vocabulary.of(texts, least=_RARE, most=_WORDS, edges=False)
        labels = LabelSet(tuple(sorted({name for sentence in sentences for *_, name in sentence.slots})))
        rows = [_rows(text, projection, vocabulary, vectors) for text in texts]
        gold = [labels.of(sentence) for sentence in sentences]
        parts = labels.part()
        detector = train_chain(rows, [parts[own] for own in gold], 3, ridge=_RIDGE, smooth=0.1, steps=_STEPS)
        every = np.concatenate(rows)
        names = softmax.train(every, np.concatenate(gold), labels.size, ridge=_RIDGE, steps=_STEPS)
        near = np.concatenate([projection.rows(text, vectors) for text in texts])
        discriminant = Discriminant.fit(near, _with_words(texts, np.concatenate(gold)))
        return cls(projection, vocabulary, detector, names, discriminant)

    def evidence(self, text: str, vectors: Vectors) -> Floats:
        """Outside, begin, inside and then every label that was seen: log probabilities [tokens, 3 + labels].

        None is below log(0.001).
        """
        rows = _rows(text, self.projection, self.vocabulary, vectors)
        spans = np.log(self.detector.marginals(rows) + _FLOOR)
        names = np.log(np.exp(self.names.logs(rows)) + _FLOOR)
        return np.concatenate([spans, names], axis=1)


def _with_words(texts: Sequence[str], labels: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The labels, with each word that is often outside as a label of its own: what is outside has little in common."""
    words = [word.lower() for text in texts for word in words_of(text)]
    counts = Counter(word for word, label in zip(words, labels, strict=True) if label == 0)
    often = {word: labels.max() + at for at, (word, count) in enumerate(counts.items(), 1) if count >= _OFTEN}
    split = [often.get(word, 0) if label == 0 else label for word, label in zip(words, labels, strict=True)]
    return np.array(split, dtype=np.intp)


def _rows(text: str, projection: Projection, vocabulary: Vocabulary, vectors: Vectors) -> Floats:
    near = projection.rows(text, vectors)
    return np.concatenate([near, shapes(text) * _PLAIN, vocabulary.rows(text) * _PLAIN], axis=1)
