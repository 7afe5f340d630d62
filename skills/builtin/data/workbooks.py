"""The sheets of a workbook: their names, and the filled rectangle of one of them as text.

Nothing of a workbook is passed over in silence: the other sheets stand in the note of a frame, and so do cells whose
formula was never worked out (they hold no value, and count as empty). What a workbook says about its own size is not
believed: every row is read.
"""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from skills.sdk import ToolError
from skills.sdk.words import listing

from . import frame
from .names import plain

SUFFIXES = (".xlsx", ".xlsm")
DOCUMENT_BYTES = 64 << 20
_UNPACKED_BYTES = 1 << 30
_BROKEN = (zipfile.BadZipFile, KeyError, ValueError, OSError, EOFError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as it was read: ``rows`` of text, the header first, without the rows and columns that are empty.

    ``used`` are the sheet's columns that the values stand in (0 is A), ``first`` and ``last`` the numbers of the first
    and the last filled row (from 1), ``others`` the names of the other sheets that hold anything, ``unknown`` is how
    many formulas have no value.
    """

    name: str
    rows: list[list[str]]
    used: list[int]
    first: int
    last: int
    others: tuple[str, ...] = ()
    unknown: int = 0


def read(real: Path, size_bytes: int, label: str, wanted: str = "") -> Sheet:
    """Return the sheet called ``wanted``, or the first that holds anything. Raises ToolError."""
    with _opened(real, size_bytes, label) as book:
        sheets = list(book.worksheets)
        if wanted:
            sheets = [_named(sheets, wanted, label)]
        found = next((one for sheet in sheets if (one := _filled(sheet)).rows), None)
        if found is None:
            raise _bare(label, wanted and sheets[0].title)
        others = [] if wanted else [one for one in book.worksheets if one.title != found.name and _holds_any(one)]
    unknown = _unknown(real, size_bytes, label, found)
    return replace(found, others=tuple(sheet.title for sheet in others), unknown=unknown)


def names(real: Path, size_bytes: int, label: str) -> tuple[str, ...]:
    """Return the names of the sheets in order. Raises ToolError."""
    with _opened(real, size_bytes, label) as book:
        return tuple(sheet.title for sheet in book.worksheets)


def contents(source: BinaryIO) -> dict[str, list[tuple[Any, ...]]]:
    """Return what stands in every sheet, without the empty rows at its end."""
    import openpyxl

    book = openpyxl.load_workbook(source, read_only=True)
    found = {}
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        rows = [_trimmed(row) for row in sheet.iter_rows(values_only=True)]
        while rows and not rows[-1]:
            rows.pop()
        found[sheet.title] = rows
    book.close()
    return found


def _trimmed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    last = max((at for at, value in enumerate(row) if value not in (None, "")), default=-1)
    return row[: last + 1]


def note(sheet: Sheet, label: str) -> tuple[str, str]:
    """Return what is to be known about how a workbook was read, English and German; empty when there is nothing."""
    english, german = [], []
    if sheet.others:
        english.append(
            f"This is the sheet {sheet.name}; {label} also has {listing(sheet.others)}. "
            f"Name one, as in: sheet {sheet.others[0]} of {label}."
        )
        german.append(
            f"Das ist das Blatt {sheet.name}; {label} hat außerdem {listing(sheet.others, 'de')}. "
            f"Nenne eines, etwa: Blatt {sheet.others[0]} von {label}."
        )
    if sheet.unknown:
        english.append(f"{_formulas(sheet.unknown)} without a value, and count as empty.")
        german.append(f"{_formeln(sheet.unknown)} ohne Wert, und zählen als leer.")
    return " ".join(english), " ".join(german)


def damaged(label: str) -> ToolError:
    """Return the error of a file that cannot be read as what its name says."""
    return ToolError(
        f"{label} cannot be read as a table: it is damaged or of another kind than its name says.",
        hint="Open it with the program that made it and save it again.",
        code="data.damaged",
        de=f"{label} lässt sich nicht als Tabelle lesen: beschädigt oder von anderer Art, als der Name sagt.",
        de_hint="Öffne sie mit dem Programm, das sie erzeugt hat, und speichere sie neu.",
    )


@contextmanager
def _opened(real: Path, size_bytes: int, label: str, *, values: bool = True) -> Iterator[Any]:
    """Yield the workbook, refused before any of it is parsed when it is too large, packed or unpacked."""
    import openpyxl

    try:
        with zipfile.ZipFile(real) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, OSError) as error:
        raise damaged(label) from error
    if size_bytes > DOCUMENT_BYTES or unpacked > _UNPACKED_BYTES:
        raise frame.too_big(label)
    try:
        with real.open("rb") as stream:  # a path would have to end like a workbook's, and a staged one does not
            book = openpyxl.load_workbook(stream, read_only=True, data_only=values)
            for sheet in book.worksheets:
                sheet.reset_dimensions()
            yield book
    except _BROKEN as error:
        raise damaged(label) from error


def _filled(sheet: Any) -> Sheet:
    numbered = [
        (number, values)
        for number, row in enumerate(sheet.iter_rows(values_only=True), start=1)
        if any(values := [_cell(value) for value in row])
    ]
    if not numbered:
        return Sheet(sheet.title, [], [], 0, 0)
    rows = [values for _, values in numbered]
    used = [at for at in range(max(map(len, rows))) if any(at < len(row) and row[at] for row in rows)]
    return Sheet(
        sheet.title,
        [[row[at] if at < len(row) else "" for at in used] for row in rows],
        used,
        numbered[0][0],
        numbered[-1][0],
    )


def _holds_any(sheet: Any) -> bool:
    return any(value not in (None, "") for row in sheet.iter_rows(values_only=True) for value in row)


def _cell(value: Any) -> str:
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return "" if value is None else str(value)


def _unknown(real: Path, size_bytes: int, label: str, found: Sheet) -> int:
    """Return how many formulas of the sheet have no value: the program that wrote it did not work them out."""
    if not _has_formulas(real):
        return 0
    with (
        _opened(real, size_bytes, label) as values,
        _opened(real, size_bytes, label, values=False) as formulas,
    ):
        pairs = zip(
            values[found.name].iter_rows(values_only=True),
            formulas[found.name].iter_rows(values_only=True),
            strict=True,
        )
        return sum(
            value is None and formula is not None
            for row, written in pairs
            for value, formula in zip(row, written, strict=True)
        )


def _has_formulas(real: Path) -> bool:
    """Tell whether any sheet has the element of a formula, whatever its prefix."""
    with zipfile.ZipFile(real) as archive:
        return any(
            has_formulas(archive.read(name)) for name in archive.namelist() if name.startswith("xl/worksheets/sheet")
        )


def has_formulas(sheet: bytes) -> bool:
    """Tell whether the XML of a sheet has the element of a formula."""
    return any(sign in sheet for sign in (b"<f>", b"<f ", b":f>", b":f ", b"<f/>"))


def _named(sheets: Sequence[Any], wanted: str, label: str) -> Any:
    """Return the sheet that is meant: by its name, by the only name that begins so, or by its number."""
    said = plain(wanted)
    exact = [sheet for sheet in sheets if plain(sheet.title) == said]
    begun = [sheet for sheet in sheets if said and plain(sheet.title).startswith(said)]
    counted = [sheets[int(said) - 1]] if said.isascii() and said.isdigit() and 0 < int(said) <= len(sheets) else []
    for found in (exact, begun, counted):
        if len(found) == 1:
            return found[0]
    names = [sheet.title for sheet in sheets]
    raise ToolError(
        f"{label} has no sheet “{wanted}”; it has {listing(names, most=40)}.",
        hint="Use one of these names.",
        code="data.no-sheet",
        de=f"{label} hat kein Blatt „{wanted}“; vorhanden sind {listing(names, 'de', most=40)}.",
        de_hint="Nimm einen dieser Namen.",
    )


def _bare(label: str, sheet: str) -> ToolError:
    if not sheet:
        return empty(label)
    return ToolError(
        f"The sheet {sheet} of {label} is empty.",
        hint="Name another sheet.",
        code="data.empty",
        de=f"Das Blatt {sheet} von {label} ist leer.",
        de_hint="Nenne ein anderes Blatt.",
    )


def empty(label: str) -> ToolError:
    """Return the error of a file without a table."""
    return ToolError(
        f"{label} is empty: it has no columns.",
        hint="Put a line with the columns' names into it first.",
        code="data.empty",
        de=f"{label} ist leer: die Datei hat keine Spalten.",
        de_hint="Schreib zuerst eine Zeile mit den Spaltennamen hinein.",
    )


def no_sheets(label: str) -> ToolError:
    """Return the error of a file that is no workbook, where a sheet was named."""
    return ToolError(
        f"{label} is no workbook: it has no sheets.",
        hint="Name an XLSX file, or leave the sheet out.",
        code="data.no-sheet",
        de=f"{label} ist keine Arbeitsmappe: sie hat keine Blätter.",
        de_hint="Nenne eine XLSX-Datei oder lass das Blatt weg.",
    )


def _formulas(count: int) -> str:
    return "One cell holds a formula" if count == 1 else f"{count} cells hold formulas"


def _formeln(count: int) -> str:
    return "Eine Zelle enthält eine Formel" if count == 1 else f"{count} Zellen enthalten Formeln"
