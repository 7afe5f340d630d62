"""What the installed tools' own words teach about a sentence: their verbs, their vocabulary, their choice words.

Nothing lexical about any tool stands in the kernel; everything here is read from manifests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from kernel.context.naming import plain
from kernel.language.function_words import is_function_word
from kernel.language.said import Counted, said_in
from kernel.language.tokens import tokenize
from kernel.model import Token
from skills.model import Adds, Tool


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
        said = [said_in(tool.examples) for tool in tools]
        chosen = [one for tool in tools for one in _choice_tokens(tool)]
        as_said = _choice_words(token.norm for _, token in chosen)
        words = {language: {word for one in said for word in one.words.get(language, ())} for language in ("en", "de")}
        opens = {language: {word for one in said for word in one.openers.get(language, ())} for language in words}
        together = Counted.of(said)
        return cls(
            together.verbs() - (as_said - together.surely_verbs()),  # "wrote" asks for the author; "add" is a verb
            frozenset(form for one in words.values() for word in one for form in word),
            frozenset(_choice_words(form for _, token in chosen for form in (token.norm, token.lemma))),
            english=frozenset(norm for norm, _ in words["en"]),
            german=frozenset(norm for norm, _ in words["de"]),
            orders=together.orders(),
            opens_de=frozenset(opens["de"] - opens["en"]),
            spelt_en=frozenset({form for word in words["en"] for form in word} | _chosen_in(chosen, "en")),
            spelt_de=frozenset({form for word in words["de"] for form in word} | _chosen_in(chosen, "de")),
            kinds=frozenset(kind for tool in tools for kind in _kinds(tool)),
            nouns=frozenset(frozenset(map(plain, same)) for tool in tools for same in tool.nouns),
            things=frozenset(_thing(tool.adds) for tool in tools if tool.adds is not None),
            parted=frozenset(one for each in said for one in each.parted),
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


def _chosen_in(chosen: Iterable[tuple[str, Token]], language: str) -> set[str]:
    return _choice_words(form for said, token in chosen if said == language for form in (token.norm, token.lemma))
