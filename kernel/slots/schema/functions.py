"""Which of a few functions a sentence asks for, by what they are called and what is said about them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernel.language import Line
from kernel.slots.schema.model import Slot
from kernel.slots.schema.scene import Encode
from kernel.slots.schema.words import doc_stems, name_stems, stem

_WORDS = 0.3
"""What all words of a function's name and summary being in the sentence is worth, in cosine."""


def choose(line: Line, functions: Sequence[tuple[str, str, Sequence[Slot]]], encode: Encode) -> int:
    """Return the index of the best of ``functions`` (name, summary, slots), by cosine and shared words."""
    if len(functions) == 1:
        return 0
    texts = [line.text, *(f"{name.replace('_', ' ').replace('.', ' ')}: {doc}" for name, doc, _ in functions)]
    vectors = encode(texts)
    said = {stem(token.norm) for token in line.tokens}
    scores = [
        float(vectors[0] @ vectors[at]) + _WORDS * _shared(said, name, doc)
        for at, (name, doc, _) in enumerate(functions, start=1)
    ]
    return int(np.argmax(scores))


def _shared(said: set[str], name: str, doc: str) -> float:
    words = {*name_stems(name), *doc_stems(doc)}
    return sum(word in said for word in words) / max(len(words), 1)
