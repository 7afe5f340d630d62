"""Values in closed-class words, taken word for word as examples have them: "by when do I have to pay it"."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.composition.scene import bits
from kernel.composition.window import Filler, Window
from kernel.model import Constant
from skills.model import Parameter

_SCORE = 0.9


def word_for_word(window: Window, parameter: Parameter) -> Iterator[Filler]:
    """Yield the value at each place where the sentence has the very words that an example has for it."""
    scene = window.scene
    for words in window.profile.told.get(parameter.name, ()):
        for first in range(window.first, window.last - len(words) + 1):
            last = first + len(words)
            if tuple(token.norm for token in scene.tokens[first:last]) == words:
                text = scene.text(first, last)
                constant = Constant(text, scene.intent.label, text)
                yield Filler(parameter.name, constant, bits(first, last), first, last, _SCORE, "choice")
