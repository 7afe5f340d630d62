"""Days that are counted within a month or a year: "the last working day of the month", "1. und 15. jedes Monats"."""

from __future__ import annotations

from dataclasses import replace

from kernel.language import Line
from kernel.language.line import phrases
from kernel.language.time.calendar_words import MONTHS, TIME_UNITS
from kernel.routines.hearing.when.day_words import EVERY, IN_PART, months, nths, weekdays, workdays_or_weekend
from kernel.routines.hearing.when.pieces import WORKDAYS, Days

_MONTH, _QUARTER, _HALF_YEAR = 1, 3, 6
_OF_EACH = phrases(
    "of every month|of each month|of any month|every month|each month|in every month|a month|monthly",
    "jedes monats|jeden monats|eines jeden monats|jeden monat|von jedem monat|in jedem monat|pro monat|vom monat",
)
_OF_MONTH = phrases("of the month|in the month|im monat|des monats|of a month")
_OF_YEAR = phrases(
    "of the year|of every year|of each year|every year|each year",
    "im jahr|des jahres|jedes jahres|jeden jahres|jedes jahr|von jedem jahr|vom jahr|a year",
)
_OF_QUARTER = phrases(
    "of every quarter|of each quarter|of any quarter|every quarter|each quarter|in every quarter|a quarter",
    "jedes quartals|jeden quartals|eines jeden quartals|jedes quartal|in jedem quartal|von jedem quartal|"
    "pro quartal|vom quartal|jedes vierteljahres",
)
_OF_ONE_QUARTER = phrases("of the quarter|in the quarter|of a quarter|im quartal|des quartals")
_OF_HALF_YEAR = phrases(
    "of every half year|of each half year|every half year|jedes halbjahres|jeden halbjahres|eines jeden halbjahres",
    "in jedem halbjahr|von jedem halbjahr|vom halbjahr|pro halbjahr",
)
_OF_ONE_HALF_YEAR = phrases("of the half year|im halbjahr|des halbjahres")
_STRETCHES = (
    (_MONTH, _OF_EACH, False), (_MONTH, _OF_MONTH, True),
    (_QUARTER, _OF_QUARTER, False), (_QUARTER, _OF_ONE_QUARTER, True),
    (_HALF_YEAR, _OF_HALF_YEAR, False), (_HALF_YEAR, _OF_ONE_HALF_YEAR, True),
)  # fmt: skip
_EDGES = {
    "monatsersten": (_MONTH, 1), "monatsersten.": (_MONTH, 1), "monatsletzten": (_MONTH, -1),
    "monatsende": (_MONTH, -1), "monatsanfang": (_MONTH, 1),
    "quartalsersten": (_QUARTER, 1), "quartalsbeginn": (_QUARTER, 1), "quartalsanfang": (_QUARTER, 1),
    "quartalsende": (_QUARTER, -1),
}  # fmt: skip
_END_OF = phrases(
    "end of|the end of|beginning of|the beginning of|start of|the start of|ende|anfang|beginn|zu beginn|zum ende|"
    "zum beginn|zum anfang"
)
_ENDS = frozenset("end ende".split())

_Read = tuple[Days, int] | None


def nth_days(line: Line, index: int) -> _Read:
    """ "the last working day of the month", "1st and 15th of every month", "letzten Februartag"."""
    counted = nths(line, index)
    return placed(line, *counted, every=False) if counted else None


def placed(line: Line, places: list[int], at: int, *, every: bool) -> _Read:
    """What ordinals count: a weekday, a working day or a day, of each month, of one month of the year."""
    day = line.norm(at) in {"day", "tag", "kalendertag"}
    work = workdays_or_weekend(line, at)
    if work is not None and work[0] == WORKDAYS and len(places) == 1:
        of = _of(line, work[1], places[0])
        return (
            (replace(of[0], weekdays=WORKDAYS, place=places[0], weak=of[0].weak and not every), of[1]) if of else None
        )
    named = weekdays(line, at)
    if named is not None:
        of = _of(line, named[2], places[0])
        if of is None and every and places in ([1], [-1], [-2]):
            of = Days("MONTHLY"), named[2]
        counted = tuple(f"{place}{one}" for place in places for one in named[0])
        return (replace(of[0], weekdays=counted, part=named[1], weak=of[0].weak and not every), of[1]) if of else None
    glued = line.norm(at).removesuffix("tag")
    if glued in MONTHS and glued != line.norm(at):
        return Days("YEARLY", months=(MONTHS[glued],), month_days=tuple(places), weak=not every), at + 1
    of = _of(line, at + day, places[0])
    if of is not None:
        months = of[0].months or ((12 if places[0] < 0 else 1,) if of[0].freq == "YEARLY" else ())
        return replace(of[0], months=months, month_days=tuple(places), weak=of[0].weak and not every), of[1]
    alone = (every and not day and _stands_alone(line, at) and not line.is_word(at - 1)) or _is_the_first(line, at)
    return (Days("MONTHLY", month_days=tuple(places), weak=not every), at) if alone else None


def _is_the_first(line: Line, at: int) -> bool:
    """ "an jedem Ersten": the day of the month, as a noun."""
    return line.language == "de" and line.raw(at - 1)[:1].isupper() and _stands_alone(line, at)


def _stands_alone(line: Line, at: int) -> bool:
    """Tell whether no noun follows that an ordinal could count."""
    return not line.is_content(at) or line.phrase(at, IN_PART) > 0 or (line.language == "de" and line.raw(at).islower())


def _of(line: Line, at: int, place: int) -> tuple[Days, int] | None:
    """What the days are counted in: a month, a quarter by its first or last month, a year, months of it."""
    for step, table, weak in _STRETCHES:
        length = line.phrase(at, table)
        if length:
            return Days("MONTHLY", months=_edge_months(step, place), weak=weak), at + length
    length = line.phrase(at, _OF_YEAR)
    if length:
        return Days("YEARLY", weak=True), at + length
    named = months(line, at)
    if named is None:
        return None
    last = named[1] + line.phrase(named[1], _OF_YEAR)
    return Days("YEARLY", months=tuple(named[0]), weak=last == named[1]), last


def _edge_months(step: int, place: int) -> tuple[int, ...]:
    """The first month of each of the stretches of a year, or the last where days are counted from their end.

    None where every month is one of them.
    """
    return tuple(range(step if place < 0 else 1, 13, step)) if step > _MONTH else ()


def edge(line: Line, index: int) -> _Read:
    """ "am Monatsende", "at the end of every month", "zu Beginn jedes Quartals"."""
    if line.norm(index) in _EDGES:
        step, place = _EDGES[line.norm(index)]
        return Days("MONTHLY", months=_edge_months(step, place), month_days=(place,), weak=True), index + 1
    length = line.phrase(index, _END_OF)
    if not length:
        return None
    at, place = index + length, -1 if _ENDS & set(line.words(index, length).split()) else 1
    of = _of(line, at, place)
    if of is not None and of[0].freq == "MONTHLY" and (of[0].months or not of[0].weak):
        return replace(of[0], month_days=(place,)), of[1]
    each = line.norm(at) in EVERY and TIME_UNITS.get(line.norm(at + 1)) == "month"
    return (Days("MONTHLY", month_days=(place,)), at + 2) if each else None
