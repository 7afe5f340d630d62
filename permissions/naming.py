"""A name as a person can read it: as it is, but with nothing in it that does not show, moves the text or reverses it.

What this stops: a file whose name has a line break, a direction mark or a terminal's codes from disguising itself or
the sentence that it stands in; two names that differ only in what does not show from looking alike. What is changed is
written as an escape, and a backslash as two, so that no other name is shown alike.
What it does not: letters of other scripts that look alike, and letters with marks that are composed in two ways.
"""

from __future__ import annotations

import re
import unicodedata

UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})
"""Classes of characters that a person cannot see for what they are: control, direction, tags, private use."""

_HIDDEN = UNSEEN | {"Zs"}
_PLAIN = re.compile(r"[!-\[\]-~]+(?: +[!-\[\]-~]+)*")
_EDGE = re.compile(r"^ | $")
_LONGEST = 300


def readable(path: str) -> str:
    """Return a name or a path with every character that does not show as an escape, and blanks at its edges, too."""
    if _PLAIN.fullmatch(path) and " /" not in path and "/ " not in path:
        return path
    return "/".join(_EDGE.sub(r"\\x20", "".join(map(_escaped, part))) for part in path.split("/"))


def shown(text: str) -> str:
    """Return a name, a path or somebody's words fit for a message: readable, and no longer than 300 characters."""
    return _cut(readable(text))


def sentence(text: str) -> str:
    """Return a whole message in which names may stand, likewise; blanks, also beside a path, are those of the words."""
    return _cut(prose(text))


def prose(text: str) -> str:
    """Return words in which names may stand, likewise, and whole."""
    return "".join(map(_escaped, text))


def _cut(fit: str) -> str:
    return fit if len(fit) <= _LONGEST else f"{fit[: _LONGEST // 2]}…{fit[1 - _LONGEST // 2 :]}"


def _escaped(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character == " " or unicodedata.category(character) not in _HIDDEN:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04x}}}"
