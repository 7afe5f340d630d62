"""Cut a sentence into tokens that keep their offsets: words, numbers, dates, paths, file names, addresses and marks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from kernel.language.function_words import guess_language, is_function_word
from kernel.language.lemmas import is_known, lemma_of
from kernel.model import Token

_WORD = r"[^\W\d_]\w*(?:[-'’](?!s\b)\w+)*"
_NAME = r"\w(?:[\w+@~&%-]|['’](?=\w)){0,128}"
_PICTURE = "\u2600-\u27bf\U0001f300-\U0001faff"
_PICTURED = rf"[\w{_PICTURE}](?:[\w{_PICTURE}\ufe0f\u200d+@~&%-]|['’](?=\w)){{0,128}}"
_SUFFIX = r"(?:[^\W\d_][A-Za-z0-9]{0,9}|7z|3gp)"

_PATTERN = re.compile(
    "|".join(
        (
            r"(?<!\w)(?i:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)"  # Freitagabend is two words
            r"(?=(?:früh|morgen|vormittag|nachmittag|abend)(?!\w|[.-]\w))",
            r"(?:[^\W\d_]+|\d+)(?=\s|$|[,;:!?](?:\s|$))",  # most tokens, read at once
            r"[A-Za-z][A-Za-z0-9+.-]{1,31}://[^\s<>\"“”]+",  # address with a scheme
            r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+",  # e-mail address
            r"(?:e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|[ap]\.m|Dr|Mr|Mrs|Ms|Prof|bzw|etc|Nr|ca|vs)\.(?!\w)",
            r"(?<![\w)\]])(?:~[\w.-]{0,32}|\.{1,2})?/(?=[^\W\d]|\.|\d+[^\W\d])"
            r"(?:\\ |[^\s\"“”„,;:!?()<>|'’`]|['’](?=\w))*",
            r"(?<![\w)])~(?:/|(?!\w))",
            r"(?<!\S)\.{1,2}/(?!\S)",
            r"(?=(?:[\w.+@~&%'’-]{1,128}/){0,16}[^\W\d])"  # 3/4 is arithmetic, Photos/2024 is a path
            rf"(?:{_NAME}(?:\.{_NAME})*/)+(?:{_NAME}(?:\.{_NAME})*)?(?=[^\w/]|$)",
            r"\d{4}-\d{1,2}-\d{1,2}(?![\w-])",
            r"\d{4}/\d{1,2}/\d{1,2}(?![\w/])",
            rf"(?:{_PICTURED}\.)+{_SUFFIX}(?![\w-])",  # file name
            r"\*\.[A-Za-z0-9]{1,10}\b",
            r"(?<![\w*/])(?=[\w.-]{0,64}[^\W\d][\w.-]{0,64}\*)"
            r"[\w.-]{1,64}(?<!\d)\*(?![*/\d])[\w.-]{0,32}(?![\w*])",  # report*
            r"(?<![\w*])\*(?!\*)[\w.-]{0,32}[^\W\d][\w.-]{0,32}(?:\*(?!\*))?(?![\w*])",  # *report, *report*
            r"(?<!\S)\.[A-Za-z_][\w.-]*\w",  # dot file
            r"\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?![\w])",
            r"\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})(?![\w/])",
            r"\d{1,2}:\d{2}(?::\d{2})?(?!\d)",
            r"\d+[_-]+[^\W\d_]\w*(?:[-_]\w+)*",  # 2024_report, 7-day
            r"\d+(?:st|nd|rd|th)\b",
            r"(?<![\w)+])(?<!\d )(?<!\) )\+\d{1,4}(?:[ ]?\(\d{1,4}\))?(?=(?:[ ()/.-]{0,3}\d){5})",  # +49 (0)
            r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?(?!\d)",
            r"\d+(?:[.,]\d+)?",
            r"['’]s\b",
            _WORD,
            r"_+\w*",
            r"\*\*|<=|>=|!=|==|<>",
            r"([.,;:!?…-])\1*",
            r"\S",
        )
    )
)
_TRAILING = ".,;:!?)]}'’…"


_ARTICLES = frozenset("the a an".split())
"""Before a word in "-ing" they say that it is a noun: "the opening", and nothing is to be opened."""


def tokenize(text: str, language: str = "") -> tuple[Token, ...]:
    """Return the tokens of ``text`` with lemmas of ``language`` ("en", "de"; guessed when absent). Never raises."""
    pieces = _pieces(text)
    norms = [normalise(text[start:end]) for start, end in pieces]
    language = language or guess_language(norms)
    tokens = []
    for index, ((start, end), norm) in enumerate(zip(pieces, norms, strict=True)):
        initial = index == 0 or norms[index - 1][0] in ".!?:"
        noun = language == "en" and index > 0 and norm.endswith("ing") and norms[index - 1] in _ARTICLES
        lemma = norm if noun else _lemma(text[start:end], norm, language, initial)
        tokens.append(Token(text[start:end], start, end, norm, lemma))
    return tuple(tokens)


def words_of(text: str) -> list[str]:
    """Return the normalised tokens of ``text`` without lemmas, for guessing the language."""
    return [normalise(text[start:end]) for start, end in _pieces(text)]


def normalise(word: str) -> str:
    """Return ``word`` case-folded, in NFC, with straight apostrophes; ß is kept."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", word).lower().replace("’", "'")


@lru_cache(maxsize=8)
def _pieces(text: str) -> tuple[tuple[int, int], ...]:
    found = []
    position, length = 0, len(text)
    while position < length:
        match = _PATTERN.search(text, position)
        if match is None:
            break
        start, end = match.span()
        end = _trim(text, start, end)
        found.append((start, end))
        position = end
    return tuple(found)


def _trim(text: str, start: int, end: int) -> int:
    """Give sentence marks at the end of a path or an address back to the sentence."""
    if end - start < 2 or "/" not in text[start:end]:
        return end
    stop = end
    while stop > start + 1 and text[stop - 1] in _TRAILING:
        stop -= 1
    return end if text[start:stop] in {".", "..", "~"} or set(text[start:end]) <= set("./~") else stop


def _lemma(word: str, norm: str, language: str, initial: bool) -> str:
    if (
        not norm[0].isalpha()
        or not norm.replace("-", "").replace("'", "").isalpha()
        or is_function_word(norm, language)
    ):
        return norm
    lemma = lemma_of(norm if initial or language == "en" else word, language)
    return _imperative(norm, lemma) if language == "de" and (initial or word == norm) else lemma


_SHORT = {"such": "suchen"}
"""Imperatives that a dictionary has as another word of its own."""


def _imperative(norm: str, lemma: str) -> str:
    """ "lösch", "änder": the short imperative, which dictionaries lack or take for another verb's form."""
    if norm in _SHORT:
        return _SHORT[norm]
    if lemma.startswith(norm) and lemma != norm:
        return lemma
    verb = f"{norm}en"
    known = lemma == norm and is_known(norm, "de")
    return verb if not known and lemma_of(f"{norm}e", "de") == verb else lemma
