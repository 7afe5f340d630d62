"""Named values in a sentence: "with date 2026-03-01, shop Lidl and amount 12.50", "mit Name Eva und Ort: Kiel"."""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language.frame.framing import lead
from kernel.language.free_text import quotes
from kernel.language.function_words import NEGATIONS, is_function_word
from kernel.language.line import Found, Line
from kernel.language.time.dates import day_at
from skills.model import ValueKind

_OPENERS = frozenset("with where having mit wobei : ".split())
_LISTING = frozenset({":", "with", "mit"})
_COMMAS = frozenset({",", ";"})
_JOINS = frozenset({",", ";", "and", "und"})
_EQUALS = frozenset({"=", ":", "is", "ist", "as", "als", "of", "von", "being"})
_ENDS = frozenset({".", "!", "?"})
_LAST_WORDS = frozenset("please thanks bitte danke hinzu ein an".split())
_MOST_FIELDS = 40
_MOST_NAME_WORDS = 3
_NEGATIONS = NEGATIONS["en"] | NEGATIONS["de"]


def find_records(line: Line) -> Iterator[Found]:
    """Yield RECORD for the pairs of a name and a value after "with": surer for several pairs than for one."""
    ends = {first: last for first, last in quotes(line)}
    begin = lead([token.norm for token in line.tokens])  # "two things: ..." announces no values
    for index in range(max(begin, 1), line.size - 2):
        if line.norm(index) not in _OPENERS or line.norm(index + 1) == ":":
            continue
        values, end = _values(line, index + 1, ends) if line.norm(index) in _LISTING else ({}, 0)
        if values:
            yield Found(ValueKind.RECORD, index + 1, end, {"fields": values}, 0.75, "grammar.record")
            continue
        fields, last = _fields(line, index + 1, ends)
        if fields:
            sure = 0.9 if len(fields) > 1 else 0.5
            yield Found(ValueKind.RECORD, index + 1, last, {"fields": fields}, sure, "grammar.record")


def _values(line: Line, index: int, ends: dict[int, int]) -> tuple[dict[str, str], int]:
    """Values without names, by their place: ``#1``, ``#2`` ...; none unless there are several and one is no word.

    A day or a number alone has no name; where every piece may be a pair, it is read as one.
    """
    found: list[str] = []
    bare, at = False, index
    while at < line.size and line.norm(at) not in _ENDS and len(found) < _MOST_FIELDS:
        stop = at
        while stop < line.size and line.norm(stop) not in _COMMAS | _ENDS:
            stop = ends.get(stop, stop + 1)
        if stop <= at or any(line.norm(one) in _NEGATIONS for one in range(at, stop)):
            return {}, index
        bare = bare or (stop == at + 1 and line.norm(at)[:1].isdigit())
        quoted = ends.get(at) == stop
        found.append(_day(line, at, stop) or (line.slice(at + 1, stop - 1) if quoted else line.slice(at, stop)))
        if line.norm(stop) not in _COMMAS:
            at = stop
            break
        at = stop + 1
    named = {f"#{place}": value for place, value in enumerate(found, start=1)}
    return (named, at) if bare and len(found) > 1 else ({}, index)


def _fields(line: Line, index: int, ends: dict[int, int]) -> tuple[dict[str, str], int]:
    """The pairs from ``index`` on and where they end; none when a piece between the joins is no pair."""
    found: dict[str, str] = {}
    at = index
    while at < line.size and len(found) < _MOST_FIELDS:
        stop = _piece_end(line, at, ends)
        pair = _pair(line, at, stop, ends)
        if pair is None:
            return ({}, index) if not found else (found, _before_joins(line, at))
        found[pair[0]] = pair[1]
        at = stop
        while line.norm(at) in _JOINS:
            at += 1
        if at == stop:
            return found, stop
    return found, at


def _before_joins(line: Line, at: int) -> int:
    while line.norm(at - 1) in _JOINS:
        at -= 1
    return at


def _piece_end(line: Line, index: int, ends: dict[int, int]) -> int:
    at = index
    while at < line.size and line.norm(at) not in _JOINS and line.norm(at) not in _ENDS:
        at = ends.get(at, at + 1)
    while at > index + 2 and line.norm(at - 1) in _LAST_WORDS and _ends_sentence(line, at):
        at -= 1
    return at


def _ends_sentence(line: Line, index: int) -> bool:
    return index >= line.size or line.norm(index) in _ENDS or line.norm(index) in _LAST_WORDS


def _pair(line: Line, first: int, last: int, ends: dict[int, int]) -> tuple[str, str] | None:
    """A name and a value: parted by a sign or a copula, else the first word is the name."""
    if any(line.norm(at) in _NEGATIONS for at in range(first, last)):
        return None
    while first < last and line.norm(first) in {"the", "a", "an", "der", "die", "das", "dem", "den"}:
        first += 1
    sign = next((at for at in range(first + 1, last - 1) if line.norm(at) in _EQUALS), None)
    named = sign is not None and sign - first <= _MOST_NAME_WORDS
    name_end, value = (sign, sign + 1) if named and sign is not None else (first + 1, first + 1)
    if value >= last or not all(_may_name(line, at) for at in range(first, name_end)):
        return None
    name = line.slice(first, name_end)
    if ends.get(value) == last:
        return name, line.slice(value + 1, last - 1)
    if is_function_word(line.norm(value), line.language) and line.raw(value).islower():
        return (name, _day(line, value, last)) if day_at(line, value) else None  # "amount over 50" is no pair
    return name, _day(line, value, last) or line.slice(value, last)


def _day(line: Line, first: int, last: int) -> str:
    """A day in words ("3 March", "yesterday") as a date; "" when it is none or written in digits alone."""
    found = day_at(line, first)
    if found is None or found.end != last or (last == first + 1 and line.raw(first)[0].isdigit()):
        return ""
    return found.day.isoformat()


def _may_name(line: Line, index: int) -> bool:
    return line.is_word(index) and line.is_content(index) and "/" not in line.norm(index)
