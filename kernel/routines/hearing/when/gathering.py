"""The pieces of a sentence that stand together around what repeats, and those at its edges that belong to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from kernel.language import Line
from kernel.language.free_text import covered, quotes
from kernel.routines.hearing.when.bound_words import GOES_ON, THEN_STOPS
from kernel.routines.hearing.when.bounds import (
    begin_at,
    dated_at,
    days_named,
    end_at,
    except_at,
    hence,
    lasting_at,
    lead_at,
    only_at,
    single_at,
    times_at,
    vague_at,
)
from kernel.routines.hearing.when.day_words import nths, weekdays, workdays_or_weekend
from kernel.routines.hearing.when.days import days_at
from kernel.routines.hearing.when.hours import AT, clocks_at, part_at, untold_at
from kernel.routines.hearing.when.pieces import (
    Begin,
    Clocks,
    Dated,
    Days,
    End,
    Except,
    Lasting,
    Lead,
    Only,
    Part,
    Piece,
    Single,
    Step,
    Times,
    Untold,
    Vague,
    Window,
)
from kernel.routines.hearing.when.steps import step_at, window_at
from kernel.routines.hearing.when.yearly import another_at, dates_at, yearly_at

_Reader = Callable[[Line, int], Piece | None]
_READERS: tuple[_Reader, ...] = (
    except_at, only_at, begin_at, end_at, single_at, times_at, lasting_at, step_at, dates_at, days_at, window_at,
    clocks_at, untold_at, part_at, vague_at, lead_at,
)  # fmt: skip
_ALWAYS = frozenset("always immer stets".split())


def _always_at(line: Line, index: int) -> Piece | None:
    """ "Always at 8": every day."""
    timed = line.norm(index) in _ALWAYS and clocks_at(line, index + 1) is not None
    return Piece(index, index + 1, Days("DAILY", weak=True)) if timed else None


_ANCHORS: tuple[_Reader, ...] = (single_at, step_at, dates_at, days_at, vague_at, _always_at)
_JOINTS = frozenset(", and und & - – —".split())
_ENDS_SENTENCE = frozenset(". ! ;".split())
_LONGEST_SENTENCE = _LONGEST_EDGE = 24
_LONGEST_JOINT, _LONGEST_PIECE, _MOST_PIECES = 2, 20, 24
_AT_START = (Begin, End, Lasting, Clocks, Window, Except, Only)
_AFTER_COMMA = (Begin, End, Lasting, Times, Only)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Pieces in the order of the sentence; ``anchor`` is what they were gathered around."""

    anchor: Piece
    pieces: tuple[Piece, ...]
    stretches: tuple[tuple[int, int], ...]

    def has(self, *kinds: type) -> bool:
        """Tell whether there is a piece of one of the kinds."""
        return any(isinstance(one.value, kinds) for one in self.pieces)


def anchors(line: Line) -> Iterator[Piece]:
    """Yield what may be the middle of a rule, unless it is quoted: days, steps of hours, "just once", "sometimes"."""
    shut, index = covered(quotes(line)), 0
    while index < line.size:
        found = None if index in shut else _longest(line, index, _ANCHORS)
        if found is not None:
            yield found
        index = found.last if found is not None else index + 1


def gather(line: Line, anchor: Piece) -> Gathered:
    """Put together what stands on both sides of ``anchor``, and what belongs to it at the edges of the sentence."""
    pieces = [anchor]
    _rightwards(line, pieces)
    _leftwards(line, pieces)
    _rightwards(line, pieces)
    stretches = [(pieces[0].first, pieces[-1].last)]
    for edge in (*_at_start(line, pieces), *_behind_modal(line, pieces), *_at_end(line, pieces)):
        stretches.append((edge[0].first, edge[-1].last))
        pieces = sorted([*pieces, *edge], key=lambda one: one.first)
    told = _told(line, pieces)
    if told:
        stretches.append((0, told))
    return Gathered(anchor, tuple(pieces), tuple(sorted(stretches)))


def _longest(line: Line, index: int, readers: tuple[_Reader, ...]) -> Piece | None:
    if not line.norm(index) or line.norm(index) == ",":
        return None
    found = [one for read in readers if (one := read(line, index)) is not None]
    return max(found, key=lambda one: one.last, default=None)


def _next(line: Line, index: int, pieces: list[Piece]) -> Piece | None:
    wanting = _wanting(pieces)
    found = _refining(line, index, wanting) if wanting is not None else None
    plain = _longest(line, index, _READERS)
    if found is None and plain is None and _is_yearly(pieces):
        return another_at(line, index)
    if found is not None and (plain is None or found.last >= plain.last):
        return found
    return plain


def _is_yearly(pieces: list[Piece]) -> bool:
    """Tell whether they say a date of each year and its time: another date with a time of its own may follow."""
    yearly = any(isinstance(one.value, Days) and one.value.freq == "YEARLY" for one in pieces)
    return yearly and any(isinstance(one.value, Clocks) for one in pieces)


def _wanting(pieces: list[Piece]) -> Days | Single | None:
    """What still wants its day: "every month", "just once"."""
    if any(isinstance(one.value, Dated) for one in pieces):
        return None
    for piece in pieces:
        if isinstance(piece.value, Single) or (isinstance(piece.value, Days) and piece.value.vague):
            return piece.value
    return None


def _refining(line: Line, index: int, wanting: Days | Single) -> Piece | None:
    """The day that a week, a month, a year or "once" wants: "on the 15th", "am letzten Freitag", "on 3 May"."""
    if isinstance(wanting, Days) and wanting.freq == "MONTHLY":
        at = index
        while (
            line.norm(at) in {"on", "am", "an", "the", "dem", "den", "at", "always", "immer", "jeweils"}
            and at < index + 3
        ):
            at += 1
        found = _in_month(line, index, at)
        if found is not None:
            return found
    if isinstance(wanting, Days) and wanting.freq == "WEEKLY":
        return _on_one(line, index)
    several = yearly_at(line, index) if isinstance(wanting, Days) else None
    return several or dated_at(line, index)


def _on_one(line: Line, index: int) -> Piece | None:
    """ "Fortnightly | on a Saturday", "alle zwei Wochen | an einem Freitag"."""
    at = index + (line.norm(index) in _ON)
    named = weekdays(line, at + 1) if line.norm(at) in _ONE else None
    return Piece(index, named[2], Days("WEEKLY", weekdays=named[0], part=named[1])) if named is not None else None


_ON, _ONE = frozenset("on an at".split()), frozenset("a an einem".split())


def _in_month(line: Line, index: int, at: int) -> Piece | None:
    placed = nths(line, at)
    if placed is None or (at == index):
        return None
    places, last = placed
    named = weekdays(line, last)
    if named is not None:
        days = tuple(f"{place}{day}" for place in places for day in named[0])
        return Piece(index, named[2], Days("MONTHLY", weekdays=days, part=named[1]))
    work = workdays_or_weekend(line, last)
    if work is not None and len(places) == 1:
        return Piece(index, work[1], Days("MONTHLY", weekdays=work[0], place=places[0]))
    last += line.norm(last) in {"day", "tag"}
    return Piece(index, last, Days("MONTHLY", month_days=tuple(places)))


def _rightwards(line: Line, pieces: list[Piece]) -> None:
    while len(pieces) < _MOST_PIECES:
        _in_brackets(line, pieces)
        last = pieces[-1].last
        for at in range(last, last + _LONGEST_JOINT + 1):
            if at > last and line.norm(at - 1) not in _JOINTS:
                return
            found = _next(line, at, pieces)
            if found is not None and isinstance(found.value, Lead):
                led = _next(line, found.last, pieces)
                found = replace(led, first=found.first) if led is not None else None
            if found is not None and isinstance(found.value, Part):
                timed = _next(line, found.last, pieces)
                if timed is None or not isinstance(timed.value, Clocks):
                    return
                pieces.append(found)
                found = timed
            if found is not None and isinstance(found.value, _BELONG):
                break
        else:
            return
        pieces.append(found)


def _in_brackets(line: Line, pieces: list[Piece]) -> None:
    """ "Until Easter Sunday (5 April)", "on Saturdays (the 21st would be the first)": the same day, or the first."""
    first = pieces[-1].last
    if line.norm(first) != "(":
        return
    day, begins = dated_at(line, first + 1), begin_at(line, first + 1)
    if begins is not None and line.norm(begins.last) == ")":
        pieces.append(replace(begins, first=first, last=begins.last + 1))
    elif day is not None and line.norm(day.last) == ")" and _day_of(day) == _day_of(pieces[-1]):
        pieces[-1] = replace(pieces[-1], last=day.last + 1)


def _day_of(piece: Piece) -> date | None:
    return piece.value.day if isinstance(piece.value, Begin | End | Dated) else None


_BELONG = (Days, Step, Clocks, Window, Dated, Begin, End, Lasting, Times, Except, Only, Single, Untold)
"""What may stand to the right of other pieces; a part of the day, a lead into something else and "sometimes" do not."""


def _leftwards(line: Line, pieces: list[Piece]) -> None:
    while len(pieces) < _MOST_PIECES:
        first = pieces[0].first
        found = _ending(line, first, pieces)
        for _ in range(_LONGEST_JOINT):
            if found is None and line.norm(first - 1) in _JOINTS:
                first -= 1
                found = _ending(line, first, pieces)
        if found is None or isinstance(found.value, Vague):
            return
        pieces.insert(0, found)


def _ending(line: Line, end: int, pieces: list[Piece]) -> Piece | None:
    for start in range(max(0, end - _LONGEST_PIECE), end):
        found = _next(line, start, pieces)
        if found is not None and found.last == end:
            return found
    return None


def _told(line: Line, pieces: list[Piece]) -> int:
    """Where what is wanted begins, behind a clause that only tells which day the rule ends on; 0 where none does."""
    last = hence(line, pieces[0].first)
    named = days_named(line, last)
    return last + 1 if any(isinstance(one.value, End) and one.value.day in named for one in pieces) else 0


# --- the edges of the sentence ------------------------------------------------------------------------------------


def _at_start(line: Line, pieces: list[Piece]) -> Iterator[list[Piece]]:
    """ "From 1 May on, remind me every ...", "at 8 remind me every day ..."."""
    start = 0
    while line.norm(start) in _JOINTS:
        start += 1
    if start >= pieces[0].first:
        return
    found = _next(line, start, pieces)
    stepped = isinstance(pieces[0].value, Step)  # "on weekdays fetch, every two hours from 9 to 5, my mail"
    if found is None or found.last > pieces[0].first:
        return
    if not isinstance(found.value, _AT_START) and not (stepped and isinstance(found.value, Days)):
        return
    if isinstance(found.value, Clocks | Window) and _has_time(pieces):
        return
    edge = [found]
    _rightwards(line, edge)
    if edge[-1].last <= pieces[0].first:
        yield edge


def _behind_modal(line: Line, pieces: list[Piece]) -> Iterator[list[Piece]]:
    """ "An Arbeitstagen soll | um neun und um zwölf ...", "on Fridays I'd like you | at four to ..."."""
    last = at = pieces[-1].last
    while at < last + _MOST_MODALS and line.norm(at) in _MODALS:
        at += 1
    found = _next(line, at, pieces) if at > last and not _has_time(pieces) else None
    if found is not None and isinstance(found.value, Clocks) and line.phrase(at, AT):
        edge = [found]
        _rightwards(line, edge)
        yield edge


_MOST_MODALS = 5
_MODALS = frozenset(
    "soll sollst sollen sollte solltest möchte möcht will hätte gern gerne bitte ich du mir mich man es i i'd 'd like "
    "want would you should please me to".split()
)


def _at_end(line: Line, pieces: list[Piece]) -> Iterator[list[Piece]]:
    """ "..., but not on Sundays", "remind me every day to take my pills at 8"."""
    end = line.size
    while end > 0 and line.is_mark(end - 1):
        end -= 1
    last = pieces[-1].last
    if end <= last:
        return
    own = _in_a_sentence(line, last, end)
    if own is not None:
        yield [own]
        return
    for start in range(max(last, end - _LONGEST_EDGE), end):
        found = _next(line, start, pieces)
        if found is None:
            continue
        edge = [found]
        if found.last < end:
            _rightwards(line, edge)
        if edge[-1].last == end and all(_may_end(line, one, pieces, edge[0]) for one in edge):
            yield edge
            return


def _in_a_sentence(line: Line, last: int, end: int) -> Piece | None:
    """ "This goes on until the end of the year and then it stops.": how long, said behind the rule."""
    for start in range(max(last + 1, end - _LONGEST_SENTENCE), end):
        goes_on = line.phrase(start, GOES_ON) if line.norm(start - 1) in _ENDS_SENTENCE else 0
        found = _longest(line, start + goes_on, (end_at, lasting_at)) if goes_on else None
        if found is not None and found.last + line.phrase(found.last, THEN_STOPS) == end:
            return replace(found, first=start, last=end)
    return None


def ends_in_a_sentence(line: Line) -> bool:
    """Tell whether a sentence behind the first says how long it goes on: then it is a rule, whatever a tool takes."""
    end = max((at + 1 for at in range(line.size) if not line.is_mark(at)), default=0)
    return _in_a_sentence(line, 0, end) is not None


def _may_end(line: Line, piece: Piece, pieces: list[Piece], first: Piece) -> bool:
    if isinstance(piece.value, Except):
        return True
    if isinstance(piece.value, Clocks):
        return not _has_time(pieces)
    if isinstance(piece.value, Step | Window):  # "on weekdays fetch my mail every two hours from 9 to 5"
        same = (Clocks, type(piece.value))
        return not any(isinstance(one.value, same) for one in pieces)
    return isinstance(piece.value, _AFTER_COMMA) and line.norm(first.first - 1) == ","


def _has_time(pieces: list[Piece]) -> bool:
    return any(isinstance(one.value, Clocks | Window | Step) for one in pieces)
