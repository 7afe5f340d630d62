"""Suffixes named in words: "tmp files", ".tmp-Dateien", "files ending in bak", "Dateien mit der Endung tmp".

What this stops: that a suffix is looked for as a word of a name,  that what is there is not found, or more is. Read as
the pattern that it is: ``*.tmp``.
What it does not: take any word before "files" for one. That needs a dot, a word that announces a suffix, or a suffix
that programs are known to write; and what a tool has a word for ("pdf files") is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.place.place_words import UNIVERSAL
from skills.model import ValueKind

KNOWN = frozenset(
    "tmp temp bak log swp crdownload torrent iso dmg exe msi deb rpm apk appimage jar dll so db sqlite gz tgz bz2 "
    "xz zst tar 7z rar epub mobi djvu eps psd xcf svg heic heif webp gif bmp tif tiff nef arw dng mp4 mkv mov avi "
    "webm wmv flv wav flac ogg opus m4a aac wma txt md rtf odt ods odp doc docx xls xlsx ppt pptx tex bib html "
    "htm xml json jsonl yaml yml toml ini cfg conf sql py js ts css java cpp rs sh bat ps1 ics vcf eml mbox pem "
    "crt pyc swo dwg dxf stl gpx kml srt".split()
)
"""Suffixes of files that programs write; data, to be added to."""

_FILES = frozenset("files file dateien datei".split())
_NOUNS = frozenset("extension suffix endung dateiendung dateierweiterung erweiterung namensendung".split())
_ENDING = frozenset("ending end ends endend endende endenden enden endet".split())
_IN = frozenset("in with auf mit".split())
_MARKS = frozenset("\"'“”„‚‘’")
_SUFFIX = re.compile(r"\.?[a-z0-9]{1,10}")


def find_suffixes(line: Line, lexicon: Lexicon, inside: frozenset[int]) -> Iterator[Found]:
    """Yield the pattern for each suffix that is named outside the tokens ``inside`` quotation marks, left to right."""
    for index in range(line.size):
        if index in inside:
            continue
        found = _announced(line, index) or _ended(line, index) or _before_noun(line, lexicon, index)
        if found is not None:
            first, last, suffix = found
            yield Found(ValueKind.QUERY, first, last, f"*.{suffix.removeprefix('.')}", 0.95, "glob")


def _announced(line: Line, index: int) -> tuple[int, int, str] | None:
    """Read "extension tmp", "Endung „tmp“": what follows is a suffix, whichever it is; "ending in .tmp", "in bak"."""
    if line.norm(index) in _NOUNS:
        suffix, last = _value(line, index + 1)
        return (
            (index, last, suffix) if suffix and (line.is_content(index + 1) or _is_marked(suffix, line, last)) else None
        )
    if line.norm(index) in _ENDING and line.norm(index + 1) in _IN:
        suffix, last = _value(line, index + 2)
        return (index, last, suffix) if _is_marked(suffix, line, last) else None
    return None


def _value(line: Line, at: int) -> tuple[str, int]:
    """The word at ``at``, or the one in quotation marks there, and where it ends; "" where none can be a suffix."""
    text, last = line.norm(at), at + 1
    if text in _MARKS:
        last = next((end for end in range(at + 2, at + 4) if line.norm(end) in _MARKS), at) + 1
        text = line.slice(at + 1, last - 1).casefold()
    return (text, last) if _SUFFIX.fullmatch(text) else ("", last)


def _is_marked(suffix: str, line: Line, last: int) -> bool:
    """It is written or known as a suffix: a dot, quotation marks, or one that programs write."""
    return bool(suffix) and (suffix[0] == "." or suffix in KNOWN or line.norm(last - 1) in _MARKS)


def _ended(line: Line, index: int) -> tuple[int, int, str] | None:
    """Read "die auf tmp enden"."""
    suffix = line.norm(index + 1)
    if line.norm(index) != "auf" or line.norm(index + 2) not in _ENDING or not _SUFFIX.fullmatch(suffix):
        return None
    return (index + 1, index + 3, suffix) if suffix[0] == "." or suffix in KNOWN else None


def _before_noun(line: Line, lexicon: Lexicon, index: int) -> tuple[int, int, str] | None:
    """Read "tmp files", ".tmp files", "tmp-Dateien", "files .tmp", "all .tmp"."""
    word, dash, noun = line.norm(index).rpartition("-")
    if dash and noun in _FILES:
        return (index, index + 1, word) if _is_suffix(word, lexicon) else None
    word = line.norm(index)
    beside = line.norm(index + 1) in _FILES
    dotted = word.startswith(".") and (beside or line.norm(index - 1) in _FILES | UNIVERSAL)
    return (index, index + 1, word) if (beside or dotted) and _is_suffix(word, lexicon) else None


def _is_suffix(word: str, lexicon: Lexicon) -> bool:
    if not _SUFFIX.fullmatch(word):
        return False
    return word.startswith(".") or (word in KNOWN and word not in lexicon.choices)
