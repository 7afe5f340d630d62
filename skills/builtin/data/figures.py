# ruff: noqa: S608 - only our own column numbers stand in SQL; values are parameters
"""Numbers over a table: one over a column, one for each group, and the description of every column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from skills.sdk import Condition, ToolError
from skills.sdk.words import listing

from . import telling
from .conditions import Where
from .frame import Cell, Frame, cell, several_days
from .kinds import Column
from .names import meaning, plain

_FUNCTIONS = {"sum": "sum", "mean": "avg", "count": "count", "min": "min", "max": "max", "median": "median"}
_PARTS = {
    "year": "%Y", "jahr": "%Y", "month": "%Y-%m", "monat": "%Y-%m", "day": "%Y-%m-%d", "tag": "%Y-%m-%d",
    "week": "%G-W%V", "woche": "%G-W%V",
}  # fmt: skip
_EN = {
    "sum": "The total {c}",
    "mean": "The average {c}",
    "min": "The lowest {c}",
    "max": "The highest {c}",
    "median": "The median {c}",
}
_DE = {
    "sum": "Die Summe von {c}",
    "mean": "Der Durchschnitt von {c}",
    "min": "Der kleinste Wert von {c}",
    "max": "Der größte Wert von {c}",
    "median": "Der Median von {c}",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One number over a table, with its sentences."""

    value: Any
    text: str
    column: str
    rows: int
    english: str
    german: str


@dataclass(frozen=True, slots=True)
class Groups:
    """One value for each group: the two columns' names, the rows, and the column that was measured, if any."""

    names: tuple[str, str]
    rows: tuple[tuple[Cell, ...], ...]
    column: Column | None


def total(frame: Frame, measure: str, wanted: str | None, where: Where | None = None) -> Figure:
    """Compute one number over a column, or count rows; of those that meet a condition, where there is one.

    Raises ToolError when the column has nothing to compute with.
    """
    tail, parameters = (f" WHERE {where.sql}", where.parameters) if where else ("", ())
    with_en, with_de = (f" with {where.words}", f" mit {where.words}") if where else ("", "")
    if measure == "count" and wanted is None:
        rows = frame.query(f"SELECT count(*) FROM t{tail}", parameters)[0][0]
        english = f"{frame.label} has {telling.counted(rows, 'en')}{with_en}."
        german = f"{frame.label} hat {telling.counted(rows, 'de')}{with_de}."
        return Figure(rows, str(rows), "", rows, english, german)
    at = measured(frame, measure, wanted)
    column = frame.columns[at]
    found, rows = frame.query(f"SELECT {_FUNCTIONS[measure]}(c{at}), count(c{at}) FROM t{tail}", parameters)[0]
    if found is None:
        raise _nothing(frame, column, with_en, with_de)
    value = cell(found)
    shown = [telling.value(value, spoken, None if measure == "count" else column) for spoken in ("en", "de")]
    if measure == "count":
        english, german = (
            f"{frame.label} has {rows} values in {column.name}{with_en}.",
            f"{frame.label} hat {rows} Werte in {column.name}{with_de}.",
        )
    else:
        over_en = f" over {telling.counted(rows, 'en')}" if measure in ("sum", "mean", "median") else ""
        over_de = f" über {telling.counted(rows, 'de')}" if measure in ("sum", "mean", "median") else ""
        english = f"{_EN[measure].format(c=column.name)} in {frame.label} is {shown[0]}{over_en}{with_en}."
        german = f"{_DE[measure].format(c=column.name)} in {frame.label} ist {shown[1]}{over_de}{with_de}."
        if measure == "sum":
            parts_en, parts_de = _parts(frame, at, tail, parameters)
            english, german = english + parts_en, german + parts_de
    number = value if isinstance(value, int | float | Decimal) else None
    return Figure(number, shown[0], column.name, rows, english, german)


def _parts(frame: Frame, at: int, tail: str, parameters: Sequence[Any]) -> tuple[str, str]:
    """Say what the negative and the positive values of a sum come to, where there are both: spent and received."""
    below, above = frame.query(
        f"SELECT sum(c{at}) FILTER (c{at} < 0), sum(c{at}) FILTER (c{at} > 0) FROM t{tail}", parameters
    )[0]
    if below is None or above is None:
        return "", ""
    column = frame.columns[at]
    less, more = ([telling.value(cell(one), spoken, column) for spoken in ("en", "de")] for one in (below, above))
    return (
        f" The negative values come to {less[0]}, the positive ones to {more[0]}.",
        f" Die negativen Werte ergeben {less[1]}, die positiven {more[1]}.",
    )


def grouped(
    frame: Frame, by: str, measure: str | None, wanted: str | None, language: str, within: Where | None = None
) -> Groups:
    """Compute one value for each value of ``by``, of the rows ``within``; of a date column also by year, month, week or
    day.
    """
    key, name, kind = _key(frame, by)
    at = None if measure == "count" and wanted is None else _measured_for(frame, measure, wanted, but=name)
    if at is None:
        measure, function, column = "count", "count(*)", None
    else:
        column = frame.columns[at]
        measure = measure or "sum"
        function = f"{_FUNCTIONS[measure]}(c{at})"
    order = "1" if kind in ("date", "part") else "2 DESC NULLS LAST, min(n)"
    only, parameters = ("", ()) if within is None else (f"WHERE {within.sql} ", within.parameters)
    rows = frame.query(f"SELECT {key}, {function} FROM t {only}GROUP BY 1 ORDER BY {order} LIMIT 10001", parameters)
    if len(rows) > 10_000:
        raise ToolError(
            f"The column {name} has more than 10000 different values, too many to group by.",
            hint="Group by another column.",
            code="data.too-many-groups",
            de=f"Die Spalte {name} hat mehr als 10000 verschiedene Werte, zu viele zum Gruppieren.",
            de_hint="Gruppiere nach einer anderen Spalte.",
        )
    heading = telling.measured(measure, column.name if column else "", language)
    rounded = None if measure == "count" else column
    return Groups((name, heading), tuple((cell(row[0]), cell(row[1])) for row in rows), rounded)


def groups_by(frame: Frame, by: str) -> bool:
    """Tell whether ``by`` names what to group by: a column, or a part of the only column of days."""
    return part_of(frame, by) is not None or frame.has(by)


def measured(frame: Frame, measure: str, wanted: str | None, *, but: str = "") -> int:
    """Return the column to compute over; the only one that has amounts when none is named. Raises ToolError."""
    if wanted is not None:
        at = frame.find(wanted)
        column = frame.columns[at]
        if not column.numeric and (
            measure in ("sum", "mean", "median") or (column.kind == "text" and measure != "count")
        ):
            raise ToolError(
                f"The column {column.name} holds {telling.kind(column, 'en')}, not numbers.",
                hint="Name a column with numbers.",
                code="data.not-numeric",
                de=f"Die Spalte {column.name} enthält {telling.kind(column, 'de')} und keine Zahlen.",
                de_hint="Nenne eine Spalte mit Zahlen.",
            )
        return at
    found = _numeric(frame, but)
    if len(found) == 1:
        return found[0]
    names = [frame.columns[at].name for at in found]
    if not found:
        raise ToolError(
            f"{frame.label} has no column with numbers.",
            hint="Name another table, or count its rows.",
            code="data.not-numeric",
            de=f"{frame.label} hat keine Spalte mit Zahlen.",
            de_hint="Nenne eine andere Tabelle oder zähle die Zeilen.",
        )
    raise ToolError(
        f"{frame.label} has several columns with numbers: {listing(names)}.",
        hint="Say which of them is meant.",
        code="data.ambiguous-column",
        de=f"{frame.label} hat mehrere Spalten mit Zahlen: {listing(names, 'de')}.",
        de_hint="Sag, welche davon gemeint ist.",
    )


def details(frame: Frame, language: str) -> list[tuple[Any, ...]]:
    """Return name, kind, filled values, lowest, highest and mean of each column."""
    found = []
    for at, column in enumerate(frame.columns):
        mean = f"avg(c{at})" if column.numeric else "NULL"
        filled, low, high, middle = frame.query(f"SELECT count(c{at}), min(c{at}), max(c{at}), {mean} FROM t")[0]
        ends = [telling.value(cell(value), language, column) if value is not None else "" for value in (low, high)]
        middle = "" if middle is None else telling.value(cell(middle), language, column)
        found.append((column.name, telling.kind(column, language), filled, *ends, middle))
    return found


def spoken(row: Sequence[Any], language: str) -> str:
    """Return one column's description as part of a sentence."""
    name, kind, _filled, low, high, mean = row
    if not low and not high:
        return f"{name} ({kind})"
    joiner, middle = ("bis", "Mittel") if language == "de" else ("to", "mean")
    ends = low if low == high else f"{low[:40]} {joiner} {high[:40]}"
    return f"{name} ({kind}, {ends}{f', {middle} {mean}' if mean else ''})"


def instead(frame: Frame, condition: Condition) -> str:
    """Return a sentence with the values that a text column does have, where a comparison found none."""
    at = frame.find(condition.column)
    if frame.columns[at].kind != "text" or condition.op != "=":
        return ""
    found = frame.query(
        f"SELECT c{at} FROM t WHERE c{at} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, min(n) LIMIT 8"
    )
    return f" It has {listing([row[0] for row in found])}." if found else ""


def compared(frame: Frame, condition: Condition) -> Condition:
    """Return a comparison of which no column is named as one with the only column of amounts. Raises ToolError."""
    if condition.column:
        return condition
    return replace(condition, column=frame.columns[measured(frame, "sum", None)].name)


def _numeric(frame: Frame, but: str) -> list[int]:
    """Return the columns with amounts: numeric, no keys and years; of several the ones whose name says so."""
    keys = (["id"], ["nr"], ["no"], ["number"], ["nummer"], ["year"], ["jahr"], ["zip"], ["plz"])
    found = [
        at
        for at, column in enumerate(frame.columns)
        if column.numeric and column.name != but and plain(column.name).split()[-1:] not in keys
    ]
    meant = [at for at in found if meaning(frame.columns[at].name) == "amount"]
    return meant if len(meant) == 1 else found


def _measured_for(frame: Frame, measure: str | None, wanted: str | None, but: str) -> int | None:
    """Return the column to measure for each group; None, to count rows, when none is named and none is alone."""
    if wanted is None and measure is None:
        found = _numeric(frame, but)
        return found[0] if len(found) == 1 else None
    return measured(frame, measure or "sum", wanted, but=but)


def part_of(frame: Frame, by: str) -> tuple[str, str] | None:
    """Return the SQL and the name of a part of the column of days ("month"), unless a column has that name.

    Raises ToolError when several columns have days and none is the one.
    """
    part = plain(re.sub(r"^(?:the|each|every)\s+", "", by.strip().casefold()))
    part = part if part in _PARTS else part.removesuffix("s")
    days = frame.days()
    if part not in _PARTS or not days or any(plain(name) == part for name in frame.names):
        return None
    if len(days) > 1:
        raise several_days(frame.label, [frame.columns[at].name for at in days])
    return f"strftime(c{days[0]}, '{_PARTS[part]}')", part


def _key(frame: Frame, by: str) -> tuple[str, str, str]:
    """Return the SQL, the name and the kind of what to group by."""
    if part := part_of(frame, by):
        return *part, "part"
    at = frame.find(by)
    return f"c{at}", frame.columns[at].name, frame.columns[at].kind


def _nothing(frame: Frame, column: Column, with_en: str, with_de: str) -> ToolError:
    return ToolError(
        f"The column {column.name} of {frame.label} has no values{with_en}.",
        hint="Name another column or value." if with_en else "Name another column.",
        code="data.no-values",
        de=f"Die Spalte {column.name} von {frame.label} hat keine Werte{with_de}.",
        de_hint="Nenne eine andere Spalte oder einen anderen Wert." if with_de else "Nenne eine andere Spalte.",
    )
