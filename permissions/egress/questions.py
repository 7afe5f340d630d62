"""The daemon's reading of what a cell asks.

What this stops: a cell's bytes being taken for anything but a question of bounded size; what is none ends the line.
What it does not: judge the question.
"""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import dataclass

from permissions.egress.frames import ABORT, ASK, BODY, FRAME, LARGEST_BODY, TUNNEL
from permissions.egress.handles import Handle

_LARGEST_ASK = 256 << 10
_MOST_REDIRECTS = 10
_MOST_SECRETS = 8
_MOST_BYTES = 1 << 30
_LONGEST_S = 3600.0


class BadFrame(ValueError):
    """A cell sent bytes that are no question."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a cell wants fetched; nothing in it has been judged but the types and bounds of the numbers."""

    url: str
    method: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    limit_bytes: int
    timeout_s: float
    redirects: int
    secrets: tuple[Handle, ...] = ()


@dataclass(frozen=True, slots=True)
class TunnelQuestion:
    """To which ``host:port`` a cell wants a connection, and how long it waits for that; nothing in it was judged."""

    place: str
    timeout_s: float


async def read_question(reader: asyncio.StreamReader) -> Question | TunnelQuestion | None:
    """Return the next question, None when the cell has closed its end. Raises BadFrame."""
    try:
        kind, length = FRAME.unpack(await reader.readexactly(FRAME.size))
        while (kind, length) == (ABORT, 0):  # of a tunnel that had ended already
            kind, length = FRAME.unpack(await reader.readexactly(FRAME.size))
        if kind == TUNNEL:
            return _tunnel(await _content(reader, kind, length, TUNNEL, _LARGEST_ASK))
        asked = await _content(reader, kind, length, ASK, _LARGEST_ASK)
        kind, length = FRAME.unpack(await reader.readexactly(FRAME.size))
        body = await _content(reader, kind, length, BODY, LARGEST_BODY)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return _question(asked, body)


def _tunnel(data: bytes) -> TunnelQuestion:
    try:
        said = json.loads(data)
        return TunnelQuestion(_text(said["place"]), _number(said["timeout_s"], _LONGEST_S))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadFrame(str(error)) from error


async def _content(reader: asyncio.StreamReader, kind: bytes, length: int, wanted: bytes, most_bytes: int) -> bytes:
    if kind != wanted or length > most_bytes:
        raise BadFrame(f"{kind!r} of {length} bytes")
    return await reader.readexactly(length)


def _question(data: bytes, body: bytes) -> Question:
    try:
        said = json.loads(data)
        headers = tuple((_text(name), _text(value)) for name, value in said["headers"])
        return Question(
            url=_text(said["url"]),
            method=_text(said["method"]),
            headers=headers,
            body=body,
            limit_bytes=int(_number(said["limit_bytes"], _MOST_BYTES)),
            timeout_s=_number(said["timeout_s"], _LONGEST_S),
            redirects=int(_number(said["redirects"], _MOST_REDIRECTS)),
            secrets=_handles(said.get("secrets", [])),
        )
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadFrame(str(error)) from error


def _handles(said: list[list[str]]) -> tuple[Handle, ...]:
    if len(said) > _MOST_SECRETS:
        raise BadFrame("more secrets than anybody needs")
    return tuple(Handle(_text(header), _text(form), _text(name)) for header, form, name in said)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadFrame("no text")
    return value


def _number(value: object, most: float) -> float:
    """Return a number of at least 0 and at most ``most``."""
    if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
        raise BadFrame("no number")
    return min(max(float(value), 0.0), most)
