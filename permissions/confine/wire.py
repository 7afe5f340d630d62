"""What the daemon, the zygote and a cell say to each other.

What this stops: a cell's own bytes being taken for the launcher's word. The end of a call, its level and what it used
come from the zygote over the control socket; a cell can only send its reply, its progress and its output.
What it does not: a cell may send any reply that it likes; whoever reads it treats it as untrusted.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from typing import Any

from permissions.model import CellSpec, Identity, Layer, Level, Limits

_HEAD = struct.Struct("<I")
_FRAME = struct.Struct("<cI")
PROGRESS, REPLY = b"p", b"r"
CONTROL_BYTES = 64 << 10
INLINE_BYTES = 16 << 10
"""A call up to this size is one message; a larger one lies in a file that is handed over."""
IN_A_FILE = b"f"
"""Says that the call lies in the first descriptor (no call is as short)."""


class BadFrame(ValueError):
    """A cell sent bytes that are not a frame."""


def pack_call(spec: CellSpec, request: bytes) -> bytes:
    """Return ``spec`` and ``request`` as they are handed to a cell."""
    head = json.dumps(spec, default=_fields).encode()
    return _HEAD.pack(len(head)) + head + request


def in_a_file(data: bytes) -> int:
    """Return an anonymous file that holds ``data``."""
    file = os.memfd_create("call", os.MFD_CLOEXEC)
    try:
        write_all(file, data)
    except BaseException:
        os.close(file)
        raise
    return file


def read_spec(file: int) -> CellSpec:
    """Return what ``pack_call`` says about the cell, of a file of ``in_a_file``; the request stays unread."""
    (length,) = _HEAD.unpack(os.pread(file, _HEAD.size, 0))
    head = os.pread(file, length, _HEAD.size)
    return _spec(json.loads(head))


def _fields(one: Any) -> dict[str, Any]:
    """Return what a spec, or a part of it, consists of."""
    return {name: getattr(one, name) for name in one.__slots__}


def unpack_call(data: bytes) -> tuple[CellSpec, bytes]:
    """Return the spec and the request of ``pack_call``."""
    (length,) = _HEAD.unpack_from(data)
    begin = _HEAD.size + length
    return _spec(json.loads(data[_HEAD.size : begin])), data[begin:]


def _spec(data: dict[str, Any]) -> CellSpec:
    limits = Limits(**data.pop("limits"))
    minimum = Level(data.pop("minimum"))
    names = ("changes_hosts", "runs_programs", "asks", "relays", "in_background")
    changes, runs, asks, relays, in_background = (bool(data.pop(name)) for name in names)
    layers = tuple(Layer(**{**layer, "below": tuple(layer["below"])}) for layer in data.pop("layers"))
    held = tuple(Identity(**one) for one in data.pop("held"))
    texts = {name: tuple(found) for name, found in data.items()}
    return CellSpec(
        **texts, limits=limits, minimum=minimum, changes_hosts=changes, layers=layers, runs_programs=runs, asks=asks,
        relays=relays, held=held, in_background=in_background,
    )  # fmt: skip


def read_all(file: int) -> bytes:
    """Read ``file`` from its beginning to its end."""
    os.lseek(file, 0, os.SEEK_SET)
    parts = []
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def frame(kind: bytes, data: bytes) -> bytes:
    """Return ``data`` as one frame of a cell's answer."""
    return _FRAME.pack(kind, len(data)) + data


def take_frames(buffer: bytearray, *, most_bytes: int) -> Iterator[tuple[bytes, bytes]]:
    """Remove and yield the whole frames at the start of ``buffer``; raise ``BadFrame`` for what is none."""
    while len(buffer) >= _FRAME.size:
        kind, length = _FRAME.unpack_from(buffer)
        if kind not in (PROGRESS, REPLY) or length > most_bytes:
            raise BadFrame(kind)
        if len(buffer) < _FRAME.size + length:
            return
        data = bytes(buffer[_FRAME.size : _FRAME.size + length])
        del buffer[: _FRAME.size + length]
        yield kind, data


def write_all(file: int, data: bytes) -> None:
    """Write all of ``data``."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def pack(message: dict[str, Any]) -> bytes:
    """Return one control message."""
    return json.dumps(message).encode()


def unpack(data: bytes) -> dict[str, Any]:
    """Read one control message."""
    message: dict[str, Any] = json.loads(data)
    return message
