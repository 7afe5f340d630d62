"""Tables from files: CSV, TSV and other delimited text, XLSX, Parquet, JSON; and tables that are values already.

Bounds: small text files (32 MB) are read record by record, so that a broken one is refused by line; larger ones (up to
2 GB, UTF-8) by the database. Workbooks and JSON files up to 64 MB. Nothing outside of the named file is opened.
"""

# ruff: noqa: S608 - only our own column numbers and checked settings stand in SQL; values are parameters
from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from skills.sdk import Context, File, Table, ToolError, words

from . import dialect, frame, kinds, workbooks
from .dialect import Dialect
from .frame import Frame
from .names import meaning

_SMALL_BYTES = 32 << 20
_LARGE_BYTES = 2 << 30
TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".txt")


def load(ctx: Context, table: Table, *, writable: str = "", sheet: str = "") -> Frame:
    """Return the frame of a table value, reading its file when it has no columns yet. Raises ToolError.

    ``writable`` is the one file that the frame's database may write, ``sheet`` the sheet of a workbook that is meant.
    """
    month_first = ctx.language != "de"
    if table.columns:
        label = words.place(table.source, ctx.home) if table.source else ("the table", "die Tabelle")[not month_first]
        return frame.from_rows(
            unique(table.columns), table.rows, label, source=table.source, month_first=month_first, writable=writable
        )
    file = ctx.file(table.source)
    label = ctx.shown(file)
    if file.size_bytes == 0:
        raise workbooks.empty(label)
    if sheet and file.suffix not in workbooks.SUFFIXES:
        raise workbooks.no_sheets(label)
    match file.suffix:
        case ".xlsx" | ".xlsm":
            return _workbook(ctx, file, label, writable, sheet)
        case ".parquet":
            return _parquet(ctx, file, label, writable)
        case ".json":
            return _json(ctx, file, label, writable)
        case ".xls" | ".ods" | ".numbers":
            raise _unknown(file, label)
        case _:
            return _text(ctx, file, label, writable)


def sheets(ctx: Context, table: Table) -> tuple[str, ...]:
    """Return the names of the sheets of the table's file. Raises ToolError when it is no workbook."""
    file = ctx.file(table.source)
    if file.suffix not in workbooks.SUFFIXES:
        raise workbooks.no_sheets(ctx.shown(file))
    return workbooks.names(ctx.real(file), file.size_bytes, ctx.shown(file))


def text_of(ctx: Context, file: File, label: str) -> tuple[str, Dialect]:
    """Return the text of a delimited file and how it is written."""
    text, encoding = dialect.decoded(ctx.read_bytes(file), label)
    if not text.strip():
        raise workbooks.empty(label)
    return text, dialect.sniff(text, encoding, file.suffix)


def records_of(text: str, how: Dialect, label: str) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of a delimited text. Raises ToolError on the first record of another width."""
    found = dialect.records(text, how, label)
    _, first = next(found)
    rows = [] if how.header else [first]
    lines = [1]
    for line, values in found:
        rows.append(values)
        lines.append(line)
    if how.header:
        lines = lines[1:]
    width = _width(first, rows)
    for line, values in zip(lines, rows, strict=True):
        if len(values) != width and (len(values) < width or any(values[width:])):
            raise dialect.ragged(label, line, len(values), width)
    header = first[:width] if how.header else [f"column {at + 1}" for at in range(width)]
    return unique(header), [values[:width] for values in rows]


def unique(header: Sequence[str]) -> list[str]:
    """Return the names without blanks around them, none empty and none twice."""
    seen: set[str] = set()
    result = []
    for at, raw in enumerate(header):
        name = base = " ".join(str(raw).split()) or f"column {at + 1}"
        number = 1
        while name.casefold() in seen:
            number += 1
            name = f"{base} ({number})"
        seen.add(name.casefold())
        result.append(name)
    return result


def _width(first: list[str], rows: list[list[str]]) -> int:
    """Return the number of columns; a delimiter that ends every line makes none."""
    width = len(first)
    while (
        width > 1
        and not first[width - 1].strip()
        and all(len(row) < width or not row[width - 1].strip() for row in rows)
    ):
        width -= 1
    return width


def _text(ctx: Context, file: File, label: str, writable: str) -> Frame:
    if file.size_bytes > _SMALL_BYTES:
        return _large_text(ctx, file, label, writable)
    text, how = text_of(ctx, file, label)
    header, rows = records_of(text, how, label)
    comma, month_first = how.delimiter == ";", ctx.language != "de"
    return frame.from_rows(
        header, rows, label, source=file.path, comma=comma, month_first=month_first, writable=writable
    )


def _large_text(ctx: Context, file: File, label: str, writable: str) -> Frame:
    """Let the database read a large file, with what its first megabyte says about it."""
    if file.size_bytes > _LARGE_BYTES:
        raise frame.too_big(label)
    real = ctx.real(file)
    with real.open("rb") as stream:
        head = stream.read(1 << 20)
    text, encoding = dialect.decoded(head[: head.rfind(b"\n") + 1] or head, label)
    if encoding not in ("utf-8", "utf-8-sig"):
        raise ToolError(
            f"{label} is larger than 32 MB and not written in UTF-8.",
            hint="Save it as UTF-8 first.",
            code="data.encoding",
            de=f"{label} ist größer als 32 MB und nicht in UTF-8 geschrieben.",
            de_hint="Speichere die Datei zuerst als UTF-8.",
        )
    how = dialect.sniff(text, encoding, file.suffix)
    header, _ = records_of(text, how, label)
    connection = frame.connect(str(real), writable)
    declared = ", ".join(f"'c{at}': 'VARCHAR'" for at in range(len(header)))
    _run(
        connection,
        "CREATE TABLE r AS SELECT row_number() OVER () AS n, * FROM read_csv(?, auto_detect = false, strict_mode = true"
        f", delim = ?, quote = '\"', escape = '\"', header = {how.header}, columns = {{{declared}}})",
        [str(real), how.delimiter],
        label,
    )
    comma, month_first = how.delimiter == ";", ctx.language != "de"
    return frame.from_text(connection, header, label, source=file.path, comma=comma, month_first=month_first)


def _parquet(ctx: Context, file: File, label: str, writable: str) -> Frame:
    real = str(ctx.real(file))
    connection = frame.connect(real, writable)
    _run(connection, "CREATE TABLE p AS SELECT * FROM read_parquet(?)", [real], label)
    described = connection.execute("DESCRIBE p").fetchall()
    columns = []
    selected = []
    for at, (name, kind, *_rest) in enumerate(described):
        column = _parquet_column(str(name), str(kind))
        original = '"' + str(name).replace('"', '""') + '"'
        selected.append(f"{original if column.kind != 'text' else f'CAST({original} AS VARCHAR)'} AS c{at}")
        columns.append(column)
    connection.execute(f"CREATE TABLE t AS SELECT row_number() OVER () AS n, {', '.join(selected)} FROM p")
    connection.execute("DROP TABLE p")
    return Frame(connection, tuple(columns), label, file.path, written=False)


def _parquet_column(name: str, kind: str) -> kinds.Column:
    if re.fullmatch(r"U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?", kind):
        return kinds.Column(name, "integer", 0)
    if match := re.fullmatch(r"DECIMAL\(\d+,\s*(\d+)\)", kind):
        return kinds.Column(name, "number", int(match[1]))
    if kind in ("DOUBLE", "FLOAT"):
        return kinds.Column(name, "number")
    if kind == "DATE":
        return kinds.Column(name, "date")
    return kinds.Column(name, "time" if kind.startswith("TIMESTAMP") else "text")


def _workbook(ctx: Context, file: File, label: str, writable: str, sheet: str = "") -> Frame:
    found = workbooks.read(ctx.real(file), file.size_bytes, label, sheet)
    header, *body = found.rows
    if sheet:
        label = f"Blatt {found.name} von {label}" if ctx.language == "de" else f"sheet {found.name} of {label}"
    built = frame.from_rows(
        unique(header),
        _with_cents(header, body),
        label,
        source=file.path,
        month_first=ctx.language != "de",
        writable=writable,
    )
    return replace(built, note=workbooks.note(found, ctx.shown(file)))


def _with_cents(header: Sequence[str], rows: list[list[str]]) -> list[list[str]]:
    """A workbook keeps 89.4 where 89.40 was written: amounts with a tenth get their hundredth back."""
    tenths = re.compile(r"-?\d+\.\d")
    columns = {at for at, name in enumerate(header) if meaning(name) == "amount"}
    return [
        [f"{cell}0" if at in columns and tenths.fullmatch(cell) else cell for at, cell in enumerate(row)]
        for row in rows
    ]


def _json(ctx: Context, file: File, label: str, writable: str) -> Frame:
    if file.size_bytes > workbooks.DOCUMENT_BYTES:
        raise frame.too_big(label)
    try:
        found = json.loads(ctx.read_text(file))
    except (ValueError, RecursionError) as error:
        raise workbooks.damaged(label) from error
    if isinstance(found, dict):
        found = next((value for value in found.values() if isinstance(value, list)), [found])
    records = [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    if not records or len(records) != len(found):
        raise ToolError(
            f"{label} is not a table: it is not a list of objects with named values.",
            hint='Name a file such as [{"name": "a", "amount": 1}].',
            code="data.not-a-table",
            de=f"{label} ist keine Tabelle, also keine Liste von Objekten mit benannten Werten.",
            de_hint='Nenne eine Datei wie [{"name": "a", "amount": 1}].',
        )
    header = list(dict.fromkeys(name for row in records for name in row))
    rows = [[_json_cell(row.get(name)) for name in header] for row in records]
    month_first = ctx.language != "de"
    return frame.from_rows(unique(header), rows, label, source=file.path, month_first=month_first, writable=writable)


def _json_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _run(connection: Any, sql: str, parameters: list[Any], label: str) -> None:
    import duckdb

    try:
        connection.execute(sql, parameters)
    except duckdb.OutOfMemoryException as error:
        raise frame.too_big(label) from error
    except duckdb.Error as error:
        if match := re.search(r"Line:\s*(\d+)", str(error)):
            found = re.search(r"Expected Number of Columns:\s*(\d+)\s*Found:\s*(\d+)", str(error))
            wanted, had = (int(found[1]), int(found[2])) if found else (0, 0)
            raise dialect.ragged(label, int(match[1]), had, wanted) from error
        raise workbooks.damaged(label) from error


def _unknown(file: File, label: str) -> ToolError:
    return ToolError(
        f"{label} is in a format that I cannot read ({file.suffix}).",
        hint="Save it as XLSX or CSV first.",
        code="data.format",
        de=f"{label} hat ein Format, das ich nicht lesen kann ({file.suffix}).",
        de_hint="Speichere die Datei zuerst als XLSX oder CSV.",
    )
