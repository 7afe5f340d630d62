"""The day and the time of day, where they are to be written down: "add the date and time to my log".

What this stops: a note that says "the date and time". Who asks for them means those of the moment.
What it does not: take "the date" alone, which may be the date of something that was found, or words that are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from kernel.language.free_text import covered, quotes
from kernel.language.line import Found, Line, stretches
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
_DATUM = r"(?:(?:das|den|dem) )?(?:(?:heutige|aktuelle|genaue) )?datum"
_UHRZEIT = r"(?:(?:die|der) )?(?:(?:aktuelle|genaue|jetzige) )?(?:uhrzeit|zeit)"
DATE_AND_TIME = (
    rf"{_DATE} and {_TIME}|{_TIME} and {_DATE}|the current time|"
    rf"{_DATUM} und {_UHRZEIT}|{_UHRZEIT} und {_DATUM}|die (?:aktuelle|jetzige) uhrzeit"
)
TODAYS_DATE = r"today's date|today 's date|the current date|das heutige datum|das aktuelle datum"
"""As parts of patterns: words that mean the moment itself, or its day."""
_INTO = r"(?= (?:down )?(?:unten |hinten )?(?:to|into|in|on|onto|at|under|an|auf|ans|zu|zur|unter|ins)\b)"


def written_moments(line: Line, out: frozenset[int] = frozenset()) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the stretches outside the tokens ``out`` that mean the moment itself, and whether with the time of day."""
    out |= covered(quotes(line))
    for form, timed in ((DATE_AND_TIME, True), (TODAYS_DATE, False)):
        yield from ((words, timed) for words in stretches(line, out, _written(form)))


def find_written_moments(line: Line) -> Iterator[Found]:
    """Read such words as the text that they mean, at the moment of the line."""
    for (first, last), timed in written_moments(line):
        text = f"{line.now:%Y-%m-%d %H:%M}" if timed else f"{line.now:%Y-%m-%d}"
        yield Found(ValueKind.TEXT, first, last, text, 0.95, MOMENT)


@cache
def _written(form: str) -> re.Pattern[str]:
    """Asked for once a sentence, so no start waits until it is compiled."""
    return re.compile(rf"(?<!\S){_WRITES}{_BETWEEN}(?P<said>{form}){_INTO}")
