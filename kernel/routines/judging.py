"""Whether a file is what a rule wants, by its name and by what was read of it: what it is, its words, its total.

What this stops: a text that has its say. Words are looked for and nothing else of it counts; letters are compared
without capitals and accents, words as a whole, in a time that is linear in its length, and no pattern is made of it.
What it does not: understand a text. "Not terminated" has the word. In a name a word counts also within another.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from kernel.context.naming import plain
from kernel.routines.model import EITHER, About, Comparison

MOST_CHARACTERS = 2_000_000
"""So much of a text is looked at."""

HEAD_LINES = 30
"""What a document is stands among its first lines that say anything."""

_RUN = re.compile(r"[^\W_]+")
_BROKEN = re.compile(r"(\w)[-\u2010\u00ad]\r?\n[ \t]*(\w)")


def folded(text: str) -> str:
    """Return the words of a text without capitals, accents and marks, one space before and behind each."""
    apart = unicodedata.normalize("NFKD", text.replace("\u00ad", "")).casefold()
    bare = apart if apart.isascii() else "".join(letter for letter in apart if not unicodedata.combining(letter))
    return f" {' '.join(_RUN.findall(bare))} "


class Text:
    """What was read of a file."""

    def __init__(self, text: str) -> None:
        self.is_whole = len(text) < MOST_CHARACTERS
        looked_at = text[:MOST_CHARACTERS]
        joined = _BROKEN.sub(r"\1\2", looked_at)
        self._texts = {folded(looked_at), folded(joined)}
        lines = (line for line in looked_at.splitlines() if _RUN.search(line))
        self._head = folded("\n".join(line for line, _ in zip(lines, range(HEAD_LINES), strict=False)))

    def holds(self, said: str) -> bool:
        """Tell whether one of the words of ``said`` stands there."""
        wanted = [form for one in said.split(EITHER) for form in _spellings(one)]
        return any(one.strip() and one in text for one in wanted for text in self._texts)

    def is_called(self, nouns: Iterable[str]) -> bool:
        """Tell whether one of ``nouns``, or a longer word with an s behind it ("Rechnungsnummer"), heads it."""
        words = self._head.split()
        wanted = [form.strip() for noun in nouns for form in _spellings(noun)]
        return any(word == noun or word.startswith(f"{noun}s") for word in words for noun in wanted if noun)


def _spellings(words: str) -> set[str]:
    return {folded(words), folded(plain(words))}


def same_nouns(said: str, groups: Iterable[Sequence[str]]) -> set[str]:
    """Return the nouns that mean the same as ``said``, with itself."""
    return _alike(said, groups, folded)


def is_named(said: str, name: str, groups: Iterable[Sequence[str]]) -> bool:
    """Tell whether the name of a file says ``said``, in any word that means the same."""
    name = plain(name)
    return any(plain(word) in name for word in _alike(said, groups, plain))


def _alike(said: str, groups: Iterable[Sequence[str]], form: Callable[[str], str]) -> set[str]:
    """Return ``said`` with the words of all groups that have it in this ``form``."""
    wanted = form(said)
    return {said, *(word for group in groups if wanted in map(form, group) for word in group)}


def holds_all(such: Iterable[tuple[About, str]], text: Text) -> bool:
    """Tell whether all words stand in a text that have to."""
    return all(text.holds(said) for about, said in such if about is About.HOLDS)


def compares(such: Iterable[tuple[About, str]], value: Mapping[str, Any]) -> bool | None:
    """Tell whether a total is what it has to be; None where that cannot be told: no sum, or not in that currency."""
    amount, currency = value.get("amount"), str(value.get("currency") or "")
    wanted = [Comparison.of(said) for about, said in such if about is About.TOTAL]
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not math.isfinite(amount):
        return None
    if any(one.currency and one.currency != currency for one in wanted):
        return None
    return all(one.holds_of(Decimal(str(amount))) for one in wanted)
