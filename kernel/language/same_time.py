"""What is done under a condition that names a time, at that time: "if I'm free on Friday from 2 to 3, put gym in then".

What this stops: that a deed with an hour alone ("at 8 pm") falls on today where the day stands in the condition. What
it does not: give a time to a deed that says none, or put a day into a text that is written down.
"""

from __future__ import annotations

import re
from datetime import datetime

from kernel.language.clause_joints import is_own_text
from kernel.language.line import Found, Line
from kernel.language.time.dates import find_dates
from kernel.language.time.hours import find_hours
from kernel.language.tokens import tokenize

_THEN = {
    "en": re.compile(r"\b(?:(?:for|at|in)\s+)?(?:then|that\s+(?:time|slot|hour))\b", re.IGNORECASE),
    "de": re.compile(
        r"\b(?:(?:für\s+)?dann|da|dafür|zu\s+der\s+(?:Zeit|Uhrzeit)|um\s+die\s+Zeit)\b(?!\s+(?:rein|drin))",
        re.IGNORECASE,
    ),
}
_THAT_DAY = {
    "en": re.compile(r"\b(?:on\s+)?(?:that|the\s+same)\s+day\b", re.IGNORECASE),
    "de": re.compile(r"\b(?:an\s+(?:dem|diesem)|am\s+(?:selben|gleichen))\s+Tage?\b", re.IGNORECASE),
}
_PREPOSITIONS = {
    "en": frozenset("on at from in between after before by this next tomorrow today tonight the for".split()),
    "de": frozenset("am um von im in an zwischen nach vor heute morgen übermorgen nächsten nächste den".split()),
}
_ON = {"en": "on", "de": "am"}
_AT = frozenset("at for by um gegen auf für".split())
_DANGLING = re.compile(r"(?:\s+|^)(?:at|from|in|um|von|gegen|the)\s*$", re.IGNORECASE)
_ANY_TIME = datetime(2026, 1, 1)  # where the words stand is asked, not which day they are


def at_that_time(deed: str, when: str, language: str) -> str:
    """Return ``deed`` with the time of ``when`` where its words point at it, or say an hour of it and no day."""
    line = _line(when, language)
    days = list(find_dates(line))
    if not days:
        return deed
    whole, day = _led(when.strip(), language), _led(_without_hours(line), language)
    deed = _THAT_DAY[language].sub(day, deed)
    said = _line(deed, language)
    hours = [one for one in find_hours(said) if one.confidence >= 0.5]
    if list(find_dates(said)):
        return deed
    pointed = _THEN[language].search(deed)
    if pointed is not None:
        deed = " ".join(f"{deed[: pointed.start()]} {deed[pointed.end() :]}".split())
        return at_that_time(deed, when, language) if hours else f"{deed} {whole}"
    if not hours:
        return deed
    first = min(one.first for one in hours)
    at = said.tokens[first - (said.norm(first - 1) in _AT)].start
    if is_own_text(deed, at):
        return deed
    return f"{deed[:at].rstrip()} {day} {deed[at:]}"


def _without_hours(line: Line) -> str:
    """The words without those of an hour: "Friday from 10 to 12" is "Friday"."""
    hours: list[Found] = list(find_hours(line))
    first = min((one.first for one in hours), default=line.size)
    last = max((one.last for one in hours), default=line.size)
    before = _DANGLING.sub("", line.slice(0, first)) if first else ""
    return f"{before} {line.slice(last, line.size)}".strip()


def _led(words: str, language: str) -> str:
    """The words with a preposition before them, where they have none."""
    first = words.split(" ", 1)[0].casefold()
    return words if first in _PREPOSITIONS[language] else f"{_ON[language]} {words}"


def _line(text: str, language: str) -> Line:
    return Line(text, tokenize(text, language), language, _ANY_TIME)
