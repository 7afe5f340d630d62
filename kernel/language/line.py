"""The sentence as the grammars see it: tokens by index, safe beyond both ends, and what a grammar found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from kernel.language.function_words import is_function_word
from kernel.model import Token
from skills.model import ValueKind

Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases as tuples of normalised tokens, by their first token, the longest first."""


_MARKS = frozenset(".,;:!?…")


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of tokens [first, last) that a grammar read as ``value`` of ``kind``."""

    kind: ValueKind
    first: int
    last: int
    value: Any
    confidence: float
    source: str


@dataclass(frozen=True, slots=True)
class Line:
    """A tokenised sentence, its language and the moment it was said.

    ``memo`` keeps what was read at a place, because many grammars ask for the same number or day.
    """

    text: str
    tokens: tuple[Token, ...]
    language: str
    now: datetime
    memo: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False, compare=False)
    norms: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Have the normalised tokens at hand: every grammar asks for them at every place."""
        object.__setattr__(self, "norms", tuple(token.norm for token in self.tokens))

    @property
    def size(self) -> int:
        """The number of tokens."""
        return len(self.tokens)

    @property
    def today(self) -> date:
        """The day it was said."""
        return self.now.date()

    def norm(self, index: int) -> str:
        """The normalised token at ``index``; empty beyond the ends."""
        if index < 0:
            return ""
        try:
            return self.norms[index]
        except IndexError:  # asked for a hundred times a token, and hardly ever beyond the end
            return ""

    def lemma(self, index: int) -> str:
        """The lemma at ``index``; empty beyond the ends."""
        return self.tokens[index].lemma if 0 <= index < len(self.tokens) else ""

    def raw(self, index: int) -> str:
        """The token as written; empty beyond the ends."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def slice(self, first: int, last: int) -> str:
        """The text from token ``first`` up to and without token ``last``."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end] if last > first else ""

    def phrase(self, index: int, table: Phrases) -> int:
        """Length of the longest phrase of ``table`` that stands at ``index``; 0 when none does."""
        norms = self.norms
        if 0 <= index < len(norms):
            for words in table.get(norms[index], ()):
                if norms[index : index + len(words)] == words:
                    return len(words)
        return 0

    def words(self, index: int, length: int) -> str:
        """The normalised tokens from ``index`` on, joined by spaces."""
        return " ".join(self.norm(index + step) for step in range(length))

    def is_word(self, index: int) -> bool:
        """Tell whether the token is made of letters (hyphens, digits and apostrophes allowed inside)."""
        return self.norm(index)[:1].isalpha()

    def is_mark(self, index: int) -> bool:
        """Tell whether the token is made of punctuation that may end a clause."""
        word = self.norm(index)
        return bool(word) and _MARKS.issuperset(word)

    def is_content(self, index: int) -> bool:
        """Tell whether the token is a word outside the closed classes."""
        return self.is_word(index) and not is_function_word(self.norm(index), self.language)


def phrases(*lines: str) -> Phrases:
    """Return the phrases of ``lines``, separated by "|", by their first word and the longest first."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for words in {tuple(phrase.split()) for line in lines for phrase in line.split("|") if phrase.strip()}:
        table.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(found, key=len, reverse=True)) for first, found in table.items()}


def stretches(line: Line, out: frozenset[int], pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches without the tokens ``out`` whose words ``pattern`` finds, or those of its group "said"."""
    starts, ends, text = dict[int, int](), dict[int, int](), ""
    for at in range(line.size):
        text += " " if text else ""
        starts[len(text)] = at
        text += "\n" if at in out else line.norm(at)
        ends[len(text)] = at + 1
    for found in pattern.finditer(text):
        first, last = found.span("said") if "said" in pattern.groupindex else found.span()
        while first < last and text[first] == " ":
            first += 1
        if first in starts and last in ends:
            yield starts[first], ends[last]
