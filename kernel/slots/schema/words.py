"""The words of a schema and of a sentence, made comparable: stems without endings, names cut into their words."""

from __future__ import annotations

import re
from functools import lru_cache

from kernel.language.function_words import is_function_word
from kernel.language.lemmas import lemma_of
from kernel.language.line import Line
from kernel.slots.schema.model import Slot

_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_WORDS = re.compile(r"[A-Za-z][A-Za-z'-]*|\d+|[%$€£°]")
_GENERAL = frozenset("name value type number list string the of default optional e.g i.e etc format parameter".split())
_QUOTED = re.compile(r"['\"‘“]([^'\"‘’“”]{1,40})['\"’”]")
_LISTED = re.compile(
    r"(?:e\.g\.?|i\.e\.?|such as|like|example|options?(?: are| include)?|one of|either)[:,]?\s+([^.()]+)", re.I
)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The base form of an English word, at most six letters of it: "calculated" and "calculation" are one."""
    norm = word.lower().removesuffix("'s")
    return lemma_of(norm, "en")[:6] if norm[:1].isalpha() else norm


@lru_cache(maxsize=4_000)
def name_stems(name: str) -> tuple[str, ...]:
    """The stems of a parameter's name: "numAdults", "num_adults"."""
    return tuple(dict.fromkeys(stem(piece) for piece in _PIECES.findall(name)))


@lru_cache(maxsize=4_000)
def doc_stems(doc: str) -> tuple[str, ...]:
    """The stems of what is said about a parameter, without function words and what follows "Default"."""
    said = re.split(r"(?i)\bdefaults?\b", doc)[0]
    words = (word for word in _WORDS.findall(said) if not is_function_word(word.lower(), "en"))
    return tuple(dict.fromkeys(stem(word) for word in words if word.lower() not in _GENERAL))


def span_of(line: Line, start: int, end: int) -> tuple[int, int] | None:
    """The tokens [first, last) that begin in ``line.text[start:end]``; None where none does."""
    inside = [at for at, token in enumerate(line.tokens) if start <= token.start < end]
    return (inside[0], inside[-1] + 1) if inside else None


_PLACE = re.compile(r"[A-Z][\w.]+(?: [A-Z]\w+)*, [A-Z]{2}\b")
_PLACE_NAMED = re.compile(r"(?i)\bcity(?:,| and) (?:the )?(?:state|country)\b")


@lru_cache(maxsize=4_000)
def wants_comma(slot: Slot) -> bool:
    """Tell whether the values of a slot have a comma inside: "the city and state, e.g. Denver, CO"."""
    return bool(_PLACE.search(slot.doc) or _PLACE_NAMED.search(slot.doc))


@lru_cache(maxsize=4_000)
def listed(slot: Slot) -> tuple[str, ...]:
    """The values that the sentence about a parameter gives as examples: in quotation marks, or after "such as"."""
    found = [match.strip() for match in _QUOTED.findall(slot.doc)]
    for match in [] if wants_comma(slot) else _LISTED.findall(slot.doc):
        found += [piece.strip(" '\"") for piece in re.split(r",|\bor\b|\band\b", match)]
    return tuple(dict.fromkeys(value for value in found if 0 < len(value) <= 40 and len(value.split()) <= 4))
