"""The words of a request without what only frames it: no marks, no "could you please", no "bitte" at its end."""

from __future__ import annotations

from collections.abc import Sequence

from kernel.composition.words import is_word
from kernel.language.frame.framing import lead
from kernel.model import Token

_COURTESY = frozenset("please pls plz bitte now jetzt mal thanks thx danke".split())


def unframed(tokens: Sequence[Token]) -> list[Token]:
    """Return the words of ``tokens`` that ask for something; what would be nothing then is left as it is."""
    words = [token for token in tokens if is_word(token)]
    first = lead([token.norm for token in words])
    words = words[first:] if first < len(words) else words
    while len(words) > 1 and words[-1].norm in _COURTESY:
        words.pop()
    return words
