"""Files that are there more than once: other names of one file, which take no space, and identical copies, which do.

Only files of one size are looked into, and of those no more than a bound of bytes; what was not looked into is not
claimed to be a copy.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from skills.sdk import Context, File, ToolError

_MOST_BYTES = 512 << 20
_HEAD_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Twice:
    """What is there more than once: other ``names`` of a file, and ``copies`` with the bytes of another file.

    Of each group the file with the shortest path is in neither.
    """

    names: tuple[File, ...]
    copies: tuple[File, ...]

    @property
    def copied_bytes(self) -> int:
        """The space that the copies take."""
        return sum(file.size_bytes for file in self.copies)


def found(ctx: Context, files: Sequence[File]) -> Twice:
    """Return what of ``files`` is there more than once."""
    sized: defaultdict[int, list[File]] = defaultdict(list)
    for file in files:
        if file.size_bytes:
            sized[file.size_bytes].append(file)
    names: list[File] = []
    copies: list[File] = []
    left = _MOST_BYTES
    for size, group in sorted(sized.items()):
        if len(group) < 2:
            continue
        own, other = _inodes(ctx, group)
        names += other
        if len(own) < 2 or (left := left - min(size, _HEAD_BYTES) * len(own)) < 0:
            continue
        for alike in _alike(ctx, own, _HEAD_BYTES):
            if size > _HEAD_BYTES and (left := left - size * len(alike)) < 0:
                continue
            for same in [alike] if size <= _HEAD_BYTES else _alike(ctx, alike, None):
                copies += same[1:]
    return Twice(tuple(names), tuple(copies))


def _inodes(ctx: Context, group: Sequence[File]) -> tuple[list[File], list[File]]:
    """Part the files from those that are another name of one of them."""
    seen: set[tuple[int, int]] = set()
    own: list[File] = []
    other: list[File] = []
    for file in sorted(group, key=lambda one: (len(one.path), one.path)):  # "a (2).pdf" is the copy
        try:
            status = os.stat(ctx.real(file))
        except (OSError, ToolError):  # it vanished meanwhile
            continue
        (other if (status.st_dev, status.st_ino) in seen else own).append(file)
        seen.add((status.st_dev, status.st_ino))
    return own, other


def _alike(ctx: Context, group: Sequence[File], most: int | None) -> list[list[File]]:
    """Return the files with the same first ``most`` bytes (all of them when None), where there are several."""
    marked: defaultdict[bytes, list[File]] = defaultdict(list)
    for file in group:
        try:
            with ctx.real(file).open("rb") as stream:
                if most is not None:
                    mark = hashlib.sha256(stream.read(most)).digest()
                else:
                    mark = hashlib.file_digest(stream, "sha256").digest()
        except (OSError, ToolError):  # it vanished, or may not be read
            continue
        marked[mark].append(file)
    return [files for files in marked.values() if len(files) > 1]
