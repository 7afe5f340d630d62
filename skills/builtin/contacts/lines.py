"""The lines of a vCard file (RFC 6350, section 3.2), with the bytes that each of them stands in.

Every line knows its place, so that a change replaces exactly the bytes that it must. Folded lines are joined as bytes:
a fold may stand inside a letter. Quoted-printable values of vCard 2.1 go on where a line ends with "=".
"""

from __future__ import annotations

import quopri
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

LONGEST_LINE = 100_000

_LOGICAL = re.compile(rb"[^\r\n]+(?:(?:\r\n|\n|\r)[ \t][^\r\n]*)*(?:\r\n|\n|\r|\Z)")
_FOLD = re.compile(rb"(?:\r\n|\n|\r)[ \t]")
_WIDEST = 75

Edit = tuple[int, int, bytes]
"""The bytes [first, last) become others."""


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line, the bytes [first, last) of its file with its folds and its end.

    ``head`` is what stands before the colon, as it is written; ``value`` has its encoding undone, its escapes not.
    """

    name: str
    parameters: dict[str, list[str]]
    value: str
    head: str
    first: int
    last: int


@dataclass(slots=True)
class Block:
    """One card, the bytes [first, last) of its file, with its END at ``closed``.

    ``lines`` are its own and not those of a card inside it.
    """

    first: int
    last: int = 0
    closed: int = 0
    lines: list[Line] = field(default_factory=list)

    def all(self, name: str) -> list[Line]:
        """Return every line of a name."""
        return [line for line in self.lines if line.name == name]

    def one(self, name: str) -> Line | None:
        """Return the first line of a name."""
        return next((line for line in self.lines if line.name == name), None)


def is_wide(data: bytes) -> bool:
    """Tell whether a file is of two bytes a letter (UTF-16)."""
    return data.startswith((BOM_UTF16_BE, BOM_UTF16_LE))


def encoding_of(data: bytes) -> str:
    """Return in what the letters of a file are written: UTF-8, also where a fold parts a letter, else Windows-1252."""
    for said in (data, _FOLD.sub(b"", data)):
        try:
            said.decode()
        except UnicodeDecodeError:
            continue
        return "utf-8"
    return "cp1252"


def blocks(data: bytes) -> Iterator[Block]:
    """Yield the cards of a file that end. One that begins inside another without being its AGENT ends that one."""
    if is_wide(data):
        data = data.decode("utf-16", "replace").encode()
    block: Block | None = None
    inside, last = False, ""
    for line in _lines(data, encoding_of(data)):
        said = line.value.strip().upper() if line.name in ("BEGIN", "END") else ""
        if inside:
            inside = not (line.name == "END" and said == "VCARD")
        elif line.name == "BEGIN" and said == "VCARD":
            if block is not None and last == "AGENT":
                inside = True
            else:
                block = Block(line.first)
        elif line.name == "END" and said == "VCARD" and block is not None:
            block.closed, block.last = line.first, line.last
            yield block
            block = None
        elif block is not None:
            block.lines.append(line)
        last = line.name if line.value.strip() == "" else ""


def _lines(data: bytes, encoding: str) -> Iterator[Line]:
    """Logical lines; what has no colon, or is longer than a line may be, is left out."""
    waiting, first = b"", -1
    for found in _LOGICAL.finditer(data, len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0):
        raw = found[0].rstrip(b"\r\n")
        whole = waiting + (_FOLD.sub(b"", raw) if b"\n" in raw or b"\r" in raw else raw)
        first = found.start() if first < 0 else first
        if whole.endswith(b"=") and len(whole) < LONGEST_LINE and _is_printable(whole):
            waiting = whole[:-1]
            continue
        if b":" in whole and len(whole) <= LONGEST_LINE:
            yield _line(whole.decode(encoding, "replace"), first, found.end())
        waiting, first = b"", -1


def _is_printable(line: bytes) -> bool:
    return b"QUOTED-PRINTABLE" in line.partition(b":")[0].upper()


def _line(text: str, first: int, last: int) -> Line:
    """A line with its parameters, and its value with its encoding undone."""
    head, value = _at_colon(text)
    name, *rest = parted(head)
    parameters: dict[str, list[str]] = {}
    for one in rest:
        key, equals, said = one.partition("=")
        key, said = (key.upper(), said) if equals else ("TYPE", key)
        parameters.setdefault(key, []).extend(part.strip().strip('"') for part in said.split(","))
    encodings = {one.upper() for one in [*parameters.get("ENCODING", ()), *parameters.get("TYPE", ())]}
    if "QUOTED-PRINTABLE" in encodings:
        value = _printable(value, (parameters.get("CHARSET") or ["utf-8"])[0])
    return Line(name.rpartition(".")[2].strip().upper(), parameters, value, head, first, last)


def parted(head: str) -> list[str]:
    """Return what stands before the colon: the name with its group, and its parameters as they are written."""
    return re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', head) if '"' in head else head.split(";")


def _at_colon(line: str) -> tuple[str, str]:
    """Split at the first colon that stands outside quotation marks."""
    if '"' in line:
        quoted = False
        for at, letter in enumerate(line):
            quoted = quoted != (letter == '"')
            if letter == ":" and not quoted:
                return line[:at], line[at + 1 :]
    head, _, value = line.partition(":")
    return head, value


def _printable(value: str, charset: str) -> str:
    data = quopri.decodestring(value.encode("latin-1", "replace"))
    try:
        return data.decode(charset, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def separated(value: str, at: str) -> list[str]:
    """Return the parts of a value at a letter that is not escaped, as they are written."""
    parts = [""]
    for piece in re.findall(r"\\.|.", value, re.DOTALL):
        if piece == at:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


# --- writing ------------------------------------------------------------------------------------------------------


def edited(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a file with its edits made."""
    parts, at = [], 0
    for first, last, new in sorted(edits, key=lambda one: one[:2]):
        parts += [data[at:first], new]
        at = last
    return b"".join([*parts, data[at:]])


def escaped(text: str) -> str:
    """Return a text as a value of vCard 3.0 and 4.0 holds it."""
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


def printable(head: str, value: str, end: bytes) -> bytes:
    """Return a line of vCard 2.1 whose value has letters or breaks that only quoted-printable can say."""
    said = value.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    coded = "".join(_coded(byte) for byte in said.encode())
    parts, part, room = [], "", _WIDEST - 1 - min(len(head) + 1, _WIDEST // 2)
    for piece in re.findall(r"=[0-9A-F]{2}|.", coded):
        if len(part) + len(piece) > room:
            parts.append(part + "=")
            part, room = "", _WIDEST - 1
        part += piece
    return f"{head}:".encode() + end.join(one.encode() for one in [*parts, part]) + end


def _coded(byte: int) -> str:
    return chr(byte) if 32 <= byte <= 126 and byte != ord("=") else f"={byte:02X}"


def end_of(data: bytes) -> bytes:
    """Return how the lines of a file end."""
    return b"\n" if b"\n" in data and b"\r\n" not in data else b"\r\n"
