"""Parts of a day beside its name: "saturday morning", "Samstag früh", "am Samstagmorgen". They say which half is meant.

Where a time of day is said as well ("half past five on saturday morning"), the part adds nothing else; alone it is a
stretch of hours, which ``hours`` reads.
"""

from __future__ import annotations

from kernel.language.line import Line
from kernel.language.time.calendar_words import WEEKDAYS
from kernel.language.time.times import time_at

_EARLY = frozenset("morning früh morgen vormittag".split())
_LATE = frozenset("afternoon evening night nachmittag abend".split())
_LONGEST_BEFORE = 7
_SURE = 0.5
_NEAR = frozenset("tomorrow today morgen heute übermorgen".split())
_BETWEEN = frozenset("on at this next am den diesen nächsten kommenden".split())


def weekday_in(word: str) -> int | None:
    """Return the weekday of "samstagmorgen" and "freitagabend", 0 for a Monday; None for any other word."""
    return next((WEEKDAYS[word[: -len(part)]] for part in _EARLY | _LATE if _is_made_of(word, part)), None)


def is_early(line: Line, index: int) -> bool:
    """Tell whether a day is named with its morning at ``index``: "samstagmorgen", and "morgen" of "Samstag morgen"."""
    return any(_is_made_of(line.norm(index), part) for part in _EARLY) or is_morning(line, index)


def is_morning(line: Line, index: int) -> bool:
    """Tell whether "morgen" is no tomorrow, because a day's name stands before it."""
    return line.norm(index) == "morgen" and line.norm(index - 1) in WEEKDAYS


def is_late(word: str) -> bool:
    """Tell whether the word is a day's name with its afternoon or evening: "freitagabend"."""
    return any(_is_made_of(word, part) for part in _LATE)


def _is_made_of(word: str, part: str) -> bool:
    return word.endswith(part) and word[: -len(part)] in WEEKDAYS


def says_clock(line: Line) -> bool:
    """Tell whether a time of day is said anywhere in the sentence."""
    if ("says_clock",) not in line.memo:
        line.memo["says_clock",] = any(_is_clock(line, at) for at in range(line.size))
    return bool(line.memo["says_clock",])


def _is_clock(line: Line, index: int) -> bool:
    clock = time_at(line, index)
    return clock is not None and clock.confidence >= _SURE


def part_ends(line: Line, day: int, end: int) -> int:
    """Return where "saturday morning" ends: ``end`` where no part of the day follows, or no time stands before it."""
    if line.norm(end) not in _EARLY | _LATE:
        return end
    while line.norm(day - 1) in _BETWEEN:
        day -= 1
    return end + _follows_clock(line, day)


def only_says_half(line: Line, part: int) -> bool:
    """Tell whether the part of a day at ``part`` belongs to a time before it: "at 8 on friday evening"."""
    day = part - 1
    return line.norm(day) in WEEKDAYS.keys() | _NEAR and part_ends(line, day, part) > part


def _follows_clock(line: Line, day: int) -> bool:
    before = (time_at(line, at) for at in range(max(0, day - _LONGEST_BEFORE), day))
    return any(one is not None and one.last == day and one.confidence >= _SURE for one in before)
