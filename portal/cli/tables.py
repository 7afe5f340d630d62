"""Rows in a terminal of any width: in columns where there is room, else one under the other; nothing is cut off.

In columns, what is short (a day, a size, the id of a run) is never broken, and what is long is folded. Where the long
ones would get too narrow to be read, each row stands as a few lines of its own, which no wrapping of ours breaks: a
path or an id can be copied as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

SHORT = 20
"""A column of cells no wider than this is never folded."""

READABLE = 28
"""A column of longer cells is given at least so much."""

NARROW = 72
"""In a terminal narrower than this nothing is folded."""

_APART = 3


def drawn(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool], width: int, *, ruled: bool
) -> Iterator[RenderableType]:
    """Yield what shows ``rows``; ``numbers`` says which columns stand at the right, ``ruled`` draws lines between."""
    wide = [max([cell_len(columns[at]), *(cell_len(row[at]) for row in rows)]) for at in range(len(columns))]
    room = width - _APART * len(columns)
    short = [size for size in wide if size <= SHORT]
    long = len(wide) - len(short)
    folds = width >= NARROW and long and short and (room - sum(short)) // long >= READABLE
    if folds or sum(wide) <= room:
        yield _table(columns, rows, numbers, wide, ruled=ruled)
    else:
        for row in rows:
            yield from _stacked(columns, row, width)


def _table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool], wide: Sequence[int], *, ruled: bool
) -> Table:
    table = (
        Table(show_edge=False, header_style="bold") if ruled else Table(box=None, pad_edge=False, header_style="bold")
    )
    for name, number, size in zip(columns, numbers, wide, strict=True):
        table.add_column(
            Text(name), justify="right" if number else "left", overflow="fold", no_wrap=size <= SHORT,
            min_width=size if size <= SHORT else None,
        )  # fmt: skip
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _stacked(columns: Sequence[str], row: Sequence[str], width: int) -> Iterator[Text]:
    """Yield the lines of one row: its first cell, and beneath it the others by name."""
    yield Text(row[0], "bold")
    line = ""
    for pair in (f"{name}: {cell}" for name, cell in zip(columns[1:], row[1:], strict=True) if cell):
        if line and cell_len(f"  {line} · {pair}") > width:
            yield Text(f"  {line}")
            line = ""
        line = f"{line} · {pair}" if line else pair
    if line:
        yield Text(f"  {line}")


def show(console: Console, shown: Iterator[RenderableType]) -> None:
    """Print what ``drawn`` yields; lines of text are left as they are."""
    for one in shown:
        console.print(one, soft_wrap=isinstance(one, Text))
