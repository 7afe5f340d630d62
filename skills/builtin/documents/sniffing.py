"""Telling text from what only lies under a document's tools: pictures, sound, films, programs, random bytes.

What this stops: pages and words counted in a photograph, a song read out. The name decides for the well-known kinds,
for everything else the first bytes do: text has no NUL and hardly any control characters.
What it does not: a binary format that consists of printable characters alone.
"""

from __future__ import annotations

import codecs

_KINDS = (
    ("a picture", "ein Bild", "jpg jpeg png gif bmp tif tiff webp heic heif avif ico psd raw cr2 nef arw dng"),
    ("a sound file", "eine Tondatei", "mp3 wav flac ogg oga opus m4a aac wma aiff aif mid midi"),
    ("a film", "ein Film", "mp4 mkv avi mov wmv webm m4v mpg mpeg flv"),
    ("an archive", "ein Archiv", "zip gz bz2 xz zst 7z rar tar tgz iso dmg deb rpm jar whl"),
    ("a program", "ein Programm", "exe dll so bin o a msi apk pyc class"),
    ("a font", "eine Schrift", "ttf otf woff woff2"),
)
_BY_SUFFIX = {f".{suffix}": (en, de) for en, de, suffixes in _KINDS for suffix in suffixes.split()}
_NO_TEXT = ("no text", "kein Text")
_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n\v\f\r\x1b")
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MOST_CONTROL = 0.005
"""The share of control characters above which bytes are no text; random bytes have 0.1, prose in any code page none."""


def no_text(suffix: str, head: bytes) -> tuple[str, str] | None:
    """Return what a file is instead of text (English, German), by its suffix and its first bytes; None for text."""
    if head.startswith(_MARKS):
        return None
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if 0 in head:
        return _NO_TEXT
    control = len(head) - len(head.translate(None, _CONTROL))
    return _NO_TEXT if control > max(1, len(head) * _MOST_CONTROL) else None
