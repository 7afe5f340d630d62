"""Restoring: an archive is checked whole, unpacked beside, made to forget what was forgotten since, and put in place.

What this stops: a broken, foreign, newer or hostile archive changing anything; a restored ledger that does not verify;
an older backup bringing back words that the present state knows to be forgotten; the old state being lost.
What it does not: know of a forget that the present state does not know of, or find a name in skills' lists whose words
are forgotten: both are said. Rights are those of the day of the backup, also such as were taken away since.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from kernel.backup import errors
from kernel.backup.archive import Archive, Tell, open_archive
from kernel.backup.book import Book, one_at_a_time, read_book, write_book
from kernel.backup.model import Manifest
from kernel.backup.state import forget_again, forgets_since, gone_of
from kernel.backup.swapping import BEFORE, COMING, Checkpoint, Move, finish, swap, sync_tree
from kernel.config import Folders
from kernel.errors import BadRequest, NotNow
from memory import Ledger
from memory.errors import StoreError
from permissions.transactions import KEPT

ROOM_BYTES = 64 << 20
_NOTHING = "Nothing was changed."

View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put in place. ``forgotten_again`` counts events; ``notes`` are codes of what the person should know."""

    manifest: Manifest
    kept_beside: str
    forgotten_again: int
    notes: tuple[str, ...]

    def to_json(self) -> View:
        """Return it as a client shows it."""
        return {**self.manifest.told(), "kept_beside": self.kept_beside, "forgotten_again": self.forgotten_again,
                "notes": list(self.notes)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Present:
    """What the present state knows of forgets: hashes, how many since the backup, and whether it could be read."""

    gone: frozenset[str]
    since: int
    read: bool


def examine(path: Path, places: Folders, tell: Tell = lambda _: None) -> View:
    """Check a whole backup and return what it holds, with what restoring it here would mean. Raises BadRequest."""
    with open_archive(path) as archive:
        archive.check(tell)
        notes = _notes(archive, places, _present(places, archive.manifest))
        return {**archive.manifest.told(), "sha256": archive.digest, "notes": list(notes)}


def restore(
    path: Path, places: Folders, *, tell: Tell = lambda _: None, checkpoint: Checkpoint = lambda _: None
) -> Restored:
    """Put a backup in place of the present state; no daemon runs. Raises BadRequest, NotNow: nothing was changed."""
    finish(places)
    places.make()
    _must_be_settled(places)
    with one_at_a_time(places.data), open_archive(path) as archive:
        archive.check(tell)
        present = _present(places, archive.manifest)
        notes = _notes(archive, places, present)
        _must_have_room(places, archive)
        checkpoint("checked")
        with _coming(places) as (root, config):
            again = _unpack(archive, places, root, config, present, tell, checkpoint)
            aside = _aside(places)
            moves = [Move(coming=str(root / "data"), place=str(places.data), aside=str(aside / "data")),
                     Move(coming=str(config), place=str(places.config), aside=str(aside / "config"))]  # fmt: skip
            try:
                swap(places, moves, checkpoint)
            except OSError as error:
                finish(places)  # it is decided, or nothing has moved
                if not (aside / "data").exists():
                    raise errors.not_written(aside, error) from error
    return Restored(archive.manifest, str(aside), again, notes)


def _unpack(
    archive: Archive, places: Folders, root: Path, config: Path, present: _Present, tell: Tell, checkpoint: Checkpoint
) -> int:
    try:
        archive.unpack(root, tell)
        data = root / "data"
        checkpoint("unpacked")
        _link_skills(data, archive.manifest)
        if (root / "config").is_dir():
            shutil.copytree(root / "config", config, dirs_exist_ok=True)
        if _is_elsewhere(archive.manifest, places):
            for name in KEPT:  # it names files of that home: from here nothing there is touched
                shutil.rmtree(data / "transactions" / name, ignore_errors=True)
        again = _forget_again(archive.path, data, present)
        write_book(data, Book(taken=read_book(places.data).taken, forgotten=tuple(sorted(present.gone))))
        os.chmod(data, 0o700)
        for top in (root, config):
            sync_tree(top)
        _sync_files(config)
    except OSError as error:
        raise errors.not_written(root, error) from error
    return again


def _forget_again(path: Path, data: Path, present: _Present) -> int:
    try:
        with Ledger.open(data / "ledger") as ledger:
            found = ledger.verify()
            if not found.ok:
                raise errors.broken(path, f"its ledger does not verify: {found.problems[0].reason}")
            return forget_again(ledger, data, present.gone)
    except StoreError as error:
        raise errors.broken(path, f"its ledger does not open: {error}") from error


def _present(places: Folders, manifest: Manifest) -> _Present:
    """Return what the present state knows of forgets; a ledger that cannot be read knows of none."""
    try:
        gone = set(read_book(places.data).forgotten)
    except BadRequest:
        gone = set()
    try:
        with Ledger.open(places.data / "ledger", read_only=True) as ledger:
            gone |= set(gone_of(ledger))
            since = forgets_since(ledger.events(), manifest.as_of_ns)
    except StoreError:
        return _Present(frozenset(gone), 0, False)
    return _Present(frozenset(gone), since, True)


def _notes(archive: Archive, places: Folders, present: _Present) -> tuple[str, ...]:
    """Return what the person should know: ``unknown``, ``home``, ``secrets``, ``lists``, ``forgets``."""
    notes = []
    try:
        taken = read_book(places.data).taken
    except BadRequest:
        taken = ()
    known = next((one for one in taken if one.sha256 == archive.digest), None)
    if known is None:
        notes.append("unknown")
    if _is_elsewhere(archive.manifest, places):
        notes.append("home")
    if not archive.manifest.secrets:
        notes.append("secrets")
    if not present.read:
        notes.append("forgets")
    elif present.since and (known is None or known.behind):
        notes.append("lists")
    return tuple(notes)


def _is_elsewhere(manifest: Manifest, places: Folders) -> bool:
    """Tell whether a backup was taken under another home, or with Steward's own folder in another place."""
    pairs = ((manifest.home, places.home), (manifest.data, places.data))
    return any(os.path.realpath(then) != os.path.realpath(now) for then, now in pairs)


def _must_be_settled(places: Folders) -> None:
    """Raise NotNow while a change of the home stands half way: only the present state knows how to settle it."""
    open_ = places.data / "transactions" / "journal" / "open"
    if open_.is_dir() and any(open_.iterdir()):
        message = f"A change was interrupted and is not settled. {_NOTHING}"
        raise NotNow("restore.half_done", message, subject=str(open_),
                     hint="Start Steward, which settles it: ./steward up. Then restore again.")  # fmt: skip


def _must_have_room(places: Folders, archive: Archive) -> None:
    for place in (places.data, places.config):
        if place.parent.stat().st_dev != place.stat().st_dev or places.state.stat().st_dev != place.stat().st_dev:
            raise NotNow("restore.disks", f"{place} and {places.state} are on different disks. {_NOTHING}",
                         subject=str(place), hint="Set STEWARD_HOME to a folder that holds all of them.")  # fmt: skip
    free, needed = shutil.disk_usage(places.data.parent).free, archive.manifest.size_bytes + ROOM_BYTES
    if free < needed:
        raise NotNow("restore.room", f"Restoring needs {needed >> 20} MiB, and {free >> 20} MiB are free. {_NOTHING}",
                     subject=str(places.data.parent), hint="Make room there, then restore again.")  # fmt: skip


@contextmanager
def _coming(places: Folders) -> Iterator[tuple[Path, Path]]:
    """Give folders beside the present ones: for the unpacked archive, and for its configuration."""
    name = f"{COMING}{token_hex(6)}"
    root, config = places.data.parent / name, places.config.parent / f"{name}-config"
    try:
        root.mkdir(mode=0o700)
        config.mkdir(mode=0o700)
    except OSError as error:
        raise errors.not_written(root, error) from error
    try:
        yield root, config
    finally:
        for one in (root, config):
            shutil.rmtree(one, ignore_errors=True)


def _aside(places: Folders) -> Path:
    name = time.strftime(f"{BEFORE}%Y-%m-%d-%H%M%S")
    names = (name, *(f"{name}-{n}" for n in range(2, 1000)))
    return next(places.state / one for one in names if not (places.state / one).exists())


def _link_skills(data: Path, manifest: Manifest) -> None:
    (data / "skills").mkdir(mode=0o700, exist_ok=True)
    for skill, digest in manifest.links.items():
        (data / "skills" / skill).symlink_to(f"../skill-versions/{digest}/{skill}")


def _sync_files(top: Path) -> None:
    for folder, _, names in os.walk(top):
        for name in names:
            held = os.open(os.path.join(folder, name), os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(held)
            finally:
                os.close(held)
