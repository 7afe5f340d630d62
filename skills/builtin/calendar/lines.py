"""The lines of an iCalendar file (RFC 5545, section 3.1), with the bytes that each of them stands in.

Nothing is decoded before it is asked for, and every line knows its place, so that a change replaces exactly the bytes
that it must. Folded lines are joined as bytes: a fold may stand inside a letter.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass, field

_LINE = re.compile(rb"[^\r\n]+(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|\r|\Z)")
_FOLD = re.compile(rb"\r?\n[ \t]")
_NAME = re.compile(rb"[A-Za-z0-9-]+")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WIDEST = 75


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line, the bytes [first, last) of its file with its folds and its end."""

    name: str
    raw: bytes
    first: int
    last: int

    @property
    def parted(self) -> tuple[dict[str, str], str]:
        """The parameters by their names, upper case, and the value as it is written."""
        head, value = at_colon(self._unfolded)
        if ";" not in head:
            return {}, value
        return {key.upper(): said.strip('"') for key, _, said in map(_at_equals, _parameters(head)[1:])}, value

    @property
    def value(self) -> str:
        """The value as it is written."""
        return at_colon(self._unfolded)[1]

    @property
    def text(self) -> str:
        """The value as a text, its escapes undone."""
        value = self.value.strip()
        return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value) if "\\" in value else value

    @property
    def _unfolded(self) -> str:
        raw = self.raw.rstrip(b"\r\n")
        return (_FOLD.sub(b"", raw) if b"\n" in raw else raw).decode("utf-8", "replace")


@dataclass(slots=True)
class Block:
    """One component, the bytes [first, last) of its file; ``lines`` are its own and not those of parts inside."""

    first: int
    last: int = 0
    lines: list[Line] = field(default_factory=list)

    def all(self, name: str) -> list[Line]:
        """Return every line of a name."""
        return [line for line in self.lines if line.name == name]

    def one(self, name: str) -> Line | None:
        """Return the first line of a name."""
        return next((line for line in self.lines if line.name == name), None)


@dataclass(slots=True)
class Scan:
    """What stands in a file: events, time zones, and how many events have no end."""

    events: list[Block] = field(default_factory=list)
    zones: list[Block] = field(default_factory=list)
    unended: int = 0
    is_calendar: bool = False


def scan(data: bytes) -> Scan:
    """Return the components of a file. What is nested wrongly is counted and passed over."""
    found = Scan()
    open_: list[tuple[str, Block]] = []
    for line in lines_of(data):
        if line.name == "BEGIN":
            _begin(found, open_, line)
        elif line.name == "END":
            _end(found, open_, line)
        elif open_:
            open_[-1][1].lines.append(line)
    found.unended += sum(kind == "VEVENT" for kind, _ in open_)
    return found


def is_wide(data: bytes) -> bool:
    """Tell whether a file is of two bytes a letter (UTF-16)."""
    return data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)) or "BEGIN".encode("utf-16-le") in data[:12]


def lines_of(data: bytes) -> Iterator[Line]:
    """Yield the logical lines of a file; what is none is left out."""
    for found in _LINE.finditer(data, len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0):
        name = _NAME.match(found[0])
        if name is not None:
            yield Line(name[0].decode().upper(), found[0], found.start(), found.end())


def _begin(found: Scan, open_: list[tuple[str, Block]], line: Line) -> None:
    kind = line.value.strip().upper()
    found.is_calendar = found.is_calendar or kind == "VCALENDAR"
    if kind == "VEVENT" and any(one == "VEVENT" for one, _ in open_):  # the one before has no end
        found.unended += 1
        while open_.pop()[0] != "VEVENT":
            pass
    open_.append((kind, Block(line.first)))


def _end(found: Scan, open_: list[tuple[str, Block]], line: Line) -> None:
    kind = line.value.strip().upper()
    if all(one != kind for one, _ in open_):
        return
    while True:
        one, block = open_.pop()
        if one == kind:
            break
        found.unended += one == "VEVENT"
    block.last = line.last
    if kind == "VEVENT":
        found.events.append(block)
    elif kind == "VTIMEZONE":
        found.zones.append(block)


def at_colon(text: str) -> tuple[str, str]:
    """Split a line at its first colon outside quotation marks."""
    if '"' not in text:
        head, _, value = text.partition(":")
        return head, value
    quoted = False
    for at, letter in enumerate(text):
        quoted = quoted != (letter == '"')
        if letter == ":" and not quoted:
            return text[:at], text[at + 1 :]
    return text, ""


def _parameters(head: str) -> list[str]:
    return re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', head) if '"' in head else head.split(";")


def _at_equals(text: str) -> tuple[str, str, str]:
    return text.partition("=")


# --- writing ------------------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Return a text as a value holds it."""
    plain = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "")


def folded(text: str, end: bytes) -> bytes:
    """Return a line with its folds (75 bytes at most, never inside a letter) and its end."""
    parts, part, room = [], b"", _WIDEST
    for letter in text:
        data = letter.encode()
        if len(part) + len(data) > room:
            parts.append(part)
            part, room = b"", _WIDEST - 1
        part += data
    return (end + b" ").join([*parts, part]) + end


def end_of(data: bytes) -> bytes:
    """Return how the lines of a file end."""
    return b"\n" if b"\n" in data and b"\r\n" not in data else b"\r\n"
