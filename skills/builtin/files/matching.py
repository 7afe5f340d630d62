"""Whether the words that a person looks for are in a file's name."""

from __future__ import annotations

import re
import unicodedata
from fnmatch import fnmatchcase
from typing import TypeVar

from rapidfuzz.distance import OSA

from skills.sdk.words import fold, unaccented

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-zäöüß0-9])(?=[A-ZÄÖÜ])")
T = TypeVar("T")

CERTAIN = 0.7
EXACT = 2.0


def tokens(text: str) -> list[str]:
    """Return the words and numbers of a name: ``Invoice_2024-03.pdf`` -> invoice, 2024, 03, pdf."""
    return _TOKEN.findall(fold(_HUMP.sub(" ", unicodedata.normalize("NFC", text))))


def score(words: str, name: str) -> float:
    """Return how well ``words`` fit a file's name: 1 when all stand there, 0 when one is missing, EXACT for it.

    Below ``CERTAIN`` at least one word is only nearly there, as after a slip of the finger. With ``*`` or ``?`` the
    words are a pattern for the whole name (fnmatch(3)), and it fits or it does not.
    """
    if "*" in words or "?" in words:
        return float(fnmatchcase(unaccented(name), unaccented(words)))
    if unaccented(words) == unaccented(name):
        return EXACT
    wanted, found = tokens(words), tokens(name)
    if not wanted:
        return 1.0
    joined = "".join(found)
    scores = [max(_inside(word, joined), *(_alike(word, token) for token in found), 0.0) for word in wanted]
    return min(scores) if min(scores) < CERTAIN else sum(scores) / len(scores)


def best(fits: list[tuple[float, T]]) -> list[tuple[float, T]]:
    """Leave out what fits only nearly where something fits well, and all else where a name is exactly the one."""
    exact = [pair for pair in fits if pair[0] >= EXACT]
    certain = exact or [pair for pair in fits if pair[0] >= CERTAIN]
    return certain or [pair for pair in fits if pair[0] > 0]


def _inside(word: str, joined: str) -> float:
    """A long word may be part of a compound, or spread over two words of the name."""
    return CERTAIN if len(word) >= 5 and not word.isdigit() and word in joined else 0.0


def _alike(word: str, token: str) -> float:
    if word == token:
        return 1.0
    if word.isdigit() or token.isdigit():
        return 0.9 if word.isdigit() and token.isdigit() and word.lstrip("0") == token.lstrip("0") else 0.0
    if (len(word) >= 3 and token.startswith(word)) or (
        len(token) >= 4 and 0 < len(word) - len(token) <= 2 and word.startswith(token)
    ):
        return 0.9  # a plural, a case ending, or the beginning of a compound
    slip = len(word) >= 6 and word[0] == token[0] and OSA.distance(word, token, score_cutoff=1) == 1
    return 0.5 if slip else 0.0
