"""Text from elsewhere, made safe to show in a terminal: control, bidirectional and invisible characters escaped.

What this stops: a file name or a skill's text that moves the cursor, recolours, hides or reverses what is shown.
What this does not: letters of other scripts that look alike.
"""

from __future__ import annotations

import os
import re
import unicodedata

_BREAKS = re.compile(r"\s*[^\S ]\s*")
_HIDDEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})


MAIL_LINE = 2600
"""A line of a mail is at most 250 characters, each perhaps written as an escape: none is cut off."""


def visible(text: str, *, longest: int | None = None) -> str:
    """Return ``text`` with every character that does not show written as an escape; newlines and tabs stay."""
    shown = "".join(_shown(character) for character in text)
    if longest is not None and len(shown) > longest:
        return shown[: longest - 1] + "…"
    return shown


def one_line(text: str, longest: int | None = 200) -> str:
    """Return ``text`` on one line, cut to ``longest`` characters, whole with None; two blanks stay two."""
    return visible(_BREAKS.sub(" ", text.strip()), longest=longest)


def path_line(path: str, longest: int | None = 300) -> str:
    """Return a path with ``~`` on one line: as it is, and what does not show in it as escapes.

    A backslash is written as two and a blank at the edge of a name as an escape, so that no other path looks alike.
    """
    text = short_path(path).replace("\\", "\\\\")
    text = re.sub(r"[^\S ]", lambda found: _escaped(found[0]), text)
    return visible(re.sub(r"(?<![^/]) | (?![^/])", r"\\x20", text), longest=longest)


def _shown(character: str) -> str:
    if character in "\n\t" or " " <= character <= "~" or unicodedata.category(character) not in _HIDDEN:
        return character
    return _escaped(character)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04x}}}"


def short_path(path: str) -> str:
    """Write a path below the home with ``~``."""
    home = os.path.expanduser("~").rstrip("/")
    if path == home:
        return "~"
    return "~" + path[len(home) :] if home and path.startswith(home + "/") else path


def homely(text: str) -> str:
    """Write every path below the home that stands in a sentence with ``~``."""
    home = os.path.expanduser("~").rstrip("/")
    return re.sub(rf"(?<![\w/.~-]){re.escape(home)}(?=/|[^\w.-]|\.?$|\.\s)", "~", text) if home else text


def span(seconds: float) -> str:
    """Write a duration for a person: ``0.12 s``, ``3 min``, ``2 h``."""
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def moment(text: object) -> str:
    """Write a moment of the wire to the minute, on its own clock; "" where there is none."""
    return str(text or "")[:16].replace("T", " ")


def many(count: int, one: str, more: str = "") -> str:
    """Say how many of something there are: ``1 fact``, ``3 facts``; ``more`` is its plural where that is no "s"."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def size(size_bytes: object, language: str = "en") -> str:
    """Write a size in decimal units: ``12 bytes``, ``3.4 MB``; ``12 Byte``, ``3,4 MB`` in German."""
    value, unit = float(size_bytes) if isinstance(size_bytes, int | float) else 0.0, 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    text = f"{value:.1f}".removesuffix(".0") if unit and value < 99.95 else f"{value:.0f}"
    if not unit:
        return f"{text} Byte" if language == "de" else f"{text} byte{'s' if text != '1' else ''}"
    return f"{text.replace('.', ',') if language == 'de' else text} {_UNITS[unit]}"


_UNITS = ("B", "kB", "MB", "GB", "TB")
