"""Words that days are made of: weekdays and parts of the day in one word or two, ordinals of a month, months."""

from __future__ import annotations

from kernel.language import Line
from kernel.language.amounts.numbers import ordinal_at
from kernel.language.line import phrases
from kernel.language.time.calendar_words import DOUBTFUL_MONTHS, MONTHS, SHORT_GERMAN_WEEKDAYS, SHORT_WEEKDAYS, WEEKDAYS
from kernel.language.time.months import month_at
from kernel.routines.hearing.when.pieces import WEEK, WEEKEND, WORKDAYS

EVERY = frozenset("every each jede jeden jeder jedes jedem".split())
_PARTS = {
    "morning": "morning mornings morgen morgens früh frühmorgens vormittag vormittags allmorgendlich",
    "noon": "noon midday mittag mittags",
    "afternoon": "afternoon afternoons nachmittag nachmittags",
    "evening": "evening evenings abend abends allabendlich d'nacht",
    "night": "night nights nacht nachts allnächtlich nightly",
}
PARTS = {word: part for part, words in _PARTS.items() for word in words.split()}
_SUFFIXES = tuple(sorted((word for word in PARTS if len(word) > 3), key=len, reverse=True))
IN_PART = phrases(
    "in the morning|in the mornings|in the afternoon|in the afternoons",
    "in the evening|in the evenings|at night|at nights",
    "auf d'nacht|auf d nacht|auf die nacht|in da früh|in da nacht",
    "in der früh|in der frühe|am morgen|am vormittag|am mittag|am nachmittag|am abend|in der nacht|zu mittag",
    "morgens|frühmorgens|vormittags|mittags|nachmittags|abends|nachts|mornings|evenings|afternoons|nights|früh",
)
WORKDAY = phrases(
    "weekday|weekdays|workday|workdays|work day|work days|working day|working days|business day|business days",
    "werktag|werktage|werktagen|werktags|arbeitstag",
    "arbeitstage|arbeitstagen|wochentag|wochentags|wochentagen|wochentage",
)
WEEKENDS = frozenset("weekend weekends wochenende wochenenden".split())
_RANGE = phrases("to|till|until|through|thru|-|–|—|bis|bis zum|bis einschließlich")
_AND = frozenset(", and und & + sowie".split())
_AGAIN = frozenset("on every each jeden jedem am an auch".split())
_IN_ONE_WORD = WEEKDAYS | SHORT_WEEKDAYS | SHORT_GERMAN_WEEKDAYS
_BEFORE_LAST = frozenset("vorletzte vorletzten vorletzter penultimate".split())


def weekday(word: str) -> tuple[int, str] | None:
    """The number of a weekday and the part of the day in the same word: "sonntagabend" is (6, "evening")."""
    plain = WEEKDAYS.get(word, WEEKDAYS.get(word.removesuffix("s")))
    if plain is not None:
        return plain, ""
    for suffix in _SUFFIXES:
        day = WEEKDAYS.get(word[: -len(suffix)]) if word.endswith(suffix) else None
        if day is not None:
            return day, PARTS[suffix]
    return None


def weekdays(line: Line, index: int) -> tuple[tuple[str, ...], str, int] | None:
    """Weekdays, the part of the day with them, and where they end: "Mon-Fri", "Monday and Thursday mornings"."""
    found: set[int] = set()
    part, at, last = "", index, index
    while (read := _one_or_range(line, at)) is not None:
        days, said, last = read
        found |= set(days)
        part = said or part
        at = last
        while (line.norm(at) in _AND or (at > last and line.norm(at) in _AGAIN)) and at < last + 3:
            at += 1
        if at == last and weekday(line.norm(at)) is None:
            break
    if not found:
        return None
    if not part and line.norm(last) in PARTS and line.norm(last) not in {"midday", "noon"}:
        part, last = PARTS[line.norm(last)], last + 1
    return tuple(WEEK[day] for day in sorted(found)), part, last


def _one_or_range(line: Line, index: int) -> tuple[list[int], str, int] | None:
    joined = _in_one_word(line.norm(index))
    if joined is not None:
        return joined, "", index + 1
    first = weekday(line.norm(index))
    if first is None:
        return None
    length = line.phrase(index + 1, _RANGE)
    until = weekday(line.norm(index + 1 + length)) if length else None
    if until is None:
        return [first[0]], first[1], index + 1
    return _from_to(first[0], until[0]), until[1], index + 2 + length


def _in_one_word(word: str) -> list[int] | None:
    """ "mon-fri", "mo-fr", "mo/mi/fr"."""
    listed = [_IN_ONE_WORD.get(one) for one in word.split("/")]
    if len(listed) > 1 and None not in listed:
        return [day for day in listed if day is not None]
    first, mark, last = word.partition("-")
    ends = [_IN_ONE_WORD.get(one) for one in (first, last)]
    return _from_to(ends[0], ends[1]) if mark and ends[0] is not None and ends[1] is not None else None


def _from_to(first: int, last: int) -> list[int]:
    return [(first + step) % 7 for step in range((last - first) % 7 + 1)]


def workdays_or_weekend(line: Line, index: int) -> tuple[tuple[str, ...], int] | None:
    """ "weekdays", "Werktag", "weekends"."""
    length = line.phrase(index, WORKDAY)
    if length:
        return WORKDAYS, index + length
    return (WEEKEND, index + 1) if line.norm(index) in WEEKENDS else None


def nth(line: Line, index: int) -> tuple[int, int] | None:
    """An ordinal and where it ends: "1st", "15.", "last", "vorletzten" (-2), "second to last"."""
    word = line.norm(index)
    if word in _BEFORE_LAST:
        return -2, index + 1
    if word.isascii() and word.isdigit() and len(word) <= 2 and line.norm(index + 1) == ".":
        return int(word), index + 2
    number = ordinal_at(line, index)
    if number is None:
        return None
    if line.words(index + 1, 2) in {"to last", "but last"}:
        return -number, index + 3
    joined = ordinal_at(line, index + 1) if word in {"twenty", "thirty"} else None
    return (number, index + 1) if joined is None else (number + joined, index + 2)


def nths(line: Line, index: int) -> tuple[list[int], int] | None:
    """One ordinal or several: "the 1st and the 15th", "1. und 15."."""
    found, last, at = list[int](), index, index
    while (read := nth(line, at)) is not None and -2 <= read[0] <= 99 and read[0]:
        found.append(read[0])
        at = last = read[1]
        while (line.norm(at) in _AND or line.norm(at) in {"the", "am", "den", "on"}) and at < last + 3:
            at += 1
        if at == last:
            break
    return (found, last) if found else None


def month(line: Line, index: int) -> tuple[int, int] | None:
    """A month by its name and where it ends, behind "of" and the like also a doubtful one."""
    at = index + (line.norm(index) in {"of", "in", "im", "."})
    number = month_at(line, at)
    word = line.norm(at)
    if number is None and word in MONTHS and (at > index or word not in DOUBTFUL_MONTHS):
        number = MONTHS[word]
    return (number, at + 1) if number is not None else None


def months(line: Line, index: int) -> tuple[list[int], int] | None:
    """Months, one after the other or from one to another: "June and July", "November bis März"."""
    first = month(line, index)
    if first is None:
        return None
    found, last = [first[0]], first[1]
    length = line.phrase(last, _RANGE)
    until = month(line, last + length) if length else None
    if until is not None:
        return [(first[0] - 1 + step) % 12 + 1 for step in range((until[0] - first[0]) % 12 + 1)], until[1]
    while line.norm(last) in _AND and (more := month(line, last + 1)) is not None:
        found.append(more[0])
        last = more[1]
    return found, last
