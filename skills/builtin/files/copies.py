"""Files that are there more than once: other names of one file, which take no space, and identical copies, which do.

Only files of one size are looked into, and of those no more than a bound of bytes; what was not looked into is not
claimed to be a copy, and counted.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from skills.sdk import Context, File, ToolError

_MOST_BYTES = 512 << 20
_HEAD_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Twice:
    """What is there more than once: other ``names`` of a file, and ``copies`` with the bytes of another file.

    Of each group the file with the shortest path is in neither; ``firsts`` has it for each of the copies. ``unread``
    are as large as others, but were too much to look into or could not be read.
    """

    names: tuple[File, ...]
    copies: tuple[File, ...]
    firsts: tuple[File, ...]
    unread: tuple[File, ...] = ()

    @property
    def copied_bytes(self) -> int:
        """The space that the copies take."""
        return sum(file.size_bytes for file in self.copies)


@dataclass(slots=True)
class _Reading:
    """How many bytes may still be read, and what was left unread."""

    left: int
    unread: list[File] = field(default_factory=list)

    def affords(self, files: Sequence[File], each_bytes: int) -> bool:
        """Take the bytes for ``files`` from what is left; where they are too many, all of them stay unread."""
        cost = each_bytes * len(files)
        if cost > self.left:
            self.unread += files
            return False
        self.left -= cost
        return True


def found(ctx: Context, files: Sequence[File]) -> Twice:
    """Return what of ``files`` is there more than once."""
    sized: defaultdict[int, list[File]] = defaultdict(list)
    for file in files:
        if file.size_bytes:
            sized[file.size_bytes].append(file)
    names: list[File] = []
    pairs: list[tuple[File, File]] = []
    reading = _Reading(_MOST_BYTES)
    for size, group in sorted(sized.items()):
        if len(group) < 2:
            continue
        own, other = _inodes(ctx, group)
        names += other
        if len(own) > 1 and reading.affords(own, min(size, _HEAD_BYTES)):
            pairs += [(copy, same[0]) for same in _same(ctx, own, size, reading) for copy in same[1:]]
    copied, firsts = tuple(copy for copy, _ in pairs), tuple(first for _, first in pairs)
    return Twice(tuple(names), copied, firsts, tuple(reading.unread))


def _same(ctx: Context, group: Sequence[File], size: int, reading: _Reading) -> list[list[File]]:
    """Return the files of one ``size`` that have the same bytes; those that begin alike are read whole."""
    alike = _alike(ctx, group, _HEAD_BYTES, reading)
    if size <= _HEAD_BYTES:
        return alike
    return [same for some in alike if reading.affords(some, size) for same in _alike(ctx, some, None, reading)]


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


def _alike(ctx: Context, group: Sequence[File], most: int | None, reading: _Reading) -> list[list[File]]:
    """Return the files with the same first ``most`` bytes (all of them when None), where there are several."""
    marked: defaultdict[bytes, list[File]] = defaultdict(list)
    for file in group:
        try:
            with ctx.real(file).open("rb") as stream:
                if most is not None:
                    mark = hashlib.sha256(stream.read(most)).digest()
                else:
                    mark = hashlib.file_digest(stream, "sha256").digest()
        except (FileNotFoundError, ToolError):  # it vanished meanwhile
            continue
        except OSError:
            reading.unread.append(file)
            continue
        marked[mark].append(file)
    return [files for files in marked.values() if len(files) > 1]
