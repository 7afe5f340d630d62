"""The month that a word names, where it is one: "may", "march" and "august" in small letters need a reason."""

from __future__ import annotations

import re

from kernel.language.line import Line
from kernel.language.time.calendar_words import DOUBTFUL_MONTHS, MONTHS, SHORT_MONTHS
from kernel.language.time.years import year_behind

_IN = frozenset("in im during until till from seit bis vom dem for für ende anfang mitte".split())
_BEFORE_DAY = frozenset("on for für until till by before after since between from to and vom am bis zum und".split())
_MARKS = frozenset(",:(")
_VERBS = frozenset("may march".split())
_SPEAKERS = frozenset("i we you he she it they one be have not".split())
_WITH_SUFFIX = re.compile(r"\d{1,2}(?:st|nd|rd|th)")


def month_at(line: Line, index: int) -> int | None:
    """The month that the token names; a doubtful name with a capital letter, before a year, or after "in" or "from"."""
    word = line.norm(index)
    if word in MONTHS:
        sure = word not in DOUBTFUL_MONTHS or _is_capital(line, index) or _is_dated(line, index)
        return MONTHS[word] if sure or line.norm(index - 1) in _IN else None
    return SHORT_MONTHS.get(word) if _is_capital(line, index) else None


def month_after_day(line: Line, index: int, first: int) -> int | None:
    """The month behind a day whose number begins at ``first``: "24th of april", "zum fünften april", "16 mar 2026"."""
    word = line.norm(index)
    known = month_at(line, index)
    if known is not None:
        return known
    joined = line.norm(index - 1) in {"of", "."}
    written = line.norm(first)[:1].isdigit()
    if word in SHORT_MONTHS:
        return SHORT_MONTHS[word] if written and index > first else None
    if word in _VERBS and not joined and not _is_dated(line, index) and not _is_day(line, index, first):
        return None
    return MONTHS.get(word)


def _is_day(line: Line, index: int, first: int) -> bool:
    """ "Until 3 may", "on the 5th march" and "..., 24 march, ..." name a day; "the third may be wrong" does not."""
    before = first - 2 if line.norm(first - 1) == "the" else first - 1
    led = line.norm(before) in _BEFORE_DAY or line.norm(before) in _MARKS
    if not line.norm(first)[:1].isdigit() or not led:
        return False
    return not line.is_content(index + 1) and line.norm(index + 1) not in _SPEAKERS


def month_before_day(line: Line, index: int, day: int, end: int) -> int | None:
    """The month before the number of a day, which stands at ``day`` and ends at ``end``: "april 24", "on may 5"."""
    known = month_at(line, index)
    word = line.norm(index)
    if known is not None or word not in DOUBTFUL_MONTHS | SHORT_MONTHS.keys():
        return known
    plain = word in DOUBTFUL_MONTHS - _VERBS
    suffixed = _WITH_SUFFIX.fullmatch(line.norm(day)) is not None
    if plain or suffixed or line.norm(index - 1) in _BEFORE_DAY or year_behind(line, end) is not None:
        return MONTHS.get(word) or SHORT_MONTHS.get(word)
    return None


def _is_capital(line: Line, index: int) -> bool:
    return line.raw(index)[:1].isupper()


def _is_dated(line: Line, index: int) -> bool:
    return year_behind(line, index + 1) is not None
