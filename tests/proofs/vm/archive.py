"""The first file system of a guest: an archive that the kernel unpacks into memory.

Source: the kernel's ``driver-api/early-userspace/buffer-format.rst`` (``newc``).
"""

from __future__ import annotations

import gzip
import stat
from collections.abc import Mapping
from dataclasses import dataclass

_END = "TRAILER!!!"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the archive: its contents, and whether it can be run. A folder has no contents."""

    data: bytes | None = None
    runs: bool = False


def pack(entries: Mapping[str, Entry]) -> bytes:
    """Return the archive of ``entries``, by their names without a leading slash; folders first."""
    parts = [_record(number, name, entry) for number, (name, entry) in enumerate(entries.items(), 1)]
    return gzip.compress(b"".join([*parts, _record(0, _END, Entry(b""))]), compresslevel=1, mtime=0)


def _record(number: int, name: str, entry: Entry) -> bytes:
    mode = stat.S_IFDIR | 0o755 if entry.data is None else stat.S_IFREG | (0o755 if entry.runs else 0o644)
    data, path = entry.data or b"", name.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0)
    head = b"070701" + b"".join(b"%08x" % field for field in fields)
    return _padded(head + path) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
