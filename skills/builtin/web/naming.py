"""What a downloaded file is called: by its host's header, else by its address, made safe for a folder.

What this stops: a name that leads out of its folder, hides (a leading dot), shows otherwise than it is (direction
marks), or is too long for a disk.

Source: RFC 6266 and 8187 (Content-Disposition).
"""

from __future__ import annotations

import mimetypes
import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from skills.sdk import words

_EXTENDED = re.compile(r"filename\*\s*=\s*(?P<charset>[\w-]*)'[^']*'(?P<name>[^;\s]+)", re.IGNORECASE)
_PLAIN = re.compile(r"filename\s*=\s*(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|(?P<bare>[^;\s]+))", re.IGNORECASE)
_PAGES = {"text/html": ".html", "text/plain": ".txt", "application/pdf": ".pdf", "image/jpeg": ".jpg"}


def file_name(url: str, disposition: str, kind: str) -> str:
    """Return the name for what came from ``url`` with these headers."""
    name = safe(_of_header(disposition)) or safe(unquote(PurePosixPath(urlsplit(url).path).name))
    if name:
        return name if words.suffix_of(name) else name + _suffix(kind)
    return (safe(urlsplit(url).hostname or "") or "download") + _suffix(kind)


def safe(name: str) -> str:
    """Return the last part of ``name`` as the name of a file in a folder; "" where nothing is left of it."""
    return words.file_name(name.replace("\\", "/").rpartition("/")[2])


def _of_header(disposition: str) -> str:
    extended = _EXTENDED.search(disposition)
    if extended:
        try:
            return unquote(extended["name"], encoding=extended["charset"] or "utf-8", errors="strict")
        except (LookupError, UnicodeDecodeError):
            pass
    plain = _PLAIN.search(disposition)
    if plain is None:
        return ""
    name = re.sub(r"\\(.)", r"\1", plain["quoted"]) if plain["quoted"] is not None else plain["bare"]
    try:
        return name.encode("latin-1").decode("utf-8")  # what hosts send there against the rule
    except UnicodeError:
        return name


def _suffix(kind: str) -> str:
    kind = kind.partition(";")[0].strip().casefold()
    return _PAGES.get(kind) or mimetypes.guess_extension(kind) or ""
