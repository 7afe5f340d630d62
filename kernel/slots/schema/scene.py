"""What all slots of one call share: the sentence, what it names, how common a word is, and vectors of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.language import Line
from kernel.slots.schema.model import Guess, Slot
from kernel.slots.schema.texts import quotations, whole_names
from kernel.slots.schema.words import doc_stems, name_stems, stem

Floats = npt.NDArray[np.float64]
Encode = Callable[[list[str]], npt.NDArray[np.float32]]

BEFORE, AFTER = 4, 2
_NUMBERS = frozenset({"number", "percent", "ordinal"})


@dataclass(frozen=True, slots=True)
class Scene:
    """A sentence and the slots of one call."""

    line: Line
    stems: tuple[str, ...]
    slots: Sequence[Slot]
    common: Mapping[str, int]  # how many slots a stem is in
    near: Mapping[str, Floats]  # vectors of texts
    function: frozenset[str]  # stems of the function's name
    names: Sequence[tuple[int, int]]
    quotes: Sequence[tuple[int, int]]
    numbers: Sequence[tuple[int, int]]
    explained: frozenset[int]  # words that the function or a slot is called by, or described with


def see(line: Line, slots: Sequence[Slot], found: Sequence[Sequence[Guess]], encode: Encode | None, name: str) -> Scene:
    """Look at a sentence for the ``slots`` of a function called ``name``, with the guesses ``found`` of each."""
    common = Counter(word for slot in slots for word in {*name_stems(slot.name), *doc_stems(slot.doc)})
    stems = tuple(stem(token.norm) for token in line.tokens)
    function = frozenset(name_stems(name))
    explained = frozenset(at for at, word in enumerate(stems) if word in function or word in common)
    quotes = [(guess.first, guess.last) for guess in quotations(line)]
    near = _vectors(line, slots, found, encode)
    numbers = sorted({(guess.first, guess.last) for own in found for guess in own if guess.source in _NUMBERS})
    return Scene(line, stems, slots, common, near, function, whole_names(line), quotes, numbers, explained)


def _vectors(
    line: Line, slots: Sequence[Slot], found: Sequence[Sequence[Guess]], encode: Encode | None
) -> dict[str, Floats]:
    if encode is None:
        return {}
    texts = {about(slot) for slot in slots}
    texts |= {said(guess) for own in found for guess in own if guess.value is not None}
    texts |= {beside(line, guess) for own in found for guess in own if guess.last}
    ordered = sorted(texts)
    return dict(zip(ordered, encode(ordered).astype(np.float64), strict=True))


def about(slot: Slot) -> str:
    """A slot as a text."""
    return f"{slot.name.replace('_', ' ')}: {slot.doc}"


def beside(line: Line, guess: Guess) -> str:
    """The words around a guess, without it."""
    before = line.slice(max(guess.first - BEFORE, 0), guess.first) if guess.first else ""
    after = line.slice(guess.last, min(guess.last + AFTER, line.size)) if guess.last < line.size else ""
    return f"{before} {after}".strip()


def said(guess: Guess) -> str:
    """A value as a text."""
    return ", ".join(map(str, guess.value)) if isinstance(guess.value, list) else str(guess.value)
