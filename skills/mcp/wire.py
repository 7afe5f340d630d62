"""What is said between the daemon and the cell of a server: one JSON object each way, of bounded size.

The cell asks, and the daemon answers: a cell that is at rest is one that waits for an answer.

    cell    {"ready": listing}                     the server runs; what is to be done?
            {"failed": {"code", "message"}}        it does not run
            {"done": reply, "listing": ...?}       what the call came to; the listing where the server said it changed
            {"elicit": {"message", "schema"}}      in the middle of a call: the server asks the person
    daemon  {"call": {"name", "arguments", "schema", "digest"}}, {"answer": {"action", "content"}}

A reply has ``text``, ``structured`` (None where there is none), ``pictures`` (media type and base64), ``notes`` and
``error``; the daemon takes nothing of it on trust.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skills.errors import BadResult
from skills.mcp.listing import is_deep
from skills.mcp.texts import plain

MOST_REPLY_BYTES = 1 << 20
"""Of a structured reply; what is larger is refused in the cell, and said."""
MOST_TEXT = 200_000
MOST_PICTURES, MOST_PICTURE_BYTES = 2, 512 << 10
_MOST_ERROR = 2000


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a tool returned."""

    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool of a server returned, checked in form and in nothing else. ``error`` is a code and a message."""

    text: str = ""
    structured: Any = None
    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()
    error: tuple[str, str] | None = None


def pack(message: Mapping[str, Any]) -> bytes:
    """Return a message as bytes. Raises ValueError for what has no JSON form."""
    return json.dumps(message, allow_nan=False).encode("utf-8", "surrogatepass")


def unpack(data: bytes) -> dict[str, Any]:
    """Return what a cell says. Raises BadResult."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _malformed() from error
    if not isinstance(body, dict) or is_deep(body, 40):
        raise _malformed()
    return body


def reply_of(said: object) -> Reply:
    """Return the reply in a cell's message. Raises BadResult."""
    if not isinstance(said, Mapping):
        raise _malformed()
    error = said.get("error")
    if isinstance(error, Mapping):
        return Reply(error=(str(error.get("code"))[:60], plain(error.get("message"), _MOST_ERROR)))
    pictures, notes = said.get("pictures"), said.get("notes")
    return Reply(
        text=str(said.get("text") or "")[:MOST_TEXT],
        structured=said.get("structured"),
        pictures=tuple(map(_picture, pictures[:MOST_PICTURES])) if isinstance(pictures, list) else (),
        notes=tuple(str(note)[:200] for note in notes[:20]) if isinstance(notes, list) else (),
    )


def _picture(said: object) -> Picture:
    try:
        assert isinstance(said, Mapping)
        return Picture(str(said["media_type"])[:60], base64.b64decode(str(said["content"]), validate=True))
    except (AssertionError, KeyError, binascii.Error, ValueError) as error:
        raise _malformed() from error


def _malformed() -> BadResult:
    return BadResult("result.reply", "The server's cell said what has no meaning.", hint="Ask again.")
