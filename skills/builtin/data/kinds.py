# ruff: noqa: S608 - only our own column numbers and patterns stand in SQL; values are parameters
"""What the values of a text column are: whole numbers, decimals, dates, times or text; and how they are written.

A column has a kind only when every value in it does. Numbers with leading zeros (postcodes, article numbers) stay text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

_CURRENCY = r"(?:€|\$|£|¥|EUR|USD|GBP|CHF)"
_EN = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d{1,3})?"
_DE = r"[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d+)?"
_ISO = r"\d{4}-\d{2}-\d{2}"
_FIRST = 1_000
_MISSING = "('', '-', '–', 'n/a', 'na', '#n/a', 'null', 'nan', 'none')"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, kind ("integer", "number", "date", "time", "text") and how its values are written.

    ``scale`` is the number of decimals (of a number that is kept exactly), ``decimal`` the decimal mark, ``day`` the
    strptime pattern of dates, ``filled`` how many values are there.
    """

    name: str
    kind: str = "text"
    scale: int | None = None
    decimal: str = "."
    day: str = "%Y-%m-%d"
    filled: int = 0

    @property
    def numeric(self) -> bool:
        """Tell whether its values can be added up."""
        return self.kind in ("integer", "number")


@dataclass(frozen=True, slots=True)
class _Census:
    """Counts over the values of one column; ``english`` and ``german`` are how many are numbers written so."""

    rows: int
    filled: int
    english: int
    german: int
    zeros: int
    iso: int
    dots: int
    slashes: int
    years: int
    first: int
    second: int
    english_scale: int
    german_scale: int
    digits: int
    powers: int


_NOTHING = _Census(*[0] * 15)
"""The census of a column without rows."""


def trimmed(identifier: str) -> str:
    """Return the SQL for a value without blanks around it, NULL where nothing is meant."""
    return f"CASE WHEN lower(trim({identifier})) IN {_MISSING} THEN NULL ELSE trim({identifier}) END"


def bare_number(identifier: str) -> str:
    """Return the SQL for a value without its currency."""
    cut = rf"^([-+]?)\s*{_CURRENCY}\s*|\s*{_CURRENCY}$"
    return rf"regexp_replace(replace({trimmed(identifier)}, chr(160), ''), '{cut}', '\1', 'g')"


def censuses(connection: Any, columns: int, *, month_first: bool) -> list[_Census]:
    """Count over the values of each column what they look like; of many rows over the different values only.

    The first rows are counted alone first, all columns in one query (to plan it costs more than to count a small
    table): often they are all, and a column that is text there is text, since a kind must fit every value.
    """
    return [
        first if _is_enough(first, month_first) else _counted_all(connection, f"c{at}")
        for at, first in enumerate(_counted_first(connection, columns))
    ]


def _is_enough(first: _Census, month_first: bool) -> bool:
    if first.rows < _FIRST:
        return True
    as_text = (inferred("", first, comma=comma, month_first=month_first).kind == "text" for comma in (True, False))
    return first.filled > 0 and all(as_text)


def _counted_first(connection: Any, columns: int) -> list[_Census]:
    numbers, values = (", ".join(f"{before}{at}" for at in range(columns)) for before in ("", "c"))
    first = f"(SELECT * FROM r ORDER BY n LIMIT {_FIRST})"
    each = f"(SELECT unnest([{numbers}]) AS k, unnest([{values}]) AS x FROM {first})"
    rows = connection.execute(_counting(each, "x", "k") if columns else "SELECT 0 WHERE false").fetchall()
    found = {column: _Census(*counts) for column, *counts in rows}
    return [found.get(at, _NOTHING) for at in range(columns)]


def _counted_all(connection: Any, identifier: str) -> _Census:
    ((_, *counts),) = connection.execute(_counting(f"(SELECT DISTINCT {identifier} FROM r)", identifier)).fetchall()
    return _Census(*counts)


def _counting(table: str, identifier: str, by: str = "0") -> str:
    return f"""
        WITH v AS (SELECT {by} AS k, {trimmed(identifier)} AS t, {bare_number(identifier)} AS m FROM {table})
        SELECT k, count(*), count(t),
            count(*) FILTER (regexp_full_match(m, '{_EN}') AND regexp_matches(m, '\\d')),
            count(*) FILTER (regexp_full_match(m, '{_DE}') AND regexp_matches(m, '\\d')),
            count(*) FILTER (regexp_full_match(m, '[-+]?0\\d.*')),
            count(*) FILTER (regexp_full_match(t, '{_ISO}') AND try_cast(t AS DATE) IS NOT NULL),
            count(*) FILTER (regexp_full_match(t, '\\d{{1,2}}\\.\\d{{1,2}}\\.(\\d{{4}}|\\d{{2}})')),
            count(*) FILTER (regexp_full_match(t, '\\d{{1,2}}/\\d{{1,2}}/(\\d{{4}}|\\d{{2}})')),
            count(*) FILTER (regexp_full_match(t, '.*\\D\\d{{4}}')),
            coalesce(max(try_cast(regexp_extract(t, '^(\\d{{1,2}})[./]', 1) AS INTEGER)), 0),
            coalesce(max(try_cast(regexp_extract(t, '^\\d{{1,2}}[./](\\d{{1,2}})[./]', 1) AS INTEGER)), 0),
            coalesce(max(length(regexp_extract(m, '\\.(\\d+)$', 1))), 0),
            coalesce(max(length(regexp_extract(m, ',(\\d+)$', 1))), 0),
            coalesce(max(length(regexp_replace(m, '\\D', '', 'g'))), 0),
            count(*) FILTER (regexp_matches(m, '[eE]'))
        FROM v GROUP BY k"""


def inferred(name: str, counts: _Census, *, comma: bool, month_first: bool) -> Column:
    """Return the column that ``counts`` describe.

    ``comma`` is the decimal mark of values that both languages could have written, ``month_first`` the order of a
    date such as 3/4/2024.
    """
    column = Column(name, filled=counts.filled)
    if counts.filled == 0:
        return column
    if (day := _day(counts, month_first)) is not None:
        return replace(column, kind="date", day=day)
    if counts.zeros or counts.filled not in (counts.english, counts.german):
        return column
    german = counts.german == counts.filled and (comma or counts.english != counts.filled)
    scale = counts.german_scale if german else counts.english_scale
    mark = "," if german else "."
    if counts.powers or scale > 9 or counts.digits > 25:
        return replace(column, kind="number", decimal=mark)
    whole = scale == 0 and counts.digits <= 18
    return replace(column, kind="integer" if whole else "number", scale=scale, decimal=mark)


def only_german(counts: _Census) -> bool:
    """Tell whether the values are numbers that only a decimal comma explains."""
    return 0 < counts.filled == counts.german != counts.english


def only_english(counts: _Census) -> bool:
    """Tell whether the values are numbers that only a decimal point explains."""
    return 0 < counts.filled == counts.english != counts.german


def typed(identifier: str, column: Column) -> str:
    """Return the SQL that turns a written value into a typed one; NULL where nothing is meant."""
    if column.kind == "date":
        if column.day == "%Y-%m-%d":
            return f"try_cast({trimmed(identifier)} AS DATE)"
        return f"CAST(try_strptime({trimmed(identifier)}, '{column.day}') AS DATE)"
    if not column.numeric:
        return f"nullif({identifier}, '')"
    number = bare_number(identifier)
    number = (
        f"replace({number}, ',', '')" if column.decimal == "." else f"replace(replace({number}, '.', ''), ',', '.')"
    )
    if column.kind == "integer":
        return f"CAST({number} AS BIGINT)"
    return f"CAST({number} AS {'DOUBLE' if column.scale is None else f'DECIMAL(38, {column.scale})'})"


def _day(counts: _Census, month_first: bool) -> str | None:
    """Return the strptime pattern that fits every value as a date, or None."""
    if counts.iso == counts.filled:
        return "%Y-%m-%d"
    if counts.years not in (0, counts.filled):
        return None
    year = "%Y" if counts.years else "%y"
    if counts.dots == counts.filled and counts.first <= 31 and counts.second <= 12:
        return f"%d.%m.{year}"
    if counts.slashes != counts.filled:
        return None
    if counts.first <= 12 and (counts.second > 12 or month_first):
        return f"%m/%d/{year}" if counts.second <= 31 else None
    return f"%d/%m/{year}" if counts.first <= 31 and counts.second <= 12 else None
