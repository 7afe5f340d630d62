"""Years in a sentence, in digits or as they are spoken: "1990", "nineteen ninety", "zweitausendsechsundzwanzig"."""

from __future__ import annotations

from kernel.language.amounts.numbers import is_whole, number_at, number_word
from kernel.language.line import Line

_FIRST, _LAST = 1900, 2100
_CENTURIES = {19: 1900, 20: 2000}
_JOINING = frozenset({"of", ",", ".", "in", "von", "des", "/"})
_SEEN = {
    **dict.fromkeys("this dieses diesem diesen".split(), 0),
    **dict.fromkeys("next nächstes nächsten nächstem kommendes kommenden".split(), 1),
    **dict.fromkeys("last letztes letzten letztem vergangenes vergangenen".split(), -1),
}
_YEAR = frozenset("year jahr jahres jahrs".split())
_NOUGHTS = frozenset("oh o zero nought".split())


def year_at(line: Line, index: int) -> int | None:
    """The four-digit year from 1900 to 2100 that stands at ``index``."""
    word = line.norm(index)
    return int(word) if len(word) == 4 and word.isascii() and word.isdigit() and _is_year(int(word)) else None


def said_year_at(line: Line, index: int) -> tuple[int, int] | None:
    """The year that stands at ``index`` in digits or in words, and where it ends; for places where a year may stand."""
    written = year_at(line, index)
    if written is not None:
        return written, index + 1
    if not line.is_word(index):
        return None
    return _in_pairs(line, index) or _as_number(line, index)


def year_behind(line: Line, index: int) -> tuple[int, int] | None:
    """The year that follows a day or a month, and where it ends: "2024", "of 2024", ", 2024", "nineteen ninety"."""
    seen = seen_year_at(line, index)
    if seen is not None:
        return seen
    after = index + 1 if line.norm(index) in _JOINING else index
    written = year_at(line, after)
    if written is not None:
        return written, after + 1
    return said_year_at(line, index + (line.norm(index) == "of"))


def seen_year_at(line: Line, index: int) -> tuple[int, int] | None:
    """The year as it is seen from today, and where it ends: "this year", "nächstes Jahr", "letzten Jahres"."""
    years = _SEEN.get(line.norm(index))
    return None if years is None or line.norm(index + 1) not in _YEAR else (line.today.year + years, index + 2)


def _in_pairs(line: Line, index: int) -> tuple[int, int] | None:
    """Read "nineteen ninety", "twenty twenty-six", "nineteen oh five"."""
    century = _CENTURIES.get(number_word(line.norm(index), "en") or 0)
    if century is None:
        return None
    rest = number_at(line, index + 1)
    if line.norm(index + 1) in _NOUGHTS:
        rest = number_at(line, index + 2)
        return (century + int(rest[0]), rest[1]) if rest and 0 < rest[0] < 10 and rest[0] % 1 == 0 else None
    if rest is None or not line.is_word(index + 1) or not 10 <= rest[0] < 100 or rest[0] % 1:
        return None
    return century + int(rest[0]), rest[1]


def _as_number(line: Line, index: int) -> tuple[int, int] | None:
    """Read "two thousand and six", "neunzehnhundertneunzig"; "two thousand files" counts files."""
    found = number_at(line, index)
    if found is None or not is_whole(found[0]) or not _is_year(int(found[0])):
        return None
    counts = found[0] == 2000 and line.is_content(found[1])
    return None if counts else (int(found[0]), found[1])


def _is_year(number: int) -> bool:
    return _FIRST <= number <= _LAST
