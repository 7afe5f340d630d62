"""Values as JSON and as Python, by value type: what a tool is given, and what it may give back.

Arguments arrive as the JSON forms that ``skills.model.ValueKind`` names and become the types of ``skills.sdk``.
Results go the other way; a file carries its implied fields with it, so that ``its name`` needs no second look.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from pathlib import PurePath
from typing import Any

from skills.errors import BadResult
from skills.model import ValueKind, ValueType
from skills.sdk.types import Condition, File, Folder, Hours, Period, Quantity, Record, Size, Table

_DEEPEST = 32  # JSON inside JSON


def to_python(value: Any, kind: ValueType, name: str) -> Any:
    """Return an argument as the Python value that a tool takes. Raises BadResult naming the parameter ``name``."""
    if kind.many:
        items = value if isinstance(value, list | tuple) else [value]
        return [to_python(item, dataclasses.replace(kind, many=False), name) for item in items]
    if value is None:
        return None
    if kind.kind is ValueKind.CHOICE and value not in kind.choices:
        raise _misfit(name, value, f"one of {', '.join(kind.choices)}")
    try:
        return _READERS[kind.kind](value)
    except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError) as error:
        raise _misfit(name, value, f"a value of kind {kind.kind}") from error


def _misfit(name: str, value: Any, wanted: str) -> BadResult:
    shown = repr(value)
    message = f"The value for {name}, {shown[:80]}, is not {wanted}."
    return BadResult("result.argument", message, subject=name, hint="Say the value in another way.")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return str(value)
    raise TypeError


def _exact(wanted: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not wanted:
            raise TypeError
        return value

    return read


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise TypeError
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not math.isfinite(found := float(value)):
        raise TypeError
    return found


def _path(value: Any) -> str:
    path = value if isinstance(value, str) else value["path"]
    if not isinstance(path, str) or not path or "\0" in path:
        raise TypeError
    return path


def _file(value: Any) -> File:
    if isinstance(value, str):
        return File(_path(value))
    modified = value.get("modified")
    return File(
        _path(value), _whole(value.get("size_bytes") or 0), datetime.fromisoformat(modified) if modified else None
    )


def _day(value: Any) -> date:
    return date.fromisoformat(str(value)[:10])


def _maybe(read: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else read(value)


def _period(value: Any) -> Period:
    return Period(_maybe(_day, value.get("start")), _maybe(_day, value.get("end")))


def _hours(value: Any) -> Hours:
    return Hours(
        time.fromisoformat(value["start"]), _maybe(time.fromisoformat, value.get("end")), bool(value.get("rough"))
    )


def _size(value: Any) -> Size:
    return Size(_maybe(_whole, value.get("min")), _maybe(_whole, value.get("max")))


def _quantity(value: Any) -> Quantity:
    return Quantity(Decimal(str(value["value"])), _text(value["unit"]))


def _condition(value: Any) -> Condition:
    return Condition(_text(value["column"]), _text(value["op"]), _text(value["value"]))


def _table(value: Any) -> Table:
    if isinstance(value, str):
        return Table((), (), value)
    if "path" in value:
        return Table((), (), _path(value))
    rows = tuple(tuple(row) for row in value["rows"])
    return Table(tuple(_text(column) for column in value["columns"]), rows, _text(value.get("source", "")))


def _record(value: Any) -> Record:
    fields = value.get("fields")
    return Record(dict(fields if isinstance(fields, Mapping) else value))


_READERS: Mapping[ValueKind, Callable[[Any], Any]] = {
    ValueKind.TEXT: _text,
    ValueKind.TITLE: _text,
    ValueKind.QUERY: _text,
    ValueKind.EXPRESSION: _text,
    ValueKind.UNIT: _text,
    ValueKind.COLUMN: _text,
    ValueKind.URL: _text,
    ValueKind.CHOICE: _text,
    ValueKind.NEW_FILE: _path,
    ValueKind.INTEGER: _whole,
    ValueKind.NUMBER: _number,
    ValueKind.BOOLEAN: _exact(bool),
    ValueKind.FILE: _file,
    ValueKind.FOLDER: lambda value: Folder(_path(value)),
    ValueKind.DATE: _day,
    ValueKind.PERIOD: _period,
    ValueKind.HOURS: _hours,
    ValueKind.RECURRENCE: _text,
    ValueKind.SIZE: _size,
    ValueKind.DURATION: lambda value: timedelta(seconds=_number(value)),
    ValueKind.QUANTITY: _quantity,
    ValueKind.CONDITION: _condition,
    ValueKind.TABLE: _table,
    ValueKind.RECORD: _record,
    ValueKind.ANY: lambda value: value,
}


def to_json(value: Any, _depth: int = 0) -> Any:
    """Return a result as JSON. Raises BadResult for what has no JSON form."""
    if _depth > _DEEPEST:
        raise BadResult("result.deep", "The result is nested too deeply.", hint="Report this to the skill's author.")
    if isinstance(value, Mapping):
        return {str(key): to_json(item, _depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [to_json(item, _depth + 1) for item in ordered]
    for kinds, write in _WRITERS:
        if isinstance(value, kinds):
            return write(value)
    return _object(value, _depth)


_WRITERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Enum, lambda value: value.value),
    (bool | int | str | None, lambda value: value),
    (float, lambda value: value if math.isfinite(value) else None),
    (Decimal | PurePath, str),
    (date, lambda value: value.isoformat()),
    (timedelta, lambda value: value.total_seconds()),
)


def _object(value: Any, depth: int) -> Any:
    match value:
        case File():
            return _file_json(value)
        case Folder():
            return {"path": value.path, "name": value.name}
        case Hours():
            ends = value.end.isoformat("minutes") if value.end else None
            return {"start": value.start.isoformat("minutes"), "end": ends, "rough": value.rough}
        case Size():
            return {"min": value.min_bytes, "max": value.max_bytes}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name), depth + 1) for field in dataclasses.fields(value)}
    if callable(getattr(value, "item", None)):  # a scalar of numpy
        return to_json(value.item(), depth + 1)
    message = f"The tool returned a {type(value).__name__}, which cannot be passed on."
    raise BadResult("result.type", message, hint="Report this to the skill's author.")


def _file_json(file: File) -> dict[str, Any]:
    return {
        "path": file.path,
        "name": file.name,
        "size_bytes": file.size_bytes,
        "modified": file.modified.isoformat() if file.modified else None,
        "folder": file.folder,
        "stem": file.stem,
        "suffix": file.suffix,
    }


def check(value: Any, kind: ValueType, where: str = "the result") -> None:
    """Raise BadResult unless the JSON ``value`` has the shape that ``kind`` declares. None stands for "nothing"."""
    if kind.many:
        if not isinstance(value, list):
            raise _unfit(where, kind, value)
        for number, item in enumerate(value):
            check(item, dataclasses.replace(kind, many=False), f"{where}[{number}]")
        return
    if value is None or kind.kind is ValueKind.ANY:
        return
    if not _SHAPES[kind.kind](value) or (kind.choices and value not in kind.choices):
        raise _unfit(where, kind, value)
    if kind.kind is ValueKind.RECORD:
        for name, field in kind.fields.items():
            if name not in value:
                raise _unfit(f"{where}.{name}", field, None)
            check(value[name], field, f"{where}.{name}")


def _unfit(where: str, kind: ValueType, value: Any) -> BadResult:
    wanted = f"a list of kind {kind.kind}" if kind.many else f"of kind {kind.kind}"
    message = f"The tool declares that {where} is {wanted}, and returned {repr(value)[:80]}."
    return BadResult("result.shape", message, subject=where, hint="Report this to the skill's author.")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        try:
            return Decimal(value).is_finite()
        except InvalidOperation:
            return False
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


def _has(*keys: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, Mapping) and all(key in value for key in keys)


def _is_place(value: Any) -> bool:
    path = value.get("path") if isinstance(value, Mapping) else value
    return isinstance(path, str) and path.startswith("/")


def _is_table(value: Any) -> bool:
    if not _has("columns", "rows")(value) or not all(isinstance(value[key], list) for key in ("columns", "rows")):
        return False
    if not all(isinstance(column, str) for column in value["columns"]):
        return False
    width = len(value["columns"])
    return all(isinstance(row, list) and len(row) == width and _scalars(row) for row in value["rows"])


def _scalars(row: Iterable[Any]) -> bool:
    return all(cell is None or isinstance(cell, str | int | float | bool) for cell in row)


_SHAPES: Mapping[ValueKind, Callable[[Any], bool]] = {
    ValueKind.TEXT: _is_text,
    ValueKind.TITLE: _is_text,
    ValueKind.QUERY: _is_text,
    ValueKind.EXPRESSION: _is_text,
    ValueKind.UNIT: _is_text,
    ValueKind.COLUMN: _is_text,
    ValueKind.URL: _is_text,
    ValueKind.CHOICE: _is_text,
    ValueKind.NEW_FILE: _is_place,
    ValueKind.INTEGER: lambda value: isinstance(value, int) and not isinstance(value, bool),
    ValueKind.NUMBER: _is_number,
    ValueKind.BOOLEAN: lambda value: isinstance(value, bool),
    ValueKind.FILE: _is_place,
    ValueKind.FOLDER: _is_place,
    ValueKind.DATE: _is_day,
    ValueKind.PERIOD: _has("start", "end"),
    ValueKind.HOURS: _has("start", "end"),
    ValueKind.RECURRENCE: _is_text,
    ValueKind.SIZE: _has("min", "max"),
    ValueKind.DURATION: _is_number,
    ValueKind.QUANTITY: _has("value", "unit"),
    ValueKind.CONDITION: _has("column", "op", "value"),
    ValueKind.TABLE: _is_table,
    ValueKind.RECORD: lambda value: isinstance(value, Mapping),
}
