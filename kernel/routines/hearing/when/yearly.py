"""Several dates of each year: "on 1 January, 1 April, 1 July and 1 October", "every year on 6 January and 24 December".

Dates that share their day of the month, three or more, come again by themselves; of others that has to be said.
"""

from __future__ import annotations

from kernel.language import Line
from kernel.language.amounts.numbers import ordinal_at
from kernel.routines.hearing.when.day_words import EVERY, month, nths
from kernel.routines.hearing.when.pieces import Days, Piece

_LEADS = frozenset("on am the den dem an jeweils immer always".split())
_AND = frozenset(", and und & + sowie".split())
_OF_SOMETHING = frozenset("from of since until till between to for by vom von seit bis zwischen für".split())
_LONGEST_LEAD, _LEAST, _BY_THEMSELVES = 3, 2, 3
_MONTH = range(1, 32)
_LONGEST_YEAR = 4

_Dates = list[tuple[int, int]]


def dates_at(line: Line, index: int) -> Piece | None:
    """Dates that mean each year by themselves."""
    found = None if line.norm(index - 1) in _OF_SOMETHING else yearly_at(line, index)
    if found is None or not isinstance(found.value, Days) or line.norm(index) in _OF_SOMETHING:
        return None
    return found if len(found.value.months) >= _BY_THEMSELVES and not found.value.dates else None


def yearly_at(line: Line, index: int) -> Piece | None:
    """Two dates or more, each a month and a day of it, with no year: behind "every year" they are those of each."""
    dates, last = _Dates(), index
    last += line.norm(last) in EVERY
    while (read := _date(line, _past(line, last, _LEADS))) is not None:
        dates += read[0]
        last = read[1]
        after = _past(line, last, _AND)
        if after == last or _date(line, _past(line, after, _LEADS)) is None:
            break
        last = after
    if len(dates) < _LEAST or len({*dates}) < len(dates):
        return None
    months, days = sorted({one[0] for one in dates}), sorted({one[1] for one in dates})
    product = len(months) * len(days) == len(dates)
    return Piece(
        index,
        last,
        Days("YEARLY", months=tuple(months), month_days=tuple(days), dates=() if product else tuple(sorted(dates))),
    )


def another_at(line: Line, index: int) -> Piece | None:
    """One date more of each year: "every year on 3 October at 9 | and on 24 December at 8"."""
    read = _date(line, _past(line, index, _LEADS))
    if read is None:
        return None
    months, days = {one[0] for one in read[0]}, {one[1] for one in read[0]}
    return Piece(index, read[1], Days("YEARLY", months=tuple(sorted(months)), month_days=tuple(sorted(days))))


def _past(line: Line, at: int, words: frozenset[str]) -> int:
    first = at
    while line.norm(at) in words and at < first + _LONGEST_LEAD:
        at += 1
    return at


def _date(line: Line, at: int) -> tuple[_Dates, int] | None:
    """ "1 January", "1. und 15. Juni", "the 1st of April", "June 3rd", and where it ends."""
    counted = nths(line, at) or _plain(line, at)
    named = month(line, counted[1]) if counted is not None else month(line, at)
    if named is None:
        return None
    days = counted
    last = named[1]
    if days is None:
        days = nths(line, last) or _plain(line, last)
        last = days[1] if days is not None else last
    year = line.norm(last) if line.norm(last) != "," else line.norm(last + 1)
    if days is None or not all(day in _MONTH for day in days[0]) or (year.isdigit() and len(year) == _LONGEST_YEAR):
        return None
    return [(named[0], day) for day in days[0]], last


def _plain(line: Line, at: int) -> tuple[list[int], int] | None:
    word = line.norm(at)
    plain = word.isascii() and word.isdigit() and int(word[:2]) in _MONTH and len(word) < 3
    return ([int(word)], at + 1) if plain and ordinal_at(line, at) is None else None
