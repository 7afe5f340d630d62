"""What the installed tools' own words teach about a sentence: their verbs, their vocabulary, their choice words.

Nothing lexical about any tool stands in the kernel; everything here is read from manifests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from kernel.language.function_words import is_function_word, is_question_word, polite_prefix
from kernel.language.tokens import tokenize
from kernel.model import Token
from skills.model import Example, Tool

_SLOT = "\ufffc"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Lemmas and word forms by the part they play in the tools' examples."""

    verbs: frozenset[str] = frozenset()
    vocabulary: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()

    @classmethod
    def from_tools(cls, tools: Iterable[Tool]) -> Lexicon:
        """Read the verbs that begin examples, the words around their slots, and the choice words of ``tools``."""
        verbs: set[str] = set()
        vocabulary: set[str] = set()
        choices: set[str] = set()
        for tool in tools:
            choices |= _choice_words(tool)
            for example in tool.examples:
                first, rest = _read(example)
                verbs |= first
                vocabulary |= rest
        return cls(frozenset(verbs - choices), frozenset(vocabulary), frozenset(choices))

    def is_verb(self, token: Token) -> bool:
        """Tell whether a tool's example begins with this word, in any of its forms."""
        return token.norm in self.verbs or token.lemma in self.verbs

    def knows(self, token: Token) -> bool:
        """Tell whether a tool uses the word outside its slots, as a verb, or as the word for a choice."""
        return not self._words().isdisjoint((token.norm, token.lemma))

    def _words(self) -> frozenset[str]:
        return _union(self)


@cache
def _union(lexicon: Lexicon) -> frozenset[str]:
    return lexicon.verbs | lexicon.vocabulary | lexicon.choices


def _choice_words(tool: Tool) -> set[str]:
    found: set[str] = set()
    for parameter in tool.parameters:
        for by_language in parameter.words.values():
            for language, phrases in by_language.items():
                for phrase in phrases:
                    found |= {form for token in tokenize(phrase, language) for form in (token.norm, token.lemma)}
    return {word for word in found if word.isalpha() and not is_function_word(word)}


def _read(example: Example) -> tuple[set[str], set[str]]:
    tokens = tokenize(_without_slots(example), example.language)
    start = polite_prefix([token.norm for token in tokens])
    words = tokens[start:]
    content = {form for token in words if _is_content(token) for form in (token.norm, token.lemma)}
    first = words[0] if words else None
    if first is None or not _is_content(first) or is_question_word(first.norm):
        return set(), content
    return {first.norm, first.lemma}, content


def _without_slots(example: Example) -> str:
    text = example.text
    for slot in sorted(example.slots, key=lambda slot: slot.start, reverse=True):
        text = f"{text[: slot.start]}{_SLOT}{text[slot.end :]}"
    return re.sub(r"\s+", " ", text)


def _is_content(token: Token) -> bool:
    return token.norm.replace("-", "").isalpha() and not is_function_word(token.norm)
