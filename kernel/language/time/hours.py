"""Times of day as values: "at 3 pm", "from 9 to 11", "zwischen 14 und 16 Uhr", "in the morning"; and what repeats.

A bare hour from one to six is one of the afternoon, as people mean it of what they plan: "at 3" is 15:00. Written with
minutes, with "am", "Uhr morgens" and the like it is what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kernel.language.amounts.numbers import number_at
from kernel.language.line import Found, Line, phrases
from kernel.language.time.calendar_words import TIME_UNITS, WEEKDAYS
from kernel.language.time.day_parts import is_early, is_morning, only_says_half
from kernel.language.time.recurrences import find_recurrences
from kernel.language.time.times import Clock, mentions_time_of_day, time_at
from skills.model import ValueKind

_SOURCE = "grammar.hours"
ASSUMED = "grammar.hours.assumed"
"""The source of a time of day that is of the afternoon by assumption alone."""

OPEN = "grammar.hours.open"
"""The source of all that lies before a time of day, or after it."""

_PARTS = {
    part: hours
    for words, hours in (
        ("in the morning|this morning|morning|am morgen|am vormittag|vormittag|vormittags|früh", ("06:00", "12:00")),
        ("in the afternoon|this afternoon|afternoon|am nachmittag|nachmittag|nachmittags", ("12:00", "18:00")),
        ("in the evening|this evening|evening|am abend|abend|abends", ("17:00", "23:00")),
    )
    for part in words.split("|")
}
_MORNING = _PARTS["morning"]
_MIDNIGHT, _LAST_MINUTE = "00:00", "23:59"
_PART_PHRASES = phrases("|".join(_PARTS))
_OPENERS = frozenset("from between von zwischen".split())
_MARKS = frozenset("to until till and - – — bis und".split())
_JOINED = frozenset("to until till - – — bis".split())
_SOONER, _LATER = frozenset("before vor".split()), frozenset("after nach ab".split())
_MEALS = phrases("lunch|lunchtime|lunch break|mittag|mittagessen|mittagspause")
_DAYS = frozenset("today tomorrow tmrw heute morgen übermorgen".split()).union(WEEKDAYS)
_PARTS_OF_HOUR = frozenset("quarter half viertel halb dreiviertel".split())
_BEFORE_CLOCK = frozenset("at um , gegen around".split())
_NIGHTLY = frozenset("night nachts morgens früh morning vormittags am a.m.".split())
_LATE = frozenset("afternoon evening tonight nachmittag nachmittags abend abends".split())
_FOR_EACH = frozenset("for per pro für of von nach by in".split())
_BY_HOUR = re.compile(r"BYHOUR=(\d+);")
_LEAST_SURE = 0.5
_LONGEST_CLOCK = 6  # tokens: "five to seven in the evening"
_UNSURE = 0.45  # "each month" may be what is counted by as well


def find_hours(line: Line) -> Iterator[Found]:
    """Yield HOURS for every time of day, every stretch of one, and every part of a day."""
    index = 0 if mentions_time_of_day(line) else line.size
    while index < line.size:
        if (side := _open(line, index)) is not None:
            yield side  # beside the time in it: only what reads takes all that lies there
        found = _range(line, index) or _single(line, index) or _part(line, index)
        if found is None:
            index += 1
            continue
        yield found
        index = found.last


def _open(line: Line, index: int) -> Found | None:
    """Read "before 10", "ab 15 Uhr", "after lunch": all of the day that lies on that side."""
    sooner, word = line.norm(index) in _SOONER, line.norm(index)
    if not (sooner or word in _LATER) or _is_measure(line, index - 1):
        return None
    meal = _meal(line, index + 1)
    clock = None if meal else _clock(line, index + 1)
    if meal:
        at, last = ("12:00" if sooner else "13:00"), meal
    elif clock is not None and (clock.confidence >= _LEAST_SURE or not _is_named(line, clock.last)):
        at, last = _meant(line, clock).value, clock.last
    else:
        return None
    if sooner and at == _MIDNIGHT:
        at = _LAST_MINUTE
    part = _PARTS.get(line.norm(index - 1), (_MIDNIGHT, _LAST_MINUTE))
    start, end = (min(part[0], at), at) if sooner else (at, max(part[1], at))
    return Found(
        ValueKind.HOURS,
        index - (line.norm(index - 1) in _PARTS),
        last,
        {"start": start, "end": end, "rough": True},
        0.93,
        OPEN,
    )


def _is_measure(line: Line, index: int) -> bool:
    """ "Ten before 3", "viertel nach acht", "two hours after 10": a time or a length of its own."""
    word = line.norm(index)
    return word in TIME_UNITS or word in _PARTS_OF_HOUR or number_at(line, index) is not None


def _meal(line: Line, index: int) -> int:
    """Where "lunch" ends that is a time of the day, and no appointment ("lunch with Anna"); 0 where none is said."""
    at = index + (line.norm(index) in {"the", "dem", "der"})
    length = line.phrase(at, _MEALS)
    whose = line.norm(at + length) in {"with", "mit", "at", "bei"}
    return at + length if length and not whose and not _is_named(line, at + length) else 0


def _is_named(line: Line, index: int) -> bool:
    """ "After lunch break duty", "vor 10 Leuten": a word behind it that is no day."""
    return line.is_content(index) and line.norm(index) not in _DAYS


def find_repeats(line: Line) -> Iterator[Found]:
    """Yield RECURRENCE for everything that is said to come again and again."""
    for one in find_recurrences(line):
        rule = one.rule
        if line.norm(one.first - 1) in _FOR_EACH:
            continue
        source = "grammar.recurrence"
        if "BYHOUR" in rule:
            rule, assumed = _afternoon_rule(line, one.first, one.last, rule)
            source = ASSUMED if assumed else source
        sure = one.confidence if "BY" in rule else _UNSURE
        yield Found(ValueKind.RECURRENCE, one.first, one.last, rule, sure, source)


def _afternoon_rule(line: Line, first: int, last: int, rule: str) -> tuple[str, bool]:
    """The rule with its hour as it is meant, and whether that is an assumption."""
    for at in range(last - 1, first, -1):
        clock = time_at(line, at)
        if clock is not None and clock.last == last:
            meant = _meant(line, clock)
            return rule.replace(f"BYHOUR={clock.hour};", f"BYHOUR={meant.hour};"), _is_assumed(line, clock)
    return rule, False


def _range(line: Line, index: int) -> Found | None:
    """Read "from 2 to 3 pm", "von 9 bis 11", "9-11 Uhr", "14:00 bis 15:30"."""
    opened = line.norm(index) in _OPENERS
    first = _clock(line, index + opened)
    if first is None or line.norm(first.last) not in (_MARKS if opened else _JOINED):
        return None
    second = _clock(line, first.last + 1)
    if second is None or max(first.confidence, second.confidence) < (_LEAST_SURE if not opened else 0.0):
        return None
    if not opened and first.confidence < _LEAST_SURE and line.norm(index - 1) in _OPENERS:
        return None
    if opened and _is_counted(line, second.last):
        return None
    start, end = _in_one_half(line, first, second)
    sure = 0.9 if max(first.confidence, second.confidence) >= _LEAST_SURE else 0.6
    return _found(index, second.last, start.value, end.value, sure)


def _clock(line: Line, index: int) -> Clock | None:
    """A time of day, or a bare hour."""
    read = time_at(line, index)
    if read is not None and read.confidence >= _LEAST_SURE:
        return read
    number = number_at(line, index)
    if number is None or number[0] != int(number[0]) or not 0 <= number[0] <= 24 or number[1] != index + 1:
        return None
    return Clock(index, number[1], int(number[0]) % 24, 0, 0.1)


def _is_counted(line: Line, index: int) -> bool:
    """ "from 3 to 5 days", "zwischen 10 und 20 Euro": numbers that count something."""
    return (
        line.is_content(index)
        and (line.norm(index) in TIME_UNITS or line.raw(index)[:1].isupper())
        and (line.phrase(index, _PART_PHRASES) == 0)
    )


def _in_one_half(line: Line, first: Clock, second: Clock) -> tuple[Clock, Clock]:
    """ "from 2 to 3 pm" is all of the afternoon; so is "from 2 to 4"."""
    end = _meant(line, second)
    later = (first.hour + 12, first.minute) <= (end.hour, end.minute)
    if first.hour < 12 and later and not _says_half(line, first):
        return replace(first, hour=first.hour + 12), end
    start = _meant(line, first)
    if end.hour < start.hour and end.hour + 12 > start.hour and not _says_half(line, second):
        end = replace(end, hour=(end.hour + 12) % 24)
    return start, end


def _single(line: Line, index: int) -> Found | None:
    clock = time_at(line, index)
    if clock is None or clock.confidence < _LEAST_SURE:
        return None
    found = _found(index, clock.last, _meant(line, clock).value, None, clock.confidence)
    return replace(found, source=ASSUMED) if _is_assumed(line, clock) else found


def _meant(line: Line, clock: Clock) -> Clock:
    """The time of day that is meant by one that does not say its half."""
    if clock.hour >= 12 or _says_half(line, clock):
        return clock
    if 1 <= clock.hour <= 6 or (_says_late(line, clock) and clock.hour):
        return replace(clock, hour=clock.hour + 12)
    return clock


def _says_late(line: Line, clock: Clock) -> bool:
    """Tell whether a word of the later half is said, and not of another time ("at 9, ... at 7 in the evening")."""
    late = (at for at in range(line.size) if line.norm(at) in _LATE)
    return any(not _is_of_another(line, clock, at) for at in late)


def _is_of_another(line: Line, clock: Clock, word: int) -> bool:
    others = (time_at(line, at) for at in range(max(0, word - _LONGEST_CLOCK), word) if at != clock.first)
    apart = (one for one in others if one is not None and (one.last <= clock.first or one.first >= clock.last))
    return any(one.last > word and one.confidence >= _LEAST_SURE for one in apart)


def _is_assumed(line: Line, clock: Clock) -> bool:
    """Tell whether nothing that is said puts the time into the half of the day that is taken."""
    return _meant(line, clock).hour != clock.hour and not _says_late(line, clock)


def before_noon(span_value: Any) -> Any:
    """Return what was assumed to be of the afternoon (a time of day, or what repeats) as one of the morning."""
    if isinstance(span_value, str):
        return _BY_HOUR.sub(lambda hour: f"BYHOUR={int(hour[1]) % 12};", span_value)
    start = span_value["start"]
    return {**span_value, "start": f"{int(start[:2]) % 12:02}{start[2:]}"}


def _says_half(line: Line, clock: Clock) -> bool:
    """Minutes behind a colon, a zero before it, "am" and "morgens" say the half; "in the morning" beside it, too."""
    words = [line.norm(at) for at in range(clock.first, clock.last)]
    written = any(":" in word or word.startswith("0") for word in words)
    around = (clock.first - 1, clock.first - 2, *range(clock.last, clock.last + 3))
    nightly = any(line.norm(at) in _NIGHTLY - {"am"} or is_early(line, at) for at in around)
    return written or bool(_NIGHTLY & set(words)) or nightly


def _part(line: Line, index: int) -> Found | None:
    """Read "in the morning", "am Nachmittag"; with a time behind it ("afternoon at 3") that time."""
    length = line.phrase(index, _PART_PHRASES) or is_morning(line, index)
    if not length or only_says_half(line, index):
        return None
    at = index + length + (line.norm(index + length) in _BEFORE_CLOCK)
    clock = time_at(line, at)
    if clock is not None and clock.confidence >= _LEAST_SURE:
        return _found(index, clock.last, _meant(line, clock).value, None, clock.confidence)
    start, end = _PARTS.get(line.words(index, length), _MORNING)
    return Found(ValueKind.HOURS, index, index + length, {"start": start, "end": end, "rough": True}, 0.7, _SOURCE)


def _found(first: int, last: int, start: str, end: str | None, sure: float) -> Found:
    return Found(ValueKind.HOURS, first, last, {"start": start, "end": end, "rough": False}, sure, _SOURCE)
