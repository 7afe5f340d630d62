"""A sentence that a person has begun to type, held against sentences that they said before.

What this stops: an offer that leaves out a word that stands there already.
What it does not: guess at spelling, or read what is meant. Nothing that is typed is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kernel.language.function_words import is_function_word
from kernel.ranking.words import every_term, stem

FEWEST_LETTERS = 3
"""Fewer say nothing yet."""

MOST_LETTERS = 200
"""What is longer is a sentence of its own."""

_LAST = re.compile(r"[^\W_]+\Z")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Begun:
    """The words that stand there: ``whole`` ones by their stems, and the ``last`` one as far as it was typed."""

    text: str
    whole: frozenset[str]
    last: str = ""

    def fits(self, sentence: str) -> bool:
        """Tell whether ``sentence`` holds all that was typed, and more than that."""
        stems = frozenset(every_term(sentence))
        if _plain(sentence) == _plain(self.text) or not self.whole <= stems:
            return False
        return stem(self.last) in stems or any(word.startswith(self.last) for word in _words(sentence))

    def said(self, sentences: Iterable[str]) -> frozenset[str]:
        """Return its words by their stems; the last one is each that it may become in ``sentences``."""
        if not self.last:
            return self.whole
        becomes = {stem(word) for sentence in sentences for word in _words(sentence) if word.startswith(self.last)}
        return self.whole | becomes | {stem(self.last)}


def begun(typed: str) -> Begun | None:
    """Return what was typed as a sentence that was begun; None where it is too short or too long for one."""
    text = typed.strip()
    if len(text) < FEWEST_LETTERS or len(typed) > MOST_LETTERS:
        return None
    open_ = _LAST.search(typed)
    last = open_.group().casefold() if open_ else ""
    whole = typed[: len(typed) - len(last)]
    return Begun(text, frozenset(stem(word) for word in _words(whole) if not is_function_word(word)), last)


def _words(sentence: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(sentence)]


def _plain(sentence: str) -> str:
    return " ".join(_words(sentence))
