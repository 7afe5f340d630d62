"""The filler with its shipped weights: a sentence and a schema in, arguments with probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from kernel.language import Line, tokenize
from kernel.slots.schema.features import tables
from kernel.slots.schema.model import Filled, Slot
from kernel.slots.schema.ranker import Ranker
from kernel.slots.schema.scene import Encode
from kernel.slots.schema.weights import read


class Filler:
    """Fills calls; its weights are all its state. ``encode`` gives unit vectors of texts; without it words count."""

    def __init__(self, encode: Encode | None = None, ranker: Ranker | None = None) -> None:
        """``ranker`` is the shipped one unless given. Raises ValueError when the shipped weights cannot be read."""
        self._encode = encode
        self._ranker = ranker or read()

    def fill(self, text: str, slots: Sequence[Slot], now: datetime, function: str = "") -> Filled:
        """Return the arguments that an English ``text`` gives for the ``slots`` of a function of this name."""
        line = Line(text, tokenize(text, "en"), "en", now)
        return self._ranker.fill(tables(line, slots, self._encode, function)) if slots else Filled((), 1.0)
