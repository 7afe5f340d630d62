"""Tables as files: CSV and TSV in the manner of their source, XLSX, Parquet and JSON.

What this stops: a text that begins like a formula becoming one in a workbook (cells are typed as text), and SQL
through column names. What it does not: formulas in CSV files, which are kept as they were in the source.
"""

# ruff: noqa: S608 - only our own column numbers and checked settings stand in SQL; values are parameters
from __future__ import annotations

import csv
import datetime
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from skills.sdk import Context, File, Table, ToolError

from . import reading
from .frame import Frame

FORMATS = ("csv", "tsv", "xlsx", "parquet", "json")


def write(ctx: Context, table: Table, path: str) -> tuple[File, Frame]:
    """Describe ``table`` as the new file ``path``, in the format of its suffix. Returns the file and what it holds."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise ToolError(
            f"I cannot write a table as “.{suffix}”.",
            hint=f"Use one of {', '.join(FORMATS)}.",
            code="data.format",
            de=f"Eine Tabelle kann ich nicht als „.{suffix}“ schreiben.",
            de_hint=f"Nimm eines von {', '.join(FORMATS)}.",
        )
    if ctx.exists(path):
        raise ToolError(
            f"{ctx.shown(path)} exists already, and I do not overwrite files.",
            hint="Choose another name, or move the old file away first.",
            code="data.exists",
            de=f"{ctx.shown(path)} gibt es schon, und ich überschreibe keine Dateien.",
            de_hint="Wähle einen anderen Namen oder räume die alte Datei zuerst weg.",
        )
    with ctx.writing(path) as real:
        frame = reading.load(ctx, table, writable=str(real) if suffix == "parquet" else "")
        match suffix:
            case "xlsx":
                _workbook(frame, real)
            case "parquet":
                _parquet(frame, real)
            case "json":
                _json(frame, real)
            case _:
                real.write_text(_delimited(ctx, frame, table, suffix), encoding="utf-8", newline="")
    return ctx.file(path), frame


def _delimited(ctx: Context, frame: Frame, table: Table, suffix: str) -> str:
    delimiter, comma = ("\t", False) if suffix == "tsv" else (",", False)
    if suffix == "csv":
        delimiter, comma = _manner(ctx, table)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(frame.names)
    if frame.written and not table.columns:  # as it was written in the source, to the letter
        selected = ", ".join(f"c{at}" for at in range(len(frame.columns)))
        writer.writerows(frame.query(f"SELECT {selected} FROM r ORDER BY n"))
    else:
        writer.writerows([_shown(value, comma) for value in row] for row in frame.rows())
    return out.getvalue()


def _manner(ctx: Context, table: Table) -> tuple[str, bool]:
    """Return the delimiter of the CSV that the table came from, and whether it writes a decimal comma."""
    source = table.source
    if not source.lower().endswith(".csv"):
        return ",", False
    try:
        file = ctx.file(source)
        _, how = reading.text_of(ctx, file, ctx.shown(file))
        commas = any(column.decimal == "," for column in reading.load(ctx, Table((), (), source)).columns)
    except (ToolError, OSError):  # this step has no right to read the source, or it is gone
        return ",", False
    return how.delimiter, commas


def _shown(value: Any, comma: bool) -> str:
    if value is None:
        return ""
    text = str(value)
    return text.replace(".", ",") if comma and isinstance(value, float | Decimal) else text


def _workbook(frame: Frame, real: Path) -> None:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils.exceptions import IllegalCharacterError

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Table")

    def made(value: Any) -> Any:
        try:
            made_cell = WriteOnlyCell(sheet, value)
        except IllegalCharacterError:
            made_cell = WriteOnlyCell(sheet, "".join(sign for sign in str(value) if sign.isprintable()))
        if isinstance(value, str):
            made_cell.data_type = "s"
        return made_cell

    sheet.append([made(name) for name in frame.names])
    for row in frame.rows():
        values = zip(row, frame.columns, strict=True)
        sheet.append([made(_dated(value) if column.kind == "date" else value) for value, column in values])
    book.save(real)


def _dated(value: Any) -> Any:
    return datetime.date.fromisoformat(value) if isinstance(value, str) else value


def _parquet(frame: Frame, real: Path) -> None:
    columns = ", ".join(f'c{at} AS "{name.replace(chr(34), chr(34) * 2)}"' for at, name in enumerate(frame.names))
    target = str(real).replace("'", "''")
    frame.query(f"COPY (SELECT {columns} FROM t ORDER BY n) TO '{target}' (FORMAT parquet)")


def _json(frame: Frame, real: Path) -> None:
    records = [dict(zip(frame.names, row, strict=True)) for row in frame.rows()]
    real.write_text(json.dumps(records, ensure_ascii=False, indent=1, default=float) + "\n", encoding="utf-8")
