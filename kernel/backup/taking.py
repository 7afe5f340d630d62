"""Taking a backup, from a running daemon: where it may go, one at a time, and what is remembered of it.

What this stops: a backup over a file of the person's (only a backup is written over, and only when that was said),
inside Steward's own folders, or where nobody asked for it; two at once; half of one.
What it does not: encrypt the file. Whoever reads it reads the ledger: keep it as you would keep your home.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from kernel.backup import errors
from kernel.backup.archive import open_archive, write_archive
from kernel.backup.book import WORK, change_book, one_at_a_time, read_book
from kernel.backup.gathering import gather
from kernel.backup.model import Progress, Taken
from kernel.errors import BadRequest, NotNow
from memory.model import Draft, Json
from permissions.labels import KERNEL_SAID
from permissions.naming import shown

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]
TAKEN = "backup.taken"


class Backups:
    """The backups of a running daemon."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._busy = False
        self._progress: Progress | None = None

    async def take(self, path: str, *, secrets: bool = False, replace: bool = False) -> View:
        """Write a backup to ``path``; over another backup only with ``replace``. Raises BadRequest, NotNow."""
        target = self._checked(path, replace=replace)
        if self._busy:
            raise NotNow("backup.busy", "A backup is being written.", hint="Wait until it is done: ./steward doctor")
        self._busy = True
        try:
            return await asyncio.to_thread(self._take, target, secrets, replace)
        finally:
            self._busy, self._progress = False, None

    def listed(self) -> View:
        """Return where backups were written, the newest first, and how far one is that is being written."""
        taken = read_book(self._house.folders.data).taken
        at_work = self._progress
        return {
            "backups": [one.model_dump() | {"there": os.path.isfile(one.path)} for one in reversed(taken)],
            "at_work": None if at_work is None else {"done_bytes": at_work.done_bytes,
                                                     "total_bytes": at_work.total_bytes},
        }  # fmt: skip

    def _checked(self, path: str, *, replace: bool) -> Path:
        target = Path(path)
        if not target.is_absolute() or "\0" in path or not target.name:
            raise BadRequest("backup.place", "A backup goes to a file with its whole path.", subject=path[:80],
                             hint="./steward backup ~/steward.backup")  # fmt: skip
        try:
            path.encode()
        except UnicodeEncodeError as error:
            raise errors.bad_place(target, "has a name that is no text", "Choose another name.") from error
        target = Path(os.path.realpath(target.parent), target.name)
        if not target.parent.is_dir():
            raise errors.bad_place(target.parent, "is no folder", f"Make it first: mkdir -p {target.parent}")
        own = [Path(os.path.realpath(folder)) for folder in self._house.folders.own]
        if any(target.is_relative_to(folder) for folder in own):
            raise errors.bad_place(target, "lies in Steward's own folders", "Name a place of your own, best on another "
                                   "disk.")  # fmt: skip
        if os.path.lexists(target):
            _must_be_replaceable(target, replace=replace)
        return target

    def _take(self, target: Path, secrets: bool, replace: bool) -> View:
        began = time.monotonic()
        with one_at_a_time(self._house.folders.data), work_folder(self._house.folders.data) as root:
            try:
                found = gather(self._house, root, secrets=secrets)
                digest, size = write_archive(target, root, found.manifest, self._tell, replace=replace)
            except FileExistsError as error:
                raise _is_there(target) from error
            except OSError as error:
                raise errors.not_written(target, error) from error
            manifest = found.manifest
            one = Taken(path=str(target), sha256=digest, at_s=manifest.at_ns / 1e9, size_bytes=size, secrets=secrets,
                        events=manifest.events)  # fmt: skip
            change_book(self._house.folders.data, lambda taken: (*(old for old in taken if old.path != one.path), one))
        body: dict[str, Json] = {"sha256": digest, "size_bytes": size, "events": manifest.events, "secrets": secrets}
        self._house.ledger.append(Draft(kind=TAKEN, body=body, label=KERNEL_SAID.to_json()))
        return {**one.model_dump(), "files": len(manifest.members), "left_out": list(found.left_out),
                "took_s": round(time.monotonic() - began, 3)}  # fmt: skip

    def _tell(self, progress: Progress) -> None:
        self._progress = progress


@contextmanager
def work_folder(data: Path) -> Iterator[Path]:
    """Give an empty private folder on the disk of ``data``; what a killed one left goes first."""
    shutil.rmtree(data / WORK, ignore_errors=True)
    root = data / WORK / token_hex(4)
    root.mkdir(parents=True, mode=0o700)
    try:
        yield root
    finally:
        shutil.rmtree(data / WORK, ignore_errors=True)


def _must_be_replaceable(target: Path, *, replace: bool) -> None:
    if not replace:
        raise _is_there(target)
    try:
        with open_archive(target):
            return
    except BadRequest as error:
        raise errors.bad_place(target, "is there, and is no backup of Steward", "Choose another name; it stays as it "
                               "is.") from error  # fmt: skip


def _is_there(target: Path) -> BadRequest:
    return BadRequest("backup.exists", f"{shown(str(target))} is there already.", subject=str(target),
                      hint="Choose another name, or write over that backup with --yes.")  # fmt: skip
