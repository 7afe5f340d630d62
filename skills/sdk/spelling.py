"""A word as it may stand in a text: with or without its accents, an umlaut as two letters, a street cut short.

What this finds is what ``words.fold`` holds for the same, without folding the text: a place found is a place in it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from skills.sdk.words import fold, unaccented

_PIECE = re.compile(r"strasse?|ss|.", re.S)
_LATIN = range(0xC0, 0x250)
"""The letters of European alphabets that Unicode has beside the plain ones."""


def spelled(word: str) -> str:
    """Return a pattern of all ways to write ``word``, for composed texts (NFC) and with ``re.I``."""
    return "".join(map(_ways, _PIECE.findall(fold(word))))


def _ways(piece: str) -> str:
    if piece.startswith("strass"):
        return r"(?:stra(?:ß|ss)e?|str(?![^\W\d_]))"
    if piece == "ss":
        return "(?:ß|ss)"
    also = _accented().get(piece, "")
    plain = f"[{piece}{also}]" if also else re.escape(piece)
    return f"(?:(?<![aeiouq]){piece}e|{plain})" if piece in "aou" else plain


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """Return which letters stand for each plain one: "aàáâãäå …"."""
    found: dict[str, str] = {}
    for letter in map(chr, _LATIN):
        plain = unaccented(letter)
        if len(plain) == 1 and plain.isascii() and plain.isalpha():
            found[plain] = found.get(plain, "") + letter
    return found
