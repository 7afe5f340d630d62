"""What a rule says of the time at which it comes: "fällig am selben Tag", "what I spent in that month", "at once".

The moment of the rule says which day or month that is, so it is today's, in the words that are read anew each time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from kernel.language import Line, tokenize
from kernel.language.time.periods import find_periods
from kernel.routines.recurring_words import day_words

_SAME_DAY: Mapping[str, tuple[re.Pattern[str], str]] = {
    "en": (
        re.compile(
            r"\b(?:on|for) (?:the|that) (?:very )?same day\b|"
            r"(?<=\bdue )(?:(?:the|that) (?:very )?same day|that (?:very )?day)\b",
            re.IGNORECASE,
        ),
        "today",
    ),
    "de": (
        re.compile(r"\b(?:noch )?(?:am (?:selben|gleichen)|für (?:den ?selben|den gleichen)) Tage?\b", re.IGNORECASE),
        "heute",
    ),
}
_NEXT_DAY: Mapping[str, tuple[re.Pattern[str], str]] = {
    "en": (
        re.compile(
            r"\b(?:on )?the (?:(?:very )?next day|following day|day after(?! tomorrow| the| that|wards)|"
            r"day afterwards)\b",
            re.IGNORECASE,
        ),
        "tomorrow",
    ),
    "de": (
        re.compile(
            r"\bam (?:Tag (?:darauf|danach|drauf)|(?:nächsten|folgenden|darauffolgenden) Tag|Folgetag|nächstn Tog)\b",
            re.IGNORECASE,
        ),
        "morgen",
    ),
}
_ENDS = (
    r"\b(?!,? ?(?:before|after|ago|of|in which|when|that|which|davor|danach|darauf|drauf|vor|nach|von|des|der|als|"
    r"wo)\b)"
)
_THAT: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "en": (
        (re.compile(rf"\b(?:on|for) that (?:very )?day{_ENDS}", re.IGNORECASE), "today"),
        (re.compile(rf"\b(?:(?:in|during|over|for) )?(?:that|the same) (month|week|quarter|year){_ENDS}",
                    re.IGNORECASE), r"this \1"),
        (re.compile(r"\b(?:in|during|over) the (month|week|quarter|year)(?=,|$| according\b| by\b| and\b)",
                    re.IGNORECASE), r"this \1"),
    ),
    "de": (
        (re.compile(rf"\ban (?:dem|jenem|demselben) (?:selben |gleichen )?Tage?{_ENDS}", re.IGNORECASE), "heute"),
        (re.compile(rf"\b(?:in (?:dem|jenem|demselben)(?: selben| gleichen)?|im (?:selben|gleichen)) "
                    rf"(Monat|Quartal|Jahr)e?s?{_ENDS}", re.IGNORECASE), r"in diesem \1"),
        (re.compile(rf"\bin (?:der|jener|derselben)(?: selben| gleichen)? (Woche){_ENDS}", re.IGNORECASE),
         r"in dieser \1"),
    ),
}  # fmt: skip
_AT_ONCE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:immediately|instantly|at once) "
        r"|,? (?:immediately|right away|straight away|straightaway|at once|instantly)(?= \w|[,.:]|$)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r" (?:gleich|glei|sofort|umgehend|direkt)(?= (?:noch|ein\w*|a|den|die|das|dem|der|mir|ma|an|in|ins|auf|nach|zu|"
        r"es|ihn|sie|dazu|hin|ab|um|weg|als)\b|[,.:]|$)",
        re.IGNORECASE,
    ),
}
_LEFT: Mapping[str, tuple[re.Pattern[str], str]] = {
    "en": (
        re.compile(r"\bhow many (days|weeks|months) (?:are (?:still )?left|(?:still )?remain|(?:are )?(?:there )?to go)"
                   r"(?! (?:in|on|of|until|till|to|for)\b)", re.IGNORECASE),
        r"how many \1 until {day}",
    ),
    "de": (
        re.compile(r"\bwie viele (Tage|Wochen|Monate) (?:es )?(?:noch )?(?:sind|bleiben|übrig sind|hin sind|fehlen)\b",
                   re.IGNORECASE),
        r"wie viele \1 es bis zum {day} sind",
    ),
}  # fmt: skip
_QUOTED = frozenset('"“”„«»')


def of_its_day(said: str, language: str) -> str:
    """Return a request with the day of the moment for "the same day", and that after it for "the next day": what
    happens says which day that is.
    """
    for days in (_SAME_DAY, _NEXT_DAY):
        pattern, day = days.get(language, days["en"])
        said = pattern.sub(day, said)
    return said


def of_its_time(said: str, line: Line) -> str:
    """Return a request of a rule of the clock with this month for "that month", this day for "that day".

    Where another time is said before it, that is the one it points at, and the words stay.
    """
    for pattern, near in _THAT.get(line.language, ()):
        found = pattern.search(said)
        if found is not None and not _has_time(said[: found.start()], line):
            said = pattern.sub(near, said)
    return said


def until_its_end(said: str, ends: date, language: str) -> str:
    """Return a request of a rule that ends with that day for "how many days are left"."""
    if language not in _LEFT:
        return said
    pattern, until = _LEFT[language]
    return pattern.sub(until.format(day=day_words(ends, language)), said)


def at_its_moment(said: str, language: str) -> str:
    """Return a request of a rule without "at once", "gleich": whatever sets it off, it is done then."""
    if language not in _AT_ONCE or not _QUOTED.isdisjoint(said):
        return said
    return _AT_ONCE[language].sub("", said)


def _has_time(text: str, line: Line) -> bool:
    words = Line(text, tokenize(text, line.language), line.language, line.now)
    return any(True for _ in find_periods(words))
