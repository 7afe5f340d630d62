"""A comparison on a column as SQL with parameters: numbers by value, days by the stretch they name, text caseless."""

# ruff: noqa: S608 - only our own column numbers and checked settings stand in SQL; values are parameters
from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from skills.sdk import Condition, ToolError

from .frame import Frame
from .kinds import Column

_OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "contains")
_MONEY = re.compile(r"^(?:€|\$|£|EUR|USD|GBP|CHF)\s*|\s*(?:€|\$|£|EUR|USD|GBP|CHF|euros?|dollars?|pounds?)$", re.I)
_DAYS = {"today": 0, "heute": 0, "yesterday": -1, "gestern": -1, "tomorrow": 1, "morgen": 1}


@dataclass(frozen=True, slots=True)
class Where:
    """A condition in SQL over ``t``, its parameters, and its words."""

    sql: str
    parameters: tuple[Any, ...]
    words: str


def where(frame: Frame, condition: Condition, today: datetime.date, language: str) -> Where:
    """Return the SQL for ``condition``. Raises ToolError when column, operator or value do not fit."""
    if condition.op not in _OPERATORS:
        raise ToolError(f"I do not know the comparison {condition.op}.", hint=f"Use one of {' '.join(_OPERATORS)}.")
    at = frame.find(condition.column)
    column, identifier = frame.columns[at], f"c{at}"
    said = condition.value.strip().strip("\"'“”„")
    words = spoken(column.name, condition.op, said, language)
    if condition.op == "contains":
        sql = f"contains(lower(CAST({identifier} AS VARCHAR)), lower(?))"
        return Where(sql, (said,), words)
    if column.kind in ("date", "time"):
        return _days(identifier, condition.op, _stretch(said, column, today, language), words)
    if column.numeric:
        comparison = "IS DISTINCT FROM" if condition.op == "!=" else condition.op
        return Where(f"{identifier} {comparison} CAST(? AS DOUBLE)", (_number(said, column, language),), words)
    return _text(frame, at, condition.op, said, words)


def spoken(column: str, op: str, said: str, language: str) -> str:
    """Return a comparison as a sentence has it: ``vendor contains Rewe``."""
    return f"{column} {'enthält' if op == 'contains' and language == 'de' else op} {said}"


def number(text: str, language: str) -> float | None:
    """Read a number as a person writes it, with or without a currency; None when it is none."""
    bare = _MONEY.sub("", text.strip()).replace(" ", "").replace("\u00a0", "")
    comma = language == "de" and not re.fullmatch(r"[-+]?\d+\.\d{1,2}|[-+]?\d+\.\d{4,}", bare)
    english, german = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?", r"[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?"
    for pattern, group, mark in ((german, ".", ","), (english, ",", "."))[:: 1 if comma else -1]:
        if re.fullmatch(pattern, bare):
            return float(Fraction(bare.replace(group, "").replace(mark, ".")))
    return None


def _number(said: str, column: Column, language: str) -> float:
    found = number(said, language)
    if found is None:
        raise ToolError(
            f"The column {column.name} holds numbers, and “{said}” is not a number.",
            hint="Compare it with a number such as 100.",
            code="data.not-a-number",
            de=f"Die Spalte {column.name} enthält Zahlen, und „{said}“ ist keine Zahl.",
            de_hint="Vergleiche sie mit einer Zahl wie 100.",
        )
    return found


def _text(frame: Frame, at: int, op: str, said: str, spoken: str) -> Where:
    column, identifier = frame.columns[at], f"c{at}"
    if op in ("=", "!="):
        comparison = "=" if op == "=" else "IS DISTINCT FROM"
        return Where(f"lower(trim({identifier})) {comparison} lower(?)", (said,), spoken)
    if number(said, "en") is not None:
        odd = frame.query(
            f"SELECT {identifier} FROM t WHERE try_cast({identifier} AS DOUBLE) IS NULL AND {identifier} IS NOT NULL"
            " ORDER BY n LIMIT 1"
        )
        such = odd[0][0] if odd else ""
        raise ToolError(
            f"The column {column.name} holds text, such as “{such}”, so it cannot be compared with {said}.",
            hint="Mend those values, or use = or contains.",
            code="data.text-column",
            de=f"Die Spalte {column.name} enthält Text wie „{such}“ und lässt sich nicht mit {said} vergleichen.",
            de_hint="Berichtige diese Werte oder nimm = oder „enthält“.",
        )
    return Where(f"lower({identifier}) {op} lower(?)", (said,), spoken)


def _days(identifier: str, op: str, stretch: tuple[datetime.date, datetime.date], spoken: str) -> Where:
    start, end = stretch
    inside = f"({identifier} >= ? AND {identifier} < ?)"
    sql, parameters = {
        "=": (inside, (start, end)),
        "!=": (f"coalesce(NOT {inside}, true)", (start, end)),
        "<": (f"{identifier} < ?", (start,)),
        "<=": (f"{identifier} < ?", (end,)),
        ">": (f"{identifier} >= ?", (end,)),
        ">=": (f"{identifier} >= ?", (start,)),
    }[op]
    return Where(sql, parameters, spoken)


def _stretch(said: str, column: Column, today: datetime.date, language: str) -> tuple[datetime.date, datetime.date]:
    """Return the half-open stretch of days that a text names: a day, a month or a year."""
    from dateutil import parser
    from dateutil.relativedelta import relativedelta

    if said.casefold() in _DAYS:
        day = today + datetime.timedelta(days=_DAYS[said.casefold()])
        return day, day + datetime.timedelta(days=1)
    if re.fullmatch(r"[12]\d{3}", said):
        return datetime.date(int(said), 1, 1), datetime.date(int(said) + 1, 1, 1)
    day_first = language == "de" or "." in said
    plain = _in_english(said)
    try:
        # Two defaults that differ in every field show which fields the text left open.
        one = parser.parse(plain, dayfirst=day_first, default=datetime.datetime(today.year, 1, 1)).date()
        two = parser.parse(plain, dayfirst=day_first, default=datetime.datetime(today.year, 2, 2)).date()
    except (ValueError, OverflowError) as error:
        raise ToolError(
            f"The column {column.name} holds dates, and “{said}” is not a date.",
            hint="Compare it with a date such as 2024-06-01, a month or a year.",
            code="data.not-a-date",
            de=f"Die Spalte {column.name} enthält Daten, und „{said}“ ist kein Datum.",
            de_hint="Vergleiche sie mit einem Datum wie 1.6.2024, einem Monat oder einem Jahr.",
        ) from error
    if one.day == two.day:
        return one, one + datetime.timedelta(days=1)
    first = one.replace(day=1)
    return first, first + relativedelta(months=1)


def _in_english(said: str) -> str:
    """Write German month names in English."""
    pairs = {"januar": "january", "februar": "february", "märz": "march", "mai": "may", "juni": "june", "juli": "july",
             "oktober": "october", "dezember": "december"}  # fmt: skip
    return re.sub(r"[a-zäöü]+", lambda match: pairs.get(match[0], match[0]), said.casefold())
