"""The words of choices: what a person says for one value of a parameter that has a closed set of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from kernel.composition.words import forms, is_superlative, is_word
from kernel.language.tokens import tokenize
from skills.model import Parameter, Tool


@dataclass(frozen=True, slots=True)
class ChoicePhrase:
    """Words that mean one choice of one parameter: a tuple of sets of forms."""

    words: tuple[frozenset[str], ...]
    parameter: str
    choice: str


def phrases_of(tool: Tool, language: str) -> dict[str, tuple[ChoicePhrase, ...]]:
    """Return the phrases of every choice of ``tool``, by every form of their first word."""
    found: dict[str, list[ChoicePhrase]] = defaultdict(list)
    for parameter in tool.parameters:
        for choice, by_language in parameter.words.items():
            texts = by_language.get(language) or tuple(word for words in by_language.values() for word in words)
            for text in texts or [choice]:
                _add_phrase(found, text, language, parameter.name, choice)
    return {word: tuple(dict.fromkeys(phrases)) for word, phrases in found.items()}


def _add_phrase(found: dict[str, list[ChoicePhrase]], text: str, language: str, parameter: str, choice: str) -> None:
    tokens = [token for token in tokenize(text.replace("_", " "), language) if is_word(token)]
    if not tokens:
        return
    phrase = ChoicePhrase(tuple(frozenset(forms(token)) for token in tokens), parameter, choice)
    for form in phrase.words[0]:
        found[form].append(phrase)


def ordering_of(tool: Tool, language: str) -> frozenset[str]:
    """Return the choice parameters of which at least half the words pick an extreme."""
    found = set()
    for parameter in tool.parameters:
        extremes = sum(any(map(is_superlative, _words_of(parameter, choice, language))) for choice in parameter.words)
        if extremes * 2 >= len(parameter.words) > 0:
            found.add(parameter.name)
    return frozenset(found)


def _words_of(parameter: Parameter, choice: str, language: str) -> list[str]:
    by_language = parameter.words[choice]
    phrases = by_language.get(language) or tuple(word for words in by_language.values() for word in words)
    return [word for phrase in phrases for word in phrase.casefold().split()]
