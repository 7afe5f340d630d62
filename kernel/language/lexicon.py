"""What the installed tools' own words teach about a sentence: their verbs, their vocabulary, their choice words.

Nothing lexical about any tool stands in the kernel; everything here is read from manifests.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from kernel.context.naming import plain
from kernel.language.frame.framing import lead
from kernel.language.function_words import SEPARABLE, is_function_word, is_question_word
from kernel.language.tokens import tokenize
from kernel.model import Token
from skills.model import Adds, Example, Tool

_BEFORE_VERBS = frozenset(", can could must should will".split())
_SLOT = "\ufffc"
_ENDS_SENTENCE = frozenset(".!?")
_NOUN_FACTOR = 2
_OFTEN, _RARE = 10, 3
_SURELY = 20  # examples that a word opens


@dataclass(frozen=True, slots=True)
class Thing:
    """A kind of thing that a tool adds: what a person says for one by language, and what it is added to."""

    what: str
    words: tuple[tuple[str, tuple[str, ...]], ...]
    places: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, eq=False)  # one lexicon is another only if it is the same: caches compare them
class Lexicon:
    """Lemmas and word forms by the part they play in the tools' examples."""

    verbs: frozenset[str] = frozenset()
    vocabulary: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()
    english: frozenset[str] = frozenset()  # words outside the slots of English examples
    german: frozenset[str] = frozenset()  # the same of German ones
    opens_de: frozenset[str] = frozenset()  # words that open German examples and no English one
    spelt_en: frozenset[str] = frozenset()  # every English word, as written and as a base form: what a typo may mean
    spelt_de: frozenset[str] = frozenset()
    kinds: frozenset[tuple[str, str]] = frozenset()  # a word for a kind of file, and a suffix that such files have
    nouns: frozenset[frozenset[str]] = frozenset()  # nouns that mean the same in the name of a file
    things: frozenset[Thing] = frozenset()  # kinds of things that tools add
    orders: frozenset[str] = frozenset()  # verbs that open many examples and hardly stand elsewhere: "add", "zeig"
    parted: frozenset[tuple[str, str]] = frozenset()  # German verbs, and what parts from them: "mach ... auf"

    @classmethod
    def from_tools(cls, tools: Iterable[Tool]) -> Lexicon:
        """Read the verbs that begin examples, the words around their slots, and the choice words of ``tools``."""
        tools = tuple(tool for tool in tools if tool.examples)  # others teach nothing: how they are said nobody knows
        examples = [example for tool in tools for example in tool.examples]
        read = [_read(example) for example in examples]
        chosen = [one for tool in tools for one in _choice_tokens(tool)]
        choices = _choice_words(form for _, token in chosen for form in _forms(token))
        as_said = _choice_words(token.norm for _, token in chosen)
        vocabulary = {form for words in read for token in words if _is_content(token) for form in _forms(token)}
        spoken = [
            frozenset(
                token.norm
                for words, example in zip(read, examples, strict=True)
                for token in words
                if example.language == language and _is_content(token)
            )
            for language in ("en", "de")
        ]
        spelt = [
            frozenset(
                form
                for words, example in zip(read, examples, strict=True)
                for token in words
                if example.language == language and _is_content(token)
                for form in _forms(token)
            ).union(_choice_words(form for said, token in chosen if said == language for form in _forms(token)))
            for language in ("en", "de")
        ]
        opens = _openers(read, examples, "de") - _openers(read, examples, "en")
        return cls(
            _verbs(read) - (as_said - _surely_verbs(read)),  # "wrote" asks for the author; "add" is a verb all the same
            frozenset(vocabulary),
            frozenset(choices),
            english=spoken[0],
            german=spoken[1],
            orders=_orders(read),
            opens_de=opens,
            spelt_en=spelt[0],
            spelt_de=spelt[1],
            kinds=frozenset(kind for tool in tools for kind in _kinds(tool)),
            nouns=frozenset(frozenset(map(plain, same)) for tool in tools for same in tool.nouns),
            things=frozenset(_thing(tool.adds) for tool in tools if tool.adds is not None),
            parted=_parted(read, examples),
        )

    def is_verb(self, token: Token) -> bool:
        """Tell whether a tool's example begins with this word, in any of its forms."""
        if token.norm in self.verbs or token.lemma in self.verbs:
            return True
        return "ss" in token.norm and token.norm.replace("ss", "ß") in self.verbs  # "schmeiss", as it is written too

    def knows(self, token: Token) -> bool:
        """Tell whether a tool uses the word outside its slots, as a verb, or as the word for a choice."""
        return not self._words().isdisjoint((token.norm, token.lemma))

    def suffixes(self, word: str) -> frozenset[str]:
        """Return the suffixes, without the dot, of files that are called ``word``: "photo" means jpg, png and more."""
        return _suffixes(self).get(word, frozenset())

    def same_nouns(self, word: str) -> frozenset[str]:
        """Return the nouns that mean the same as ``word`` in the name of a file, with itself; none if untaught."""
        return _same_nouns(self).get(word, frozenset())

    def _words(self) -> frozenset[str]:
        return _union(self)


@cache
def _union(lexicon: Lexicon) -> frozenset[str]:
    return lexicon.verbs | lexicon.vocabulary | lexicon.choices


@cache
def _same_nouns(lexicon: Lexicon) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for same in lexicon.nouns:
        found.update({word: found.get(word, frozenset()) | same for word in same})
    return found


@cache
def _suffixes(lexicon: Lexicon) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word, suffix in lexicon.kinds:
        found.setdefault(word, set()).add(suffix)
    return {word: frozenset(suffixes) for word, suffixes in found.items()}


def _thing(adds: Adds) -> Thing:
    return Thing(adds.what, *(tuple(sorted(said.items())) for said in (adds.words, adds.places)))


def _kinds(tool: Tool) -> Iterator[tuple[str, str]]:
    """Every word for a kind of file with each suffix of that kind, as the tool's choices have them."""
    for parameter in tool.parameters:
        for choice, suffixes in parameter.suffixes.items():
            phrases = [phrase for said in parameter.words.get(choice, {}).values() for phrase in said]
            yield from ((" ".join(phrase.casefold().split()), suffix) for phrase in phrases for suffix in suffixes)


def _choice_tokens(tool: Tool) -> Iterator[tuple[str, Token]]:
    """Every token of the words for the tool's choices, with its language."""
    for parameter in tool.parameters:
        for by_language in parameter.words.values():
            for language, phrases in by_language.items():
                yield from ((language, token) for phrase in phrases for token in tokenize(phrase, language))


def _choice_words(forms: Iterable[str]) -> set[str]:
    return {word for word in set(forms) if word.isalpha() and not is_function_word(word)}


def _verbs(read: list[tuple[Token, ...]]) -> frozenset[str]:
    """The words that open examples, unless they stand inside others far more often: "notes" is a noun."""
    opening = Counter(words[0].norm for words in read if words and _may_be_verb(words[0]))
    inside = Counter(token.norm for words in read for token in _within(words))
    heads = {words[0] for words in read if words and _may_be_verb(words[0])}
    kept = [token for token in heads if inside[token.norm] <= _NOUN_FACTOR * opening[token.norm]]
    nouns = {token.norm for token in heads} - {token.norm for token in kept}
    return frozenset(form for token in kept for form in _forms(token)) - nouns


def _within(words: tuple[Token, ...]) -> Iterator[Token]:
    """The tokens that may be nouns there: "it is done, tick it off" and "you can tick it off" have a verb."""
    return (token for before, token in pairwise(words) if before.norm not in _BEFORE_VERBS)


def _surely_verbs(read: list[tuple[Token, ...]]) -> frozenset[str]:
    """The words that open so many examples that they are verbs, whatever choice is called so too: "add", "open"."""
    opening = Counter(words[0].norm for words in read if words and _may_be_verb(words[0]))
    inside = Counter(token.norm for words in read for token in words[1:])
    return frozenset(word for word, count in opening.items() if count >= _SURELY and inside[word] <= count)


def _orders(read: list[tuple[Token, ...]]) -> frozenset[str]:
    """The words that open many examples and are rare inside others: they order something wherever they stand."""
    opening = Counter(words[0].norm for words in read if words and _may_be_verb(words[0]))
    inside = Counter(token.norm for words in read for token in words[1:])
    return frozenset(word for word, count in opening.items() if count >= _OFTEN and _RARE * inside[word] <= count)


def _parted(read: list[tuple[Token, ...]], examples: list[Example]) -> frozenset[tuple[str, str]]:
    """The base forms of the verbs that open German examples, each with what ends the same example: "mach", "auf"."""
    whole = ([token for token in words if token.norm not in _ENDS_SENTENCE] for words in read)
    german = (words for words, one in zip(whole, examples, strict=True) if words and one.language == "de")
    ends = ((words[0], words[-1].norm) for words in german if _may_be_verb(words[0]))
    return frozenset((verb.lemma, particle) for verb, particle in ends if particle in SEPARABLE)


def _openers(read: list[tuple[Token, ...]], examples: list[Example], language: str) -> frozenset[str]:
    said = (words[0].norm for words, one in zip(read, examples, strict=True) if words and one.language == language)
    return frozenset(word for word in said if word.isalpha())


def _may_be_verb(token: Token) -> bool:
    return _is_content(token) and not is_question_word(token.norm)


def _forms(token: Token) -> tuple[str, str]:
    return token.norm, token.lemma


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
