"""What a person sees before saying yes: text differences, or words where there is no text.

What this stops: escape sequences, direction overrides and other invisible characters from files and names reaching
the terminal or the page unseen; a diff that drowns the reader (bounds per file and per set).
What it does not: replace the digest; what is approved is the seal.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from permissions.model import ChangeKind
from permissions.naming import shown
from permissions.transactions.comparing import differences
from permissions.transactions.model import Entry, FileDiff, Node
from permissions.transactions.readable import text_of, words_in
from permissions.transactions.resolve import Folders

MOST_FILES = 50
FIRST_FILES = 10
MOST_LINES = 200
MOST_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of a change set is shown: files, lines and bytes of each, and what all lines together may come to.

    ``words`` says that of a file that is no text what can be read in it is shown, too.
    """

    files: int = MOST_FILES
    lines: int = MOST_LINES
    read_bytes: int = MOST_BYTES
    together: int = 16 << 20
    words: bool = False


USUAL = Bounds()
ALL = Bounds(files=10_000, lines=1_000_000, read_bytes=16 << 20, together=1_000_000, words=True)
"""Where each line must be seen: nearly all that anybody would look through."""

_A_LINE = 40
"""A line takes so much of what all may come to, beside its characters."""

_KINDS = {
    b"\x89PNG": "PNG image",
    b"\xff\xd8\xff": "JPEG image",
    b"GIF8": "GIF image",
    b"%PDF": "PDF document",
    b"\x1f\x8b": "gzip archive",
    b"7z\xbc\xaf": "7z archive",
    b"PAR1": "Parquet table",
    b"SQLite format 3": "SQLite database",
    b"RIFF": "media file",
    b"OggS": "Ogg media file",
    b"ID3": "MP3 audio",
    b"\x7fELF": "program",
    b"PK\x03\x04": "ZIP archive",
}
_BY_ENDING = {
    ".xlsx": "spreadsheet",
    ".ods": "spreadsheet",
    ".docx": "text document",
    ".odt": "text document",
    ".pptx": "presentation",
    ".zip": "ZIP archive",
    ".webp": "WebP image",
    ".svg": "SVG image",
}


_LOSSES = (ChangeKind.MODIFIED, ChangeKind.DELETED, ChangeKind.MOVED, ChangeKind.CREATED)


def diffs(entries: Sequence[Entry], run_folder: str, bounds: Bounds) -> tuple[FileDiff, ...]:
    """Return one diff a change; of more than are shown only ``FIRST_FILES``, what is lost before what comes."""
    if len(entries) > bounds.files:
        entries = sorted(entries, key=lambda entry: _LOSSES.index(entry.kind))[:FIRST_FILES]
    folders, found, left = Folders(), list[FileDiff](), bounds.together
    try:
        for entry in entries:
            one = _one(entry, run_folder, folders, replace(bounds, together=left))
            left -= _costs(one.text)
            found.append(one)
    finally:
        folders.close()
    return tuple(found)


def _costs(text: str) -> int:
    return len(text) + _A_LINE * text.count("\n")


def _one(entry: Entry, run_folder: str, folders: Folders, bounds: Bounds) -> FileDiff:
    if not entry.blob:
        return FileDiff(entry.path, entry.kind, summary=_words(entry))
    lies = f"{run_folder}/{entry.blob}"
    new, whole_new, size = _read(folders, lies, bounds.read_bytes)
    old, whole_old, old_size = b"", True, None
    if entry.kind is ChangeKind.MODIFIED:
        old, whole_old, old_size = _read(folders, entry.origin or "", bounds.read_bytes)
    summary = f"{_kind(entry.path, new)}, {_sizes(old_size, size)}{_mode_words(entry)}"
    summary += ", breaks a hard link" if entry.apart else ""
    before, then, opaque = text_of(old, whole_old), text_of(new, whole_new), False
    if bounds.words:
        before = words_in(old)[0] if before is None else before
        then, opaque = words_in(new) if then is None else (then, False)
    if before is None or then is None:
        return FileDiff(entry.path, entry.kind, "", summary)
    text, cut = _unified(before, then, entry, bounds)
    cut = cut or not (whole_old and whole_new)
    return FileDiff(entry.path, entry.kind, text, summary, cut, opaque, lies if cut or opaque else "")


def _mode_words(entry: Entry) -> str:
    if entry.mode is None:
        return ""
    if entry.kind is ChangeKind.MODIFIED:
        return f", mode {entry.mode:o}"
    return ", can be run" if entry.mode & 0o111 and entry.node is Node.FILE else ""


def _words(entry: Entry) -> str:
    thing = {Node.FOLDER: "folder", Node.LINK: "link", Node.FILE: "file"}[entry.node]
    if entry.tree:
        thing += f" with {entry.files} {'file' if entry.files == 1 else 'files'}, {size_words(entry.size_bytes)},"
    match entry.kind:
        case ChangeKind.MOVED:
            return f"{thing} moved from {shown(entry.source or '')}"
        case ChangeKind.DELETED:
            size = f", {size_words(entry.base.size)}" if entry.base and entry.node is Node.FILE else ""
            return f"{thing} moved to the trash{size}"
        case ChangeKind.MODIFIED:
            return f"{thing} with other permissions or attributes{_mode_words(entry)}"
        case _:
            target = f" to {shown(entry.target)}" if entry.target else ""
            return f"new {thing}{target}"


def _read(folders: Folders, path: str, most_bytes: int) -> tuple[bytes, bool, int | None]:
    """Return the beginning of a file, whether it is all, and the size; nothing for a file that is gone."""
    try:
        opened = folders.open(path)
    except OSError:
        return b"", True, None
    try:
        size = os.fstat(opened).st_size
        data = _all_of(opened, min(size, most_bytes))
    finally:
        os.close(opened)
    return data, len(data) == size, size


def _all_of(opened: int, size: int) -> bytes:
    """Return the first ``size`` bytes of a file, or what there is of them."""
    parts, left = list[bytes](), size
    while left > 0 and (part := os.pread(opened, left, size - left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _unified(old: str, new: str, entry: Entry, bounds: Bounds) -> tuple[str, bool]:
    name = shown(entry.path)
    before = "/dev/null" if entry.kind is ChangeKind.CREATED else name
    lines, left = list[str](), bounds.together
    for line in differences(_lines(old), _lines(new), before, name):
        left -= len(line) + _A_LINE
        if len(lines) >= bounds.lines or left < 0:
            return "".join(f"{one}\n" for one in lines), True
        lines.append(_visible(line))
    return "".join(f"{one}\n" for one in lines), False


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], f"{lines[-1]}\n\\ No newline at end of file"]


def _visible(line: str) -> str:
    return "".join(c if c in "\t\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else _named(c) for c in line)


def _named(character: str) -> str:
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else f"\\u{code:04x}"


def _kind(path: str, data: bytes) -> str:
    ending = os.path.splitext(path)[1].lower()
    if ending in _BY_ENDING:
        return _BY_ENDING[ending]
    for magic, name in _KINDS.items():
        if data.startswith(magic):
            return name
    return "text" if text_of(data, whole=False) is not None else "file"


def _sizes(old: int | None, new: int | None) -> str:
    words = size_words(new or 0)
    return f"{words}, new" if old is None else f"{size_words(old)} → {words}"


def size_words(size_bytes: int) -> str:
    """Return a size as people say it, in decimal units: ``34 kB``."""
    size = float(size_bytes)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 9.95 else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError
