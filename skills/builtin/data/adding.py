"""One row more in a CSV or TSV file: only bytes at its end are added."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal

from skills.sdk import Context, File, Record, Table, ToolError
from skills.sdk.words import listing

from . import dialect, matching, reading, rows
from .frame import Frame


def added(ctx: Context, file: File, row: Record) -> File:
    """Add one row filled from a record by the file's own columns."""
    found, label, frame = _text_table(ctx, file)
    if rows.is_said(row.fields):
        placed = rows.said(row.fields, frame.columns, ctx.language)
    else:
        placed = rows.placed(rows.known(row.fields, ctx.language), frame.columns)
    return _written(ctx, found, label, frame, placed)


def entered(ctx: Context, file: File, amount: float, what: str, day: datetime.date) -> File:
    """Add one row with an amount, what it was for and a day. Raises ToolError when no column takes it."""
    found, label, frame = _text_table(ctx, file)
    known = rows.Known(Decimal(str(amount)), day, {"description": what})
    placed = rows.placed(known, frame.columns)
    if what not in placed.values():
        placed[_column_for(frame, placed, what)] = what
    return _written(ctx, found, label, frame, placed)


def _text_table(ctx: Context, file: File) -> tuple[File, str, Frame]:
    found = ctx.file(file)
    label = ctx.shown(found)
    if found.suffix not in reading.TEXT_SUFFIXES:
        raise ToolError(
            f"I can change rows of CSV and TSV files, and {label} is neither.",
            hint="Convert it to CSV first.",
            code="data.format",
            de=f"Zeilen kann ich in CSV- und TSV-Dateien ändern, und {label} ist keines von beiden.",
            de_hint="Wandle sie zuerst in CSV um.",
        )
    return found, label, reading.load(ctx, Table((), (), found.path))


def _written(ctx: Context, found: File, label: str, frame: Frame, placed: dict[int, object]) -> File:
    text, how = reading.text_of(ctx, found, label)
    header, old = reading.records_of(text, how, label)
    comma = any(column.decimal == "," for column in frame.columns) or (how.delimiter == ";" and ctx.language == "de")
    samples = [next((line[at] for line in reversed(old) if line[at].strip()), "") for at in range(len(header))]
    values = [
        rows.written(placed[at], column, samples[at], comma) if at in placed else ""
        for at, column in enumerate(frame.columns)
    ]
    said = ", ".join(f"{name} {value}" for name, value in zip(header, values, strict=True) if value)
    twin = _twin(ctx, label, old, values)
    ctx.append(found.path, dialect.encoded(rows.line(values, how), how, label), note=f"{twin}: {said}." if twin else "")
    ctx.say(f"I added a row to {label}: {said}.", de=f"Ich habe in {label} eine Zeile ergänzt: {said}.")
    if twin:
        ctx.say(f"{twin}.", de=f"{twin}.")
    return ctx.file(found.path)


def _column_for(frame: Frame, placed: dict[int, object], what: str) -> int:
    """Return the text column that has such a value already, or the only one that is free. Raises ToolError."""
    free = [at for at, column in enumerate(frame.columns) if column.kind in ("text", "empty") and at not in placed]
    holding = [at for at in free if matching.holds(frame, at, what)]
    for places in (holding, free):
        if len(places) == 1:
            return places[0]
    columns = [frame.columns[at].name for at in free] or list(frame.names)
    raise ToolError(
        f"“{what}” could go into several columns of {frame.label}: {listing(columns)}.",
        hint=f"Name the column, as in: add a row to {frame.label} with {columns[0]} {what} and the amount.",
        code="data.ambiguous-column",
        de=f"„{what}“ könnte in mehrere Spalten von {frame.label} gehören: {listing(columns, 'de')}.",
        de_hint=f"Nenne die Spalte: füge {frame.label} eine Zeile mit {columns[0]} {what} und dem Betrag hinzu.",
    )


def _twin(ctx: Context, label: str, old: Sequence[Sequence[str]], values: Sequence[str]) -> str:
    """Say that the very same row stands in the table already, as row so and so; empty when it does not."""
    wanted = [value.strip() for value in values]
    same = [number for number, line in enumerate(old, 1) if [value.strip() for value in line] == wanted]
    if not same:
        return ""
    if ctx.language == "de":
        return f"In {label} steht schon eine gleiche Zeile (Nummer {same[0]})"
    return f"{label} has an equal row already (number {same[0]})"
