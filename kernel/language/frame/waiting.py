"""Requests that are to wait for a word of the person: "delete it, I'll tell you when", "warte, bis ich es sage".

What this stops: that a deed is done at once which was asked for later. What it does not: read a time ("tomorrow at 8"),
or "I'll tell you when" in the middle of a sentence or in a text that is to be written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SAY = "(?:say|tell|give|let|call|text|ping|signal)"
_WAITING = re.compile(
    "(?:^|[,;.!…–-] |(?:but|and|aber|und) )(?:(?:please|just|bitte|dann|then|only|erst) )*(?:"
    f"(?:i'll|i will|we'll|we will) {_SAY} you (?:know |the word |a sign |the go-ahead )?when(?: (?:to|to do it))?|"
    "(?:please )?(?:wait|hold off|hold on)(?: with (?:it|that))? (?:until|till) i "
    "(?:say|tell|give|confirm)(?: \\w+){0,3}|"
    "wait for my (?:ok|okay|go|go-ahead|signal|word|confirmation)|"
    "(?:not|only) (?:until|when) i (?:say|tell|confirm)(?: \\w+){0,3}|"
    "(?:ich|wir) (?:sage?n?|gebe?n?) (?:dir|ihnen|euch)(?: (?:dann|noch|bescheid|ein zeichen)){0,3}(?: ,)? wann|"
    "(?:ich|wir) (?:sage?n?|gebe?n?) (?:dir |ihnen |euch )?(?:dann |noch )*(?:bescheid|ein zeichen)(?: ,? ?wann)?|"
    "(?:warte?n?|warten sie) (?:aber |noch |damit )*(?:, )?bis ich (?:\\w+ ){0,3}(?:sage?|gebe?|melde?)|"
    "erst ,? ?wenn ich (?:\\w+ ){0,3}(?:sage?|gebe?|melde?)"
    ") (?:[.!] )*$"
)


def waits(words: Sequence[str]) -> int:
    """Return where the words begin that put the deed off until the person speaks; the number of words where none do."""
    line = "".join(word.replace(" ", "_") + " " for word in words)
    match = _WAITING.search(line)
    return len(words) if match is None else line.count(" ", 0, match.start())
