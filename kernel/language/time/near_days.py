"""Days that are called by a name or seen from today: "yesterday", "next Friday", "Ostern 2024", "Ende des Monats"."""

from __future__ import annotations

from datetime import date, timedelta

from kernel.language.line import Line, phrases
from kernel.language.time import holidays
from kernel.language.time.calendar_days import Day, day_number, with_year
from kernel.language.time.calendar_words import SHORT_WEEKDAYS, WEEKDAYS, add_months
from kernel.language.time.day_parts import is_morning, part_ends
from kernel.language.time.months import month_after_day
from kernel.language.time.nth_days import edge_at
from kernel.language.time.years import said_year_at

_NEAR = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "tmrw": 1,
    "tmr": 1,
    "heute": 0,
    "gestern": -1,
    "vorgestern": -2,
    "übermorgen": 2,
}
_NEAR_PHRASES = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "last night": -1,
    "heute morgen": 0,
    "with today 's date": 0,
    "under today 's date": 0,
    "with yesterday 's date": -1,
    "mit dem heutigen datum": 0,
    "mit heutigem datum": 0,
    "mit dem datum von heute": 0,
    "mit datum von heute": 0,
    "unter dem heutigen datum": 0,
    "zum heutigen tag": 0,
    "mit dem gestrigen datum": -1,
    "mit gestrigem datum": -1,
    "mit dem datum von gestern": -1,
    "mit datum von gestern": -1,
    "gestern abend": -1,
}
_NEAR_TABLE = phrases("|".join(_NEAR_PHRASES))
_LAST = frozenset(
    "last letzten letzter letztem letzte vorigen voriger vorigem vergangenen vergangener previous".split()
)
_NEXT = frozenset("next nächsten nächster nächstem nächste kommenden kommender coming upcoming".split())
_THIS = frozenset("this diesen dieser diesem".split())
_BEFORE_HOLIDAY = frozenset(
    "until till by before after since from on at over for this next is was bis vor nach seit ab an zu zum ist war "
    "vom am über für diese nächste".split()
)
_ARTICLES = frozenset({"the", "den", "dem", "der"})
_MOST_MONTHS = 24
_NO_MORNING = frozenset("guten am jeden heute gestern der den dem diesen good".split())


def named_day(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    """Read "today", "the day after tomorrow", "heute morgen", and "morgen" where it is no morning."""
    length = line.phrase(index, _NEAR_TABLE)
    if length:
        return _days_off(line, _NEAR_PHRASES[line.words(index, length)], index + length)
    word = line.norm(index)
    if word not in _NEAR and not (word == "morgen" and _is_tomorrow(line, index)):
        return None
    extra = line.norm(index + 1) in {
        "morning",
        "afternoon",
        "evening",
        "night",
        "früh",
        "abend",
        "nachmittag",
        "mittag",
    }
    return _days_off(line, _NEAR.get(word, 1), index + (2 if extra else 1))


def holiday(line: Line, index: int, direction: int, year: int | None) -> Day | None:
    """Read "Christmas", "New Year's Eve", "Ostern 2024", in small letters behind a word that goes before a day."""
    length = line.phrase(index, holidays.TABLE)
    if not length or not (line.raw(index)[:1].isupper() or line.norm(index - 1) in _BEFORE_HOLIDAY):
        return None
    name, end = line.words(index, length), index + length
    if name in holidays.FIXED:
        return with_year(line, holidays.FIXED[name], end, direction, year)
    said = said_year_at(line, end)
    if said is not None:
        return Day(holidays.in_year(name, said[0]), said[1], 1.0)
    return Day(_nearest(line, name, direction, year), end, 0.9, dated=False)


def _nearest(line: Line, name: str, direction: int, year: int | None) -> date:
    """A movable day without a year: of ``year``, else the latest gone by, the next to come, or the nearest."""
    today = line.today
    options = [holidays.in_year(name, one) for one in ([year] if year else range(today.year - 1, today.year + 2))]
    if direction:
        options = [one for one in options if (one - today).days * direction >= 0]
    return min(options, key=lambda one: abs((one - today).days))


def _is_tomorrow(line: Line, index: int) -> bool:
    """ "morgen" is tomorrow unless it is the morning: "guten Morgen", "am Morgen"."""
    noun = (line.raw(index)[:1].isupper() and index > 0) or is_morning(line, index)
    return line.language == "de" and not noun and line.norm(index - 1) not in _NO_MORNING


def _days_off(line: Line, days: int, end: int) -> Day:
    return Day(line.today + timedelta(days=days), end, 1.0)


def weekday(line: Line, index: int, direction: int, _year: int | None) -> Day | None:
    """Read "Friday", "last Friday", "nächsten Montag": the next one to come where nothing else is said."""
    word = line.norm(index)
    start = index + 1 if word in _LAST | _NEXT | _THIS else index
    number = WEEKDAYS.get(line.norm(start))
    if number is None and (start > index or line.norm(index - 1) in {"on", "since", "by"}):
        number = SHORT_WEEKDAYS.get(line.norm(start)) if line.raw(start)[:1].isupper() else None
    if number is None:
        return None
    end = part_ends(line, index, start + 1)
    ahead = (number - line.today.weekday()) % 7
    if word in _LAST:
        return _days_off(line, ahead - 7, end)
    if word in _THIS:
        return _days_off(line, number - line.today.weekday(), end)
    if word in _NEXT:
        return _days_off(line, ahead or 7, end)
    if direction < 0:
        return Day(line.today - timedelta(days=(7 - ahead) % 7), end, 0.85)
    return Day(line.today + timedelta(days=ahead or 7), end, 0.75)


def weekday_and_number(line: Line, index: int, direction: int, _year: int | None) -> Day | None:
    """Read "Friday the 20th", "Friday, the 20th", "Freitag, den 20.": the nearest such day that is a Friday."""
    wanted = WEEKDAYS.get(line.norm(index))
    if wanted is None:
        return None
    at = index + 1 + (line.norm(index + 1) == ",")
    start = at + (line.norm(at) in _ARTICLES)
    said = day_number(line, start)
    if said is None or (start == at and not said[2]) or month_after_day(line, said[1], start) is not None:
        return None
    step, first = direction or 1, line.today.replace(day=1)
    for months in range(_MOST_MONTHS):
        try:
            found = add_months(first, months * step).replace(day=said[0])
        except ValueError:
            continue
        if found.weekday() == wanted and (found - line.today).days * step >= 0:
            return Day(found, said[1], 0.95)
    return None


def edge(line: Line, index: int, _direction: int, _year: int | None) -> Day | None:
    """Read "the end of the month", "Anfang des Jahres"."""
    found = edge_at(line, index)
    return Day(*found, 0.8) if found else None
