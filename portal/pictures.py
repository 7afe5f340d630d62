"""A picture that a run made, for the page.

What this stops: showing anything but a picture (what a file is called decides nothing, its first bytes do; SVG, which
is a program, is none), following a link put in a picture's place or in place of a folder above it, a device or a pipe,
a file too large to show.
What this does not: decide which path may be asked for. The caller takes it from the run's result, never from a request.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from starlette.exceptions import HTTPException

from portal.plain_file import plain_file, read_up_to

LARGEST_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """The bytes of a picture and what they are."""

    content: bytes
    media_type: str


def read_picture(path: str) -> Picture:
    """Read the picture at an absolute ``path`` without links. Raises HTTPException 404, 413 or 415."""
    content = _content(path)
    media_type = _media_type(content[:16])
    if media_type is None:
        raise HTTPException(415, "This file is not a picture.")
    return Picture(content, media_type)


def _content(path: str) -> bytes:
    try:
        with plain_file(path) as (descriptor, found):
            if os.readlink(f"/proc/self/fd/{descriptor}") != path:
                raise HTTPException(404, "This file is no longer where it was.")
            if found.st_size > LARGEST_BYTES:
                raise HTTPException(413, "This file is too large to show.")
            return read_up_to(descriptor, LARGEST_BYTES)
    except (OSError, ValueError):
        raise HTTPException(404, "This file is no longer there.") from None


def _media_type(first: bytes) -> str | None:
    """Tell a picture by its first bytes. Sources: PNG 3rd ed. 5.2, ITU-T T.81, GIF89a, the WebP container."""
    if first.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if first.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if first.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if first.startswith(b"RIFF") and first[8:12] == b"WEBP":
        return "image/webp"
    return None
