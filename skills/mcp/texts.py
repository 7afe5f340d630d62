"""Texts of a server made fit to be read: one line, of bounded length, and nothing in it that cannot be seen.

What this stops: control characters and ones that turn the direction of reading, on a card or in a terminal; a
description as long as a prompt.
What it does not: tell honest words from dishonest ones. What a server says ranks its tools and grants nothing.
"""

from __future__ import annotations

import re
import unicodedata

from permissions.naming import UNSEEN

FAILED, FAILED_IN_GERMAN = "The server of {tool} says: ", "Der Server von {tool} sagt: "
"""Stands before a server's words in an error, which are one line."""

SAID, SAID_IN_GERMAN = "(said by the server {skill})", "(sagt der Server {skill})"
"""Stands below a server's words in an answer: what comes after it is Steward's own."""

_SENTENCE = re.compile(r"(?<=[.!?])\s")
_MARKS = dict.fromkeys(map(ord, '“”„‟«»‹›〝〞〟＂"'), "'")


def plain(text: object, most: int) -> str:
    """Return ``text`` as one line of at most ``most`` characters; what cannot be seen is a blank."""
    if not isinstance(text, str):
        return ""
    seen = "".join(" " if unicodedata.category(one) in UNSEEN else one for one in text[: 4 * most])
    line = " ".join(seen.split())
    return line if len(line) <= most else line[: most - 2].rstrip() + " …"


def quoted(text: object, most: int) -> str:
    """Return ``text`` as ``plain`` does, fit to stand in quotation marks: it has none that could end them."""
    return plain(text, most).translate(_MARKS)


def first_sentence(text: object, most: int) -> str:
    """Return the first sentence of ``text`` as one plain line."""
    return plain(_SENTENCE.split(plain(text, 4 * most), maxsplit=1)[0], most)


def unseen(text: str) -> bool:
    """Tell whether ``text`` holds a character that a person does not see for what it is."""
    return any(unicodedata.category(one) in UNSEEN for one in text)
