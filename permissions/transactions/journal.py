"""The write-ahead journal: one small append-only file per commit or undo.

Each line is a CRC-32 and a JSON object; a torn last line does not count. ``begin`` names temporary files that may be
made, ``plan`` holds all steps with their identities and is durable before the first change of the user's files,
``applied`` is the point of no return. Whether a step happened is read from the file system (who lies where, by inode),
so that no step needs a line of its own. A finished journal moves to ``done`` and serves undo.

What this stops: a home between two states after a crash or power cut.
What it does not: a disk that loses what it acknowledged.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import dataclass
from typing import Any

from permissions.private_file import sync_folder
from permissions.transactions.files import write_all
from permissions.transactions.shop import Shop


@dataclass(frozen=True, slots=True)
class Record:
    """What a journal says: temporary names, the plan, and what came of it. Absent parts are None."""

    tag: str
    begin: dict[str, Any] | None = None
    plan: dict[str, Any] | None = None
    applied: dict[str, Any] | None = None

    @property
    def run(self) -> str:
        """The run it belongs to."""
        return self.tag.partition("~")[0]

    @property
    def is_undo(self) -> bool:
        """Whether it takes a commit back."""
        return "~" in self.tag


class Journal:
    """The open journal of one commit or undo. Every write is durable when it returns. Raises OSError."""

    def __init__(self, shop: Shop, tag: str) -> None:
        self._shop = shop
        self._tag = tag
        self._path = f"{shop.journal('open')}/{tag}"
        shop.checkpoint("journal:create")
        self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        sync_folder(shop.journal("open"))

    def write(self, kind: str, body: dict[str, Any]) -> None:
        """Append one durable line."""
        text = json.dumps({"kind": kind, **body}, separators=(",", ":")).encode()
        self._shop.checkpoint(f"journal:{kind}")
        before = os.fstat(self._fd).st_size
        try:
            write_all(self._fd, b"%08x %s\n" % (zlib.crc32(text), text))
            self._shop.checkpoint(f"journal:{kind}:written")
            os.fsync(self._fd)
        except OSError:
            os.ftruncate(self._fd, before)  # what was not promised must not be read as a promise
            raise
        self._shop.checkpoint(f"journal:{kind}:durable")

    def close(self) -> None:
        """Close the file and leave it where it is, for recovery."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def finish(shop: Shop, tag: str) -> None:
    """Move a journal to the finished ones."""
    shop.checkpoint("journal:finish")
    os.rename(f"{shop.journal('open')}/{tag}", f"{shop.journal('done')}/{tag}")
    sync_folder(shop.journal("done"))
    sync_folder(shop.journal("open"))
    shop.checkpoint("journal:finished")


def discard(shop: Shop, tag: str) -> None:
    """Remove the journal of something that left no trace."""
    shop.checkpoint("journal:discard")
    try:
        os.unlink(f"{shop.journal('open')}/{tag}")
    except FileNotFoundError:
        return
    sync_folder(shop.journal("open"))


def is_open(shop: Shop, tag: str) -> bool:
    """Tell whether something is under way, or waits for recovery, under ``tag``."""
    return os.path.exists(f"{shop.journal('open')}/{tag}")


def read(shop: Shop, state: str, tag: str) -> Record | None:
    """Return what a journal in ``state`` ("open", "done") says, None if there is none."""
    try:
        with open(f"{shop.journal(state)}/{tag}", "rb") as file:
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return None
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        crc, _, text = line.partition(b" ")
        if len(crc) != 8 or crc != b"%08x" % zlib.crc32(text):
            break
        body = json.loads(text)
        found[body["kind"]] = body
    return Record(tag, found.get("begin"), found.get("plan"), found.get("applied"))


def tags(shop: Shop, state: str) -> list[str]:
    """Return the tags of the journals in ``state``, sorted."""
    return sorted(os.listdir(shop.journal(state)))
