"""Content lines, of which contact files (vCard, RFC 6350, section 3.2) and calendars (iCalendar, RFC 5545, section 3.1)
are made: taken apart with the place of each, and written so that a change replaces exactly the bytes that it must.

Folded lines are joined as bytes, for a fold may stand inside a letter. What this stops: a file of somebody else whose
reading takes longer than its length says. What it does not: know which properties there are.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

_LOGICAL = re.compile(rb"[^\r\n]+(?:(?:\r\n|\n|\r)[ \t][^\r\n]*)*(?:\r\n|\n|\r|\Z)")
_FOLD = re.compile(rb"(?:\r\n|\n|\r)[ \t]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WIDEST = 75

Edit = tuple[int, int, bytes]
"""The bytes [first, last) become others."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


L = TypeVar("L", bound=_Named)


@dataclass(slots=True)
class Component(Generic[L]):
    """What begins and ends: the bytes [first, last) of its file, with its END at ``closed``.

    ``lines`` are its own and not those of a component inside it.
    """

    first: int
    last: int = 0
    closed: int = 0
    lines: list[L] = field(default_factory=list)

    def all(self, name: str) -> list[L]:
        """Return every line of a name."""
        return [line for line in self.lines if line.name == name]

    def one(self, name: str) -> L | None:
        """Return the first line of a name."""
        return next((line for line in self.lines if line.name == name), None)


# --- reading ------------------------------------------------------------------------------------------------------


def logical(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the lines of a file as they are, folds and end included, each with its place [first, last)."""
    for found in _LOGICAL.finditer(data, len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0):
        yield found[0], found.start(), found.end()


def unfolded(raw: bytes) -> bytes:
    """Return a line without its folds and its end."""
    plain = raw.rstrip(b"\r\n")
    return _FOLD.sub(b"", plain) if b"\n" in plain or b"\r" in plain else plain


def at_colon(text: str) -> tuple[str, str]:
    """Split a line at its first colon outside quotation marks; all of it stands before where there is none.

    A quotation that does not end is none; where every colon is in one before it, the first of them counts.
    """
    if '"' not in text:
        head, _, value = text.partition(":")
        return head, value
    quoted = False
    for at, letter in enumerate(text):
        quoted = quoted != (letter == '"')
        if letter == ":" and not quoted:
            return text[:at], text[at + 1 :]
    if not quoted:
        return text, ""
    begun = text.rindex('"')
    at = begun if ":" in text[begun:] else 0
    head, _, value = text[at:].partition(":")
    return text[:at] + head, value


def parted(head: str) -> list[str]:
    """Return what stands before the colon, at its semicolons outside quotation marks: the name, then each parameter.

    A quotation that does not end is none.
    """
    outside = head.split('"')
    if len(outside) % 2 == 0:
        outside[-2:] = ['"'.join(outside[-2:])]
    parts: list[list[str]] = [[]]
    for nth, piece in enumerate(outside):
        first, *more = piece.split(";") if nth % 2 == 0 else (f'"{piece}"',)
        parts[-1].append(first)
        parts += [[one] for one in more]
    return ["".join(one) for one in parts]


def unescaped(value: str) -> str:
    """Return the text that a value holds."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value) if "\\" in value else value


def is_wide(data: bytes) -> bool:
    """Tell whether a file is of two bytes a letter (UTF-16), also where it has no mark that says so."""
    return data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)) or "BEGIN".encode("utf-16-le") in data[:12]


# --- writing ------------------------------------------------------------------------------------------------------


def edited(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a file with its edits made."""
    parts, at = [], 0
    for first, last, new in sorted(edits, key=lambda one: one[:2]):
        parts += [data[at:first], new]
        at = last
    return b"".join([*parts, data[at:]])


def escaped(text: str) -> str:
    """Return a text as a value holds it."""
    plain = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def folded(text: str, end: bytes, encoding: str = "utf-8") -> bytes:
    """Return a line with its folds (75 bytes at most, never inside a letter) and its end.

    Raises UnicodeEncodeError where a letter cannot be written in ``encoding``.
    """
    parts, part, room = [], b"", _WIDEST
    for letter in text:
        data = letter.encode(encoding)
        if len(part) + len(data) > room:
            parts.append(part)
            part, room = b"", _WIDEST - 1
        part += data
    return (end + b" ").join([*parts, part]) + end


def end_of(data: bytes) -> bytes:
    """Return how the lines of a file end."""
    return b"\n" if b"\n" in data and b"\r\n" not in data else b"\r\n"
