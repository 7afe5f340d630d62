"""The form of what a cell and the daemon say to each other over the cell's socket: one question, one answer, again.

A frame is one byte of kind, four of length (little endian), then the content. A question is ASK (JSON) and BODY; an
answer is HEAD (JSON) and BODYs and END, and FAILED (JSON) in place of any of them.

TUNNEL (JSON) asks for a connection whose bytes are passed on as they are. When HEAD has come, BODYs go both ways. Each
side says END once: the cell when it sends no more, the daemon (or FAILED) when nothing more will come; with both it is
over. With ABORT the cell says that it wants nothing more; it may come late and mean nothing.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

FRAME = struct.Struct("<cI")
ASK, HEAD, BODY, END, FAILED = b"q", b"h", b"b", b"e", b"x"
TUNNEL, ABORT = b"t", b"a"
LARGEST_BODY = 16 << 20
"""Bytes that a request may send."""
LARGEST_CHUNK = 64 << 10


def frame(kind: bytes, data: bytes = b"") -> bytes:
    """Return ``data`` as one frame."""
    return FRAME.pack(kind, len(data)) + data


def json_frame(kind: bytes, content: Mapping[str, Any]) -> bytes:
    """Return ``content`` as one frame."""
    return frame(kind, json.dumps(content).encode())
