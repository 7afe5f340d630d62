"""Base forms of words, by simplemma's dictionaries in a form that costs little memory.

simplemma's plain dictionaries take a second and 120 MB to load. Its tries, built once from the same data and kept
beside the virtual environment, take 5 ms and 9 MB.
"""

from __future__ import annotations

import sys
import threading
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simplemma import Lemmatizer
    from simplemma.strategies import DictionaryLookupStrategy
    from simplemma.strategies.dictionaries.trie_dictionary_factory import TrieDictionaryFactory

KEPT = Path(sys.prefix) / "share" / "steward" / "lemmas"
LANGUAGES = ("en", "de")
_LONGEST = 40  # longer than any word of the dictionaries; greedy decomposition of more would only cost time
_building = threading.Lock()


@lru_cache(maxsize=20_000)
def lemma_of(word: str, language: str) -> str:
    """Return the base form of ``word`` in lower case, or the word itself when it is unknown."""
    if len(word) > _LONGEST:
        return word.lower()
    found = _lemmatizer().lemmatize(word, language)
    return found.lower() if found else word.lower()


def is_german_noun(word: str) -> bool:
    """Tell whether a German dictionary has ``word``, in small letters, as a noun: its base form has a capital."""
    return len(word) <= _LONGEST and _lemmatizer().lemmatize(word, "de")[:1].isupper()


def is_known(word: str, *languages: str) -> bool:
    """Tell whether a dictionary of ``languages`` (either, when absent) has ``word`` in this form, capitals aside."""
    return len(word) <= _LONGEST and any(_dictionary().get_lemma(word, one) for one in languages or LANGUAGES)


def prepare() -> None:
    """Build what is not built yet, so that no request has to."""
    for language in LANGUAGES:
        _lemmatizer().lemmatize("prepare", language)


def _lemmatizer() -> Lemmatizer:
    with _building:
        return _make()


def _dictionary() -> DictionaryLookupStrategy:
    with _building:
        return _make_dictionary()


@cache
def _make() -> Lemmatizer:
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy

    return Lemmatizer(lemmatization_strategy=DefaultStrategy(dictionary_factory=_tries()))


@cache
def _make_dictionary() -> DictionaryLookupStrategy:
    from simplemma.strategies import DictionaryLookupStrategy

    return DictionaryLookupStrategy(_tries())


@cache
def _tries() -> TrieDictionaryFactory:
    from simplemma.strategies.dictionaries.trie_dictionary_factory import TrieDictionaryFactory

    return TrieDictionaryFactory(disk_cache_dir=str(KEPT))
