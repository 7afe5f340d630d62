"""Hearing when: the words of a sentence that say at which times something is to be done, and the trigger they mean.

A single time in an ordinary request ("remind me tomorrow at 8") is none of a rule; one that is said to be the only one
is ("just the once, on 2 April at 6 pm, ..."). Half of what is heard here a skill takes whole, as reminders do; that is
looked at later.
"""

from __future__ import annotations

from itertools import islice

from kernel.language import Line
from kernel.routines.hearing.model import Heard, Lack, Unclear, Words
from kernel.routines.hearing.when.bounding import Lacking
from kernel.routines.hearing.when.cron import hear_cron
from kernel.routines.hearing.when.gathering import Gathered, anchors, gather
from kernel.routines.hearing.when.guards import is_rule
from kernel.routines.hearing.when.hours import no_time
from kernel.routines.hearing.when.limited import limited
from kernel.routines.hearing.when.mending import mended
from kernel.routines.hearing.when.no_days import no_day
from kernel.routines.hearing.when.pieces import Except, Vague
from kernel.routines.hearing.when.writing import written

_LONGEST = 400
"""Tokens of a sentence that is heard at all: what is longer is a text, and no rule."""

_MOST_ANCHORS = 12


def hear_clock(line: Line) -> Heard | Unclear | None:
    """Return the times that the sentence says, why they are unclear, or None where it says none. Never raises."""
    if line.size > _LONGEST:
        return None
    cron = hear_cron(line)
    if cron is not None:
        return cron
    read = mended(line)
    if next(anchors(read), None) is None:
        return None
    found = _heard(read)
    if isinstance(found, Unclear) and found.why is Lack.NO_SUCH_DAY:
        return found
    wrong = no_day(read)
    return found if wrong is None else Unclear(Lack.NO_SUCH_DAY, (wrong,), read.slice(*wrong))


def _heard(read: Line) -> Heard | Unclear | None:
    lacks: Unclear | None = None
    for anchor in islice(anchors(read), _MOST_ANCHORS):
        found = gather(read, anchor)
        if not is_rule(read, found) or (lacks is not None and not _covers(found, lacks)):
            continue
        meant = _meant(read, found)
        if isinstance(meant, Heard) or meant.why is not Lack.TIME_OF_DAY:
            return meant
        lacks = lacks or meant
    return lacks


def _covers(found: Gathered, lacks: Unclear) -> bool:
    """Tell whether other words say the times of the days that had none: "on weekdays ... every two hours"."""
    return all(any(a <= first and last <= b for a, b in found.stretches) for first, last in lacks.words)


def _meant(line: Line, found: Gathered) -> Heard | Unclear:
    words = tuple(_with_commas(line, *stretch) for stretch in found.stretches)
    if isinstance(found.anchor.value, Vague):
        return Unclear(Lack.HOW_OFTEN, words)
    try:
        trigger, limits = written(found.pieces, line.now)
    except Lacking as lacking:
        wrong = no_time(line.text) if lacking.why is Lack.TIME_OF_DAY else ""
        if wrong:
            return Unclear(Lack.NO_SUCH_TIME, words, wrong)
        return Unclear(lacking.why, words, _about(line, found, lacking.why))
    return limited(line, Heard(trigger, words, limits))


def _with_commas(line: Line, first: int, last: int) -> Words:
    """The stretch with both commas where it stands between two: "tell me, every day at 8, what is due"."""
    between = line.norm(first - 1) == line.norm(last) == ","
    return (first - 1, last + 1) if between and line.language != "de" else (first, last)


def _about(line: Line, found: Gathered, why: Lack) -> str:
    """What cannot be: the exception that nobody here knows the days of, else all words that say when."""
    if why not in _TELLS_ABOUT:
        return ""
    unknown = (one for one in found.pieces if isinstance(one.value, Except) and one.value.days is None)
    one = next(unknown, None) if why is Lack.UNKNOWN else None
    stretches = found.stretches if one is None else ((one.first, one.last),)
    return " … ".join(line.slice(*stretch) for stretch in stretches)


_TELLS_ABOUT = frozenset({Lack.UNKNOWN, Lack.NO_SUCH_DAY, Lack.NEVER, Lack.PAST})
"""What is not only missing: the person is told which words."""
