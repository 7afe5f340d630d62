"""Tables in CSV, TSV, XLSX, Parquet and JSON files: look, choose, compute, draw, convert, and add a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any, Literal

from skills.sdk import Column, Condition, Context, File, NewFile, Record, Table, ToolError

from . import charts, conditions, dialect, figures, joining, reading, rows, telling, writing
from .frame import Frame

_MOST_ROWS = 10_000  # that may be asked for by number

Measure = Literal["sum", "mean", "count", "min", "max", "median"]


@dataclass(frozen=True, slots=True)
class Profile:
    """The shape of a table: how many rows and columns, and the columns' names."""

    rows: int
    columns: int
    names: list[str]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number over a table, with the decimals of its column; a day has no ``value`` but a ``text``.

    ``column`` is empty when rows were counted; ``rows`` is how many values went in.
    """

    value: Decimal | None
    text: str
    measure: str
    column: str
    rows: int


def describe(ctx: Context, table: Table) -> Profile:
    """Describe a table: its rows and columns, and each column's type, range and mean.

    Args:
        table: the table to describe.
    """
    frame = reading.load(ctx, table)
    count = frame.count()
    details = figures.details(frame, ctx.language)
    headings = ("column", "kind", "filled", "lowest", "highest", "mean")
    german = ("Spalte", "Art", "gefüllt", "kleinster Wert", "größter Wert", "Mittel")
    ctx.table(german if ctx.language == "de" else headings, details)
    described = "; ".join(figures.spoken(row, ctx.language) for row in details[:30])
    size_en, size_de = telling.counted(count, "en"), telling.counted(count, "de")
    ctx.say(
        f"{frame.label} has {size_en} and {len(frame.columns)} columns: {described}.{frame.note[0]}",
        de=f"{frame.label} hat {size_de} und {len(frame.columns)} Spalten: {described}.{frame.note[1]}",
    )
    return Profile(count, len(frame.columns), list(frame.names))


def show(ctx: Context, table: Table, count: int = 20, end: Literal["first", "last"] = "first") -> Table:
    """Show the first or last rows of a table.

    Args:
        table: the table to show.
        count: how many rows.
        end: from the beginning or from the end.
    """
    frame = reading.load(ctx, table)
    total_rows = frame.count()
    count = min(max(1, count), _MOST_ROWS)
    order = "n" if end == "first" else "n DESC"
    found = frame.rows(f"ORDER BY {order} LIMIT {count}")
    found = found if end == "first" else found[::-1]
    place_en, place_de = ("first", "ersten") if end == "first" else ("last", "letzten")
    if len(found) == total_rows:
        _say(
            ctx,
            frame,
            found,
            f"{frame.label} has {telling.counted(total_rows, 'en')}",
            f"{frame.label} hat {telling.counted(total_rows, 'de')}",
        )
    else:
        _say(
            ctx,
            frame,
            found,
            f"The {place_en} {len(found)} of {total_rows} rows in {frame.label}",
            f"Die {place_de} {len(found)} von {total_rows} Zeilen in {frame.label}",
        )
    return Table(frame.names, found, frame.source)


def filter(ctx: Context, table: Table, condition: Condition) -> Table:
    """Keep the rows of a table that meet a condition.

    Args:
        table: the table to filter.
        condition: a comparison on one column, such as amount > 100.
    """
    frame = reading.load(ctx, table)
    where = conditions.where(frame, condition, ctx.today, ctx.language)
    found = frame.rows(f"WHERE {where.sql}", where.parameters)
    count = frame.count()
    if not found:
        instead = figures.instead(frame, condition)
        ctx.say(
            f"None of the {telling.counted(count, 'en')} in {frame.label} has {where.words}.{instead}",
            de=f"Keine der {telling.counted(count, 'de')} in {frame.label} hat {where.words}.",
        )
        telling.show(ctx, frame.names, found)
        return Table(frame.names, found, frame.source)
    _say(
        ctx,
        frame,
        found,
        f"{len(found)} of {telling.counted(count, 'en')} in {frame.label} with {where.words}",
        f"{len(found)} von {telling.counted(count, 'de')} in {frame.label} mit {where.words}",
    )
    return Table(frame.names, found, frame.source)


def sort(
    ctx: Context,
    table: Table,
    column: Column,
    order: Literal["ascending", "descending"] | None = None,
    count: int | None = None,
) -> Table:
    """Sort the rows of a table by a column; with a count, keep only the top ones.

    Args:
        table: the table to sort.
        column: the column to sort by.
        order: ascending or descending; when absent descending for a top few, else ascending.
        count: how many rows to keep; all when absent.
    """
    frame = reading.load(ctx, table)
    at = frame.find(column)
    descending = order == "descending" or (order is None and count is not None)
    direction = "DESC" if descending else "ASC"
    key = f"lower(c{at})" if frame.columns[at].kind == "text" else f"c{at}"
    limit = f" LIMIT {min(max(1, count), _MOST_ROWS)}" if count is not None else ""
    found = frame.rows(f"ORDER BY {key} {direction} NULLS LAST, n{limit}")
    name = frame.columns[at].name
    way_en, way_de = ("descending", "absteigend") if descending else ("ascending", "aufsteigend")
    if count is not None:
        which_en, which_de = ("highest", "höchsten") if descending else ("lowest", "niedrigsten")
        _say(
            ctx,
            frame,
            found,
            f"The {telling.counted(len(found), 'en')} with the {which_en} {name} in {frame.label}",
            f"{telling.counted(len(found), 'de')} mit dem {which_de} Wert für {name} in {frame.label}",
        )
    else:
        _say(
            ctx,
            frame,
            found,
            f"The {telling.counted(len(found), 'en')} of {frame.label} by {name}, {way_en}",
            f"{telling.counted(len(found), 'de')} aus {frame.label} nach {name}, {way_de}",
        )
    return Table(frame.names, found, frame.source)


def group(
    ctx: Context,
    table: Table,
    by: Column,
    measure: Measure | None = None,
    column: Column | None = None,
) -> Table:
    """Compute a sum, average, count, minimum or maximum for each group of rows of a table.

    Args:
        table: the table to group.
        by: the column whose values make the groups.
        measure: what to compute; the sum of the column, or the number of rows when there is nothing to add up.
        column: the column to compute over; the only numeric one when absent.
    """
    frame = reading.load(ctx, table)
    groups = figures.grouped(frame, by, measure, column, ctx.language)
    telling.show(ctx, groups.names, groups.rows)
    parts = [
        f"{telling.value(key, ctx.language)}: {telling.value(value, ctx.language, groups.column)}"
        for key, value in groups.rows
    ]
    more = len(parts) - telling.SPOKEN
    parts = parts[: telling.SPOKEN]
    rest_en, rest_de = (f"; and {more} more", f"; und {more} weitere") if more > 0 else ("", "")
    said = "; ".join(parts)
    ctx.say(
        f"{groups.names[1]} by {groups.names[0]} in {frame.label}: {said}{rest_en}.",
        de=f"{groups.names[1]} nach {groups.names[0]} in {frame.label}: {said}{rest_de}.",
    )
    return Table(groups.names, groups.rows, frame.source)


def total(
    ctx: Context,
    table: Table,
    measure: Measure = "sum",
    column: Column | None = None,
    condition: Condition | None = None,
) -> Figure:
    """Compute one number over a table: the sum, average, count, minimum, maximum or median of a column.

    Args:
        table: the table to compute over.
        measure: what to compute.
        column: the column to compute over; the only numeric one when absent; rows are counted without one.
        condition: a comparison that the rows must meet, such as vendor = IKEA; all rows count when absent.
    """
    frame = reading.load(ctx, table)
    where = conditions.where(frame, condition, ctx.today, ctx.language) if condition else None
    figure = figures.total(frame, measure, column, where)
    ctx.say(figure.english, de=figure.german)
    return Figure(figure.value, figure.text, measure, figure.column, figure.rows)


def join(ctx: Context, left: Table, right: Table, on: Column | None = None) -> Table:
    """Join two tables on a column that both have.

    Args:
        left: the first table.
        right: the second table.
        on: the column to match rows by; the only one in common when absent.
    """
    first, second = reading.load(ctx, left), reading.load(ctx, right)
    joined = joining.join(first, second, on)
    telling.show(ctx, joined.names, joined.rows)
    shown = telling.lines(joined.columns, joined.rows, ctx.language)
    heading = " · ".join(joined.names)
    lost_en = f"\n{joined.unmatched} of {first.label} had no match and were left out." if joined.unmatched else ""
    lost_de = f"\n{joined.unmatched} aus {first.label} hatten kein Gegenstück und fehlen." if joined.unmatched else ""
    size_en, size_de = (telling.counted(len(joined.rows), language) for language in ("en", "de"))
    ctx.say(
        f"{first.label} and {second.label} share {joined.on} and give {size_en} ({heading}):\n{shown}{lost_en}",
        de=f"{first.label} und {second.label} haben {joined.on} gemeinsam und ergeben {size_de}"
        f" ({heading}):\n{shown}{lost_de}",
    )
    return Table(joined.names, joined.rows, first.source)


def plot(
    ctx: Context,
    table: Table,
    x: Column | None = None,
    y: Column | None = None,
    kind: Literal["bar", "line", "scatter", "histogram", "pie"] | None = None,
) -> File:
    """Draw a chart of a table and save it as a PNG picture beside the table's file.

    Args:
        table: the table to draw.
        x: the column along the bottom (categories, dates or numbers).
        y: the column of values.
        kind: the kind of chart; chosen by the columns' types when absent.
    """
    frame = reading.load(ctx, table)
    chart = charts.chosen(frame, x, y, kind)
    path = _beside(ctx, table, f"{chart.kind}.png", separator=" ")
    with ctx.writing(path) as real:
        charts.draw(frame, chart, real, ctx.language)
    ctx.attach(path)
    shown = charts.title(frame, chart, ctx.language)
    folded_en = f" The {chart.folded} smallest groups are drawn as one." if chart.folded else ""
    folded_de = f" Die {chart.folded} kleinsten Gruppen sind zu einer zusammengefasst." if chart.folded else ""
    name_en, name_de = charts.NAMES[chart.kind]
    ctx.say(
        f"A {name_en} of {shown} with {len(chart.points)} values is in {ctx.shown(path)}.{folded_en}",
        de=f"Ein {name_de} von {shown} mit {len(chart.points)} Werten liegt in {ctx.shown(path)}.{folded_de}",
    )
    return ctx.file(path)


def convert(ctx: Context, table: Table, format: Literal["csv", "tsv", "xlsx", "parquet", "json"]) -> File:
    """Convert a table into another file format, beside its file.

    Args:
        table: the table to convert.
        format: the format of the new file.
    """
    if table.source.lower().endswith(f".{format}") and not table.columns:
        raise ToolError(
            f"{ctx.shown(table.source)} is a {format.upper()} file already.",
            hint="Name another format.",
            code="data.same-format",
            de=f"{ctx.shown(table.source)} ist schon eine {format.upper()}-Datei.",
            de_hint="Nenne ein anderes Format.",
        )
    return _saved(ctx, table, _beside(ctx, table, format, separator="."))


def save(ctx: Context, table: Table, file: NewFile) -> File:
    """Save a table (often the result of an earlier step) as a new CSV, TSV, XLSX, Parquet or JSON file.

    Args:
        table: the table to save.
        file: the name of the new file; its suffix decides the format.
    """
    path = str(file)
    name = path.rsplit("/", 1)[-1]
    return _saved(ctx, table, path if "." in name.lstrip(".") else f"{path}.csv")


def append(ctx: Context, file: File, row: Record) -> File:
    """Add one row to a CSV or TSV file, filled from a record or value by the file's own columns.

    Args:
        file: the table file to add to.
        row: the value or named fields to add, such as the total that was read from an invoice.
    """
    found = ctx.file(file)
    label = ctx.shown(found)
    if found.suffix not in reading.TEXT_SUFFIXES:
        raise ToolError(
            f"I can add rows to CSV and TSV files, and {label} is neither.",
            hint="Convert it to CSV first.",
            code="data.format",
            de=f"Zeilen kann ich an CSV- und TSV-Dateien anhängen, und {label} ist keines von beiden.",
            de_hint="Wandle sie zuerst in CSV um.",
        )
    text, how = reading.text_of(ctx, found, label)
    header, old = reading.records_of(text, how, label)
    frame = reading.load(ctx, Table((), (), found.path))
    if rows.is_said(row.fields):
        placed = rows.said(row.fields, frame.columns, ctx.language)
    else:
        placed = rows.placed(rows.known(row.fields, ctx.language), frame.columns)
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


def _twin(ctx: Context, label: str, old: Sequence[Sequence[str]], values: Sequence[str]) -> str:
    """Say that the very same row stands in the table already, as row so and so; empty when it does not."""
    wanted = [value.strip() for value in values]
    same = [number for number, line in enumerate(old, 1) if [value.strip() for value in line] == wanted]
    if not same:
        return ""
    if ctx.language == "de":
        return f"In {label} steht schon eine gleiche Zeile (Nummer {same[0]})"
    return f"{label} has an equal row already (number {same[0]})"


def _say(ctx: Context, frame: Frame, found: Sequence[Sequence[Any]], en: str, de: str) -> None:
    """Say what the rows are, then the first of them, and show them."""
    telling.show(ctx, frame.names, found)
    shown = telling.lines(frame.columns, found, ctx.language)
    heading = " · ".join(frame.names)
    ctx.say(f"{en} ({heading}):\n{shown}{frame.note[0]}", de=f"{de} ({heading}):\n{shown}{frame.note[1]}")


def _beside(ctx: Context, table: Table, ending: str, *, separator: str) -> str:
    """Return a free path beside the table's file; in the home when it has none."""
    source = PurePosixPath(table.source or f"{ctx.home}/table")
    return ctx.unused(source.with_name(f"{source.stem}{separator}{ending}"))


def _saved(ctx: Context, table: Table, path: str) -> File:
    file, count = writing.write(ctx, table, path)
    ctx.attach(file)
    ctx.say(
        f"I wrote {telling.counted(count, 'en')} to {ctx.shown(file)}.",
        de=f"Ich habe {telling.counted(count, 'de')} nach {ctx.shown(file)} geschrieben.",
    )
    return file
