"""Parts of a day beside its name: "saturday morning", "Samstag früh". They say which half is meant.

"Samstagmorgen" comes as two words, from ``tokens``.

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


def is_early(line: Line, index: int) -> bool:
    """Tell whether a day is named with its morning, which stands at ``index``: "samstag|vormittag"."""
    return line.norm(index) in _EARLY and line.norm(index - 1) in WEEKDAYS


def is_morning(line: Line, index: int) -> bool:
    """Tell whether "morgen" is no tomorrow, because a day's name stands before it."""
    return line.norm(index) == "morgen" and line.norm(index - 1) in WEEKDAYS


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
