"""The nouns of slots: a labelled sentence, and a stretch of words proposed for a parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

Vectors = Callable[[Sequence[str]], Sequence[npt.NDArray[np.float32]]]
"""Gives for each text one row per token of ``kernel.language.tokenize``, float32 [tokens, width]: what an encoder
knows about each word in its sentence (for all-MiniLM-L6-v2 layers 2 and 6 side by side, width 768; the pieces of a
word averaged)."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence and its values: half-open character offsets and the name of the slot."""

    text: str
    slots: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The tokens [first, last) may be the value of ``parameter``; ``probability`` is the tagger's, 0..1."""

    parameter: str
    first: int
    last: int
    probability: float
