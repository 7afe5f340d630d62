"""Days that no calendar has: "the 30th of February", "am 31. April", "June 31"."""

from __future__ import annotations

import re
from functools import cache

from kernel.language import Line
from kernel.language.amounts.numbers import ordinals
from kernel.language.free_text import covered, quotes
from kernel.language.time.calendar_words import MONTHS
from kernel.routines.hearing.model import Words

_LONGEST = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}
_LAST = 31
_LEAST = 30  # what is spelt out below it is a day of every month, or of all but one


def no_day(line: Line) -> Words | None:
    """Return the words outside of quotations that name a day which no year has, where there are some."""
    shut = covered(quotes(line))
    for found in _named().finditer(line.text):
        month = MONTHS[(found["month"] or found["first"]).casefold()]
        said = (found["day"] or found["behind"]).casefold()
        day = int(re.sub(r"\D", "", said)) if said[0].isdigit() else ordinals()[said]
        inside = [at for at, one in enumerate(line.tokens) if found.start() <= one.start < found.end()]
        if day > _LONGEST.get(month, _LAST) and inside and shut.isdisjoint(inside):
            return inside[0], inside[-1] + 1
    return None


@cache
def _named() -> re.Pattern[str]:
    late = (word for word, number in ordinals().items() if number >= _LEAST)
    day = rf"(?:3\d(?:st|nd|rd|th|\.)?|{'|'.join(sorted(map(re.escape, late), key=len, reverse=True))})"
    month = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
    return re.compile(
        rf"(?<![\w:.])(?:(?P<day>{day})(?: of)? (?P<month>{month})|"
        rf"(?P<first>{month}) (?:the )?(?P<behind>{day}))(?![\w:])",
        re.IGNORECASE,
    )
