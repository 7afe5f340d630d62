"""How a delimited text file is written: encoding, delimiter, quoting, line ends, header; and its records by line.

Nothing is repaired in silence: a record with too many or too few values is refused with the number of its line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from skills.sdk import ToolError
from skills.sdk.words import encoding_of

csv.field_size_limit(1 << 20)

_DELIMITERS = ",;\t|"
_LOOKED_AT = 100  # records that decide the delimiter
_VALUE = re.compile(
    r"[-+]?[\d.,\s]*\d[\d.,\s]*%?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}.*|[€$£]\s*[\d.,]+|[\d.,]+\s*(?:€|\$|£|EUR|USD)"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written. ``quoted`` is "all", "text" or "needed": which values stand in quotes."""

    encoding: str
    delimiter: str
    newline: str
    header: bool
    quoted: str
    ended: bool  # the last line has its line end


def decoded(data: bytes, name: str) -> tuple[str, str]:
    """Return text and encoding. Raises ToolError when the bytes are not text."""
    encoding = encoding_of(data)
    if encoding == "utf-16":
        return data.decode(encoding), "utf-16-be" if data.startswith(b"\xfe\xff") else "utf-16-le"
    if encoding in ("utf-8", "cp1252", "latin-1") and b"\0" in data[:4096]:
        # UTF-16 without a mark: in Western text nearly every other byte is zero.
        even, odd = data[0:4096:2].count(0), data[1:4096:2].count(0)
        if max(even, odd) < len(data[:4096]) // 5 or min(even, odd) * 10 > max(even, odd):
            raise _binary(name)
        encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError as error:
        raise _binary(name) from error


def _binary(name: str) -> ToolError:
    return ToolError(
        f"{name} is not a text table: it holds binary data.",
        hint="Name a CSV, TSV, XLSX, Parquet or JSON file.",
        code="data.binary",
        de=f"{name} ist keine Texttabelle: sie enthält Binärdaten.",
        de_hint="Nenne eine CSV-, TSV-, XLSX-, Parquet- oder JSON-Datei.",
    )


def sniff(text: str, encoding: str, suffix: str) -> Dialect:
    """Tell how ``text`` is written, from its first records and its end."""
    head = "".join(text[: 1 << 18].splitlines(keepends=True)[:_LOOKED_AT])
    delimiter = "\t" if suffix in (".tsv", ".tab") else _delimiter(head)
    newline = "\r\n" if "\r\n" in head else "\n" if "\n" in head or "\r" not in head else "\r"
    first = _first(head, delimiter, 6)
    return Dialect(
        encoding, delimiter, newline, _has_header(first), _quoting(head, delimiter), text.endswith(("\n", "\r"))
    )


def records(text: str, dialect: Dialect, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of the first line, values) of each record that is not blank. Raises ToolError on broken quotes."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=dialect.delimiter, strict=True)
    begins = 1
    try:
        for values in reader:
            if any(value.strip() for value in values):
                yield begins, values
            begins = reader.line_num + 1
    except csv.Error as error:
        raise ToolError(
            f"Line {begins} of {name} is broken: {error}.",
            hint="Mend the quotes on that line.",
            code="data.broken-line",
            de=f"Zeile {begins} von {name} ist fehlerhaft: {error}.",
            de_hint="Bring die Anführungszeichen in dieser Zeile in Ordnung.",
        ) from error


def encoded(text: str, how: Dialect, name: str) -> bytes:
    """Return ``text`` in the encoding of its file. Raises ToolError when it has signs that the encoding lacks."""
    encoding = "utf-8" if how.encoding == "utf-8-sig" else how.encoding
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        sign = text[error.start]
        raise ToolError(
            f"{name} is written in {how.encoding}, which has no sign “{sign}”.",
            hint="Save the file as UTF-8 first.",
            code="data.encoding",
            de=f"{name} ist in {how.encoding} geschrieben, wo es das Zeichen „{sign}“ nicht gibt.",
            de_hint="Speichere die Datei zuerst als UTF-8.",
        ) from error


def ragged(name: str, line: int, found: int, wanted: int) -> ToolError:
    """Return the error of a record that does not have as many values as there are columns."""
    return ToolError(
        f"Line {line} of {name} has {found} value{'s' if found != 1 else ''} where the table has {wanted} columns.",
        hint="Mend that line, or put quotes around a value that contains the delimiter.",
        code="data.ragged",
        de=f"Zeile {line} von {name} hat {found} Wert{'e' if found != 1 else ''}, die Tabelle aber {wanted} Spalten.",
        de_hint="Bring die Zeile in Ordnung oder setze Werte mit dem Trennzeichen in Anführungszeichen.",
    )


def _first(text: str, delimiter: str, count: int) -> list[list[str]]:
    found: list[list[str]] = []
    try:
        for values in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if any(value.strip() for value in values):
                found.append(values)
            if len(found) == count:
                break
    except csv.Error:
        pass  # `records` says where
    return found


def _delimiter(head: str) -> str:
    """Return the delimiter with which most records have the width of the first, the wider the better."""

    def fit(delimiter: str) -> tuple[float, int]:
        rows = _first(head, delimiter, _LOOKED_AT)
        width = len(rows[0]) if rows else 1
        if width == 1:
            return 0.0, 1
        return sum(len(row) == width for row in rows) / len(rows), width

    return max(_DELIMITERS, key=fit)


def _has_header(rows: list[list[str]]) -> bool:
    """Tell whether the first record names columns: all words, all different, none of them a number or a date."""
    if not rows:
        return False
    names = [value.strip() for value in rows[0]]
    while len(names) > 1 and not names[-1]:
        names.pop()
    if any(not name or is_value(name) for name in names):
        return bool(len(rows) > 1 and sum(bool(name) for name in names) > len(names) // 2 and not _has_value(names))
    unique = len({name.casefold() for name in names}) == len(names)
    return unique or any(_has_value(row) for row in rows[1:])


def is_value(text: str) -> bool:
    """Tell whether a text is a number, a date or an amount, as opposed to words."""
    return _VALUE.fullmatch(text.strip()) is not None


def _has_value(row: list[str]) -> bool:
    return any(is_value(value) for value in row)


def _quoting(head: str, delimiter: str) -> str:
    """Tell from the last full line which values stand in quotes."""
    lines = [line for line in head.splitlines() if line.strip()]
    sample = lines[-1] if lines else ""
    if '"' not in sample:
        return "needed"
    bare = next(csv.reader([sample], delimiter=delimiter), [])
    if sample == delimiter.join('"' + value.replace('"', '""') + '"' for value in bare):
        return "all"
    as_text = delimiter.join(
        value if _VALUE.fullmatch(value) else '"' + value.replace('"', '""') + '"' for value in bare
    )
    return "text" if sample == as_text else "needed"
