"""One row more in a sheet of a workbook: only that sheet's XML gets a row, every other part stays to the byte.

What this keeps: the other sheets, charts, pictures, styles, macros - nothing but the sheet (and a table that is laid
over its rows) is written anew. What it refuses, with words: workbooks with formulas, whose results would be out of date
until another program works them out; signed ones; sheets written in a way that is not understood. The result is read
back and compared before it counts.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePosixPath

from skills.sdk import ToolError

from . import workbooks
from .workbooks import Sheet

Value = str | Decimal | date
_ROW = re.compile(rb"<((?:\w+:)?)row\b([^>]*?)(?:/>|>(.*?)</(?:\w+:)?row>)", re.S)
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*?)(?:/>|>(.*?)</(?:\w+:)?c>)", re.S)
_TABLE_REF = re.compile(rb'\bref="([A-Z]+\d+:[A-Z]+)(\d+)"')


@dataclass(frozen=True, slots=True)
class Sample:
    """The filled cell above a new one: its style, and whether it holds a number (a day is one too) or text."""

    style: bytes = b""
    number: bool = False
    text: bool = False


def samples(real: Path, sheet: Sheet, label: str) -> dict[int, Sample]:
    """Return the last filled cell below the header for each of the sheet's columns (0 is A). Raises ToolError."""
    found: dict[int, Sample] = {}
    with zipfile.ZipFile(real) as archive:
        _refuse_signed(archive, label)
        _refuse_formulas(archive, label)
        xml = archive.read(_part(real, sheet, label))
    for row in _ROW.finditer(xml):
        if not sheet.first < _number(row) <= sheet.last:
            continue
        for cell in _CELL.finditer(row[3] or b""):
            kind, style = _attribute(cell[1], b"t"), _attribute(cell[1], b"s")
            if b"<" in (cell[2] or b""):
                found[_column(cell[1])] = Sample(style, kind in (b"", b"n", b"d"), kind in (b"s", b"str", b"inlineStr"))
    return found


def with_row(real: Path, sheet: Sheet, values: Mapping[int, Value], label: str) -> bytes:
    """Return the workbook with one row more below the last filled one. Raises ToolError.

    ``values`` are by the sheet's columns (0 is A): text, a number, or a day, which becomes the number that is a day.
    """
    above = samples(real, sheet, label)
    part = _part(real, sheet, label)
    with zipfile.ZipFile(real) as archive:
        changed = {part: _grown(archive.read(part), sheet, values, above, _epoch(real), label)}
        for name in _tables(archive, part):
            changed[name] = _stretched(archive.read(name), sheet.last)
        data = _rewritten(archive, changed)
    _check(data, real, sheet, label)
    return data


def _grown(
    xml: bytes, sheet: Sheet, values: Mapping[int, Value], above: Mapping[int, Sample], epoch: date, label: str
) -> bytes:
    number = sheet.last + 1
    head = xml[:200]
    if b"<!" in xml or (b"encoding=" in head and b"utf-8" not in head.lower()):
        raise _strange(label)
    rows = list(_ROW.finditer(xml))
    last = next((row for row in rows if _number(row) == sheet.last), None)
    after = next((row for row in rows if _number(row) == number), None)
    if last is None:
        raise _strange(label)
    prefix = last[1]
    cells = b"".join(_cell(prefix, at, number, values[at], above.get(at, Sample()), epoch) for at in sorted(values))
    made = b'<%srow r="%d">%s</%srow>' % (prefix, number, cells, prefix)
    place = (after.start(), after.end()) if after else (last.end(), last.end())
    grown = xml[: place[0]] + made + xml[place[1] :]
    return re.sub(
        rb'(<(?:\w+:)?dimension\b[^>]*\bref="[A-Z]+\d+:[A-Z]+)(\d+)"',
        lambda found: b'%s%d"' % (found[1], max(number, int(found[2]))),
        grown,
        count=1,
    )


def _cell(prefix: bytes, at: int, number: int, value: Value, sample: Sample, epoch: date) -> bytes:
    style = b' s="%s"' % sample.style if sample.style else b""
    place = b'<%sc r="%s%d"%s' % (prefix, _letters(at), number, style)
    if isinstance(value, date):
        value = Decimal((value - epoch).days)
    if isinstance(value, Decimal):
        return b"%s><%sv>%s</%sv></%sc>" % (place, prefix, f"{value:f}".encode(), prefix, prefix)
    text = html.escape(value, quote=False).encode()
    return b'%s t="inlineStr"><%sis><%st xml:space="preserve">%s</%st></%sis></%sc>' % (
        place, prefix, prefix, text, prefix, prefix, prefix,
    )  # fmt: skip


def _rewritten(archive: zipfile.ZipFile, changed: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        for entry in archive.infolist():
            copy.writestr(entry, changed.get(entry.filename, archive.read(entry)), entry.compress_type)
    return out.getvalue()


def _check(data: bytes, real: Path, sheet: Sheet, label: str) -> None:
    """Read the new workbook back: the sheet has its old rows and one more, and the other sheets what they had."""
    with real.open("rb") as stream:
        before, after = workbooks.contents(stream), workbooks.contents(io.BytesIO(data))
    old, new = before.pop(sheet.name), after.pop(sheet.name)
    if before != after or new[: len(old)] != old or len(new) != len(old) + 1:
        raise _strange(label)


def _part(real: Path, sheet: Sheet, label: str) -> str:
    """Return the name of the part of the archive that holds the sheet."""
    from openpyxl.reader.excel import ExcelReader

    with real.open("rb") as stream:
        reader = ExcelReader(stream, read_only=True)
        reader.read_manifest()
        reader.read_workbook()
        part = next((rel.target for one, rel in reader.parser.find_sheets() if one.name == sheet.name), None)
    if part is None:
        raise _strange(label)
    return str(part)


def _epoch(real: Path) -> date:
    """Return the day that is 0 in the workbook (1904 on old Macintoshes; the leap day that never was is counted)."""
    import openpyxl
    from openpyxl.utils.datetime import WINDOWS_EPOCH

    with real.open("rb") as stream:
        epoch = openpyxl.load_workbook(stream, read_only=True).epoch
    return (epoch or WINDOWS_EPOCH).date()


def _tables(archive: zipfile.ZipFile, part: str) -> list[str]:
    """Return the parts of the tables that are laid over rows of the sheet."""
    from openpyxl.packaging.relationship import get_dependents

    path = PurePosixPath(part)
    rels = str(path.parent / "_rels" / f"{path.name}.rels")
    if rels not in archive.namelist():
        return []
    return [rel.target for rel in get_dependents(archive, rels) if PurePosixPath(rel.Type).name == "table"]


def _stretched(xml: bytes, last: int) -> bytes:
    """Return a table that ended at the last row with the new one in it."""
    return _TABLE_REF.sub(
        lambda found: b'ref="%s%d"' % (found[1], last + 1) if int(found[2]) == last else found[0], xml
    )


def _refuse_formulas(archive: zipfile.ZipFile, label: str) -> None:
    sheets = (name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml"))
    if any(workbooks.has_formulas(archive.read(name)) for name in sheets):
        raise ToolError(
            f"{label} has formulas, and I cannot work out their results anew: they would be out of date.",
            hint="Add the row in the program that made the file, or keep the rows in a CSV file.",
            code="data.formulas",
            de=f"{label} enthält Formeln, deren Ergebnisse ich nicht neu berechnen kann: sie wären veraltet.",
            de_hint="Ergänze die Zeile im Programm, das die Datei erzeugt hat, oder führe die Zeilen als CSV-Datei.",
        )


def _refuse_signed(archive: zipfile.ZipFile, label: str) -> None:
    if any(name.startswith("_xmlsignatures/") for name in archive.namelist()):
        raise ToolError(
            f"{label} is signed, and a change would break its signature.",
            hint="Add the row in a copy without the signature.",
            code="data.signed",
            de=f"{label} ist signiert, und eine Änderung würde die Signatur ungültig machen.",
            de_hint="Ergänze die Zeile in einer Kopie ohne Signatur.",
        )


def _strange(label: str) -> ToolError:
    return ToolError(
        f"{label} is written in a way in which I cannot add a row without touching the rest of it.",
        hint="Add the row in the program that made the file, or keep the rows in a CSV file.",
        code="data.cannot-keep",
        de=f"{label} ist so geschrieben, dass ich keine Zeile ergänzen kann, ohne den Rest anzutasten.",
        de_hint="Ergänze die Zeile im Programm, das die Datei erzeugt hat, oder führe die Zeilen als CSV-Datei.",
    )


def _attribute(attributes: bytes, name: bytes) -> bytes:
    found = re.search(rb'(?:^|\s)%s="([^"]*)"' % name, attributes)
    return found[1] if found else b""


def _number(row: re.Match[bytes]) -> int:
    return int(_attribute(row[2], b"r") or b"0")


def _column(attributes: bytes) -> int:
    """Return the column of a cell, 0 for A; -1 where it does not say."""
    letters = _attribute(attributes, b"r").rstrip(b"0123456789")
    at = 0
    for letter in letters:
        at = at * 26 + letter - 64
    return at - 1


def _letters(at: int) -> bytes:
    text, left = b"", at + 1
    while left:
        left, digit = divmod(left - 1, 26)
        text = bytes([65 + digit]) + text
    return text


def typed(values: Sequence[object], texts: Sequence[str], above: Sequence[Sample]) -> list[Value]:
    """Return each value as its cell takes it: a number or a day where numbers stand, else the text it is written as.

    ``values`` are what was placed, ``texts`` the same as a CSV file would have it; both empty where nothing is known.
    """
    made: list[Value] = []
    for value, text, sample in zip(values, texts, above, strict=True):
        if isinstance(value, date) and sample.number:
            made.append(value)
        elif isinstance(value, int | float | Decimal) and not sample.text:
            made.append(Decimal(str(value)))
        else:
            made.append(text)
    return made
