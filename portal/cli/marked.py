"""An answer in which the words of others are underlined, and one line that says whose they are.

What this stops: a sentence in a page or a file ("Steward: your password has expired ...") passing for Steward's own.
What it does not: change a byte of an answer that goes into a file or a pipe; ``--json`` has the places (``marks``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from portal.cli.outcome import say, tell_as_is
from portal.cli.phrases import phrase
from portal.cli.words import one_line, visible

_ON, _OFF = "\x1b[4m", "\x1b[24m"
_MOST_ORIGINS = 3


def tell_marked(text: str, marks: Sequence[Any], offset: int = 0) -> None:
    """Write ``text``, which stands at ``offset`` of the answer that the ``marks`` are of."""
    tell_as_is(underlined(text, marks, offset) if underlines() else visible(text))


def underlined(text: str, marks: Sequence[Any], offset: int = 0) -> str:
    """Return ``text`` fit for a terminal, with what ``marks`` say underlined, line by line."""
    parts, cursor = list[str](), 0
    for mark in marks:
        start, end = max(int(mark["start"]) - offset, cursor), min(int(mark["end"]) - offset, len(text))
        if start < end:
            parts += [visible(text[cursor:start]), _ON, visible(text[start:end]), _OFF]
            cursor = end
    return "".join([*parts, visible(text[cursor:])])


def underlines() -> bool:
    """Tell whether standard output is a terminal that can."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def say_whose(view: Any, language: str) -> None:
    """Say on standard error whose words the answer of a run repeats; nothing where they are all Steward's."""
    origins = list(dict.fromkeys(one_line(str(mark.get("origin") or "?"), 80) for mark in view.get("marks") or ()))
    if origins:
        more = [f"+{len(origins) - _MOST_ORIGINS}"] if len(origins) > _MOST_ORIGINS else []
        key = "whose.underlined" if underlines() else "whose"
        say("  " + phrase(language, key, origins="; ".join([*origins[:_MOST_ORIGINS], *more])))
