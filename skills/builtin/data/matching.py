"""Which rows a few words mean, found in the table itself: "Food", "at Rewe in March", "department IT".

A word is held against the names of the columns and the values in them, which no sentence knows beforehand: first as a
value that stands in a text column, then as a column with its value, then as a stretch of the only column of days. Every
word must find its place; where one does not, the values that there are stand in the refusal.
"""

# ruff: noqa: S608 - only our own column numbers stand in SQL; values are parameters
from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence

from skills.sdk import Condition, Period, ToolError
from skills.sdk.words import fold, listing

from . import names
from .conditions import Where, spoken, where
from .frame import Frame, several_days

_LIGHT = frozenset(
    "at in on for from of with the a an and is are to during only just my ones rows entries "
    "bei im in am an auf für von vom mit der die das den dem und ist sind aus nur zeilen einträge beim".split()
)
_MOST_WORDS = 8
_SHOWN = 8
_MOST_VALUES = 10_000
"""Different values of a column that are folded one by one."""


def meant(frame: Frame, only: str | None, period: Period | None, today: datetime.date, language: str) -> Where:
    """Return the condition of words, of a period, or of both. Raises ToolError when neither is named."""
    found = [rows_of(frame, only, today, language)] if only else []
    if period is not None:
        found.append(_within(frame, period))
    if not found:
        raise ToolError(
            "Nothing says which rows are meant.",
            hint="Name a value or a period, such as food or March.",
            code="data.no-value",
            de="Nichts sagt, welche Zeilen gemeint sind.",
            de_hint="Nenne einen Wert oder einen Zeitraum, etwa Essen oder März.",
        )
    return _joined(found, language)


def rows_of(frame: Frame, said: str, today: datetime.date, language: str) -> Where:
    """Return the condition that ``said`` puts on the rows. Raises ToolError when a word is nowhere in the table."""
    words = [word for word in re.findall(r"[^\s,;]+", said.strip(" .?!\"'“”„")) if word][:_MOST_WORDS]
    found = _all(frame, words, today, language)
    if found is None:
        raise _nowhere(frame, said)
    return _joined(found, language)


def _joined(found: Sequence[Where], language: str) -> Where:
    return Where(
        " AND ".join(f"({one.sql})" for one in found),
        tuple(value for one in found for value in one.parameters),
        (" und " if language == "de" else " and ").join(one.words for one in found),
    )


def _within(frame: Frame, period: Period) -> Where:
    """Rows of a stretch of days. Raises ToolError unless one column holds the days that are meant."""
    days = frame.days()
    if len(days) != 1:
        raise _no_days(frame, [frame.columns[at].name for at in days])
    at, name = days[0], frame.columns[days[0]].name
    ends = [(">=", period.start), ("<", period.end)]
    bounds = [(sign, day) for sign, day in ends if day is not None]
    last = period.end - datetime.timedelta(days=1) if period.end else None
    said = " – ".join(str(day) for day in (period.start, last) if day) if period.start != last else str(last)
    return Where(
        " AND ".join(f"c{at} {sign} ?" for sign, _ in bounds) or "true",
        tuple(day for _, day in bounds),
        f"{name} {said}",
    )


def holds(frame: Frame, at: int, said: str) -> bool:
    """Tell whether the column at this place has the value ``said``."""
    return bool(frame.query(f"SELECT count(*) FROM t WHERE lower(trim(c{at})) = lower(?)", (said,))[0][0])


def _written(frame: Frame, at: int, said: str) -> tuple[str, ...]:
    """Return the values of a text column that ``said`` names, however it is written: "Cafe Bluemchen"."""
    if holds(frame, at, said):
        return (said,)
    return tuple(one for one in _values(frame, at) if fold(one) == fold(said))


def _values(frame: Frame, at: int) -> list[str]:
    """Return the different values of a text column; none where they are too many to be held against words."""
    found = frame.query(f"SELECT DISTINCT trim(c{at}) FROM t WHERE c{at} IS NOT NULL LIMIT {_MOST_VALUES + 1}")
    return [row[0] for row in found] if len(found) <= _MOST_VALUES else []


def _all(frame: Frame, words: Sequence[str], today: datetime.date, language: str) -> list[Where] | None:
    """Return a condition for every stretch of words, the longest stretch first; None when one has no place."""
    if not any(word.casefold() not in _LIGHT for word in words):
        return None
    for size in range(len(words), 0, -1):
        head, rest = _trimmed(words[:size]), list(words[size:])
        if not head or (first := _one(frame, head, today, language)) is None:
            continue
        if not [word for word in rest if word.casefold() not in _LIGHT]:
            return [first]
        others = _all(frame, rest, today, language)
        if others is not None:
            return [first, *others]
    return None


def _trimmed(words: Sequence[str]) -> list[str]:
    kept = list(words)
    while kept and kept[0].casefold() in _LIGHT:
        kept.pop(0)
    while kept and kept[-1].casefold() in _LIGHT:
        kept.pop()
    return kept


def _one(frame: Frame, words: Sequence[str], today: datetime.date, language: str) -> Where | None:
    said = " ".join(words)
    return (
        _value(frame, said)
        or next(_named(frame, words, today, language), None)
        or (_days(frame, said, today, language) if re.search(r"\d{4}|[^\W\d]{3}", said) else None)
        or _part(frame, said, language)
    )


def _value(frame: Frame, said: str) -> Where | None:
    """Rows with this very value in a text column; of several columns the one with the fewest different values."""
    found = []
    for at, column in enumerate(frame.columns):
        if column.kind != "text":
            continue
        if values := _written(frame, at, said):
            kinds = frame.query(f"SELECT count(DISTINCT c{at}) FROM t")[0][0]
            found.append((kinds, at, column.name, values))
    if not found:
        return None
    _, at, name, values = min(found)
    is_one = " OR ".join([f"lower(trim(c{at})) = lower(?)"] * len(values))
    return Where(is_one, values, f"{name} = {said}")


def _named(frame: Frame, words: Sequence[str], today: datetime.date, language: str) -> Iterator[Where]:
    """Rows whose named column has the value behind the name: "department IT", "category is food"."""
    for size in range(1, len(words)):
        column, value = " ".join(words[:size]), " ".join(_trimmed(words[size:]))
        try:
            at = names.find(column, frame.names)
            found = where(frame, Condition(frame.names[at], "=", value), today, language)
        except ToolError:
            continue
        if frame.query(f"SELECT count(*) FROM t WHERE {found.sql}", found.parameters)[0][0]:
            yield found


def _days(frame: Frame, said: str, today: datetime.date, language: str) -> Where | None:
    """Rows of a month, a year or a day, where only one column holds days; a month alone is the last one with rows."""
    columns = [column.name for column in frame.columns if column.kind in ("date", "time")]
    if len(columns) != 1:
        return None
    for year in range(5):
        try:
            found = where(frame, Condition(columns[0], "=", said), _earlier(today, year), language)
        except ToolError:
            return None
        if frame.query(f"SELECT count(*) FROM t WHERE {found.sql}", found.parameters)[0][0]:
            days = [value for value in found.parameters if isinstance(value, datetime.date)]
            span = (
                f"{columns[0]} = {said}" if re.search(r"\d{4}", said) or not days else _month(columns[0], days[0], said)
            )
            return Where(found.sql, found.parameters, span)
    return None


def _earlier(today: datetime.date, years: int) -> datetime.date:
    return today.replace(year=today.year - years, day=min(today.day, 28))


def _month(column: str, day: datetime.date, said: str) -> str:
    return f"{column} = {said} {day.year}"


def _part(frame: Frame, said: str, language: str) -> Where | None:
    """Rows with the words inside of the value of one text column: "Rewe" in "REWE Markt Berlin"."""
    if len(said) < 3:
        return None
    found = [
        (at, column.name, values)
        for at, column in enumerate(frame.columns)
        if column.kind == "text"
        for values in [_holding(frame, at, said)]
        if values
    ]
    if len(found) != 1:
        return None
    at, name, values = found[0]
    is_one = " OR ".join([f"contains(lower(c{at}), lower(?))"] * len(values))
    return Where(is_one, values, spoken(name, "contains", said, language))


def _holding(frame: Frame, at: int, said: str) -> tuple[str, ...]:
    """Return what stands in the values of a text column for ``said``: itself, else the values that hold it folded."""
    if frame.query(f"SELECT count(*) FROM t WHERE contains(lower(c{at}), lower(?))", (said,))[0][0]:
        return (said,)
    return tuple(one for one in _values(frame, at) if fold(said) in fold(one))


def _nowhere(frame: Frame, said: str) -> ToolError:
    there = []
    for at, column in enumerate(frame.columns):
        if column.kind != "text":
            continue
        found = frame.query(
            f"SELECT c{at} FROM t WHERE c{at} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, min(n) LIMIT {_SHOWN}"
        )
        there.append(f"{column.name}: {listing([row[0] for row in found])}")
    columns = listing(frame.names)
    return ToolError(
        f"“{said}” is neither a value nor a column of {frame.label}; its columns are {columns}.",
        hint=f"It has {'; '.join(there)}." if there else "Use one of its columns.",
        code="data.no-value",
        de=f"„{said}“ ist weder ein Wert noch eine Spalte von {frame.label}; die Spalten sind {columns}.",
        de_hint=f"Vorhanden sind {'; '.join(there)}." if there else "Nimm eine der Spalten.",
    )


def _no_days(frame: Frame, several: Sequence[str]) -> ToolError:
    if several:
        return several_days(frame.label, several)
    return ToolError(
        f"{frame.label} has no column of days.",
        hint="Name a value that stands in it.",
        code="data.no-column",
        de=f"{frame.label} hat keine Spalte mit Tagen.",
        de_hint="Nenne einen Wert, der darin steht.",
    )
