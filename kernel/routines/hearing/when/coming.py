"""One moment to come that a request is for: "tomorrow at nine ...", "... in two hours", "heute Abend um zehn ...".

Whether it is when the request is to be done, or a part of what is wanted ("remind me tomorrow at nine"), no words tell:
the tools do (``own_time``). A moment that is over is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from kernel.language import Line
from kernel.language.amounts.numbers import number_at
from kernel.language.free_text import covered, quotes
from kernel.language.line import phrases
from kernel.language.time.calendar_words import SECONDS, amount_at
from kernel.routines.hearing.model import Heard, Words
from kernel.routines.hearing.when.bounds import dated_at
from kernel.routines.hearing.when.day_words import PARTS, weekday
from kernel.routines.hearing.when.gathering import Gathered
from kernel.routines.hearing.when.guards import is_done_then
from kernel.routines.hearing.when.hours import OCLOCK, clocks_at, is_of_part, part_at, settle
from kernel.routines.hearing.when.pieces import Clocks, Dated, Part, Piece, Said, Single
from kernel.routines.model import Clock, Elapsed, Once
from kernel.routines.moments import moment_of

_TODAY = phrases("this evening|this afternoon|this morning|this night|tonight")
_LENGTHS = frozenset("second minute hour".split())
_OF_SOMETHING = frozenset(
    "from of since until till by before after for between than about to as per every each last past previous with vom "
    "von seit bis vor nach für ab zwischen über als auf zu zum pro mit jeden jede jedes jeder letzten letzte letzter "
    "vergangenen".split()
)
"""Words before a moment that make it a part of something else: "the files from Friday", "den Termin auf morgen"."""
_SURE = frozenset(
    "tomorrow tmrw tmr today tonight next coming this morgen übermorgen heute nächsten nächste nächster kommenden "
    "kommende".split()
)
_LONGEST = 400
"""Tokens of a sentence that is looked at: what is longer is a text."""
_COMMAS = frozenset(", -".split())
_POSSESSIVE = frozenset("'s ’s".split())
_LATE, _BEFORE_DAWN, _SMALL_HOURS = frozenset("evening night".split()), 6, 5
_BEGINS = {"noon": 12, "afternoon": 12, "evening": 17, "night": 20}
"""The hour before which a part of today is to come."""
_MOST_LATER_S = 366 * 86400


@dataclass(frozen=True, slots=True)
class Coming:
    """A moment and its words. ``leads``: nothing stands before it; ``timed``: with a time of day, or a length.

    ``sure``: no thing that is there already can be of that time, as a photo can be of "Friday at five".
    """

    heard: Heard
    timed: bool = True
    leads: bool = True
    sure: bool = True
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read from the tokens [first, last); ``at`` is empty where its time of day is still to be said."""

    last: int
    day: date
    trigger: Clock | None
    part: str = ""


def coming(line: Line) -> Coming | None:
    """Return the one moment to come that stands outside of quotations, where it is none of something else.

    Of several each is one deed's.
    """
    if line.size > _LONGEST:
        return None
    shut, index, found = covered(quotes(line)), 0, list[Coming]()
    while index < line.size:
        read = None if index in shut else _after(line, index) or _on_day(line, index)
        if read is not None and _is_for_it(line, index, read):
            found.append(_meant(line, (index, read.last), read))
        index = max(index + 1, read.last if read is not None else 0)
    return found[0] if len(found) == 1 else None


def _meant(line: Line, words: Words, read: _Read) -> Coming:
    said = {line.norm(at) for at in range(*words)}
    length = read.trigger is not None and read.day == date.min
    noon = Once(datetime.combine(line.today + timedelta(days=1), time(12)))
    leads = all(line.is_mark(at) or not line.is_content(at) for at in range(words[0]))
    return Coming(Heard(read.trigger or noon, (words,)), read.trigger is not None, leads, length or bool(said & _SURE))


def _is_for_it(line: Line, first: int, read: _Read) -> bool:
    """Tell whether a moment may be that of the whole request: it is to come, and of nothing that stands before it."""
    if line.norm(first - 1) in _OF_SOMETHING or line.norm(read.last) in _POSSESSIVE:
        return False
    if number_at(line, read.last) is not None:  # "at twelve thirty" is not read whole
        return False
    named = Piece(first, read.last, Single())
    if not is_done_then(line, Gathered(named, (named,), ((first, read.last),))):
        return False
    if read.trigger is None:  # a day alone, which anything within the sentence may be of
        return first == 0 and (read.day > line.today or line.now.hour < _BEGINS.get(read.part, 0))
    return not isinstance(read.trigger, Once) or read.trigger.at > line.now.replace(tzinfo=None)


def _after(line: Line, index: int) -> _Read | None:
    """ "In two hours", "two hours from now", "in einer halben Stunde"."""
    led = line.norm(index) == "in"
    amount = amount_at(line, index + led)
    if amount is None or amount[1] not in _LENGTHS or not 0 < amount[0] * SECONDS[amount[1]] < _MOST_LATER_S:
        return None
    last = amount[2]
    if not led:
        if line.words(last, 2) != "from now":
            return None
        last += 2
    length, zone = timedelta(seconds=amount[0] * SECONDS[amount[1]]), line.now.tzinfo or UTC
    then = line.now.astimezone(UTC) + length
    wall = then.astimezone(zone).replace(tzinfo=None)
    twice = moment_of(wall, zone) != then  # the hour that comes twice: a time on the wall would be its first
    return _Read(last, date.min, Elapsed(int(length.total_seconds()), line.now, 1) if twice else Once(wall))


def _on_day(line: Line, index: int) -> _Read | None:
    """ "Tomorrow at nine", "at 5 pm today", "am Freitag um 17 Uhr", "tonight", "at 17:00"."""
    day, part, clock, last = None, "", None, index
    while True:
        at = last + (last > index and line.norm(last) in _COMMAS)
        dated = _day(line, at) if day is None else None
        timed = clocks_at(line, at) if clock is None and line.norm(at) != "by" else None
        named = part_at(line, at) if not part and at > index else None
        if timed is not None and isinstance(timed.value, Clocks):
            if len(timed.value.times) > 1:
                return None
            clock, last = timed.value.times[0], timed.last
        elif dated is not None:
            day, of_it, last = dated
            part = part or of_it
        elif named is not None and isinstance(named.value, Part):
            part, last = named.value.name, named.last
        else:
            break
    said = [line.norm(at) for at in range(index, last)]
    if day is None and (clock is None or part or not (clock.sure or OCLOCK & set(said))):
        return None  # "at 9" alone may count
    if clock is None:
        return _Read(last, day or line.today, None, part)
    return None if not is_of_part(clock, part) else _Read(last, day or line.today, _once(line, day, part, clock))


def _once(line: Line, day: date | None, part: str, clock: Said) -> Once:
    small = part == "evening" and not clock.sure and clock.hour < _SMALL_HOURS  # "tonight at one"
    hour, minute = settle(clock, "night" if small else part)
    at = datetime.combine(day or line.today, time(hour, minute))
    next_day = part in _LATE and hour < _BEFORE_DAWN
    if next_day or (day is None and at <= line.now.replace(tzinfo=None)):
        at += timedelta(days=1)
    return Once(at)


def _day(line: Line, index: int) -> tuple[date, str, int] | None:
    """A day, the part of it that is said with it, and where both end: "tonight", "Freitagabend", "morgen früh"."""
    length = line.phrase(index, _TODAY)
    if length:
        word = line.norm(index + length - 1)
        return line.today, "evening" if word == "tonight" else PARTS[word], index + length
    at = index + (line.norm(index) in {"am", "on"})
    named = weekday(line.norm(at))
    if named is not None and named[1]:
        return line.today + timedelta(days=(named[0] - line.today.weekday()) % 7), named[1], at + 1
    found = None if line.words(index, 2) == "am morgen" else dated_at(line, index)
    if found is None or not isinstance(found.value, Dated):
        return None
    behind = found.last if line.norm(found.last) in PARTS else found.last - 1
    if behind > at and line.norm(behind) in PARTS:
        return found.value.day, PARTS[line.norm(behind)], behind + 1
    return found.value.day, "", found.last
