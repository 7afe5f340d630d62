"""What bounds a rule, as pieces: from when, until when, how often in all, on which days not, on which alone, once."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from kernel.language import Line
from kernel.language.amounts.numbers import number_at
from kernel.language.time.calendar_words import amount_at, shift
from kernel.language.time.dates import day_at
from kernel.language.time.intervals import Interval, interval_at
from kernel.routines.hearing.when import bound_words as words
from kernel.routines.hearing.when.day_words import months, nth
from kernel.routines.hearing.when.days import days_at, number_at_word
from kernel.routines.hearing.when.hours import clocks_at
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
    Piece,
    Said,
    Single,
    Times,
    Vague,
)


def begin_at(line: Line, index: int) -> Piece | None:
    """ "starting on 16 March", "from now on", "erstmals am 26. September", "ab nächster Woche"."""
    length = line.phrase(index, words.NOW)
    if length:
        return Piece(index, index + length, Begin(None))
    length = line.phrase(index, words.FROM)
    found = _stretch(line, index + length) if length else None
    if found is None:
        return None if length else _first_at(line, index)
    last = found.last + (line.norm(found.last) in words.ONWARD and line.norm(found.last + 1) not in words.ARTICLES)
    return Piece(index, last, Begin(max(found.start, line.today)))


def _first_at(line: Line, index: int) -> Piece | None:
    """ "The 21st would be the first"."""
    found = _stretch(line, index)
    first = line.phrase(found.last, words.IS_FIRST) if found is not None else 0
    return (
        Piece(index, found.last + first, Begin(max(found.start, line.today))) if found is not None and first else None
    )


def end_at(line: Line, index: int) -> Piece | None:
    """ "until the end of May", "bis zum 31. Mai", "until 5 pm", "bis auf weiteres"."""
    length = line.phrase(index, words.NO_END)
    if length:
        return Piece(index, index + length, End())
    length = line.phrase(index, words.UNTIL)
    if not length:
        return None
    at = index + length
    pointed = line.phrase(at, words.THAT_DAY)
    day = _named_before(line, index) if pointed else None
    if day is not None:
        return Piece(index, _stops(line, at + pointed), End(day))
    clock = clocks_at(line, at) or _led_hour(line, at)
    found = _stretch(line, at)
    edge = line.phrase(at, words.EDGE)
    if found is None and edge:
        found = _stretch(line, at + edge)
    if found is not None:
        return Piece(index, _stops(line, found.last), End(found.end - timedelta(days=1)))
    said = clock.value.times if clock is not None and isinstance(clock.value, Clocks) else ()
    return Piece(index, clock.last, End(clock=said[0])) if clock is not None and len(said) == 1 else None


def _stops(line: Line, last: int) -> int:
    """Where what is said behind an end stops that says it is one: ", and not after it", "und dann ist Schluss"."""
    at = last + (line.norm(last) in {",", "-", "–"})
    length = line.phrase(at, words.THEN_STOPS)
    return at + length if length else last


_LONGEST_TOLD = 24


def _named_before(line: Line, index: int) -> date | None:
    """The last day that is named before the token, where it is told of: "the exam is on 12 June, so every day ..."."""
    named = days_named(line, hence(line, index))
    return named[-1] if named else None


def hence(line: Line, index: int) -> int:
    """Where the last "so" before the token stands, behind a clause that only says why; 0 where there is none."""
    return next((at for at in range(index, 0, -1) if line.norm(at) in words.HENCE and line.is_mark(at - 1)), 0)


def days_named(line: Line, last: int) -> list[date]:
    """The days that are named in a clause that ends at the token."""
    found = (dated_at(line, at) for at in range(max(0, last - _LONGEST_TOLD), last))
    return [one.value.day for one in found if one is not None and isinstance(one.value, Dated)]


def _led_hour(line: Line, index: int) -> Piece | None:
    """The bare hour of "until 5"."""
    number = number_at(line, index)
    if number is None or number[0] not in range(25) or line.is_content(number[1]) or line.norm(number[1]) == ".":
        return None
    hour = int(number[0]) % 24
    return Piece(index, number[1], Clocks((Said(hour, 0, sure=hour > 12),)))


def _stretch(line: Line, index: int) -> Interval | None:
    """The day, week, month or year to come that is named at ``index``, with or without its article."""
    for at in (index, index + 1) if line.norm(index) in words.ARTICLES else (index,):
        day = day_at(line, at, direction=1)
        if day is not None and day.confidence >= 0.5 and not _is_cycle(line, at):
            return Interval(day.day, day.day + timedelta(days=1), day.end)
        found = interval_at(line, at)
        if found is None:
            named = months(line, at - (line.norm(at - 1) == "of"))
            found = _month(line, named[0][0], named[1]) if named and len(named[0]) == 1 and index > 0 else None
        if found is not None:
            return _ahead(line, found)
    return _of_some_month(line, index)


def _of_some_month(line: Line, index: int) -> Interval | None:
    """ "The 19th", "dem 20.": the next day of that number; "the first Friday" and "the 19th of" are none."""
    at = index + (line.norm(index) in words.ARTICLES)
    said = nth(line, at) if line.norm(at - 1) in words.ARTICLES and line.norm(at)[:1].isdigit() else None
    if said is None or line.norm(said[1]) == "of" or (line.is_content(said[1]) and days_at(line, said[1]) is None):
        return None
    months_ahead = (shift(line.today.replace(day=1), ahead, "month") for ahead in range(_MOST_MONTHS))
    firsts = (one for one in months_ahead if one is not None and said[0] <= monthrange(one.year, one.month)[1])
    days = (one.replace(day=said[0]) for one in firsts)
    day = next((one for one in days if one >= line.today), None) if said[0] > 0 else None
    return Interval(day, day + timedelta(days=1), said[1]) if day is not None else None


_MOST_MONTHS = 3


def _is_cycle(line: Line, index: int) -> bool:
    return line.norm(index).endswith("s") and days_at(line, index) is not None


def _month(line: Line, number: int, last: int) -> Interval:
    year, month = line.today.year, number % 12 + 1
    return Interval(date(year, number, 1), date(year + (month == 1), month, 1), last, dated=False)


def _ahead(line: Line, found: Interval) -> Interval | None:
    if found.end > line.today or found.dated:
        return found if found.end > line.today else None
    try:
        start, end = found.start.replace(year=found.start.year + 1), found.end.replace(year=found.end.year + 1)
    except ValueError:
        return None
    return Interval(start, end, found.last)


def dated_at(line: Line, index: int) -> Piece | None:
    """One day: "on 2 April", "am 3. Mai", "tomorrow"."""
    at = index
    while line.norm(at) in words.ARTICLES and at < index + 2:
        at += 1
    for start in range(index, at + 1):
        day = day_at(line, start, direction=1)
        if day is not None and day.confidence >= 0.5:
            return Piece(index, day.end, Dated(day.day))
    return None


def times_at(line: Line, index: int) -> Piece | None:
    """ "four times in all", "insgesamt viermal"."""
    at = index + line.phrase(index, words.IN_TOTAL)
    count, last = number_at_word(line, at) if line.norm(at).endswith("mal") else None, at + 1
    if count is None and line.norm(at) in {"twice", "thrice"}:
        count = 2 if line.norm(at) == "twice" else 3
    if count is None:
        number = number_at(line, at)
        if number is None or line.norm(number[1]) not in {"times", "mal", "x", "male"} or not 0 < number[0] < 10_000:
            return None
        count, last = int(number[0]), number[1] + 1
    total = line.phrase(last, words.TOTAL)
    if not total and line.norm(last) in {"a", "per", "am", "pro", "die", "in", "im", "each", "every", "jede", "jeden"}:
        return None
    return Piece(index, _stops(line, last + total), Times(count))


def lasting_at(line: Line, index: int) -> Piece | None:
    """ "for the next two weeks", "zwei Wochen lang"."""
    length = line.phrase(index, words.FOR)
    amount = amount_at(line, index + length)
    if amount is None or not 0 < amount[0] < 1000:
        return None
    long = line.norm(amount[2]) in words.LONG
    return Piece(index, amount[2] + long, Lasting(amount[0], amount[1])) if length or long else None


def except_at(line: Line, index: int) -> Piece | None:
    """ "but not on weekends", "außer sonntags", "except on bank holidays"."""
    length = line.phrase(index, words.NOT)
    if line.norm(index) in words.UNLESS:
        return Piece(index, _clause_end(line, index), Except(None))
    if not length:
        return None
    found = _days(line, index + length)
    if found is not None:
        days, last = found
        while line.norm(last) in {"and", "und", "or", "oder", ","} and (more := _days(line, last + 1)) is not None:
            days, last = _joined(days, more[0]), more[1]
        return Piece(index, last, Except(days))
    at = index + length
    if line.norm(at) in words.CLAUSE:
        return Piece(index, _clause_end(line, at), Except(None))
    return None


def _joined(days: Days | None, more: Days | None) -> Days | None:
    """Two sets of days as one; None where one of them is unknown, or they are of different kinds."""
    if days is None or more is None or days.freq != more.freq:
        return None
    return Days(
        days.freq,
        months=tuple(sorted({*days.months, *more.months})),
        weekdays=tuple(sorted({*days.weekdays, *more.weekdays})),
    )


def _days(line: Line, index: int) -> tuple[Days | None, int] | None:
    at = index
    while line.norm(at) in words.ON and at < index + 3:
        if line.phrase(at, words.UNKNOWN_DAYS):
            break
        at += 1
    unknown = line.phrase(at, words.UNKNOWN_DAYS)
    if unknown:
        return None, at + unknown
    named = months(line, at) if at > index else None
    if named is not None and line.norm(named[1])[:1].isdigit() is False and day_at(line, at) is None:
        return Days("YEARLY", months=tuple(named[0])), named[1]
    found = days_at(line, index)
    if found is not None and isinstance(found.value, Days) and not found.value.vague:
        return (found.value if found.value.freq == "WEEKLY" and found.value.interval == 1 else None), found.last
    day = dated_at(line, index)
    return (None, day.last) if day is not None else None


def _clause_end(line: Line, index: int) -> int:
    while index < line.size and not line.is_mark(index):
        index += 1
    return index


def only_at(line: Line, index: int) -> Piece | None:
    """ "but only from Monday to Friday", "nur werktags", "only in December"."""
    length = line.phrase(index, words.ONLY)
    at = index + length
    if length:
        found = _days(line, at)
        return Piece(index, found[1], Only(found[0])) if found is not None and found[0] is not None else None
    if line.norm(index) not in {"in", "im"} and line.words(index, 2) not in {"from", "von"}:
        return None
    named = months(line, index + 1)
    return Piece(index, named[1], Only(Days("YEARLY", months=tuple(named[0])))) if named else None


def single_at(line: Line, index: int) -> Piece | None:
    """ "just the once", and "once" or "einmal" before a day, at the head of a sentence or parted from it."""
    length = line.phrase(index, words.ONCE)
    if length:
        return Piece(index, index + length, Single())
    after = index + 1 + (line.norm(index + 1) == ",")
    if line.norm(index) not in words.WEAK_ONCE or (index and after == index + 1):
        return None
    return Piece(index, index + 1, Single()) if line.norm(after) in {"on", "am"} and dated_at(line, after) else None


def vague_at(line: Line, index: int) -> Piece | None:
    """ "sometimes", "ab und zu"."""
    length = line.phrase(index, words.SOME_TIMES)
    return Piece(index, index + length, Vague()) if length else None


def lead_at(line: Line, index: int) -> Piece | None:
    """ "and do that", "und zwar"."""
    length = line.phrase(index, words.LEAD)
    return Piece(index, index + length, Lead()) if length else None
