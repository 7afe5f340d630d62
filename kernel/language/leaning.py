"""Which language a word leans to, where no word of grammar decides it: "20 grad celsius in fahrenheit"."""

from __future__ import annotations

from functools import lru_cache

from kernel.language.amounts.units import GERMAN_ONLY
from kernel.language.lemmas import is_known

_SHORTEST = 3


@lru_cache(maxsize=4_000)
def leaning(word: str) -> int:
    """Return 1 for a word that only German has, -1 for one that only English has, else 0."""
    if word in GERMAN_ONLY:
        return 1
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return is_known(word, "de") - is_known(word, "en")
