"""Choosing a tool by its examples, with word vectors drawn once for each word."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kernel.language import tokenize
from kernel.slots.chooser import Chooser
from kernel.slots.discriminant import Discriminant

EXAMPLES = {
    "weather": ["will it rain in Paris", "is it cold in Oslo", "what is the weather in Rome"],
    "music": ["play a song by Queen", "play some jazz", "I want to hear the new album"],
}


def vectors(texts: Sequence[str]) -> list[npt.NDArray[np.float32]]:
    """A fixed random direction for each word, two layers of eight."""
    return [
        np.array(
            [np.random.default_rng(zlib.crc32(token.norm.encode())).normal(size=16) for token in tokenize(text, "en")],
            dtype=np.float32,
        )
        for text in texts
    ]


def test_the_tool_whose_examples_are_like_the_sentence_comes_first() -> None:
    chooser = Chooser.train(EXAMPLES, vectors)
    scores = chooser.scores("will it be cold in Rome", vectors)
    assert max(scores, key=scores.__getitem__) == "weather"
    assert abs(sum(np.exp(list(scores.values()))) - 1) < 1e-9


def test_a_discriminant_finds_the_direction_that_tells_labels_apart() -> None:
    chance = np.random.default_rng(1)
    labels = np.arange(200, dtype=np.intp) % 2
    rows = chance.normal(size=(200, 5)) * np.array([10, 1, 1, 1, 1])  # most of the spread says nothing
    rows[:, 3] += 3 * labels
    turned = Discriminant.fit(rows, labels).rows(rows)[:, 0]
    apart = abs(turned[labels == 1].mean() - turned[labels == 0].mean()) / turned[labels == 0].std()
    assert apart > 2
