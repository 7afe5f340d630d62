"""Days that come again, as pieces: "every other Tuesday", "werktags", "every 29th of May", "twice a week"."""

from __future__ import annotations

from dataclasses import replace

from kernel.language import Line
from kernel.language.amounts.numbers import number_at, number_word
from kernel.language.time import holidays
from kernel.language.time.calendar_words import MONTHS, TIME_UNITS
from kernel.routines.hearing.when.day_words import (
    EVERY,
    PARTS,
    month,
    nth,
    nths,
    weekday,
    weekdays,
    workdays_or_weekend,
)
from kernel.routines.hearing.when.pieces import WORKDAYS, Days, Piece, Vague, Value
from kernel.routines.hearing.when.placed_days import edge, nth_days, placed

_ALWAYS = frozenset("immer always stets jeweils".split())
_BEFORE = frozenset("on at am an im in zum the den dem".split()) | _ALWAYS
_IS_ON = frozenset("is 's s are 're be what's whats going".split())
"""What is on every morning: "on" is no word of the day."""
_OTHER = frozenset("other second 2nd zweite zweiten zweiter zweites".split())
_UNITS = {"day": ("DAILY", 1), "week": ("WEEKLY", 1), "fortnight": ("WEEKLY", 2), "month": ("MONTHLY", 1),
          "quarter": ("MONTHLY", 3), "year": ("YEARLY", 1)}  # fmt: skip
_ADVERBS = {
    word: how
    for words, how in (
        ("daily everyday nightly täglich tagtäglich allabendlich allmorgendlich allnächtlich", ("DAILY", 1)),
        ("weekly wöchentlich", ("WEEKLY", 1)),
        ("biweekly bi-weekly fortnightly zweiwöchentlich zweiwöchig vierzehntägig vierzehntäglich", ("WEEKLY", 2)),
        ("monthly monatlich", ("MONTHLY", 1)),
        ("bimonthly zweimonatlich", ("MONTHLY", 2)),
        ("quarterly vierteljährlich quartalsweise", ("MONTHLY", 3)),
        ("halbjährlich", ("MONTHLY", 6)),
        ("yearly annually jährlich alljährlich", ("YEARLY", 1)),
    )
    for word in words.split()
}
ATTRIBUTES = frozenset(
    "daily everyday nightly weekly biweekly bi-weekly fortnightly monthly bimonthly quarterly yearly".split()
)
"""Adverbs that English also puts before a noun."""

_PER = frozenset("a an per each every am pro die im in jede jeden jedes jedem".split())
_HALF_YEAR = frozenset({"half year", "halbe jahr", "halben jahre"})
_FEW = frozenset("few paar couple several einige".split())
_LONGEST_LEAD, _MOST_STEPS = 3, 999
_MONTH = range(1, 32)


def days_at(line: Line, index: int) -> Piece | None:
    """Days at ``index``, with the words before them such as "on" and "immer"."""
    if line.norm(index) == "on" and line.norm(index - 1) in _IS_ON:
        return None
    at = index
    always = False
    while line.norm(at) in _BEFORE and at < index + _LONGEST_LEAD:
        always = always or line.norm(at) in _ALWAYS
        at += 1
    for read in (_every, _all, _often, _adverb, _plain, nth_days, edge, _part_of_day):
        found = read(line, at)
        if found is not None:
            value, last = found
            if isinstance(value, Days) and value.weak and always:
                value = replace(value, weak=False)
            return Piece(index, last, value)
    return None


_Read = tuple[Value, int] | None


def _every(line: Line, index: int) -> _Read:
    if line.norm(index) not in EVERY:
        return None
    at = index + 1 + (line.norm(index + 1) in {"single", "einzelnen", "einzige"})
    if line.norm(at) in _FEW and TIME_UNITS.get(line.norm(at + 1 + (line.norm(at + 1) == "of"))):
        return Vague(), at + 2 + (line.norm(at + 1) == "of")
    counted = nths(line, at)
    of_month = placed(line, *counted, every=True) if counted is not None else None
    if of_month is not None:
        return of_month
    step, after = _counted(line, at)
    return (_dated(line, step, after) if after > at else None) or _units(line, after, step)


def _counted(line: Line, at: int) -> tuple[int, int]:
    """How many of a unit make one step, and where the unit stands: "every other", "every third", "every 3"."""
    if line.norm(at) in _OTHER:
        return 2, at + 1
    ordinal, number = nth(line, at), number_at(line, at)
    if ordinal is not None and ordinal[0] > 1:
        return ordinal
    if number is not None and number[0] == int(number[0]) and 1 <= number[0] <= _MOST_STEPS:
        return int(number[0]), number[1]
    return 1, at


def _units(line: Line, at: int, step: int) -> _Read:
    """A unit, a weekday, a part of the day or a feast behind "every" and its number."""
    whole = workdays_or_weekend(line, at)
    if whole is not None:
        return (Days("WEEKLY", step, weekdays=whole[0]), whole[1]) if step == 1 or whole[0] != WORKDAYS else None
    unit = _UNITS.get(TIME_UNITS.get(line.norm(at), ""))
    if unit is not None:
        return Days(unit[0], unit[1] * step, vague=unit[0] != "DAILY"), at + 1
    if line.words(at, 2) in _HALF_YEAR:
        return Days("MONTHLY", 6 * step, vague=True), at + 2
    return _weekly(line, at, step) or _of_day(line, at, step) or (_of_year(line, at) if step == 1 else None)


def _weekly(line: Line, at: int, step: int) -> _Read:
    """Weekdays, and "Friday the 13th"."""
    found = weekdays(line, at)
    if found is None:
        return None
    the = found[2] + (line.norm(found[2]) == ",")
    day = nth(line, the + 1) if step == 1 and line.norm(the) in {"the", "den"} else None
    if day is not None and day[0] in _MONTH:
        return Days("MONTHLY", month_days=(day[0],), weekdays=found[0]), day[1]
    return Days("WEEKLY", step, weekdays=found[0], part=found[1]), found[2]


def _of_day(line: Line, at: int, step: int) -> _Read:
    word = line.norm(at)
    if word in {"midnight", "mitternacht"}:
        return Days("DAILY", step, part="midnight"), at + 1
    if word not in PARTS:
        return None
    return Days("DAILY", step, part=PARTS[word]), at + (4 if line.words(at + 1, 3) == "in der früh" else 1)


def _of_year(line: Line, at: int) -> _Read:
    """ "Christmas Eve", "January 1st", "May"."""
    feast = line.phrase(at, holidays.TABLE)
    if feast and line.words(at, feast) in holidays.FIXED:
        day_of = holidays.FIXED[line.words(at, feast)]
        return Days("YEARLY", months=(day_of[0],), month_days=(day_of[1],)), at + feast
    named = month(line, at)
    if named is None:
        return None
    days = nths(line, named[1] + (line.norm(named[1]) == "the"))
    if days is not None:
        return Days("YEARLY", months=(named[0],), month_days=tuple(days[0])), days[1]
    word = line.norm(named[1])
    if word.isascii() and word.isdigit() and int(word) in _MONTH and line.norm(named[1] + 1) not in {"am", "pm"}:
        return Days("YEARLY", months=(named[0],), month_days=(int(word),)), named[1] + 1
    return Days("YEARLY", months=(named[0],), vague=True), named[1]


def _dated(line: Line, day: int, at: int) -> _Read:
    """ "every 3 May"."""
    named = month(line, at)
    return (
        (Days("YEARLY", months=(named[0],), month_days=(day,)), named[1]) if named and line.norm(at) in MONTHS else None
    )


def _all(line: Line, index: int) -> _Read:
    """ "alle zwei Wochen", "alle 14 Tage", "alle paar Tage"."""
    if line.norm(index) not in {"alle", "allen", "all"}:
        return None
    whole = workdays_or_weekend(line, index + 1)
    if whole is not None:
        return Days("WEEKLY", weekdays=whole[0]), whole[1]
    if line.norm(index + 1) in _FEW and line.norm(index + 2) in TIME_UNITS:
        return Vague(), index + 3
    number = number_at(line, index + 1)
    unit = _UNITS.get(TIME_UNITS.get(line.norm(number[1]), "")) if number else None
    if number is None or unit is None or number[0] != int(number[0]) or not 1 <= number[0] <= 999:
        return None
    return Days(unit[0], unit[1] * int(number[0]), vague=unit[0] != "DAILY"), number[1] + 1


def _often(line: Line, index: int) -> _Read:
    """ "once a day", "zweimal pro Woche": once has its day said beside it, more often leaves open when."""
    word = line.norm(index)
    times = {"once": 1, "twice": 2, "thrice": 3, "einmal": 1}.get(word)
    at = index + 1
    if times is None and word.endswith("mal") and number_at_word(line, index):
        times = number_at_word(line, index)
    elif times is None:
        number = number_at(line, index)
        if number is None or line.norm(number[1]) not in {"times", "mal", "x"}:
            return None
        times, at = int(number[0]), number[1] + 1
    if line.norm(at) not in _PER:
        return None
    at += 1 + (line.words(at, 2) == "in der")
    unit = _UNITS.get(TIME_UNITS.get(line.norm(at), ""))
    if unit is None:
        return None
    return Days(unit[0], unit[1], vague=unit[0] != "DAILY"), at + 1


def number_at_word(line: Line, index: int) -> int | None:
    """The number of "viermal"."""
    return number_word(line.norm(index).removesuffix("mal"), "de")


def _adverb(line: Line, index: int) -> _Read:
    how = _ADVERBS.get(line.norm(index))
    if how is None:
        return None
    part = PARTS.get(line.norm(index), "")
    return Days(how[0], how[1], part=part, vague=how[0] != "DAILY"), index + 1


def _part_of_day(line: Line, index: int) -> _Read:
    """ "Morgens um sieben", "evenings at 8"."""
    word = line.norm(index)
    if word not in PARTS or not word.endswith("s"):
        return None
    return Days("DAILY", part=PARTS[word], weak=True), index + 1


def _plain(line: Line, index: int) -> _Read:
    """ "Werktags", "on Mondays", "Monday to Friday", "Sunday evenings": days in the form that means each."""
    whole = workdays_or_weekend(line, index)
    if whole is not None:
        word = line.norm(whole[1] - 1)
        strong = word.endswith("s") or (word.endswith("n") and line.norm(index - 1) in {"an", "den"})
        return Days("WEEKLY", weekdays=whole[0], weak=not strong), whole[1]
    skipped = index + 1 if line.norm(index) in {"from", "von", "between", "days", "tagen"} else index
    skipped += line.norm(skipped) in {"from", "von"} and skipped > index
    found = weekdays(line, skipped)
    if found is None:
        return None
    words = [line.norm(at) for at in range(skipped, found[2])]
    each = any(weekday(word) and word.endswith("s") for word in words) or words[-1] in {
        "mornings",
        "evenings",
        "nights",
        "afternoons",
    }
    ranged = (len(found[0]) > 2 and any("-" in word for word in words)) or any("/" in word for word in words)
    return Days("WEEKLY", weekdays=found[0], part=found[1], weak=not (each or ranged)), found[2]
