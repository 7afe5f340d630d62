"""The lines of a vCard file (RFC 6350, section 3.2), each with its bytes and parameters, and the cards that they make.

Quoted-printable values of vCard 2.1 go on where a line ends with "=".
"""

from __future__ import annotations

import quopri
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass

from skills.sdk.contentlines import Component, at_colon, is_wide, logical, parted, unfolded

LONGEST_LINE = 100_000

_PIECE = re.compile(r"\\.|.", re.DOTALL)
_PIECE_OF_OLD = re.compile(r"\\;|.", re.DOTALL)
_WIDEST = 75


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


class Block(Component[Line]):
    """One card."""

    __slots__ = ()

    @property
    def version(self) -> str:
        """The version of the card: "2.1", "3.0" (also where it says none) or "4.0"."""
        said = self.one("VERSION")
        value = said.value.strip() if said is not None else ""
        return value if value in ("2.1", "4.0") else "3.0"


def encoding_of(data: bytes) -> str:
    """Return in what the letters of a file are written: UTF-8, also where a fold parts a letter, else Windows-1252."""
    for said in (data, unfolded(data)):
        try:
            said.decode()
        except UnicodeDecodeError:
            continue
        return "utf-8"
    return "cp1252"


def blocks(data: bytes) -> Iterator[Block]:
    """Yield the cards of a file that end. One that begins inside another without being its AGENT ends that one."""
    if is_wide(data):
        marked = data.startswith((BOM_UTF16_BE, BOM_UTF16_LE))
        wide = "utf-16" if marked else "utf-16-be" if data.startswith(b"\0") else "utf-16-le"
        data = data.decode(wide, "replace").encode()
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
    waiting: list[bytes] = []
    length, first = 0, -1
    for raw, begin, last in logical(data):
        part = unfolded(raw)
        length, first = length + len(part), begin if first < 0 else first
        if part.endswith(b"=") and length < LONGEST_LINE and (waiting or _is_printable(part)):
            waiting.append(part[:-1])
            length -= 1
            continue
        whole = b"".join([*waiting, part])
        if b":" in whole and length <= LONGEST_LINE:
            yield _line(whole.decode(encoding, "replace"), first, last)
        waiting, length, first = [], 0, -1


def _is_printable(line: bytes) -> bool:
    return b"QUOTED-PRINTABLE" in line.partition(b":")[0].upper()


def _line(text: str, first: int, last: int) -> Line:
    """A line with its parameters, and its value with its encoding undone."""
    head, value = at_colon(text)
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


def _printable(value: str, charset: str) -> str:
    data = quopri.decodestring(value.encode("latin-1", "replace"))
    try:
        return data.decode(charset, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def separated(value: str, at: str, version: str = "3.0") -> list[str]:
    """Return the parts of a value at a letter that is not escaped, as they are written; vCard 2.1 escapes ";" alone."""
    parts: list[list[str]] = [[]]
    for piece in (_PIECE_OF_OLD if version == "2.1" else _PIECE).findall(value):
        if piece == at:
            parts.append([])
        else:
            parts[-1].append(piece)
    return ["".join(one) for one in parts]


# --- writing ------------------------------------------------------------------------------------------------------


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
