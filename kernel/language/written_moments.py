"""The day and the time of day, where they are to be written down: "add the date and time to my log".

What this stops: a note that says "the date and time". Who asks for them means those of the moment.
What it does not: take "the date" alone, which may be the date of something that was found, or words that are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from kernel.language.free_text import covered, quotes
from kernel.language.line import Found, Line
from skills.model import ValueKind

MOMENT = "moment"
"""The source of such a text."""

_WRITES = (
    r"(?:add|append|put|write|note|jot|log|record|enter|stick|save|h[aä]nge?|schreibe?|notiere?|trage?|setze?|füge?|"
    r"vermerke?|hefte?|hängen|schreiben|notieren|eintragen) "
)
_BETWEEN = r"(?:(?:down|me|please|also|mir|ma|bitte|mal|noch|auch|jeweils|deshalb|kurz) )*"
_DATE = r"(?:(?:the|today 's|today's) )?(?:(?:current|exact) )?date"
_TIME = r"(?:the )?(?:(?:current|exact) )?time(?: of day)?"
_DATUM = r"(?:(?:das|den) )?(?:(?:heutige|aktuelle|genaue) )?datum"
_UHRZEIT = r"(?:(?:die|der) )?(?:(?:aktuelle|genaue|jetzige) )?(?:uhrzeit|zeit)"
_MOMENT = (
    rf"{_DATE} and {_TIME}|{_TIME} and {_DATE}|the current time|"
    rf"{_DATUM} und {_UHRZEIT}|{_UHRZEIT} und {_DATUM}|die (?:aktuelle|jetzige) uhrzeit"
)
_DAY = r"today's date|today 's date|the current date|das heutige datum|das aktuelle datum"
_INTO = r"(?= (?:down )?(?:unten |hinten )?(?:to|into|in|on|onto|at|under|an|auf|ans|zu|zur|unter|ins)\b)"


def written_moments(line: Line) -> Iterator[tuple[int, int, bool]]:
    """Yield the stretches that mean the moment itself, and whether the time of day belongs to it."""
    inside = covered(quotes(line))
    text, starts, ends = "", dict[int, int](), dict[int, int]()
    for at, norm in enumerate(line.norms):
        starts[len(text)] = at
        text += "\n" if at in inside else norm
        ends[len(text)] = at + 1
        text += " "
    for found in _written().finditer(text):
        group = "moment" if found["moment"] else "day"
        first, last = found.span(group)
        if first in starts and last in ends:
            yield starts[first], ends[last], group == "moment"


def find_written_moments(line: Line) -> Iterator[Found]:
    """Read such words as the text that they mean, at the moment of the line."""
    for first, last, timed in written_moments(line):
        text = f"{line.now:%Y-%m-%d %H:%M}" if timed else f"{line.now:%Y-%m-%d}"
        yield Found(ValueKind.TEXT, first, last, text, 0.95, MOMENT)


@cache
def _written() -> re.Pattern[str]:
    """Asked for once a sentence, so no start waits until it is compiled."""
    return re.compile(rf"(?<!\S){_WRITES}{_BETWEEN}(?:(?P<moment>{_MOMENT})|(?P<day>{_DAY})){_INTO}")
