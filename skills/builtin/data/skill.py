"""Tables in CSV, TSV, XLSX, Parquet and JSON files: look, choose, compute, draw, convert, and add a row."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any, Literal

from skills.sdk import Column, Condition, Context, File, NewFile, Period, Query, Record, Table, ToolError

from . import adding, charts, conditions, figures, joining, matching, names, reading, telling, writing
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
    telling.say(
        ctx,
        [frame],
        f"{frame.label} has {size_en} and {len(frame.columns)} columns: {described}.",
        f"{frame.label} hat {size_de} und {len(frame.columns)} Spalten: {described}.",
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
    en = f"The {place_en} {len(found)} of {total_rows} rows in {frame.label}"
    de = f"Die {place_de} {len(found)} von {total_rows} Zeilen in {frame.label}"
    if len(found) == total_rows:
        en = f"{frame.label} has {telling.counted(total_rows, 'en')}"
        de = f"{frame.label} hat {telling.counted(total_rows, 'de')}"
    _say(ctx, frame, found, en, de)
    return Table(frame.names, found, frame.source)


def sheet(ctx: Context, table: Table, name: Query | None = None) -> Table:
    """Take one sheet of a workbook and show its first rows, or list the sheets.

    Args:
        table: the workbook.
        name: the name of the sheet; all are listed when absent.
    """
    if name is None:
        return telling.sheets(ctx, ctx.file(table.source), reading.sheets(ctx, table))
    frame = reading.load(ctx, Table((), (), table.source), sheet=str(name))
    rows = frame.rows()
    size_en, size_de = telling.counted(len(rows), "en"), telling.counted(len(rows), "de")
    label = f"{frame.label[:1].upper()}{frame.label[1:]}"  # a sentence begins with a capital
    _say(ctx, frame, rows, f"{label} has {size_en}", f"{label} hat {size_de}")
    return Table(frame.names, rows, frame.source)


def filter(ctx: Context, table: Table, condition: Condition) -> Table:
    """Keep the rows of a table that meet a condition.

    Args:
        table: the table to filter.
        condition: a comparison on one column, such as amount > 100.
    """
    frame = reading.load(ctx, table)
    condition = figures.compared(frame, condition)
    where = conditions.where(frame, condition, ctx.today, ctx.language)
    found = frame.rows(f"WHERE {where.sql}", where.parameters)
    count = frame.count()
    if not found:
        none_en, none_de = telling.none(count, frame.label, where.words)
        telling.say(ctx, [frame], f"{none_en}{figures.instead(frame, condition)}", none_de)
        telling.show(ctx, frame.names, found)
        return Table(frame.names, found, frame.source)
    _say(ctx, frame, found, *telling.kept(len(found), count, frame.label, where.words))
    return Table(frame.names, found, frame.source)


def pick(ctx: Context, table: Table, only: Query | None = None, period: Period | None = None) -> Table:
    """Keep the rows of a table that hold a value, such as a category, a shop or a month.

    Args:
        table: the table to choose from.
        only: the values that the rows must have, as they stand in the table.
        period: the days that the rows must be of.
    """
    frame = reading.load(ctx, table)
    where = matching.meant(frame, only, period, ctx.today, ctx.language)
    found = frame.rows(f"WHERE {where.sql}", where.parameters)
    _say(ctx, frame, found, *telling.kept(len(found), frame.count(), frame.label, where.words))
    return Table(frame.names, found, frame.source)


def tally(
    ctx: Context,
    table: Table,
    only: Query | None = None,
    period: Period | None = None,
    measure: Measure | None = None,
    column: Column | None = None,
) -> Table:
    """Add up, count or average the rows of a table that hold a value, such as a category, a shop or a month.

    Args:
        table: the table to compute over.
        only: the values that the rows must have, as they stand in the table.
        period: the days that the rows must be of.
        measure: what to compute; the sum when absent.
        column: the column to compute over; the only numeric one when absent.
    """
    frame = reading.load(ctx, table)
    where = matching.meant(frame, only, period, ctx.today, ctx.language)
    figure = figures.total(frame, measure or "sum", column, where)
    telling.say(ctx, [frame], figure.english, figure.german)
    return Table((telling.measured(measure or "sum", figure.column, ctx.language),), ((figure.value,),), frame.source)


def sort(
    ctx: Context,
    table: Table,
    column: Column | None = None,
    order: Literal["ascending", "descending"] | None = None,
    count: int | None = None,
) -> Table:
    """Sort the rows of a table by a column; with a count, keep only the top ones.

    Args:
        table: the table to sort.
        column: the column to sort by; the only one with amounts when absent.
        order: ascending or descending; when absent descending for a top few, else ascending.
        count: how many rows to keep; all when absent.
    """
    frame = reading.load(ctx, table)
    by, way = names.ordered(column or frame.columns[figures.measured(frame, "sum", None)].name, order)
    at = frame.find(by)
    descending = way == "descending" or (way is None and count is not None)
    direction = "DESC" if descending else "ASC"
    key = f"lower(c{at})" if frame.columns[at].kind == "text" else f"c{at}"
    limit = f" LIMIT {min(max(1, count), _MOST_ROWS)}" if count is not None else ""
    found = frame.rows(f"ORDER BY {key} {direction} NULLS LAST, n{limit}")
    name = frame.columns[at].name
    way_en, way_de = ("descending", "absteigend") if descending else ("ascending", "aufsteigend")
    size_en, size_de = telling.counted(len(found), "en"), telling.counted(len(found), "de")
    en, de = f"The {size_en} of {frame.label} by {name}, {way_en}", f"{size_de} aus {frame.label} nach {name}, {way_de}"
    if count is not None:
        which_en, which_de = ("highest", "höchsten") if descending else ("lowest", "niedrigsten")
        en = f"The {size_en} with the {which_en} {name} in {frame.label}"
        de = f"{size_de} mit dem {which_de} Wert für {name} in {frame.label}"
    _say(ctx, frame, found, en, de)
    return Table(frame.names, found, frame.source)


def group(
    ctx: Context,
    table: Table,
    by: Column,
    measure: Measure | None = None,
    column: Column | None = None,
    period: Period | None = None,
) -> Table:
    """Compute a sum, average, count, minimum or maximum for each group of rows of a table.

    Args:
        table: the table to group.
        by: the column whose values make the groups.
        measure: what to compute; the sum of the column, or the number of rows when there is nothing to add up.
        column: the column to compute over; the only numeric one when absent.
        period: the days that the rows must be of; all rows count when absent.
    """
    frame = reading.load(ctx, table)
    if not figures.groups_by(frame, by):  # "at Rewe", "in March": one value, and not each of a column
        where = matching.meant(frame, str(by), period, ctx.today, ctx.language)
        figure = figures.total(frame, measure or "sum", column, where)
        telling.say(ctx, [frame], figure.english, figure.german)
        return Table((str(by), figure.column or "rows"), ((str(by), figure.value),), frame.source)
    within = None if period is None else matching.meant(frame, None, period, ctx.today, ctx.language)
    groups = figures.grouped(frame, by, measure, column, ctx.language, within)
    if within is not None and not groups.rows:
        none_en, none_de = telling.none(frame.count(), frame.label, within.words)
        telling.say(ctx, [frame], none_en, none_de)
        return Table(groups.names, groups.rows, frame.source)
    telling.show(ctx, groups.names, groups.rows)
    parts = [
        f"{telling.value(key, ctx.language)}: {telling.value(value, ctx.language, groups.column)}"
        for key, value in groups.rows
    ]
    more = len(parts) - telling.SPOKEN
    parts = parts[: telling.SPOKEN]
    rest_en, rest_de = (f"; and {more} more", f"; und {more} weitere") if more > 0 else ("", "")
    said = "; ".join(parts)
    of_en, of_de = (f" ({within.words})",) * 2 if within is not None else ("", "")
    measured = f"{groups.names[1][:1].upper()}{groups.names[1][1:]}"  # a sentence begins with a capital
    telling.say(
        ctx,
        [frame],
        f"{measured} by {groups.names[0]} in {frame.label}{of_en}: {said}{rest_en}.",
        f"{measured} nach {groups.names[0]} in {frame.label}{of_de}: {said}{rest_de}.",
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
    asked = figures.compared(frame, condition) if condition else None
    where = conditions.where(frame, asked, ctx.today, ctx.language) if asked else None
    if where is None and column and not frame.has(column):  # "total Food": a value that stands in a column
        where, column = matching.rows_of(frame, str(column), ctx.today, ctx.language), None
    figure = figures.total(frame, measure, column, where)
    telling.say(ctx, [frame], figure.english, figure.german)
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
    telling.show(ctx, joined.names, joined.rows, joined.columns)
    english, german = joining.said(
        joined, first.label, second.label, telling.lines(joined.columns, joined.rows, ctx.language)
    )
    telling.say(ctx, [first, second], english, german)
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
    moment = ctx.now.strftime("%Y-%m-%d %H.%M.%S")  # the folder cannot be looked at: a name that no other chart has
    path = _beside(ctx, table, f"{chart.kind} {moment}.png", separator=" ")
    with ctx.writing(path) as real:
        charts.draw(frame, chart, real, ctx.language)
    ctx.attach(path)
    shown = charts.title(frame, chart, ctx.language)
    folded_en = f" The {chart.folded} smallest groups are drawn as one." if chart.folded else ""
    folded_de = f" Die {chart.folded} kleinsten Gruppen sind zu einer zusammengefasst." if chart.folded else ""
    name_en, name_de = charts.NAMES[chart.kind]
    telling.say(
        ctx,
        [frame],
        f"A {name_en} of {shown} with {len(chart.points)} values is in {ctx.shown(path)}.{folded_en}",
        f"Ein {name_de} von {shown} mit {len(chart.points)} Werten liegt in {ctx.shown(path)}.{folded_de}",
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
    """Add one row to a CSV, TSV or XLSX file, filled from a record or value by the file's own columns.

    Args:
        file: the table file to add to.
        row: the value or named fields to add, such as the total that was read from an invoice.
    """
    return adding.added(ctx, file, row)


def enter(ctx: Context, file: File, amount: float, what: Query, date: datetime.date | None = None) -> File:
    """Add one row to a CSV, TSV or XLSX file with an amount, what it was for, and the day.

    Args:
        file: the table file to add to.
        amount: how much.
        what: what it was for.
        date: the day; today when absent.
    """
    return adding.entered(ctx, file, amount, str(what), date or ctx.today)


def _say(ctx: Context, frame: Frame, found: Sequence[Sequence[Any]], en: str, de: str) -> None:
    """Say what the rows are, then the first of them, and show them."""
    telling.show(ctx, frame.names, found, frame.columns)
    shown = telling.lines(frame.columns, found, ctx.language)
    heading = " · ".join(frame.names)
    telling.say(ctx, [frame], f"{en} ({heading}):\n{shown}", f"{de} ({heading}):\n{shown}")


def _beside(ctx: Context, table: Table, ending: str, *, separator: str) -> str:
    """Return a free path beside the table's file; in the home when it has none."""
    source = PurePosixPath(table.source or f"{ctx.home}/table")
    return ctx.unused(source.with_name(f"{source.stem}{separator}{ending}"))


def _saved(ctx: Context, table: Table, path: str) -> File:
    file, frame = writing.write(ctx, table, path)
    count = frame.count()
    ctx.attach(file)
    telling.say(
        ctx,
        [frame],
        f"I wrote {telling.counted(count, 'en')} to {ctx.shown(file)}.",
        f"Ich habe {telling.counted(count, 'de')} nach {ctx.shown(file)} geschrieben.",
    )
    return file
