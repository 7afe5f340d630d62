"""A table in memory, in a database that can reach nothing else.

What this stops: SQL through names or values (columns are ``c0``, ``c1`` ... inside, values are parameters), reading or
writing any other file from a query (external access is off, only the one file that is loaded is allowed), extensions,
spilling to disk, and use of more than its share of memory.
What it does not: a table that is wrong in itself.
"""

# ruff: noqa: S608 - only our own column numbers and checked settings stand in SQL; values are parameters
from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from skills.sdk import ToolError
from skills.sdk.words import listing

from . import kinds, names
from .kinds import Column

MOST_ROWS = 100_000
"""Rows that a table may have as the result of a tool."""

_MEMORY = "600MB"
Cell = str | int | float | Decimal | bool | None


@dataclass(frozen=True, slots=True)
class Frame:
    """A typed table ``t`` (and ``r``, the same rows as written, where the source is text) in a private database.

    ``label`` is what to call it in a sentence, ``source`` the path it came from or "", ``note`` what to know about it.
    """

    connection: Any
    columns: tuple[Column, ...]
    label: str
    source: str = ""
    note: tuple[str, str] = ("", "")
    written: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names in order."""
        return tuple(column.name for column in self.columns)

    def find(self, wanted: str) -> int:
        """Return the position of the column that is meant. Raises ToolError."""
        return names.find(wanted, self.names)

    def has(self, wanted: str) -> bool:
        """Tell whether ``wanted`` means a column, or may mean several."""
        return names.means_any(wanted, self.names)

    def days(self) -> list[int]:
        """Return the columns of days; of several only the one whose name says so ("Buchungstag" beside "Valuta")."""
        every = [at for at, column in enumerate(self.columns) if column.kind in ("date", "time")]
        named = [at for at in every if names.meaning(self.columns[at].name) == "date"]
        return named if len(named) == 1 else every

    def count(self) -> int:
        """Return the number of rows."""
        return int(self.query("SELECT count(*) FROM t")[0][0])

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run ``sql`` over ``t`` and return its rows. Raises ToolError when it would take too much memory."""
        import duckdb

        try:
            return list(self.connection.execute(sql, list(parameters)).fetchall())
        except duckdb.OutOfMemoryException as error:
            raise too_big(self.label) from error

    def rows(self, tail: str = "", parameters: Sequence[Any] = ()) -> tuple[tuple[Cell, ...], ...]:
        """Return typed rows, decimals exact, in the table's order unless ``tail`` says another.

        Raises ToolError when there are more than a result may have.
        """
        selected = ", ".join(f"c{at}" for at in range(len(self.columns)))
        limit = "" if "LIMIT" in tail else f" LIMIT {MOST_ROWS + 1}"
        order = "" if "ORDER BY" in tail else " ORDER BY n"
        found = self.query(f"SELECT {selected} FROM t {tail}{order}{limit}", parameters)
        if len(found) > MOST_ROWS:
            raise ToolError(
                f"The result has more than {MOST_ROWS} rows.",
                hint="Narrow it with a condition, or group it.",
                code="data.too-many-rows",
                de=f"Das Ergebnis hat mehr als {MOST_ROWS} Zeilen.",
                de_hint="Grenze es mit einer Bedingung ein oder gruppiere es.",
            )
        return tuple(tuple(cell(value) for value in row) for row in found)


def cell(value: Any) -> Cell:
    """Return a value of the database as a JSON scalar, or as a Decimal with the decimals of its column."""
    match value:
        case None | bool() | int() | str() | Decimal():
            return value
        case float():
            return value if math.isfinite(value) else None
        case datetime.datetime():
            return value.isoformat(sep=" ")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return str(value)


def connect(readable: str = "", writable: str = "") -> Any:
    """Open a database in memory that may touch at most the named files."""
    import duckdb

    connection = duckdb.connect(":memory:", config={"threads": 2, "memory_limit": _MEMORY})
    allowed = [path for path in (readable, writable) if path]
    quoted = ", ".join("'" + path.replace("'", "''") + "'" for path in allowed)
    for setting in (
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "temp_directory = ''",
        *([f"allowed_paths = [{quoted}]"] if allowed else []),
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    return connection


def too_big(label: str) -> ToolError:
    """Return the error of a table that does not fit."""
    return ToolError(
        f"{label} is too large to be worked on in {_MEMORY} of memory.",
        hint="Split it, or choose the columns and rows that matter with another program first.",
        code="data.too-big",
        de=f"{label} ist zu groß, um in {_MEMORY} Speicher bearbeitet zu werden.",
        de_hint="Teile sie auf oder wähle zuerst mit einem anderen Programm die nötigen Zeilen und Spalten.",
    )


def several_days(label: str, columns: Sequence[str]) -> ToolError:
    """Return the error of a stretch of days where several columns have days."""
    return ToolError(
        f"{label} has several columns of days: {listing(columns)}.",
        hint=f"Name the one that is meant, as in: rows of {label} where {columns[0]} is after 2024-06-01.",
        code="data.ambiguous-column",
        de=f"{label} hat mehrere Spalten mit Tagen: {listing(columns, 'de')}.",
        de_hint=f"Nenne die gemeinte: Zeilen von {label}, in denen {columns[0]} nach dem 01.06.2024 ist.",
    )


def from_text(
    connection: Any,
    header: Sequence[str],
    label: str,
    *,
    source: str = "",
    comma: bool = False,
    month_first: bool = True,
) -> Frame:
    """Return the frame over the table ``r`` (all text, with the row number ``n``) that stands in ``connection``."""
    counts = kinds.censuses(connection, len(header), month_first=month_first)
    if any(kinds.only_german(count) for count in counts):
        comma = True
    elif any(kinds.only_english(count) for count in counts):
        comma = False
    columns = tuple(
        kinds.inferred(name, count, comma=comma, month_first=month_first)
        for name, count in zip(header, counts, strict=True)
    )
    selected = ", ".join(f"{kinds.typed(f'c{at}', column)} AS c{at}" for at, column in enumerate(columns))
    connection.execute(f"CREATE TABLE t AS SELECT n, {selected} FROM r")
    return Frame(connection, columns, label, source)


def from_rows(
    header: Sequence[str], rows: Sequence[Sequence[Any]], label: str, *, writable: str = "", **how: Any
) -> Frame:
    """Return the frame over values in memory; they are typed anew from their writing."""
    connection = connect(writable=writable)
    declared = ", ".join(f"c{at} VARCHAR" for at in range(len(header)))
    connection.execute(f"CREATE TABLE r (n BIGINT, {declared})")
    lists = [list(range(len(rows))), *([_text(row[at]) for row in rows] for at in range(len(header)))]
    unnested = ", ".join("unnest(?)" for _ in lists)
    if rows:
        connection.execute(f"INSERT INTO r SELECT {unnested}", lists)
    return from_text(connection, header, label, **how)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
