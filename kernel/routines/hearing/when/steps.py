"""Stretches of the day and steps of hours, as pieces: "between 9 and 17", "every 90 minutes", "on the hour"."""

from __future__ import annotations

from kernel.language import Line
from kernel.language.amounts.numbers import number_at
from kernel.language.line import phrases
from kernel.language.time.calendar_words import TIME_UNITS
from kernel.routines.hearing.when.day_words import EVERY, IN_PART, PARTS
from kernel.routines.hearing.when.hours import HALVES, OCLOCK, part_of, said
from kernel.routines.hearing.when.pieces import Piece, Said, Step, Window

_OPEN = frozenset("between from zwischen von".split())
_TO = frozenset("and to till until through - – — bis und".split())
_SOON = frozenset("ab".split())
_ON_HOUR = phrases(
    "on the hour|zur vollen stunde|jeweils zur vollen stunde",
    "on full hours|at full hours|on the full hour|zu jeder vollen stunde",
)
_ON_HALF_HOUR = phrases("on the half hour|at the half hour|zur halben stunde|jeweils zur halben stunde")
_FULL = frozenset("full whole volle vollen ganze".split())
_ADVERBS = {
    "hourly": 3600,
    "stündlich": 3600,
    "half-hourly": 1800,
    "halbstündlich": 1800,
    "viertelstündlich": 900,
    "minütlich": 60,
}
_SPANS = {"halfhour": 1800, "half-hour": 1800, "halbstunde": 1800, "viertelstunde": 900, "dreiviertelstunde": 2700}
_AT = frozenset("at um immer always".split())
_PARTS_OF_HOUR = {"half": 30, "quarter": 15, "viertel": 15, "dreiviertel": 45}
_PAST, _TO_HOUR = frozenset("past after nach".split()), frozenset("to before vor".split())
_HOUR, _MINUTES, _HALF = 3600, 60, 30
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}


def window_at(line: Line, index: int) -> Piece | None:
    """ "between 9 and 17", "from 9 to 5", "9-17 Uhr", "von 9 bis 17 Uhr", "ab 9 Uhr"."""
    opened = line.norm(index) in _OPEN
    if line.norm(index) in _SOON:
        start = said(line, index + 1, led=False)
        return Piece(index, start[1], Window(start[0], None)) if start else None
    start = said(line, index + opened, led=True)
    if start is not None and line.norm(index) in {"from", "von"} and line.norm(start[1]) not in _TO and start[0].sure:
        return Piece(
            index,
            start[1] + (line.norm(start[1]) in {"on", "an"} and not line.is_content(start[1] + 1)),
            Window(start[0], None),
        )
    if start is None or line.norm(start[1]) not in _TO or (not opened and line.norm(start[1]) in {"and", "und"}):
        return None
    until = said(line, start[1] + 1, led=True)
    if until is None or (not opened and not _is_marked(line, start, until)):
        return None
    last = until[1] + (line.norm(until[1]) in OCLOCK)
    length = line.phrase(last, IN_PART)
    part = part_of(line, last, length) if length else ""
    inner = (line.norm(at) for at in range(start[1], until[1]))
    part = part or next((PARTS[word] for word in inner if PARTS.get(word, "noon") != "noon"), "")
    return Piece(index, last + length, Window(start[0], until[0], part))


def _is_marked(line: Line, start: tuple[Said, int], until: tuple[Said, int]) -> bool:
    words = [line.norm(at) for at in range(start[1] - 1, until[1] + 1)]
    return any(":" in word or word in OCLOCK or word in HALVES for word in words)


def step_at(line: Line, index: int) -> Piece | None:
    """ "every 90 minutes", "jede volle Stunde", "on the hour", "hourly", "alle halbe Stunde"."""
    at = index + (line.norm(index) in {"on", "at", "zu", "in", "immer", "always"})
    past = _past_the_hour(line, index)
    found = past or _on_the_hour(line, index) or _step(line, at)
    if found is None:
        return None
    step, last = found
    if past is not None:
        return Piece(index, last, step)
    minute = _minute(line, last + (line.norm(last) in _AT)) if step.seconds == _HOUR else None
    if minute is not None:
        return Piece(index, minute[1], Step(_HOUR, full=True, minute=minute[0]))
    at = last + (line.norm(last) == ",")
    half = line.phrase(at, _ON_HALF_HOUR)
    if half:
        return Piece(index, at + half, Step(step.seconds, full=True, minute=_HALF if step.seconds == _HOUR else 0))
    length = line.phrase(last, _ON_HOUR)
    return Piece(index, last + length, Step(step.seconds, full=step.full or length > 0, minute=step.minute))


def _past_the_hour(line: Line, index: int) -> tuple[Step, int] | None:
    """ "At half past every hour", "um viertel nach jeder vollen Stunde", "ten minutes to each hour"."""
    at = index
    while line.norm(at) in _AT and at < index + 2:
        at += 1
    minute = _minute(line, at)
    found = _step(line, minute[1]) if minute is not None else None
    if minute is None or found is None or found[0].seconds != _HOUR:
        return None
    return Step(_HOUR, full=True, minute=minute[0]), found[1]


def _minute(line: Line, at: int) -> tuple[int, int] | None:
    """So many minutes of an hour, and where they end: "half past", "a quarter to", "zehn nach", "fünf Minuten vor"."""
    at += line.norm(at) in {"a", "the"}
    word, number = line.norm(at), number_at(line, at)
    if word in _PARTS_OF_HOUR:
        count, last = _PARTS_OF_HOUR[word], at + 1
    elif number is not None and number[0] == int(number[0]) and 0 < number[0] < _MINUTES:
        count, last = int(number[0]), number[1]
        last += TIME_UNITS.get(line.norm(last)) == "minute"
    else:
        return None
    if line.norm(last) in _PAST:
        return count, last + 1
    return (_MINUTES - count, last + 1) if line.norm(last) in _TO_HOUR else None


def _on_the_hour(line: Line, index: int) -> tuple[Step, int] | None:
    length = line.phrase(index, _ON_HOUR)
    if length:
        return Step(_HOUR, full=True), index + length
    half = line.phrase(index, _ON_HALF_HOUR)
    return (Step(_HOUR, full=True, minute=_HALF), index + half) if half else None


def _step(line: Line, index: int) -> tuple[Step, int] | None:
    seconds = _ADVERBS.get(line.norm(index))
    if seconds is not None:
        return Step(seconds), index + 1
    if line.words(index, 3) in {"once an hour", "einmal pro stunde", "einmal die stunde"}:
        return Step(3600), index + 3
    if line.norm(index) not in EVERY and line.norm(index) != "alle":
        return None
    full = line.norm(index + 1) in _FULL
    at = index + 1 + full
    return _part_of_hour(line, at) or _counted(line, at, full)


def _part_of_hour(line: Line, at: int) -> tuple[Step, int] | None:
    """ "Half an hour", "halbe Stunde", "quarter of an hour", "Viertelstunde"."""
    if line.norm(at) in _SPANS:
        return Step(_SPANS[line.norm(at)]), at + 1
    if line.norm(at) in {"half", "halbe", "halben"}:
        last = at + 1 + (line.norm(at + 1) in {"an", "a"})
        return (Step(1800), last + 1) if TIME_UNITS.get(line.norm(last)) == "hour" else None
    if line.words(at, 4) == "quarter of an hour" or line.words(at, 2) == "quarter hour":
        return Step(900), at + (4 if line.norm(at + 1) == "of" else 2)
    return None


def _is_a_second(line: Line, at: int) -> bool:
    """ "Every second tell me ...", "jede Sekunde ..."; "every second file" is none, nor one of other things."""
    if line.norm(at) == "sekunde":
        return True
    ends = not line.norm(at + 1) or line.is_mark(at + 1)
    return line.norm(at) == "second" and (ends or line.norm(at + 2) in _BEHIND_VERBS)


_BEHIND_VERBS = frozenset("me us the my a an all".split())


def _counted(line: Line, at: int, full: bool) -> tuple[Step, int] | None:
    number = number_at(line, at)
    count, last = (float(number[0]), number[1]) if number else (1.0, at)
    if number is None and _is_a_second(line, at):
        return Step(1), at + 1
    if number is None and line.norm(at) in {"other", "second", "zweite", "third", "dritte"}:
        count, last = (3.0 if line.norm(at) in {"third", "dritte"} else 2.0), at + 1
    full = full or line.norm(last) in _FULL
    last += line.norm(last) in _FULL
    unit = _SECONDS.get(TIME_UNITS.get(line.norm(last), ""))
    if unit is None or not 0 < count * unit < 10**8 or (unit == 1 and number is None):
        return None  # "every second" of something
    if line.words(last + 1, 3) == "and a half":
        return Step(int((count + 0.5) * unit), full), last + 4
    return Step(int(count * unit), full), last + 1
