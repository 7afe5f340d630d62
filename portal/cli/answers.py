"""An answer and its tables in a terminal: what the answer counts up and a table shows as well is shown once.

The whole answer always stands in ``--json`` and in a pipe; only a terminal, which shows the tables, drops what is told
twice. A stretch that says more than the table does stays.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LETTERS_A_ROW = 16
"""Letters that a stretch may have for each row beyond the table's: "14 January 2026" for 2026-01-14, joining words."""

ENOUGH_ROWS = 3
"""An answer that counts up the first few of many rows names at least so many."""

Table = Mapping[str, Any]
_OPENS = re.compile(r"(:[ \t]*|:?\s*\n[ \t]*)(?:[-•*][ \t]*|\d+[.)][ \t]*)?[\"“„»]?$")
_MONTHS = re.compile(r"\s+(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)", re.IGNORECASE)
_AMOUNT = re.compile(r"-?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer's text, or a table in its place."""

    text: str = ""
    table: Table | None = None


def pieces(answer: str, tables: Sequence[Table]) -> list[Piece]:
    """Return the answer in reading order; a stretch that counts up the rows of a table gives way to it."""
    found: list[Piece] = []
    left: list[Piece] = []
    cursor = 0
    for table in tables:
        stretch = _counted_up(answer, cursor, table)
        if stretch is None:
            left.append(Piece(table=table))
            continue
        found += [Piece(answer[cursor : stretch[0]].rstrip()), Piece(table=table)]
        cursor = stretch[1]
    rest = answer[cursor:] if not cursor else re.sub(r"^[.!?]?\s*", "", answer[cursor:])
    found.append(Piece(rest.rstrip()))
    return [piece for piece in (*found, *left) if piece.table is not None or piece.text]


def _counted_up(text: str, start: int, table: Table) -> tuple[int, int] | None:
    """Find where ``text`` counts up the rows of ``table``, in their order, after a colon or as lines."""
    rows = table.get("rows") or ()
    places = list(_in_order(text, start, rows))
    if not places or (len(places) < len(rows) and len(places) < ENOUGH_ROWS):
        return None
    first, last = places[0][0], places[-1][1]
    opening = _OPENS.search(text[start:first])
    if opening is None:
        return None
    end = _end_of_line(text, last) if "\n" in opening[1] else _end_of_sentence(text, last)
    begin = first - len(opening[0]) + opening[0].startswith(":")
    return None if _says_more(text[begin:end], rows[: len(places)]) else (begin, end)


def _in_order(text: str, start: int, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int]]:
    """Yield where the first cell of each row stands, with the folder before it that another cell names."""
    for row in rows:
        cells = [str(cell) for cell in row if cell not in (None, "")]
        at = text.find(cells[0], start) if cells else -1
        if at < 0:
            return
        folder = next((f"{cell}/" for cell in cells[1:] if text.endswith(f"{cell}/", start, at)), "")
        start = at + len(cells[0])
        yield at - len(folder), start


def _says_more(stretch: str, rows: Sequence[Sequence[Any]]) -> bool:
    for row in rows:
        for cell in row:
            stretch = stretch.replace("" if cell is None else str(cell), " ", 1) if cell not in (None, "") else stretch
    return sum(letter.isalpha() for letter in stretch) > LETTERS_A_ROW * len(rows)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _end_of_sentence(text: str, at: int) -> int:
    """A full stop outside brackets that ends a sentence, and not the number of a day ("14. Januar")."""
    depth = 0
    for here in range(at, len(text)):
        mark = text[here]
        if mark == "\n":
            return here
        depth = max(0, depth + (mark == "(") - (mark == ")"))
        if depth or mark not in ".!?" or text[here + 1 : here + 2].strip():
            continue
        if mark != "." or not text[here - 1 : here].isdigit() or not _MONTHS.match(text, here + 1):
            return here
    return len(text)


# --- tables -------------------------------------------------------------------------------------------------------


def written_rows(table: Table, language: str) -> tuple[list[list[str]], list[bool]]:
    """Return the cells of ``table`` as text, and which columns hold numbers: those of a column are written alike."""
    rows = [list(row) for row in table.get("rows") or ()]
    width = len(table.get("columns") or ())
    digits = [_digits([row[at] for row in rows if at < len(row)]) for at in range(width)]
    written = [[_cell(cell, digits[at] if at < width else 0, language) for at, cell in enumerate(row)] for row in rows]
    return written, [_is_number([row[at] for row in rows if at < len(row)]) for at in range(width)]


def _digits(cells: Sequence[Any]) -> int:
    """Return how many decimals a column has: amounts with cents keep both digits."""
    most = max((_decimals(cell) for cell in cells if isinstance(cell, float) and math.isfinite(cell)), default=0)
    return 2 if 0 < most <= 2 else most


def _decimals(value: float) -> int:
    fraction = f"{value!r}".partition(".")[2]
    return 0 if fraction == "0" or "e" in fraction else len(fraction)


def _cell(value: Any, digits: int, language: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    text = f"{value:.{digits}f}" if digits and math.isfinite(value) and "e" not in repr(value) else str(value)
    return text.replace(".", ",") if language == "de" else text


def _is_number(cells: Sequence[Any]) -> bool:
    there = [cell for cell in cells if cell not in (None, "")]
    return bool(there) and all(_AMOUNT.fullmatch(str(cell)) for cell in there)
