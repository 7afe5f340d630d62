"""Times of day, as pieces: "at 8 and at 18", "um halb sieben", "half one at night".

A bare hour from one to six is one of the afternoon, as everywhere in Steward, unless a part of the day is said.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kernel.language import Line
from kernel.language.amounts.numbers import number_at
from kernel.language.amounts.units import PERCENTS, UNITS
from kernel.language.line import phrases
from kernel.language.time.calendar_words import TIME_UNITS, amount_at
from kernel.language.time.times import Clock, time_at
from kernel.routines.hearing.when.day_words import IN_PART, PARTS
from kernel.routines.hearing.when.pieces import Clocks, Days, Lead, Part, Piece, Said, Untold, Value

AT = phrases(
    "starting at|beginning at|erstmals um|beginnend um",
    "at|at like|at about|at around|around|about|at exactly|exactly at|@|by|always at|as of|sharp at|at precisely",
    "say at|say around|say about|say|let's say at|let's say|let 's say at|let 's say|maybe at|perhaps at|ideally at",
    "preferably at|at roughly|roughly at|sagen wir um|sagen wir gegen|sagen wir|sagen wir mal um|vielleicht um",
    "vielleicht gegen|am besten um|am besten gegen|am liebsten um|meinetwegen um",
    "um|um punkt|punkt|gegen|so gegen|so um|immer um|jeweils um|um circa|um ca.|um etwa|um genau|genau um",
)
_WHOLE, _LEAST_SURE = 24, 0.5
_AND = frozenset(", and und & + sowie".split())
OCLOCK = frozenset("uhr h o'clock oclock".split())
HALVES = {"am": "early", "a.m.": "early", "pm": "late", "p.m.": "late"}
_NO_HOURS = frozenset("% of st nd rd th mb gb kb km kg $ € euro euros x times mal degrees grad".split())
_SAYS = frozenset(
    "am a.m. pm p.m. morning afternoon evening night tonight morgens früh vormittags nachmittags abends nachts morgen "
    "vormittag nachmittag abend nacht noon midday midnight mitternacht mittags".split()
)
_TELLING = _SAYS | OCLOCK | frozenset("quarter half viertel halb dreiviertel minutes minuten past to o'clock".split())
_LONGEST_CLOCK = 8
_MIDNIGHTS = frozenset("0 00 24".split())
_SHARP = phrases("sharp|each|on the dot|on the nose|exactly|pünktlich|jeweils|genau|punktgenau")
_NOON = {"mittags": 12, "mittag": 12}


def clocks_at(line: Line, index: int) -> Piece | None:
    """Times of day behind a word such as "at", or a time that is one by its own form: "8 am", "18:00"."""
    length = line.phrase(index, AT)
    one = said(line, index + length, led=length > 0)
    if one is None:
        return None
    times, last = [one[0]], one[1]
    while line.norm(last) in _AND:
        at = last + 1 + (line.norm(last) == "," and line.norm(last + 1) in _AND)
        again = line.phrase(at, AT)
        more = said(line, at + again, led=True)
        if more is None or (not again and _counts_something(line, more[1])):
            break
        times.append(more[0])
        last = more[1]
    last += line.phrase(last, _SHARP)
    return Piece(index, last, Clocks(tuple(_in_one_half(times))))


def no_time(text: str) -> str:
    """Return the words of a time of day that no clock shows ("24:30", "um 25 Uhr"), empty where there are none."""
    for found in _AS_TIME.finditer(text):
        hour, minute = int(found["hour"]), int(found["minute"] or found["plain"] or 0)
        if hour > _WHOLE or minute >= _HOUR or (hour == _WHOLE and minute):
            return found[0]
    return ""


_HOUR = 60
_AS_TIME = re.compile(
    r"(?<![\w:.])(?:(?:at|um|gegen|around|by|ab|from)\s+)?(?P<hour>\d{1,2})"
    r"(?:[:.](?P<minute>\d\d)(?=\s*(?:uhr|o'clock|[ap]m)\b)|:(?P<plain>\d\d)(?![\w:])|"
    r"(?=\s*(?:uhr|o'clock|[ap]m)\b))(?:\s*(?:uhr|o'clock|[ap]m)\b)?",
    re.IGNORECASE,
)


def _in_one_half(times: list[Said]) -> list[Said]:
    """ "at 8 and 10 pm": what stands before takes the half of the last where it is the smaller hour."""
    last = times[-1]
    if last.half != "late" or len(times) == 1:
        return times
    return [
        replace(one, hour=one.hour + 12, sure=True)
        if not one.sure and one.hour < 12 and one.hour + 12 < last.hour
        else one
        for one in times
    ]


def _counts_something(line: Line, index: int) -> bool:
    word = line.norm(index)
    noun = line.language == "de" and line.raw(index)[:1].isupper()
    return word in TIME_UNITS or (line.is_content(index) and (noun or word.endswith("s")))


def said(line: Line, index: int, *, led: bool) -> tuple[Said, int] | None:
    """One time of day and where it ends; ``led``: a bare number is one, too."""
    if line.norm(index) in _NOON and not led:
        return Said(12, 0, sure=True), index + 1
    dotted = _dotted(line, index) if led else None
    if dotted is not None:
        return dotted
    hour_h = _with_h(line, index)
    if hour_h is not None:
        return hour_h
    clock = _behind_at(line, index) if led else time_at(line, index)
    sure = clock is not None and (clock.confidence >= _LEAST_SURE or (led and clock.last > index + 1))  # "5 to 9"
    if clock is not None and sure and not _is_span(line, index, clock.last):
        return _meant(line, index, clock.last, clock.hour, clock.minute)
    return _bare(line, index) if led else None


def _behind_at(line: Line, index: int) -> Clock | None:
    """The time of day behind "at": what follows it counts nothing, as in "um halb acht Downloads aufräumen"."""
    first, last = max(0, index - 2), index
    while last < min(line.size, index + _LONGEST_CLOCK) and _may_tell(line, last):
        last += 1
    seen = Line(line.text, line.tokens[first:last], line.language, line.now)
    clock = time_at(seen, index - first)
    if clock is None:
        return None
    unit = line.norm(clock.last + first)
    return None if unit in UNITS or unit in PERCENTS else replace(clock, first=index, last=clock.last + first)


def _may_tell(line: Line, index: int) -> bool:
    word = line.norm(index)
    return not line.is_content(index) or word in _TELLING or number_at(line, index) is not None


def _is_span(line: Line, index: int, last: int) -> bool:
    """ "half an hour", "8 minutes": a length, and no time of day."""
    amount = amount_at(line, index)
    return amount is not None and amount[2] >= last and line.norm(index + 1) not in OCLOCK


def _meant(line: Line, first: int, last: int, hour: int, minute: int) -> tuple[Said, int]:
    words = [line.norm(at) for at in range(first, last)]
    night = "night" in words or "nachts" in words or "nacht" in words
    half = next((HALVES[word] for word in words if word in HALVES), "")
    if night:
        return Said(_by_part(hour % 12, "night"), minute, sure=True), last
    written = any(_is_written(word) for word in words)
    sure = hour > 12 or bool(_SAYS & set(words)) or written
    if not sure and hour == 0 and minute and not _MIDNIGHTS & set(words):
        hour = 12  # "halb eins" is one of the middle of the day
        return Said(hour, minute, sure=False), last
    return Said(hour, minute, sure=sure, half=half or ("written" if written else "")), last


def _is_written(word: str) -> bool:
    """Tell whether a word is a time as a clock shows it: "6:30", "6.30", "06"."""
    dotted = word[:1].isdigit() and not {":", "."}.isdisjoint(word.rstrip("."))
    return ":" in word or dotted or (word.startswith("0") and len(word) > 1)


def _dotted(line: Line, index: int) -> tuple[Said, int] | None:
    """ "um 8.30"."""
    hour, mark, minute = line.norm(index).partition(".")
    if not mark or not hour.isdigit() or len(minute) != 2 or not minute.isdigit() or int(hour) > 24 or int(minute) > 59:
        return None
    last = index + 1 + (line.norm(index + 1) in OCLOCK)
    half = HALVES.get(line.norm(last), "") if line.language != "de" or line.norm(last) != "am" else ""
    add = 12 if half == "late" and int(hour) < 12 else 0
    return Said((int(hour) + add) % 24, int(minute), sure=True, half=half or "written"), last + bool(half)


def _with_h(line: Line, index: int) -> tuple[Said, int] | None:
    """ "18h", "8h30"."""
    hour, tail = line.norm(index), line.norm(index + 1)
    if not (hour.isascii() and hour.isdigit() and len(hour) <= 2 and int(hour) <= 24 and tail[:1] == "h"):
        return None
    minute = tail[1:] or "0"
    if not minute.isdigit() or int(minute) > 59 or line.tokens[index].end != line.tokens[index + 1].start:
        return None
    return Said(int(hour) % 24, int(minute), sure=int(hour) > 6), index + 2


def _bare(line: Line, index: int) -> tuple[Said, int] | None:
    number = number_at(line, index)
    if number is None or number[0] != int(number[0]) or not 0 <= number[0] <= _WHOLE or number[1] != index + 1:
        return None
    after = line.norm(number[1])
    if after in TIME_UNITS or after in UNITS or after in PERCENTS or after in _NO_HOURS:
        return None
    part = line.phrase(number[1], IN_PART)
    if part:
        return _meant(line, index, number[1] + part, _by_part(int(number[0]), part_of(line, number[1], part)), 0)
    hour = int(number[0]) % 24
    return Said(hour, 0, sure=hour > 12 or line.norm(index) in {"0", "24", "00"}), number[1]


def part_of(line: Line, index: int, length: int) -> str:
    """The part of the day that a phrase at ``index`` says: "auf d'Nacht" is in the evening."""
    if line.norm(index) == "auf":
        return "evening"
    return next(PARTS[line.norm(at)] for at in range(index, index + length) if line.norm(at) in PARTS)


def is_of_part(said: Said, part: str) -> bool:
    """Tell whether a time of day may be one of the part of the day that is said with it: no morning is at nine p.m."""
    start, end = _AROUND.get(part, (0, 24))
    return not said.sure or (start <= said.hour < end if start < end else said.hour >= start or said.hour < end)


_AROUND = {"morning": (0, 13), "noon": (10, 16), "afternoon": (11, 20), "evening": (15, 4), "night": (17, 9)}


def part_at(line: Line, index: int) -> Piece | None:
    """A part of the day as its own phrase: "in the morning", "abends"."""
    length = line.phrase(index, IN_PART)
    return Piece(index, index + length, Part(part_of(line, index, length))) if length else None


_MEALS = phrases(
    "lunch|dinner|breakfast|supper|tea|work|school|bed|bedtime|my lunch break|the lunch break|lunch break|church",
    "dem mittagessen|mittagessen|dem frühstück|frühstück|dem abendessen|abendessen|dem abendbrot|abendbrot|dem essen",
    "der arbeit|feierabend|der schule|dem schlafengehen|dem schlafen|der mittagspause|dem zubettgehen|dem aufstehen",
)
_AROUND_IT = phrases(
    "after|before|around|at|over|during|shortly after|shortly before|right after|right before|just after|just before|"
    "straight after|nach|vor|kurz nach|kurz vor|gleich nach|direkt nach|direkt vor|bei|während|zum|beim|zu|rund um"
)


def untold_at(line: Line, index: int) -> Piece | None:
    """ "Shortly after lunch", "vor dem Schlafengehen"."""
    led = line.phrase(index, _AROUND_IT)
    meal = line.phrase(index + led, _MEALS) if led else 0
    return Piece(index, index + led + meal, Untold()) if meal else None


def settle(said: Said, part: str) -> tuple[int, int]:
    """The time of day that is meant, where ``part`` of the day stands with it."""
    written = said.half == "written" and said.hour < 12 and part in {"evening", "afternoon", "night"}
    if part and (not said.sure or written):
        return _by_part(said.hour, part), said.minute
    return (said.hour + 12 if not said.sure and 1 <= said.hour <= 6 else said.hour), said.minute


def each_in_its_part(values: list[Value]) -> list[Value]:
    """ "Morgens um acht und abends um acht": where several are said, a time of day is one of the part before it."""
    pairs = [at for at in range(len(values) - 1) if _part(values[at]) and isinstance(values[at + 1], Clocks)]
    found = list(values)
    for at in pairs if len(pairs) > 1 else ():
        days, clocks = values[at], values[at + 1]
        assert isinstance(clocks, Clocks)
        settled = (settle(one, _part(days)) for one in clocks.times)
        found[at] = replace(days, part="") if isinstance(days, Days) else Lead()
        found[at + 1] = Clocks(tuple(Said(*one, sure=True) for one in settled))
    return found


def _part(value: Value) -> str:
    return value.name if isinstance(value, Part) else value.part if isinstance(value, Days) else ""


def _by_part(hour: int, part: str) -> int:
    if part == "night":
        return 0 if hour == 12 else hour + 12 if 7 <= hour < 12 else hour
    if part == "evening":
        return 0 if hour == 12 else hour + 12 if hour < 12 else hour
    if part == "afternoon":
        return hour + 12 if hour < 12 else hour
    if part == "morning":
        return 0 if hour == 12 else hour
    if part == "noon":
        return hour + 12 if hour < 10 else hour
    return hour
