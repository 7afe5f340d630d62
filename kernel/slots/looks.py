"""What a word looks like and what stands around it, as features: words, their edges, shapes, projected vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernel.language import is_function_word, tokenize
from kernel.slots.model import Floats, Vectors

SHAPES = 9


def words_of(text: str) -> list[str]:
    """The tokens of ``text`` as written."""
    return [token.text for token in tokenize(text, "en")]


def shapes(text: str) -> Floats:
    """Shape of each token and of both its neighbours [tokens, 27]: capitals, figures, marks, edges, length."""
    words = words_of(text)
    rows = np.array([_shape(word, at, len(words)) for at, word in enumerate(words)], dtype=np.float64)
    rows = rows.reshape(len(words), SHAPES)
    return with_neighbours(rows)


def _shape(word: str, at: int, count: int) -> list[bool]:
    return [
        word[0].isupper(),
        word.isupper() and len(word) > 1,
        word[0].isdigit(),
        not word[0].isalnum(),
        at == 0,
        at == count - 1,
        is_function_word(word.lower(), "en"),
        len(word) <= 2,
        len(word) >= 8,
    ]


def with_neighbours(rows: Floats) -> Floats:
    """Rows [tokens, D] beside those of the token before and the token after [tokens, 3 D]; zero beyond the ends."""
    edge = np.zeros((1, rows.shape[1]))
    padded = np.concatenate([edge, rows, edge])
    result: Floats = np.concatenate([padded[:-2], padded[1:-1], padded[2:]], axis=1)
    return result


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words, pairs and edges of words that some sentences have, each with its column."""

    columns: dict[str, int]
    edges: bool

    @classmethod
    def of(cls, texts: Sequence[str], *, least: int = 1, most: int | None = None, edges: bool = True) -> Vocabulary:
        """Take what occurs at least ``least`` times, the ``most`` frequent; ``edges`` are three-letter beginnings."""
        counts = Counter(name for text in texts for names in _names(text, edges) for name in names)
        kept = [name for name, count in counts.most_common(most) if count >= least]
        return cls({name: at for at, name in enumerate(kept)}, edges)

    def rows(self, text: str) -> Floats:
        """Which of them each token has [tokens, len(columns)]."""
        names = _names(text, self.edges)
        rows = np.zeros((len(names), len(self.columns)))
        for at, own in enumerate(names):
            rows[at, [self.columns[name] for name in own if name in self.columns]] = 1.0
        return rows


def _names(text: str, edges: bool) -> list[list[str]]:
    words = ["<", "<", *(word.lower() for word in words_of(text)), ">", ">"]
    found = []
    for at in range(2, len(words) - 2):
        far, before, word, after, beyond = words[at - 2 : at + 3]
        names = [f"0 {word}", f"-1 {before}", f"+1 {after}", f"-2 {far}", f"+2 {beyond}"]
        names += [f"-10 {before} {word}", f"01 {word} {after}"]
        found.append([*names, f"end {word[-3:]}", f"start {word[:3]}"] if edges else names)
    return found


@dataclass(frozen=True, slots=True)
class Projection:
    """The principal directions of token vectors, scaled so that a projected vector has length one on average."""

    center: Floats
    directions: Floats

    @classmethod
    def fit(cls, texts: Sequence[str], vectors: Vectors, width: int = 256) -> Projection:
        """Fit on the tokens of ``texts``; no labels are read."""
        rows = np.concatenate(list(vectors(texts))).astype(np.float64)
        center = rows.mean(axis=0)
        values, directions = np.linalg.eigh(np.cov((rows - center).T))
        kept = directions[:, ::-1][:, :width]
        return cls(center, kept / np.sqrt(values[::-1][:width].sum()))

    def rows(self, text: str, vectors: Vectors) -> Floats:
        """The projected vectors of each token and both its neighbours [tokens, 3 width]."""
        if not words_of(text):
            return np.zeros((0, 3 * self.directions.shape[1]))
        (own,) = vectors([text])
        return with_neighbours((own.astype(np.float64) - self.center) @ self.directions)
