"""One new row for a table: which field of a record belongs into which column, written as the column's values are.

A field goes where a column has its name, then where the column's name means the same (amount, date, vendor ...), then,
when only one column can hold it, there. Where two could, nothing is guessed. A text that begins like a formula is
written with a leading apostrophe, since it may come from a document that somebody else wrote.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import PurePosixPath
from typing import Any

from skills.sdk import File, ToolError
from skills.sdk.words import listing

from .conditions import number
from .dialect import Dialect, is_value
from .kinds import Column
from .names import find, meaning, plain, stems

_AMOUNTS = ("amount", "total", "value", "sum", "price", "betrag", "summe")
_OF_DOCUMENT = frozenset({"value", "amount", "file", "page", "name"})
_INTERNAL = frozenset({"value", "exact", "expression", "text", "measure", "column", "rows", "page", "label"})
_FOUND = frozenset({"value", "file", "path", "text", "expression", "measure"})
_PLACE = re.compile(r"#\d+")
"""A value that is meant for a column by its place: ``#1`` is the first."""

_TEXTUAL = ("vendor", "description", "file", "currency", "number")


@dataclass(frozen=True, slots=True)
class Known:
    """What a record says, sorted by meaning; ``named`` holds its fields by plain name."""

    amount: Decimal | None = None
    day: datetime.date | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    named: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""


def known(fields: Mapping[str, Any], language: str) -> Known:
    """Sort the fields of a record by what they mean."""
    named = {plain(name): value for name, value in fields.items() if value is not None and value != ""}
    label = str(named.pop("name", "")) if set(fields) >= _OF_DOCUMENT else ""
    amount = next((found for name in _AMOUNTS if (found := _amount(named, name, language)) is not None), None)
    file = _file_name(named.pop("file", None) or (named.get("path") if "stem" in named else None))
    texts = {
        "vendor": _line(named.get("vendor")),
        "file": file,
        "currency": _line(named.get("currency")),
        "description": _line(named.get("expression") or _measured(named) or named.get("text")),
    }
    if amount is None and isinstance(named.get("value"), str):
        texts[meaning(label) if meaning(label) in _TEXTUAL else "description"] = _line(named["value"])
    return Known(amount, _day(named.get("date")), {key: text for key, text in texts.items() if text}, named, label)


def is_said(fields: Mapping[str, Any]) -> bool:
    """Tell whether the fields are pairs of a column and a value that a person named, not what a step found."""
    return bool(fields) and not _FOUND.intersection(fields) and all(isinstance(value, str) for value in fields.values())


def said(fields: Mapping[str, Any], columns: Sequence[Column], language: str) -> dict[int, Any]:
    """Return the value for each column that was named, or by their places. Raises ToolError where one does not fit."""
    if all(_PLACE.fullmatch(name) for name in fields):
        return _by_place([str(text) for text in fields.values()], columns, language)
    row: dict[int, Any] = {}
    for name, text in fields.items():
        at = find(name, [column.name for column in columns])
        value = _fitting(text, columns[at], language)
        if value is None:
            raise _unfit(text, columns[at])
        row[at] = value
    return row


def _by_place(texts: Sequence[str], columns: Sequence[Column], language: str) -> dict[int, Any]:
    """Values in the order of the columns; in another order only where the kinds of both leave no choice."""
    if len(texts) != len(columns):
        raise _uncounted(len(texts), [column.name for column in columns])
    values = [_fitting(text, column, language) for text, column in zip(texts, columns, strict=True)]
    if None not in values:
        return dict(enumerate(values))
    able = [[at for at, column in enumerate(columns) if _is_of(text, column, language)] for text in texts]
    if all(len(places) == 1 for places in able) and len({places[0] for places in able}) == len(columns):
        return {
            places[0]: _fitting(text, columns[places[0]], language) for text, places in zip(texts, able, strict=True)
        }
    wrong = values.index(None)
    raise _unfit(texts[wrong], columns[wrong])


def _fitting(text: str, column: Column, language: str) -> Any:
    """Return the value as the column's kind has it, the text itself in a column of texts; None where it is no such."""
    if column.numeric:
        amount = number(text, language)
        return None if amount is None else Decimal(str(amount))
    return _day(text) or _written_so(text, column.day) if column.kind == "date" else text


def _written_so(text: str, pattern: str) -> datetime.date | None:
    """Return the day that is written as the column's days are."""
    try:
        return datetime.datetime.strptime(text.strip(), pattern).date()
    except ValueError:
        return None


def _is_of(text: str, column: Column, language: str) -> bool:
    """Tell whether a value is of the column's kind and of no other."""
    is_day = _day(text) is not None or _written_so(text, column.day) is not None
    kind = "date" if is_day else "number" if number(text, language) is not None else "text"
    return kind == ("number" if column.numeric else column.kind)


def _unfit(text: str, column: Column) -> ToolError:
    en, de = ("days", "Tage") if column.kind == "date" else ("numbers", "Zahlen")
    like = "2024-05-31" if column.kind == "date" else "12.50"
    return ToolError(
        f"The column {column.name} holds {en}, and “{text}” is none.",
        hint=f"Give a value such as {like}, or name the column that is meant.",
        code="data.wrong-kind",
        de=f"Die Spalte {column.name} enthält {de}, und „{text}“ gehört nicht dazu.",
        de_hint=f"Gib einen Wert wie {like} an oder nenne die Spalte, die gemeint ist.",
    )


def _uncounted(count: int, names: Sequence[str]) -> ToolError:
    return ToolError(
        f"There are {count} values for {len(names)} columns: {listing(names)}.",
        hint="Give one value for each column, or name the columns.",
        code="data.no-place",
        de=f"Es sind {count} Werte für {len(names)} Spalten: {listing(names, 'de')}.",
        de_hint="Gib für jede Spalte einen Wert an oder nenne die Spalten.",
    )


def placed(found: Known, columns: Sequence[Column]) -> dict[int, Any]:
    """Return the value for each column that one is known for. Raises ToolError when none fits or several could."""
    row: dict[int, Any] = {}
    for at, column in enumerate(columns):
        name = plain(column.name)
        if name in found.named and name not in _INTERNAL and not isinstance(found.named[name], dict | list):
            row[at] = found.named[name]
    if found.day is not None and found.named.get("date") not in row.values():
        _place(row, found.day, _of_meaning(columns, "date") or _of_kind(columns, "date"))
    if found.amount is not None:
        _place_amount(row, found, columns)
    _place_texts(row, found, columns)
    if not row:
        names = [column.name for column in columns]
        raise ToolError(
            f"No column fits what is to be added; the columns are {listing(names)}.",
            hint="Say which value goes into which column, or name another table.",
            code="data.no-place",
            de=f"Keine Spalte passt zu dem, was ergänzt werden soll; die Spalten sind {listing(names, 'de')}.",
            de_hint="Sag, welcher Wert in welche Spalte gehört, oder nenne eine andere Tabelle.",
        )
    return row


def written(value: Any, column: Column, sample: str, comma: bool) -> str:
    """Return ``value`` in the manner of its column; ``sample`` is the last value that stands there.

    ``comma`` is the decimal mark of a column that does not show one.
    """
    if isinstance(value, datetime.date):
        return _written_day(value, column, sample)
    number_of = value if isinstance(value, Decimal) else _decimal(value)
    if number_of is not None and not isinstance(value, str):
        return _written_number(number_of, column, sample, comma)
    text = _line(value)
    return f"'{text}" if text[:1] in ("=", "@", "+", "-") and number(text, "en") is None else text


def line(values: Sequence[str], how: Dialect) -> str:
    """Return the values as one line of the file, with its line end."""
    quoted = [_quoted(value, how) for value in values]
    return ("" if how.ended else how.newline) + how.delimiter.join(quoted) + how.newline


def _place(row: dict[int, Any], value: Any, places: Sequence[int]) -> None:
    free = [at for at in places if at not in row]
    if len(free) == 1:
        row[free[0]] = value


def _place_amount(row: dict[int, Any], found: Known, columns: Sequence[Column]) -> None:
    """Put the amount where it belongs. Raises ToolError when two columns could take it, or none."""
    exact = [at for at, column in enumerate(columns) if plain(column.name) in _AMOUNTS and at in row]
    if exact:
        row[exact[0]] = found.amount
        return
    able = [at for at, column in enumerate(columns) if at not in row and (column.numeric or column.filled == 0)]
    named = [at for at in able if found.label and stems(columns[at].name) == stems(found.label)]
    meant = [at for at in able if meaning(columns[at].name) == "amount"]
    numeric = [at for at in able if columns[at].numeric and not _is_key(columns[at])]
    for places in (named, meant, numeric):
        if len(places) == 1:
            row[places[0]] = found.amount
            return
        if len(places) > 1:
            raise _several([columns[at].name for at in places])
    raise _no_number([column.name for column in columns])


def _place_texts(row: dict[int, Any], found: Known, columns: Sequence[Column]) -> None:
    left = dict(found.texts)
    for sense in ("vendor", "file", "currency", "number"):
        places = [at for at in _of_meaning(columns, sense) if at not in row and not columns[at].numeric]
        if sense in left and places:
            row[places[0]] = left.pop(sense)
    places = [at for at in _of_meaning(columns, "description") if at not in row and not columns[at].numeric]
    about = left.get("vendor") or left.get("description") or _stem(found.texts.get("file", "")) or found.label
    if places and about:
        row[places[0]] = about
    elif not row and about and len(free := _of_kind(columns, "text")) == 1:
        row[free[0]] = about


def _of_meaning(columns: Sequence[Column], sense: str) -> list[int]:
    return [at for at, column in enumerate(columns) if meaning(column.name) == sense]


def _of_kind(columns: Sequence[Column], kind: str) -> list[int]:
    return [at for at, column in enumerate(columns) if column.kind == kind and column.filled]


def _is_key(column: Column) -> bool:
    return column.kind == "integer" and plain(column.name).split()[-1:] in (
        ["id"],
        ["nr"],
        ["no"],
        ["number"],
        ["year"],
    )


def _several(names: Sequence[str]) -> ToolError:
    return ToolError(
        f"The amount could go into several columns: {listing(names)}.",
        hint="Say which of them is meant.",
        code="data.ambiguous-column",
        de=f"Der Betrag könnte in mehrere Spalten gehören: {listing(names, 'de')}.",
        de_hint="Sag, welche davon gemeint ist.",
    )


def _no_number(names: Sequence[str]) -> ToolError:
    return ToolError(
        f"No column takes an amount; the columns are {listing(names)}.",
        hint="Name a table with a column for amounts.",
        code="data.no-place",
        de=f"Keine Spalte nimmt einen Betrag auf; die Spalten sind {listing(names, 'de')}.",
        de_hint="Nenne eine Tabelle mit einer Spalte für Beträge.",
    )


def _amount(named: Mapping[str, Any], name: str, language: str) -> Decimal | None:
    value = named.get(name)
    if name == "value" and isinstance(named.get("exact"), str) and _decimal(named["exact"]) is not None:
        return _decimal(named["exact"])
    if name == "value" and "measure" in named and (computed := _decimal(value)) is not None:
        return computed  # the result of a computation is written alike in every language
    if isinstance(value, str):
        found = number(value, language)
        return None if found is None else Decimal(str(found))
    return _decimal(value)


def _decimal(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def _day(value: Any) -> datetime.date | None:
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    try:
        return datetime.date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _file_name(value: Any) -> str:
    path = value.path if isinstance(value, File) else value.get("path", "") if isinstance(value, Mapping) else value
    return _line(PurePosixPath(str(path)).name) if path else ""


def _stem(name: str) -> str:
    return PurePosixPath(name).stem


def _measured(named: Mapping[str, Any]) -> str:
    return f"{named['measure']} {named.get('column', '')}".strip() if "measure" in named else ""


def _line(value: Any) -> str:
    """Return ``value`` as one line of printable text."""
    return "" if value is None else " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())


def _written_day(day: datetime.date, column: Column, sample: str) -> str:
    text = day.strftime(column.day if column.kind == "date" else "%Y-%m-%d")
    bare = re.fullmatch(r"(\d{1,2})([./])(\d{1,2})\2\d+", sample.strip())
    if bare and len(bare[1]) + len(bare[3]) < 4 and not sample.strip().startswith("0"):
        text = re.sub(r"\b0(\d)(?=[./])", r"\1", text)
    return text


def _written_number(value: Decimal, column: Column, sample: str, comma: bool) -> str:
    exponent = value.normalize().as_tuple().exponent
    places = max(2 if column.scale == 2 else 0, -exponent if isinstance(exponent, int) else 0)
    text = f"{value:.{places}f}"
    shows_mark = column.kind == "number"
    if column.decimal == "," if shows_mark else comma:
        text = text.replace(".", ",")
    around = re.fullmatch(r"([^\d+-]*)[-+]?[\d.,]*\d([^\d]*)", sample.strip())
    return f"{around[1]}{text}{around[2]}" if around else text


def _quoted(value: str, how: Dialect) -> str:
    needed = any(sign in value for sign in (how.delimiter, '"', "\n", "\r")) or value != value.strip()
    if needed or how.quoted == "all" or (how.quoted == "text" and not is_value(value)):
        return '"' + value.replace('"', '""') + '"'
    return value
