"""One row more in a CSV or TSV file, where only bytes at its end are added, or in a sheet of a workbook.

Nothing is guessed in silence: what has no column of its own is refused with the sentence that would do, a sign that
follows the table's own is said, and so is every column that was left empty.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from skills.sdk import Context, File, Record, Table, ToolError
from skills.sdk.words import listing

from . import conditions, dialect, matching, names, reading, rows, sheet_rows, signs, workbooks
from .frame import Frame

_SHEET = frozenset({"sheet", "worksheet", "tab", "blatt", "tabellenblatt"})
_OWN = frozenset({"vendor", "file", "currency", "number", "date", "amount"})
"""Meanings of a column that what an amount was for does not go into, unless it stands there already."""


@dataclass(frozen=True, slots=True)
class _Target:
    """A table on the disk that gets a row: its frame, and what stands in it as written, header and rows."""

    file: File
    label: str
    frame: Frame
    header: Sequence[str]
    old: Sequence[Sequence[str]]
    how: dialect.Dialect | None
    sheet: workbooks.Sheet | None


def added(ctx: Context, file: File, row: Record) -> File:
    """Add one row filled from a record by the file's own columns."""
    sheet, fields = _sheet_named(row.fields)
    target = _target(ctx, file, sheet)
    if not sheet or target.frame.has(sheet[0]):
        fields = row.fields
    columns = target.frame.columns
    if rows.is_said(fields):
        named = rows.said(fields, columns, ctx.language)
        return _written(ctx, target, named, signs.remark(target.frame, named))
    known = rows.known(fields, ctx.language)
    return _written(ctx, target, *signs.followed(target.frame, rows.placed(known, columns), known.amount))


def entered(ctx: Context, file: File, amount: float, what: str, day: datetime.date) -> File:
    """Add one row with an amount, what it was for and a day. Raises ToolError when no column takes it."""
    target = _target(ctx, file, None)
    place, what = _in_column(target.frame, what)
    known = rows.Known(Decimal(str(amount)), day, {} if place is not None else {"description": what})
    placed = rows.placed(known, target.frame.columns)
    if place is not None:
        placed[place] = what
    elif what not in placed.values():
        placed[_column_for(target.frame, placed, what)] = what
    return _written(ctx, target, *signs.followed(target.frame, placed, known.amount))


def _sheet_named(fields: Mapping[str, object]) -> tuple[tuple[str, str] | None, dict[str, object]]:
    """Return the field that names a sheet, and the others: "with sheet March, payee Kim and amount 12"."""
    named = next((name for name in fields if names.plain(name) in _SHEET), None)
    if named is None:
        return None, dict(fields)
    return (named, str(fields[named])), {name: value for name, value in fields.items() if name != named}


def _target(ctx: Context, file: File, sheet: tuple[str, str] | None) -> _Target:
    found = ctx.file(file)
    label = ctx.shown(found)
    if found.suffix in workbooks.SUFFIXES:
        return _workbook(ctx, found, label, sheet)
    if found.suffix not in reading.TEXT_SUFFIXES:
        raise ToolError(
            f"I can add rows to CSV, TSV and XLSX files, and {label} is none of them.",
            hint="Convert it to CSV first.",
            code="data.format",
            de=f"Zeilen kann ich in CSV-, TSV- und XLSX-Dateien ergänzen, und {label} ist nichts davon.",
            de_hint="Wandle sie zuerst in CSV um.",
        )
    frame = reading.load(ctx, Table((), (), found.path))
    text, how = reading.text_of(ctx, found, label)
    header, old = reading.records_of(text, how, label)
    return _Target(found, label, frame, header, old, how, None)


def _workbook(ctx: Context, found: File, label: str, named: tuple[str, str] | None) -> _Target:
    sheet = workbooks.read(ctx.real(found), found.size_bytes, label)
    wanted = "" if named is None or (not sheet.others and names.means_any(named[0], sheet.rows[0])) else named[1]
    if wanted:
        sheet = workbooks.read(ctx.real(found), found.size_bytes, label, wanted)
    if sheet.others:
        every = [sheet.name, *sheet.others]
        first = sheet.rows[0][0]
        raise ToolError(
            f"{label} has several sheets: {listing(every, most=40)}.",
            hint=f"Say which, as in: add a row to {label} with sheet {sheet.name} and {first} ...",
            code="data.which-sheet",
            de=f"{label} hat mehrere Blätter: {listing(every, 'de', most=40)}.",
            de_hint=f"Sag, welches: füge {label} eine Zeile hinzu mit Blatt {sheet.name} und {first} ...",
        )
    header, *old = sheet.rows
    frame = reading.load(ctx, Table((), (), found.path), sheet=sheet.name if wanted else "")
    return _Target(found, frame.label, frame, reading.unique(header), old, None, sheet)


def _written(ctx: Context, target: _Target, placed: Mapping[int, object], remark: tuple[str, str] = ("", "")) -> File:
    columns, how = target.frame.columns, target.how
    if how is None and ctx.language == "de":  # a workbook has no writing of its own
        columns = tuple(replace(column, decimal=",") for column in columns)
    semicolon = how is not None and how.delimiter == ";"
    comma = any(column.decimal == "," for column in columns) or (semicolon and ctx.language == "de")
    last = [next((line[at] for line in reversed(target.old) if line[at].strip()), "") for at in range(len(columns))]
    values = [
        rows.written(placed[at], column, last[at], comma) if at in placed else "" for at, column in enumerate(columns)
    ]
    said = ", ".join(f"{name} {value}" for name, value in zip(target.header, values, strict=True) if value)
    twin = _twin(ctx, target, values)
    note = f"{twin}: {said}." if twin else ""
    if how is not None:
        ctx.append(target.file.path, dialect.encoded(rows.line(values, how), how, target.label), note=note)
    elif target.sheet is not None:
        ctx.write(target.file.path, _in_workbook(ctx, target, target.sheet, placed, values), note=note)
    ctx.say(f"I added a row to {target.label}: {said}.", de=f"Ich habe in {target.label} eine Zeile ergänzt: {said}.")
    empty = [name for name, value in zip(target.header, values, strict=True) if not value]
    if empty:
        ctx.say(f"Left empty: {listing(empty)}.", de=f"Leer geblieben: {listing(empty, 'de')}.")
    for english, german in (remark, (f"{twin}." if twin else "",) * 2):
        if english:
            ctx.say(english, de=german)
    return ctx.file(target.file.path)


def _in_workbook(
    ctx: Context, target: _Target, sheet: workbooks.Sheet, placed: Mapping[int, object], texts: Sequence[str]
) -> bytes:
    real = ctx.real(target.file)
    above = sheet_rows.samples(real, sheet, target.label)
    cells = [above.get(at, sheet_rows.Sample()) for at in sheet.used]
    typed = sheet_rows.typed([placed.get(at) for at in range(len(texts))], texts, cells)
    filled = {column: value for column, value in zip(sheet.used, typed, strict=True) if value != ""}
    return sheet_rows.with_row(real, sheet, filled, target.label)


def _in_column(frame: Frame, what: str) -> tuple[int | None, str]:
    """Read "vendor: parking", where the table has such a column of words: its place, and what goes there."""
    name, mark, rest = what.partition(":")
    found = [at for at, column in enumerate(frame.columns) if column.kind == "text" and column.name == name.strip()]
    return (found[0], rest.strip()) if mark and rest.strip() and len(found) == 1 else (None, what)


def _column_for(frame: Frame, placed: Mapping[int, object], what: str) -> int:
    """Return the text column that has such a value already, or the only one that is free. Raises ToolError.

    A column that says that it holds something else (a payee, a currency) takes only what stands in it already.
    """
    free = [at for at, column in enumerate(frame.columns) if column.kind == "text" and at not in placed]
    holding = [at for at in free if matching.holds(frame, at, what)]
    if len(holding) == 1:
        return holding[0]
    if len(free) == 1 and names.meaning(frame.columns[free[0]].name) not in _OWN:
        return free[0]
    columns = [frame.columns[at].name for at in free] or list(frame.names)
    several = len(free) > 1
    raise ToolError(
        f"“{what}” could go into several columns of {frame.label}: {listing(columns)}."
        if several
        else f"{frame.label} has no column for what an amount was for (“{what}”); it has {listing(frame.names)}.",
        hint=f"Name the column, as in: add a row to {frame.label} with {columns[0]} {what} and the amount.",
        code="data.ambiguous-column" if several else "data.no-place",
        instead_of=what,
        choices=[f"{name}: {what}" for name in columns] if several else (),
        de=f"„{what}“ könnte in mehrere Spalten von {frame.label} gehören: {listing(columns, 'de')}."
        if several
        else f"{frame.label} hat keine Spalte dafür, wofür ein Betrag war („{what}“); es gibt "
        f"{listing(frame.names, 'de')}.",
        de_hint=f"Nenne die Spalte: füge {frame.label} eine Zeile mit {columns[0]} {what} und dem Betrag hinzu.",
    )


def _twin(ctx: Context, target: _Target, values: Sequence[str]) -> str:
    """Say that the very same row stands in the table already, as row so and so; empty when it does not."""
    wanted = _compared(values, target.frame, ctx.language)
    rows = enumerate(target.old, 1)
    same = next((number for number, line in rows if _compared(line, target.frame, ctx.language) == wanted), 0)
    if not same:
        return ""
    if ctx.language == "de":
        return f"In {target.label} steht schon eine gleiche Zeile (Nummer {same})"
    return f"{target.label} has an equal row already (number {same})"


def _compared(line: Sequence[str], frame: Frame, language: str) -> list[object]:
    """Return the values so that 3.5 and 3.50 are the same."""
    pairs = zip(line, frame.columns, strict=True)
    return [conditions.number(text, language) if column.numeric else text.strip() for text, column in pairs]
