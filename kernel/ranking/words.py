"""Words and character n-grams of a text, as the lexical index counts them.

A name such as ``getWeather_v2`` is split; an English word is cut to a stem by a dozen rules (after Porter 1980, fewer),
which is applied to documents and requests alike, so that it need not be a word. A request is read without
its closed-class words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kernel.language.function_words import is_function_word

GRAM = 4
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VOWEL = re.compile(r"[aeiouy]")
_ENDINGS = ("izations", "ization", "ations", "ation", "ators", "ator", "ating", "ated", "ates", "ate")
_FIXED = frozenset("news lens series species".split())
_FEWEST = 4  # letters that an ending must leave


def split_name(name: str) -> str:
    """Return ``getWeather_v2`` as ``get Weather v2``."""
    return " ".join(_CAMEL.sub(" ", name).replace("_", " ").replace("-", " ").replace(".", " ").split())


def terms(text: str) -> list[str]:
    """Return the stems of the content words of ``text``, in order; of all words when it has no content word."""
    words = _words(text)
    content = [word for word in words if not _is_closed(word)]
    return [stem(word) for word in content or words]


def every_term(text: str) -> list[str]:
    """Return the stems of all words of ``text``: documents hold closed-class words too ("where" may tell)."""
    return [stem(word) for word in _words(text)]


def _words(text: str) -> list[str]:
    return [match.casefold() for match in _WORD.findall(_CAMEL.sub(" ", text))]


def grams(text: str) -> set[str]:
    """Return the 4-character windows of the padded content words of ``text``."""
    return {gram for word in _WORD.findall(text.casefold()) if not _is_closed(word) for gram in _windows(word)}


@lru_cache(maxsize=1 << 15)
def _is_closed(word: str) -> bool:
    return is_function_word(word)


@lru_cache(maxsize=1 << 15)
def _windows(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    return tuple(padded[at : at + GRAM] for at in range(max(1, len(padded) - GRAM + 1)))


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """Return the stem of an English word in lower case; what has other letters stays as it is."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _FEWEST:
            return word[: -len(ending)]
    return _last_letters(_without_verb_ending(_singular(word)))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ics")) and word not in _FIXED:
        return word[:-1]
    return word


def _without_verb_ending(word: str) -> str:
    for ending, least in (("ing", 3), ("ed", 3), ("er", 4), ("or", 4), ("ment", 5), ("ly", 4)):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= least and _VOWEL.search(rest):
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    return word


def _last_letters(word: str) -> str:
    if len(word) > 3 and word.endswith("e"):
        return word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word
