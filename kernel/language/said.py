"""What the examples of one tool say: its words by the part that they play; and what the words of many tools add up to.

Whenever a skill comes or goes the lexicon is read anew; what a tool says is read once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from sys import intern
from typing import Any

from kernel.language.frame.framing import lead
from kernel.language.function_words import SEPARABLE, is_function_word, is_question_word
from kernel.language.tokens import tokenize
from kernel.model import Token
from skills.model import Example

_BEFORE_VERBS = frozenset(", can could must should will".split())
_SLOT = "\ufffc"
_ENDS_SENTENCE = frozenset(".!?")
_NOUN_FACTOR = 2
_OFTEN, _RARE = 10, 3
_SURELY = 20  # examples that a word opens
_MOST_TOOLS = 512
"""Of so many tools it is kept what they say; some 10 kB each."""

Word = tuple[str, str]
"""A word as it is written, case-folded, and its base form."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """The words of a tool's examples, outside their slots and without polite beginnings."""

    words: Mapping[str, frozenset[Word]]  # by language: those with content
    openers: Mapping[str, frozenset[str]]  # by language: what an example begins with
    heads: Mapping[Word, int]  # what may be a verb and begins an example, with how many
    inside: Mapping[str, int]  # what stands behind the first word, with how often
    nouns: Mapping[str, int]  # of these, what stands where a noun may
    parted: frozenset[Word]  # a German verb, and what parts from it


@lru_cache(_MOST_TOOLS)
def said_in(examples: tuple[Example, ...]) -> Said:
    """Read the examples of one tool."""
    words: dict[str, set[Word]] = {}
    openers: dict[str, set[str]] = {}
    heads, inside, nouns = Counter[Word](), Counter[str](), Counter[str]()
    parted: set[Word] = set()
    for example in examples:
        read = _read(example)
        words.setdefault(example.language, set()).update(_word(token) for token in read if _is_content(token))
        if not read:
            continue
        if read[0].norm.isalpha():
            openers.setdefault(example.language, set()).add(intern(read[0].norm))
        if _may_be_verb(read[0]):
            heads[_word(read[0])] += 1
        inside.update(intern(token.norm) for token in read[1:])
        nouns.update(intern(token.norm) for token in _within(read))
        parted.update(_parted(read, example))
    return Said(_frozen(words), _frozen(openers), dict(heads), dict(inside), dict(nouns), frozenset(parted))


@dataclass(frozen=True, slots=True)
class Counted:
    """How often the words of many tools open their examples and stand inside them."""

    heads: Counter[Word]
    inside: Counter[str]
    nouns: Counter[str]

    @classmethod
    def of(cls, said: Iterable[Said]) -> Counted:
        """Add up what tools say."""
        found = cls(Counter(), Counter(), Counter())
        for one in said:
            found.heads.update(one.heads)
            found.inside.update(one.inside)
            found.nouns.update(one.nouns)
        return found

    def verbs(self) -> frozenset[str]:
        """The words that open examples, in both forms, unless they stand inside others far more often: a noun does."""
        opening = self._opening()
        verbs = [word for word in self.heads if self.nouns[word[0]] <= _NOUN_FACTOR * opening[word[0]]]
        nouns = {norm for norm, _ in self.heads} - {norm for norm, _ in verbs}
        return frozenset(form for word in verbs for form in word) - nouns

    def surely_verbs(self) -> frozenset[str]:
        """The words that open so many examples that they are verbs, whatever choice is called so too: "add", "open"."""
        opening = self._opening().items()
        return frozenset(word for word, count in opening if count >= _SURELY and self.inside[word] <= count)

    def orders(self) -> frozenset[str]:
        """The words that open many examples and are rare inside others: they order something wherever they stand."""
        opening = self._opening().items()
        return frozenset(word for word, count in opening if count >= _OFTEN and _RARE * self.inside[word] <= count)

    def _opening(self) -> Counter[str]:
        opening = Counter[str]()
        for (norm, _), count in self.heads.items():
            opening[norm] += count
        return opening


def _frozen(found: Mapping[str, set[Any]]) -> dict[str, frozenset[Any]]:
    return {language: frozenset(each) for language, each in found.items()}


def _within(words: tuple[Token, ...]) -> Iterator[Token]:
    """The tokens that may be nouns there: "it is done, tick it off" and "you can tick it off" have a verb."""
    return (token for before, token in pairwise(words) if before.norm not in _BEFORE_VERBS)


def _parted(words: tuple[Token, ...], example: Example) -> Iterator[Word]:
    """The base form of the verb that opens a German example, with what parts from it and ends the example."""
    whole = [token for token in words if token.norm not in _ENDS_SENTENCE]
    if whole and example.language == "de" and _may_be_verb(whole[0]) and whole[-1].norm in SEPARABLE:
        yield intern(whole[0].lemma), intern(whole[-1].norm)


def _may_be_verb(token: Token) -> bool:
    return _is_content(token) and not is_question_word(token.norm)


def _word(token: Token) -> Word:
    return intern(token.norm), intern(token.lemma)


def _read(example: Example) -> tuple[Token, ...]:
    """The tokens of an example without its polite beginning, its slots as one mark each."""
    tokens = tokenize(_without_slots(example), example.language)
    return tokens[lead([token.norm for token in tokens]) :]


def _without_slots(example: Example) -> str:
    text = example.text
    for slot in sorted(example.slots, key=lambda slot: slot.start, reverse=True):
        text = f"{text[: slot.start]}{_SLOT}{text[slot.end :]}"
    return re.sub(r"\s+", " ", text)


def _is_content(token: Token) -> bool:
    return token.norm.replace("-", "").isalpha() and not is_function_word(token.norm)
