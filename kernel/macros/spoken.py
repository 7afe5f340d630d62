"""The words of a macro's name or phrase as they are compared: without case, marks and what only frames a request."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from kernel.composition.unframed import unframed
from kernel.language import tokenize
from kernel.macros.model import Macro

A_NAME = r"(?P<name>\S++(?:[^\S\n]++\S++)*?)"
"""A pattern for a name within a sentence: whole words of one line, so that no blanks make its end slow to find."""

QUOTES = "\"'“”„‚‘’«» "
"""What may stand around such a name."""


@lru_cache(maxsize=2048)
def spoken(text: str) -> str:
    """Return the words that are said, one form for all ways to write them; "" where there are none."""
    return " ".join(token.norm.casefold() for token in unframed(tokenize(plainly(text), "en")))


def plainly(text: str) -> str:
    """Return ``text`` with one sign for all that look alike: each word of ``spoken`` stands in it."""
    return unicodedata.normalize("NFKC", text).replace("-", " ").replace("_", " ").replace("’", "'")


def meant(text: str, macros: Iterable[Macro]) -> Macro | None:
    """Return the macro whose name or phrase the whole of ``text`` is."""
    said = spoken(text)
    return next((one for one in macros if said and said in map(spoken, (one.name, *one.phrases))), None)
