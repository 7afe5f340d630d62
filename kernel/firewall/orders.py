"""Sentences in a text of others that give orders to whoever reads it: marked for the person, and for nothing else.

What this stops: nothing. A shown text is a value whatever it says (``binding``); the mark tells a person what a text
tries before they believe it.
What it does not: find every order. Precision and recall on attacks of other forms than those it was taught by are in
docs/results/bench-firewall.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kernel.language.objections import INJECTION, MARKUP
from kernel.language.orders import PATTERNS

Judge = Callable[[Sequence[str]], Sequence[bool]]
"""Tells of each sentence whether it gives an order."""

_SENTENCE = re.compile(r"[^\n]*?(?:[.!?…]+[\"”“’')\]]*(?=\s|$)|\n|$)")
_LONGEST = 400
_MOST = 400
_MOST_FOUND = 8


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text``, line by line; a line without an end is one, and none is over 400 characters."""
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    pieces = (one[at : at + _LONGEST] for one in found if one for at in range(0, len(one), _LONGEST))
    return tuple(piece for piece, _ in zip(pieces, range(_MOST), strict=False))


def by_words(texts: Sequence[str]) -> list[bool]:
    """Judge by patterns and structure alone."""
    return [_is_order(text) for text in texts]


def orders_in(text: str, judge: Judge = by_words) -> tuple[str, ...]:
    """Return the sentences of ``text`` that give orders, in their order, at most eight."""
    said = sentences(text)
    return tuple(one for one, order in zip(said, judge(said), strict=True) if order)[:_MOST_FOUND]


def _is_order(text: str) -> bool:
    folded = text.replace("’", "'")
    return (
        MARKUP.search(folded) is not None
        or INJECTION.search(folded.lower()) is not None
        or any(pattern.search(folded) for pattern in PATTERNS)
    )
