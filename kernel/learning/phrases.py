"""Phrases that the person explained: which of them a sentence says, and what it means then, in words.

A phrase is read as its meaning by putting the meaning's words in its place, so that everything behind it is read,
shown, asked and done as if those had been said. Where a value stands in both, other words may stand there.

What this stops: that a phrase of nothing but values or function words takes any sentence; that other values turn the
meaning into another request (its tools must stay).
What it does not: decide when it counts. The very words always do, other values only where nothing surer is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kernel.composition.profiles.profile import Box
from kernel.composition.unframed import unframed
from kernel.composition.words import is_word
from kernel.language.function_words import is_function_word
from kernel.language.tokens import tokenize
from kernel.learning.model import Taught
from kernel.model import Constant, Intent, Plan, Token

MOST = 200
"""So many of the latest phrases count."""

LONGEST = 300
"""Characters of a phrase that is learnt."""

_LONGEST_VALUE = 8  # words that may stand for a value


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence that says a phrase: its meaning with the values that were said. ``exact``: the very words."""

    taught: Taught
    text: str
    exact: bool


@dataclass(frozen=True, slots=True)
class _Phrase:
    taught: Taught
    elements: tuple[str | int, ...]  # words, and places in ``taught.slots``
    rare: frozenset[str]  # content words, all of which a sentence must have

    def read(self, text: str, tokens: Sequence[Token]) -> Reading | None:
        if not self.rare <= {token.norm for token in tokens}:
            return None
        found = next(_aligned(self.elements, tokens), None)
        if found is None:
            return None
        values = {at: text[tokens[first].start : tokens[last - 1].end] for at, (first, last) in found.items()}
        same = all(value.casefold() == self.taught.slots[at].casefold() for at, value in values.items())
        return Reading(self.taught, _with_values(self.taught, values), same)


@dataclass(frozen=True, slots=True)
class Phrases:
    """All explained phrases, oldest first. Immutable."""

    every: tuple[Taught, ...] = ()
    patterns: tuple[_Phrase, ...] = ()

    @classmethod
    def of(cls, taught: Sequence[Taught]) -> Phrases:
        """Prepare the latest of ``taught`` to be looked for."""
        latest = tuple(taught)[-MOST:]
        return cls(latest, tuple(one for one in map(_phrase, latest) if one.rare))

    def read(self, intent: Intent) -> Reading | None:
        """Return what the sentence means where it says a phrase: the very words first, then the latest phrase."""
        if not self.patterns:
            return None
        tokens = unframed(tokenize(intent.text, intent.language))  # as it is written: so the phrase was
        found = [one for phrase in self.patterns if (one := phrase.read(intent.text, tokens)) is not None]
        return next((one for one in reversed(found) if one.exact), found[-1] if found else None)


def is_telling(phrase: str, language: str) -> bool:
    """Tell whether a phrase has a word by which it can be known."""
    return bool(_phrase(Taught("", phrase, "", language)).rare)


def with_slots(taught: Taught, plan: Plan, box: Box) -> Taught:
    """Return ``taught`` with the values of ``plan``, its meaning, that stand in the phrase too; no word of a tool."""
    profiles = [box.profile(task.tool, taught.language) for task in plan.tasks]
    known = frozenset[str]().union(*(one.carriers for one in profiles))
    values = [one.text for task in plan.tasks for one in task.arguments.values() if isinstance(one, Constant)]
    said: list[str] = []
    for value in sorted(filter(None, values), key=len, reverse=True):
        for words in [value] if _stands(value, taught) else _content(value, taught.language, known):
            if _stands(words, taught) and not any(_whole(words).search(one) for one in said):
                said.append(words)
    kept = replace(taught, slots=tuple(said))
    return kept if _phrase(kept).rare else taught


def _stands(words: str, taught: Taught) -> bool:
    return bool(_whole(words).search(taught.phrase) and _whole(words).search(taught.meaning))


def _content(value: str, language: str, known: frozenset[str]) -> list[str]:
    """The words of a value that stands in other order in the phrase: "the website folder in Projects"."""
    tokens = [one for one in tokenize(value, language) if is_word(one) and not is_function_word(one.norm)]
    return [one.text for one in tokens if len(tokens) > 1 and one.norm not in known]


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)


def _with_values(taught: Taught, values: dict[int, str]) -> str:
    """The meaning with other values, all put in at once: one never stands inside another."""
    if not values:
        return taught.meaning
    by_words = {taught.slots[at].casefold(): value for at, value in values.items()}
    any_of = "|".join(re.escape(words) for words in sorted(by_words, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{any_of})(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda match: by_words[match.group().casefold()], taught.meaning)


def _phrase(taught: Taught) -> _Phrase:
    tokens = unframed(tokenize(taught.phrase, taught.language))
    places = [
        (at, match.start(), match.end())
        for at, words in enumerate(taught.slots)
        for match in list(_whole(words).finditer(taught.phrase))[:1]
    ]
    elements: list[str | int] = []
    for token in tokens:
        slot = next((at for at, start, end in places if start <= token.start and token.end <= end), None)
        if slot is None:
            elements.append(token.norm)
        elif slot not in elements:
            elements.append(slot)
    rare = frozenset(one for one in elements if isinstance(one, str) and not is_function_word(one))
    return _Phrase(taught, tuple(elements), rare)


def _aligned(
    elements: Sequence[str | int], tokens: Sequence[Token], at: int = 0
) -> Iterator[dict[int, tuple[int, int]]]:
    """Yield where the values stand if ``tokens`` from ``at`` on say all of ``elements``, the shortest values first."""
    if not elements:
        if at == len(tokens):
            yield {}
        return
    first, rest = elements[0], elements[1:]
    if isinstance(first, str):
        if at < len(tokens) and tokens[at].norm == first:
            yield from _aligned(rest, tokens, at + 1)
        return
    for end in range(at + 1, min(at + _LONGEST_VALUE, len(tokens) - len(rest)) + 1):
        for found in _aligned(rest, tokens, end):
            yield {**found, first: (at, end)}
