"""What can be read in a file: all of a text, and of anything else what a person could take for words.

What this stops: a command or an address in a file that is no text (a nought in a script, a program) staying unseen.
What it does not: read what is compressed, enciphered or written in another way; whoever looks is told that it may be
anything.
"""

from __future__ import annotations

import re

_LEAST = 6
_MOSTLY = 0.9
_NO_WORDS = bytes(one for one in range(256) if one not in b"\t\n\r" and not 0x20 <= one < 0x7F)
_WORDS = re.compile(rb"(?:(?:[\x20-\x7e\t]|[\xc2-\xf4][\x80-\xbf]{1,3})\0{0,3}){%d,}" % _LEAST)


def text_of(data: bytes, whole: bool) -> str | None:
    """Return a text, or the ``whole`` characters of its beginning; None for what is none."""
    if b"\0" in data:
        return None
    for cut in range(1 if whole else 4):
        try:
            return data[: len(data) - cut].decode()
        except UnicodeDecodeError:
            continue
    return None


def words_in(data: bytes) -> tuple[str, bool]:
    """Return what can be read in what is no text, and whether there is more in it than that.

    A text with something else in it is shown whole, byte by byte where it is none. Of the rest it is every run of six
    readable characters, also with noughts between them (UTF-16).
    """
    if len(data) and len(data.translate(None, _NO_WORDS)) >= _MOSTLY * len(data):
        return data.decode("utf-8", "backslashreplace"), False
    found = (one.group().replace(b"\0", b"").decode("utf-8", "replace") for one in _WORDS.finditer(data))
    return "".join(f"{one}\n" for one in found), True
