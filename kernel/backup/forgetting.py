"""A forget reaches backups: those that Steward wrote and still finds are written anew, the others are named.

What this stops: the words, keys and old contents of what was forgotten in a backup that can be reached, and in the
state that a restore kept beside; a backup that cannot be reached being passed over in silence.
What it does not: reach copies of a backup that somebody made, blocks that a disk has not reused, or a backup that was
moved: those are for the person to remove.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kernel.backup.archive import open_archive, write_archive
from kernel.backup.book import one_at_a_time, read_book, write_book
from kernel.backup.gathering import manifest_of
from kernel.backup.model import Taken
from kernel.backup.state import LookFor, forget_in, gone_of
from kernel.backup.swapping import BEFORE
from kernel.backup.taking import work_folder
from kernel.errors import BadRequest
from memory.errors import StoreError
from memory.graph.mentions import Mentions
from memory.model import EntityId
from permissions.errors import PermissionsError

if TYPE_CHECKING:
    from kernel.house import House

BEHIND = "may-hold-what-is-forgotten"
"""Stands in a state beside that could not be made to forget: its record is damaged."""

ROOM_BYTES = 64 << 20
"""So much stays free on a disk where a backup is written anew."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Backups that a forget can write anew, and those that it cannot, by path; ``before`` are states kept beside."""

    reachable: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


def within_reach(house: House) -> Reached:
    """Return what a forget can reach of the backups, and change nothing. Raises BadRequest."""
    data = house.folders.data
    taken = read_book(data).taken
    there = [one.path for one in taken if _can_be_written(one)]
    return Reached(tuple(there), tuple(one.path for one in taken if one.path not in there),
                   tuple(str(one) for one in states_before(house.folders.state)))  # fmt: skip


def behind(house: House) -> tuple[str, ...]:
    """Return the backups, and states kept beside, that may hold what was forgotten since. Raises BadRequest."""
    taken = (one.path for one in read_book(house.folders.data).taken if one.behind)
    return (*taken, *(str(one) for one in states_before(house.folders.state) if (one / BEHIND).exists()))


class BackupStore:
    """The backups, and the states before a restore, as a store of the graph's purge. It joins last."""

    name = "backups"

    def __init__(self, house: House, look_for: LookFor) -> None:
        self._house, self._look_for = house, look_for

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Write what can be reached anew without them; return how many. Raises BadRequest, OSError, StoreFailed."""
        data, home = self._house.folders.data, self._house.folders.home
        with one_at_a_time(data):  # one that is being written is remembered, and reached, once it is there
            before = list(states_before(self._house.folders.state))
            if not before and not read_book(data).taken:
                return 0
            gone = frozenset(gone_of(self._house.ledger))
            count = sum(self._beside(state, home, entities, words, gone) for state in before)
            book = read_book(data)
            in_text = Mentions(words).in_text
            kept: list[Taken] = []
            for one in book.taken:
                anew = self._anew(one, entities, words, gone)
                count += anew is not None and anew.sha256 != one.sha256
                if not (words and in_text(one.path)):  # its name says it: nothing of that stays here
                    kept.append(anew if anew is not None else one.model_copy(update={"behind": True}))
            write_book(data, book.model_copy(update={"taken": tuple(kept)}))
        return count

    def _beside(
        self, state: Path, home: Path, entities: Collection[EntityId], words: Collection[str], gone: frozenset[str]
    ) -> bool:
        """Let a state that a restore kept beside forget; tell whether something went. A damaged one is marked."""
        try:
            return forget_in(state / "data", home, entities, words, self._look_for, gone) > 0
        except (StoreError, PermissionsError):
            (state / BEHIND).touch(mode=0o600)
            return False

    def _anew(
        self, one: Taken, entities: Collection[EntityId], words: Collection[str], gone: frozenset[str]
    ) -> Taken | None:
        """Return a backup as it is without them; None where it cannot be reached."""
        path = Path(one.path)
        try:
            with open_archive(path) as archive, work_folder(self._house.folders.data) as root:
                if archive.digest != one.sha256 or not _room_for(archive.manifest.size_bytes, path, root):
                    return None
                archive.unpack(root, lambda _: None)
                old = archive.manifest
                went = forget_in(root / "data", self._house.folders.home, entities, words, self._look_for, gone)
                if not went:
                    return one
                manifest = manifest_of(
                    root, home=old.home, data=old.data, at_ns=old.at_ns, events=old.events, secrets=old.secrets,
                    links=dict(old.links), id=old.id, as_of_ns=time.time_ns(),
                )  # fmt: skip
                digest, size = write_archive(path, root, manifest, lambda _: None, replace=True)
        except (BadRequest, OSError, PermissionsError, StoreError):
            return None
        return one.model_copy(update={"sha256": digest, "size_bytes": size})


def states_before(state: Path) -> Iterator[Path]:
    """Yield the states that restores kept beside, the oldest first."""
    for one in sorted(state.glob(f"{BEFORE}*")):
        if (one / "data" / "ledger").is_dir():
            yield one


def _can_be_written(one: Taken) -> bool:
    path = Path(one.path)
    return path.is_file() and not path.is_symlink() and os.access(path.parent, os.W_OK)


def _room_for(size_bytes: int, path: Path, root: Path) -> bool:
    return all(shutil.disk_usage(place).free > size_bytes + ROOM_BYTES for place in (path.parent, root))
