"""What a parameter is called, taken apart into words: ``targetEmails_2`` is target and email.

What this stops: a name that says where something goes being read as another because it is written in another way
(camel, snake, a number behind it, the plural, German with or without umlauts, two words written as one).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_APART = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W\d_]+")
_UMLAUTS = re.compile(r"(a|o|u)e")
_ENDINGS = ("s", "es", "n", "en", "e", "er", "innen", "in")
_LEAST_OF_A_COMPOUND = 5
_LEAST = 3


class Vocabulary:
    """Words that mean the same for us; each stands in it in the singular."""

    def __init__(self, words: str) -> None:
        self._words = frozenset(_folded(one) for one in words.split())
        self._long = tuple(one for one in self._words if len(one) >= _LEAST_OF_A_COMPOUND)

    def holds(self, word: str) -> bool:
        """Tell whether a word is one of these, in any number, or is put together with one of them."""
        return self.has(word) or any(
            word.startswith(one) or stem.endswith(one) for stem in _forms(word) for one in self._long
        )

    def is_in(self, words: tuple[str, ...]) -> bool:
        """Tell whether one of several words is one of these."""
        return any(map(self.holds, words))

    def has(self, word: str) -> bool:
        """Tell whether a word is one of these as it stands, in any number."""
        return not self._words.isdisjoint(_forms(word))


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, in small letters and without umlauts."""
    return tuple(_folded(one) for one in _APART.split(unicodedata.normalize("NFKC", name)) if one)


def _folded(word: str) -> str:
    """Return a word so that ``Empfänger``, ``Empfaenger`` and ``empfanger`` are the same."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return _UMLAUTS.sub(r"\1", "".join(one for one in plain if not unicodedata.combining(one)))


def _forms(word: str) -> Iterator[str]:
    """Yield what a word may be the plural of, itself among them."""
    yield word
    yield from (word.removesuffix(one) for one in _ENDINGS if word.endswith(one) and len(word) - len(one) >= _LEAST)
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
