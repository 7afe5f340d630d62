"""When something was: "yesterday", "this morning", "last week", "two hours ago", "gestern Abend", as moments.

The grammar of periods knows days; what was done on one is told apart by its parts here, and by hours gone by.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from kernel.language.amounts.numbers import number_at
from kernel.language.line import Found, Line, phrases
from kernel.language.time.periods import find_periods

_PARTS = (
    (re.compile(r"\b(?:morning|früh|vormittags?|morgens)\b|(?:gestern|heute|\w+tag)\s?morgen"), 0, 12),
    (re.compile(r"\b(?:afternoon|nachmittags?)\b"), 12, 18),
    (re.compile(r"\b(?:evening|tonight|night|abends?|nachts?)\b"), 17, 28),
)
"""Hours of a day, by the words for its part; a night ends in the next morning."""

_JUST_NOW = phrases(
    "just now|just|earlier|a moment ago|a minute ago|a while ago|gerade|gerade eben|eben|soeben|vorhin|vor kurzem"
)
_LATELY = phrases("recently|lately|the other day|these days|kürzlich|neulich|letztens|in letzter zeit")
_HOURS = frozenset("hour hours stunde stunden".split())
_MINUTES = frozenset("minute minutes min minuten".split())
_JUST_NOW_H = 6
_LATELY_D = 30


@dataclass(frozen=True, slots=True)
class When:
    """The tokens [first, last) say that it was in [since, until); None is open."""

    first: int
    last: int
    since: datetime | None
    until: datetime | None


def when_at(line: Line, index: int) -> When | None:
    """Return the longest stretch of time in the past that begins at token ``index``."""
    found = [one for one in (_period(line, index), _ago(line, index), _lately(line, index)) if one is not None]
    return max(found, key=lambda one: one.last, default=None)


def _period(line: Line, index: int) -> When | None:
    best: When | None = None
    for one in _periods(line):
        if one.first != index or (best is not None and one.last <= best.last):
            continue
        since, until = _day(line, one.value["start"]), _day(line, one.value["end"])
        if since is None or since <= line.now:
            best = _narrowed(line, When(one.first, one.last, since, until))
    return best


def _periods(line: Line) -> list[Found]:
    if ("periods",) not in line.memo:
        line.memo["periods",] = sorted(find_periods(line), key=lambda one: -one.confidence)
    found: list[Found] = line.memo["periods",]
    return found


def _day(line: Line, iso: str | None) -> datetime | None:
    return datetime.combine(date.fromisoformat(iso), time(), line.now.tzinfo) if iso else None


def _narrowed(line: Line, when: When) -> When:
    """The part of the day, where one is said."""
    if when.since is None or when.until is None or when.until - when.since > timedelta(days=1, hours=2):
        return when
    words = line.slice(when.first, when.last).casefold()
    last, said = when.last, line.norm(when.last)
    for part, begins, ends in _PARTS:
        if part.search(f"{words} {said}") and not part.search(words):
            last = when.last + 1
        if part.search(words) or last > when.last:
            day = when.since
            return When(when.first, last, day + timedelta(hours=begins), day + timedelta(hours=ends))
    return when


def _ago(line: Line, index: int) -> When | None:
    """ "Two hours ago", "vor 20 Minuten": about then."""
    german = line.norm(index) == "vor"
    number = number_at(line, index + german)
    at = number[1] if number else index + german + 1
    amount = float(number[0]) if number else 1.0 if line.norm(index + german) in _ONE else 0.0
    unit = line.norm(at)
    hours = amount if unit in _HOURS else amount / 60 if unit in _MINUTES else 0.0
    if not hours or not (german or line.norm(at + 1) == "ago"):
        return None
    gone = timedelta(hours=hours)
    return When(index, at + 1 + (not german), line.now - 1.6 * gone, line.now - 0.4 * gone)


_ONE = frozenset("a an one half einer eine".split())


def _lately(line: Line, index: int) -> When | None:
    if length := line.phrase(index, _JUST_NOW):
        return When(index, index + length, line.now - timedelta(hours=_JUST_NOW_H), None)
    if length := line.phrase(index, _LATELY):
        return When(index, index + length, line.now - timedelta(days=_LATELY_D), None)
    return None
