"""Example sentences as authors write them: ``show the {count:three} largest files in {folder:Downloads}``.

``{parameter:words}`` marks the words that give a parameter its value; everything else is plain text.
"""

from __future__ import annotations

import re

from skills.model import Example, ExampleSlot

_SLOT = re.compile(r"\{([a-z_][a-z0-9_]*):([^{}]+)\}")


def parse_example(markup: str, language: str) -> Example:
    """Return the sentence without its marks, and where each value stands. Raises ValueError for a malformed mark."""
    text, slots, at = "", [], 0
    for match in _SLOT.finditer(markup):
        text += _plain(markup[at : match.start()])
        words = match[2].strip()
        if not words:
            raise ValueError(f"{match[0]} marks no words")
        slots.append(ExampleSlot(match[1], len(text), len(text) + len(words)))
        text, at = text + words, match.end()
    text += _plain(markup[at:])
    if not text.strip():
        raise ValueError("an example is empty")
    return Example(text, language, tuple(slots))


def _plain(text: str) -> str:
    if "{" in text or "}" in text:
        raise ValueError(f"{text.strip()!r} holds a brace that does not belong to {{parameter:words}}")
    return text
