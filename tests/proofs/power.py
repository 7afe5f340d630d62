"""What a disk may hold after the power went: built from the log of what it was asked to do.

A write that was not synced may have reached the disk or not, sector by sector; a name that was not made durable may be
there, or what had it before. ``first`` operations have happened; a seeded choice says what of the unsynced arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

SECTOR = 512
ARRIVES = (0.0, 0.25, 0.5, 0.8, 1.0)
"""How much of what was not synced reaches the disk; one of these for each state."""


@dataclass
class Content:
    """The bytes of a file: what is durable, and the writes and truncations since, in order."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def write(self, offset: int, data: bytes) -> None:
        """Ask for a write."""
        self.pending.append((offset, data))

    def truncate(self, size: int) -> None:
        """Ask for a size."""
        self.pending.append((size, None))

    def sync(self) -> None:
        """Make everything durable."""
        for offset, data in self.pending:
            _apply(self.durable, offset, data)
        self.pending.clear()

    def whole(self) -> bytes:
        """Return what a program reads while the power is on."""
        seen = bytearray(self.durable)
        for offset, data in self.pending:
            _apply(seen, offset, data)
        return bytes(seen)

    def after_power_loss(self, dice: Random, share: float) -> bytes:
        """Return what may be on the disk: some of the pending truncations, and of the writes some sectors."""
        found = bytearray(self.durable)
        for offset, data in self.pending:
            if data is None:
                if dice.random() < share:
                    _apply(found, offset, None)
                continue
            for start, end in _sectors(offset, len(data)):
                if dice.random() < share:
                    _apply(found, start, data[start - offset : end - offset])
        return bytes(found)


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def _sectors(offset: int, length: int) -> list[tuple[int, int]]:
    end = offset + length
    cuts = [offset, *range((offset // SECTOR + 1) * SECTOR, end, SECTOR), end]
    return list(pairwise(cuts))


class Flat:
    """A folder of files by name, as SQLite uses it.

    Names come and go in order. The first sync of a new file makes its name durable, and with it all changes of names
    before (SQLite syncs the folder then, and so does a file system that keeps names in a journal).
    """

    def __init__(self) -> None:
        self._now: dict[str, Content] = {}
        self._changes: list[tuple[str, Content | None]] = []
        self._certain = 0

    def do(self, op: Sequence[Any]) -> None:
        """Do one operation of a log; what is none is passed over."""
        match op:
            case ("create", name):
                self._make(name)
            case ("write", name, offset, data):
                self._content(name).write(offset, data)
            case ("truncate", name, size):
                self._content(name).truncate(size)
            case ("sync", name):
                self._sync(name)
            case ("delete", name):
                self._now.pop(name, None)
                self._changes.append((name, None))

    def _make(self, name: str) -> Content:
        self._now[name] = Content()
        self._changes.append((name, self._now[name]))
        return self._now[name]

    def _content(self, name: str) -> Content:
        return self._now.get(name) or self._make(name)

    def _sync(self, name: str) -> None:
        content = self._content(name)
        content.sync()
        if any(new is content for _, new in self._changes[self._certain :]):
            self._certain = len(self._changes)

    def after_power_loss(self, dice: Random) -> dict[str, bytes]:
        """Return the files that may be there."""
        share = dice.choice(ARRIVES)
        most = len(self._changes)
        known = {0.0: self._certain, 1.0: most}.get(share, dice.randint(self._certain, most))
        names: dict[str, Content | None] = dict(self._changes[:known])
        return {name: content.after_power_loss(dice, share) for name, content in names.items() if content is not None}
