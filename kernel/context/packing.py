"""Packing: values that derive from manifests as bytes, and back; files of such bytes that are bound to what made them.

What this stops: a file that is torn, damaged, or made from other manifests or by other code (its key and its digest are
compared before a byte of it is read as a value); a value of a class that is not on the list below.
What this does not: somebody who may write there and gives a file a digest that fits: it may teach nonsense, no more.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import pickle
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from kernel.composition.profiles.choice_phrases import ChoicePhrase
from kernel.composition.profiles.cues import Cues
from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.skeletons import Skeleton
from kernel.context.examples import Examples
from kernel.context.lessons import Lessons
from kernel.language.lexicon import Lexicon, Thing
from kernel.ranking.postings import Postings
from memory import write_derived
from skills.model import Tool, ToolId, ValueKind

_KNOWN = {
    f"{one.__module__}.{one.__qualname__}": one
    for one in (ChoicePhrase, Counter, Cues, Examples, Lessons, Lexicon, Postings, Profile, Skeleton, Thing, ValueKind)
}
_FORM = b"steward lessons 1\n"
_DIGEST = 32


def _read_only(items: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(items)


def _array(data: bytes, form: str, shape: tuple[int, ...]) -> np.ndarray:
    return np.frombuffer(data, form).reshape(shape)


class _Packer(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        """A tool is named, not packed: it is read from its manifest, and so are its rights."""
        return value.id if isinstance(value, Tool) else None

    def reducer_override(self, value: Any) -> Any:
        """Dataclasses by their fields, in order; arrays by their bytes; choices by value, whatever Python says."""
        if isinstance(value, Enum):
            return type(value), (value.value,)
        if isinstance(value, MappingProxyType):
            return _read_only, (dict(value),)
        if isinstance(value, np.ndarray):
            return _array, (value.tobytes(), value.dtype.str, value.shape)
        if is_dataclass(value) and not isinstance(value, type):
            return type(value), tuple(getattr(value, field.name) for field in fields(value))
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    def __init__(self, data: bytes, tools: Mapping[ToolId, Tool]) -> None:
        super().__init__(io.BytesIO(data))
        self._tools = tools

    def persistent_load(self, name: Any) -> Tool:
        """The tool of that name, as it is installed."""
        return self._tools[name]

    def find_class(self, module: str, name: str) -> Any:
        """Only what is on the list. Raises UnpicklingError."""
        if module == __name__ and name in ("_read_only", "_array"):
            return globals()[name]
        found = _KNOWN.get(f"{module}.{name}")
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is nothing that a manifest teaches")
        return found


def pack(value: Any) -> bytes:
    """Return ``value`` as bytes."""
    packed = io.BytesIO()
    _Packer(packed, protocol=5).dump(value)
    return packed.getvalue()


def unpack(data: bytes, tools: Mapping[ToolId, Tool]) -> Any:
    """Return the value in ``data``. Raises UnpicklingError, KeyError when one of ``tools`` is missing."""
    return _Unpacker(data, tools).load()


def write_parts(file: Path, key: bytes, parts: Mapping[str, bytes]) -> bool:
    """Write ``parts`` whole or not at all, bound to ``key`` (32 bytes); tell whether they are kept."""
    table, at = {}, 0
    for name, part in parts.items():
        table[name] = (at, len(part), hashlib.sha256(part).hexdigest())
        at += len(part)
    head = json.dumps(table).encode()
    body = key + len(head).to_bytes(8, "little") + head + b"".join(parts.values())
    return write_derived(file, _FORM, body)


class Parts:
    """The parts of a file. Each is read, and compared with its digest once more, when it is asked for."""

    def __init__(self, file: Path, begin: int, table: Mapping[str, tuple[int, int, str]]) -> None:
        self._file = file
        self._begin = begin
        self._table = table

    def part(self, name: str) -> bytes:
        """Return the bytes of one part. Raises KeyError; OSError, ValueError when the file has changed since."""
        first, size, digest = self._table[name]
        with self._file.open("rb") as opened:
            opened.seek(self._begin + first)
            part = opened.read(size)
        if hashlib.sha256(part).hexdigest() != digest:
            raise ValueError(f"{self._file}: the part {name} has changed")
        return part


def read_parts(file: Path, key: bytes) -> Parts | None:
    """Return the parts of ``file``; None when it is not there, not whole, or bound to another key."""
    front_size = len(_FORM) + _DIGEST + len(key) + 8
    with contextlib.suppress(OSError, ValueError), file.open("rb") as opened:
        front = opened.read(front_size)
        if not front.startswith(_FORM) or front[len(_FORM) + _DIGEST : -8] != key:
            return None
        opened.seek(len(_FORM) + _DIGEST)
        if hashlib.file_digest(opened, "sha256").digest() != front[len(_FORM) : len(_FORM) + _DIGEST]:
            return None
        opened.seek(front_size)
        table = json.loads(opened.read(int.from_bytes(front[-8:], "little")))
        return Parts(file, opened.tell(), table)
    return None
