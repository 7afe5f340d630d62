"""Numbers, rows and groups in the words of a sentence, in English and German."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from skills.sdk import Context, File, Table, words

from .frame import Frame
from .kinds import Column

SPOKEN = 20
"""So many rows or groups are named in the sentence; the table has more."""

SHOWN = 200
"""So many rows are shown in the table."""

_MEASURES = {
    "sum": ("total {}", "Summe {}"),
    "mean": ("average {}", "Durchschnitt {}"),
    "count": ("rows", "Anzahl"),
    "min": ("lowest {}", "kleinster Wert {}"),
    "max": ("highest {}", "größter Wert {}"),
    "median": ("median {}", "Median {}"),
}


def number(value: float | Decimal, language: str, column: Column | None = None) -> str:
    """Return a number in full, with two decimals where its column has cents, else at most ten significant digits."""
    if column is not None and column.scale == 2:
        text = str(Decimal(str(value)).quantize(Decimal("0.01"), ROUND_HALF_UP))
    elif value == int(value) and -(2**53) < value < 2**53:
        text = str(int(value))
    else:
        text = f"{value:.6g}" if -1 < value < 1 else f"{value:.4f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") if language == "de" else text


def value(found: Any, language: str, column: Column | None = None) -> str:
    """Return a cell as text; a missing value is a dash."""
    if found is None:
        return "–"
    if isinstance(found, int | float | Decimal) and not isinstance(found, bool):
        return number(found, language, column)
    if column is not None and column.kind == "date" and language == "de":
        return f"{datetime.date.fromisoformat(str(found)[:10]):%d.%m.%Y}"
    return re.sub(r"\s*[^\S ]\s*", " ", str(found).strip())  # on one line; two blanks stay two


def measured(measure: str, column: str, language: str) -> str:
    """Return the name of a computed column, such as ``total amount``."""
    return _MEASURES[measure][language == "de"].format(column).strip()


def lines(columns: Sequence[Column], rows: Sequence[Sequence[Any]], language: str) -> str:
    """Return the first rows as numbered lines, with a last line that counts the rest."""
    shown = []
    for place, row in enumerate(rows[:SPOKEN], start=1):
        cells = (value(found, language, column) for found, column in zip(row, columns, strict=True))
        shown.append(f"{place}. {' · '.join(cells)}")
    if len(rows) > SPOKEN:
        rest = len(rows) - SPOKEN
        shown.append(f"… und {rest} weitere" if language == "de" else f"… and {rest} more")
    return "\n".join(shown)


def sheets(ctx: Context, file: File, names: Sequence[str]) -> Table:
    """Say and show the names of a workbook's sheets."""
    label, heading = ctx.shown(file), "Blatt" if ctx.language == "de" else "sheet"
    count_en = words.count(len(names), "sheet", "sheets")
    count_de = words.count(len(names), "Blatt", "Blätter")
    ctx.table((heading,), [(name,) for name in names])
    ctx.say(
        f"{label} has {count_en}: {words.listing(names, most=40)}.",
        de=f"{label} hat {count_de}: {words.listing(names, 'de', most=40)}.",
    )
    return Table((heading,), tuple((name,) for name in names), file.path)


def show(
    ctx: Context, names: Sequence[str], rows: Sequence[Sequence[Any]], columns: Sequence[Column | None] = ()
) -> None:
    """Show the first rows as a table, the days of ``columns`` as the sentence has them."""
    kinds = columns or [None] * len(names)
    ctx.table(
        names,
        [
            [
                value(found, ctx.language, column) if found and column is not None and column.kind == "date" else found
                for found, column in zip(row, kinds, strict=True)
            ]
            for row in rows[:SHOWN]
        ],
    )


def counted(number_of: int, language: str) -> str:
    """Return ``1 row`` or ``12 rows``."""
    one, many = ("Zeile", "Zeilen") if language == "de" else ("row", "rows")
    return f"{number_of} {one if number_of == 1 else many}"


def kind(column: Column, language: str) -> str:
    """Return a column's kind in words, with the order of its dates where that had to be recognised."""
    names = {
        "integer": ("whole number", "ganze Zahl"),
        "number": ("number", "Zahl"),
        "date": ("date", "Datum"),
        "time": ("date and time", "Datum und Zeit"),
        "text": ("text", "Text"),
    }
    name = names[column.kind][language == "de"]
    order = {"%d": "day", "%m": "month", "%Y": "year", "%y": "year"}
    if column.kind != "date" or column.day == "%Y-%m-%d" or language == "de":
        return name
    return f"{name} ({'/'.join(order[column.day[at : at + 2]] for at in (0, 3, 6))})"


def say(ctx: Context, frames: Sequence[Frame], en: str, de: str) -> None:
    """Say a sentence, and on lines of their own what is to be known about how the tables were read."""
    ctx.say(en, de=de)
    for english, german in dict.fromkeys(frame.note for frame in frames):
        if english:
            ctx.say(english, de=german)


def kept(found: int, count: int, label: str, words: str) -> tuple[str, str]:
    """Return how many of the rows were kept and why, English and German."""
    return (
        f"{found} of {counted(count, 'en')} in {label} with {words}",
        f"{found} von {counted(count, 'de')} in {label} mit {words}",
    )


def none(count: int, label: str, words: str) -> tuple[str, str]:
    """Return that no row was kept, English and German."""
    return (
        f"None of the {counted(count, 'en')} in {label} has {words}.",
        f"Keine der {counted(count, 'de')} in {label} hat {words}.",
    )
