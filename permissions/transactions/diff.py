"""What a person sees before saying yes: text differences, or words where there is no text.

What this stops: escape sequences, direction overrides and other invisible characters from files and names reaching
the terminal or the page unseen; a diff that drowns the reader (bounds per file and per set).
What it does not: replace the digest; what is approved is the seal.
"""

from __future__ import annotations

import difflib
import os
import unicodedata
from collections.abc import Sequence

from permissions.model import ChangeKind
from permissions.naming import shown
from permissions.transactions.model import Entry, FileDiff, Node
from permissions.transactions.resolve import Folders

MOST_FILES = 50
FIRST_FILES = 10
MOST_LINES = 200
MOST_BYTES = 64 << 10

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


def diffs(
    entries: Sequence[Entry], run_folder: str, most_files: int = MOST_FILES, most_lines: int = MOST_LINES
) -> tuple[FileDiff, ...]:
    """Return one diff a change; of more than ``most_files`` only ``FIRST_FILES``, what is lost before what comes."""
    if len(entries) > most_files:
        entries = sorted(entries, key=lambda entry: _LOSSES.index(entry.kind))[:FIRST_FILES]
    folders = Folders()
    try:
        return tuple(_one(entry, run_folder, folders, most_lines) for entry in entries)
    finally:
        folders.close()


def _one(entry: Entry, run_folder: str, folders: Folders, most_lines: int) -> FileDiff:
    if not entry.blob:
        return FileDiff(entry.path, entry.kind, summary=_words(entry))
    new, whole_new, size = _read(folders, f"{run_folder}/{entry.blob}")
    old, whole_old, old_size = b"", True, None
    if entry.kind is ChangeKind.MODIFIED:
        old, whole_old, old_size = _read(folders, entry.origin or "")
    summary = f"{_kind(entry.path, new)}, {_sizes(old_size, size)}{_mode_words(entry)}"
    summary += ", breaks a hard link" if entry.apart else ""
    texts = (_text(old, whole_old), _text(new, whole_new))
    if texts[0] is None or texts[1] is None:
        return FileDiff(entry.path, entry.kind, "", summary)
    text, cut = _unified(texts[0], texts[1], entry, most_lines)
    return FileDiff(entry.path, entry.kind, text, summary, cut or not (whole_old and whole_new))


def _mode_words(entry: Entry) -> str:
    return "" if entry.mode is None or entry.kind is not ChangeKind.MODIFIED else f", mode {entry.mode:o}"


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


def _read(folders: Folders, path: str) -> tuple[bytes, bool, int | None]:
    """Return the beginning of a file, whether it is all, and the size; nothing for a file that is gone."""
    try:
        opened = folders.open(path)
    except OSError:
        return b"", True, None
    try:
        size = os.fstat(opened).st_size
        data = os.pread(opened, MOST_BYTES, 0)
    finally:
        os.close(opened)
    return data, len(data) == size, size


def _text(data: bytes, whole: bool) -> str | None:
    if b"\0" in data:
        return None
    for cut in range(0 if whole else 4):
        try:
            return data[: len(data) - cut].decode()
        except UnicodeDecodeError:
            continue
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _unified(old: str, new: str, entry: Entry, most_lines: int) -> tuple[str, bool]:
    name = shown(entry.path)
    before = "/dev/null" if entry.kind is ChangeKind.CREATED else name
    lines: list[str] = []
    for line in difflib.unified_diff(_lines(old), _lines(new), before, name, lineterm=""):
        if len(lines) >= most_lines:
            return "\n".join(lines) + "\n", True
        lines.append(_visible(line))
    return "\n".join(lines) + "\n" if lines else "", False


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
    return "file" if b"\0" in data else "text"


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
