"""Whether a word was said: as it is, in its base form, or at the beginning of a longer one."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.context.naming import plain
from kernel.language import is_function_word, words_of
from kernel.language.lemmas import lemma_of

_LONG = 4
"""Letters from which on a word also means the longer ones that begin with it."""


def content_words(text: str, language: str) -> list[str]:
    """Return the words of a question that say what it is about."""
    return [word for word in words_of(text) if word[:1].isalnum() and not is_function_word(word, language)]


def forms_in(text: str) -> frozenset[str]:
    """Return every word of ``text``, also those inside of file names, with its base forms."""
    words = {plain(piece) for word in words_of(text) for piece in _pieces(word)}
    return frozenset(words | {plain(lemma_of(word, language)) for word in words for language in ("en", "de")})


def _pieces(word: str) -> Iterator[str]:
    yield word
    for mark in "_-./":
        word = word.replace(mark, " ")
    yield from word.split()


def holds(said: frozenset[str], word: str) -> bool:
    """Tell whether ``word`` is among the forms of what was said."""
    forms = {plain(word), plain(lemma_of(word, "en")), plain(lemma_of(word.capitalize(), "de"))}
    longer = [form for form in forms if len(form) >= _LONG]
    return not forms.isdisjoint(said) or any(one.startswith(form) for form in longer for one in said)
