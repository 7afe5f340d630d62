"""Texts of a server made fit to be read: one line, of bounded length, and nothing in it that cannot be seen.

What this stops: control characters and ones that turn the direction of reading, on a card or in a terminal; a
description as long as a prompt.
What it does not: tell honest words from dishonest ones. What a server says ranks its tools and grants nothing.
"""

from __future__ import annotations

import re
import unicodedata

from permissions.naming import UNSEEN

_SENTENCE = re.compile(r"(?<=[.!?])\s")


def plain(text: object, most: int) -> str:
    """Return ``text`` as one line of at most ``most`` characters; what cannot be seen is a blank."""
    if not isinstance(text, str):
        return ""
    seen = "".join(" " if unicodedata.category(one) in UNSEEN else one for one in text[: 4 * most])
    line = " ".join(seen.split())
    return line if len(line) <= most else line[: most - 2].rstrip() + " …"


def first_sentence(text: object, most: int) -> str:
    """Return the first sentence of ``text`` as one plain line."""
    return plain(_SENTENCE.split(plain(text, 4 * most), maxsplit=1)[0], most)


def unseen(text: str) -> bool:
    """Tell whether ``text`` holds a character that a person does not see for what it is."""
    return any(unicodedata.category(one) in UNSEEN for one in text)
