"""Text from elsewhere, made safe to show in a terminal: control, bidirectional and invisible characters escaped.

What this stops: a file name or a skill's text that moves the cursor, recolours, hides or reverses what is shown.
What this does not: letters of other scripts that look alike.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from typing import Any

_HIDDEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})


def visible(text: str, *, longest: int | None = None) -> str:
    """Return ``text`` with every character that does not show written as an escape; newlines and tabs stay."""
    shown = "".join(_shown(character) for character in text)
    if longest is not None and len(shown) > longest:
        return shown[: longest - 1] + "…"
    return shown


def one_line(text: str, longest: int = 200) -> str:
    """Return ``text`` on one line, cut to ``longest`` characters."""
    return visible(" ".join(text.split()), longest=longest)


def _shown(character: str) -> str:
    if character in "\n\t" or " " <= character <= "~" or unicodedata.category(character) not in _HIDDEN:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04x}}}"


def short_path(path: str) -> str:
    """Write a path below the home with ``~``."""
    home = os.path.expanduser("~").rstrip("/")
    return "~" + path[len(home) :] if home and path.startswith(home + "/") else path


_SIGNS = {"created": "+", "modified": "~", "deleted": "-", "moved": "→"}


def change_line(change: Mapping[str, Any]) -> str:
    """Say one change on one line: a sign, the kind, the path."""
    kind = str(change.get("kind", ""))
    path = one_line(short_path(str(change.get("path", ""))), 300)
    source = change.get("source")
    where = f"{one_line(short_path(str(source)), 300)} → {path}" if source else path
    return f"{_SIGNS.get(kind, '•')} {kind:<8} {where}"


def concern_line(concern: Mapping[str, Any]) -> str:
    """Say why a change set needs a second answer."""
    return f"{concern.get('why', '')}: {one_line(short_path(str(concern.get('subject', ''))), 300)}".strip(": ")


def span(seconds: float) -> str:
    """Write a duration for a person: ``0.12 s``, ``3 min``, ``2 h``."""
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
