"""Undo: the records of a finished commit, turned round and carried out by the same engine.

What this stops: taking back what somebody changed since (versions after the commit are compared first), restoring a
pre-image that does not match its digest, an undo that dies half way (it has a journal of its own).
What it does not: redo; give back what was removed from the trash and was too big for a pre-image.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from typing import Any

from permissions.errors import Conflict, PermissionsError, StorageFailed
from permissions.model import ChangeKind
from permissions.naming import shown
from permissions.transactions import files, journal
from permissions.transactions.apply import carry_out
from permissions.transactions.commit import moved_path, went
from permissions.transactions.draft import Draft
from permissions.transactions.failures import conflict, translated
from permissions.transactions.files import Meta
from permissions.transactions.journal import Record
from permissions.transactions.model import Ident, Node, Version, ident
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import Shop


class Undo:
    """Takes records ``chosen`` (indices) of a committed run back."""

    def __init__(self, shop: Shop, folders: Folders, record: Record, tag: str, chosen: Collection[int]) -> None:
        self._shop = shop
        self._folders = folders
        self._run = record.run
        self._plan: dict[str, Any] = record.plan or {}
        self._applied: dict[str, Any] = record.applied or {}
        self._tag = tag
        self._chosen = sorted(chosen)
        self._records: list[dict[str, Any]] = self._plan["records"]
        leaving = [self._records[i]["path"] for i in self._chosen if self._records[i]["kind"] != ChangeKind.MODIFIED]
        self._draft = Draft(shop, folders, tag, leaving)
        self._problems: list[str] = []
        self._targets = {
            self._records[index]["path"]: self._records[index]["source"]
            for index in self._chosen
            if self._records[index]["kind"] == ChangeKind.MOVED
        }
        self.kept: list[str] = []
        self._goes: set[str] = set()

    def carry_out(self) -> Record:
        """Do it and return what the journal says.

        Raises Conflict naming what changed since, or StorageFailed; then nothing has changed.
        """
        try:
            for index in sorted(self._chosen, key=lambda i: self._records[i]["path"].split("/"), reverse=True):
                with translated(self._records[index]["path"]):
                    self._add(index, self._records[index])
            self._must_be_sound()
            head = {"undone": self._chosen, "restore": self._folders_to_restore()}
            return carry_out(self._shop, self._folders, self._draft, self._tag, head, dict)
        except PermissionsError:
            if not journal.is_open(self._shop, self._tag):
                files.remove_tree(self._folders, self._shop.holding(self._tag))
            raise

    def _must_be_sound(self) -> None:
        if self._problems:
            raise conflict(self._problems, "changed since the run, so it cannot be taken back")

    def _add(self, index: int, record: dict[str, Any]) -> None:
        self._shop.checkpoint("draft")
        row = self._applied["post"][index]
        post = Version(*row) if row else None
        match ChangeKind(record["kind"]):
            case ChangeKind.CREATED:
                self._uncreate(record, post)
            case ChangeKind.MODIFIED:
                self._unmodify(record, post)
            case ChangeKind.MOVED:
                self._unmove(record, post)
            case ChangeKind.DELETED:
                self._undelete(record, post)

    def _uncreate(self, record: dict[str, Any], post: Version | None) -> None:
        path = record["path"]
        if record["node"] == Node.FOLDER:
            self._remove_folder(path)
            return
        was = self._unchanged(path, post, record.get("digest"))
        if was:
            self._goes.add(path)
            self._draft.remove(path, was, folder=False, seen=record.get("digest") or "")

    def _remove_folder(self, path: str) -> None:
        info = self._folders.lstat(path)
        if info is None:
            return
        if not stat.S_ISDIR(info.st_mode):
            self._problems.append(path)
            return
        opened = self._folders.fd(path)
        if all(f"{path}/{name}" in self._goes for name in os.listdir(opened)):
            self._goes.add(path)
            meta = Meta.of(opened)
            self._draft.no_folder(path, self._draft.open_up(path, None, meta))  # taken back, it is another folder
        else:
            self.kept.append(path)

    def _unmodify(self, record: dict[str, Any], post: Version | None) -> None:
        path = record["path"]
        if record["node"] == Node.FOLDER:
            self._unmend(record, post)
            return
        was = self._unchanged(path, post, record["digest"])
        if was:
            self._put_old(record, was)

    def _put_old(self, record: dict[str, Any], was: Ident) -> None:
        """A file gets its old content and attributes back, where it lies after this."""
        path = record["path"]
        back = moved_path(path, self._targets)
        pre, meta = self._preimage(record), Meta.from_json(record["meta"])
        if record.get("fill"):
            self._refill(path, back, pre, was, meta)
            return
        self._draft.put(
            back,
            pre,
            near=path,
            meta=meta,
            mode=meta.mode,
            times=(meta.atime_ns, meta.mtime_ns),
            replaces=was,
            shared=False,
            seen=record["digest"],
        )

    def _unmend(self, record: dict[str, Any], post: Version | None) -> None:
        """A folder gets its mode and attributes back when everything in it is as it was."""
        path, info = record["path"], self._folders.lstat(record["path"])
        if info is None or post is None or (info.st_dev, info.st_ino) != (post.dev, post.ino):
            self._problems.append(path)
            return
        now, old = Meta.of(self._folders.fd(path)), Meta.from_json(record["meta"])
        self._draft.remember(path)
        self._draft.attributes(path, ident(info), old, self._draft.open_up(path, ident(info), now))

    def _refill(self, path: str, back: str, pre: str, was: Ident, meta: Meta) -> None:
        """A file of several names gets its old content in place; the present one is kept until that is done."""
        spot = f"{self._shop.holding(self._tag)}/{os.path.basename(pre)}.now"
        now, seen = files.keep_file(self._folders, path, spot)
        self._draft.prepared.append(spot)
        self._draft.fill(back, pre, near=path, was=was, pre=spot, meta=meta, back=now, seen=seen)

    def _unmove(self, record: dict[str, Any], post: Version | None) -> None:
        path, source = record["path"], record["source"]
        folder = record["node"] == Node.FOLDER
        info = self._folders.lstat(path)
        if folder and info is not None and post is not None and (info.st_dev, info.st_ino) != (post.dev, post.ino):
            info = None
        if info is None:
            self._problems.append(path)
            return
        was = ident(info) if folder else self._unchanged(path, post, None)
        if was:
            self._goes.add(path)
            self._draft.relocate(path, source, source, was, folder=folder)

    def _undelete(self, record: dict[str, Any], post: Version | None) -> None:
        path, trash = record["path"], record["trash"]
        info = self._folders.lstat(trash)
        folder = record["node"] == Node.FOLDER
        if info is not None and post is not None and _in_trash_unchanged(info, post):
            self._draft.relocate(trash, path, path, ident(info), folder=folder)
            self._drop_info(record["info"])
        elif record.get("pre"):
            meta = Meta.from_json(record["meta"])
            times = (meta.atime_ns, meta.mtime_ns)
            pre = self._preimage(record)
            self._draft.put(path, pre, near=path, meta=meta, mode=meta.mode, times=times, replaces=None, shared=False)
        else:
            self._problems.append(path)

    def _drop_info(self, path: str) -> None:
        info = self._folders.lstat(path)
        if info is not None and stat.S_ISREG(info.st_mode):
            self._draft.remove(path, ident(info), folder=False)

    def _preimage(self, record: dict[str, Any]) -> str:
        path = f"{self._shop.preimages(self._run)}/{record['pre']}"
        opened = self._folders.open(path)
        try:
            sound = files.digest_of(opened) == record["pre_digest"]
        finally:
            os.close(opened)
        if not sound:
            message = f"The kept old content of {shown(record['path'])} is damaged; it is not put back."
            raise StorageFailed("storage.damaged", message, subject=record["path"], hint="Restore it from a backup.")
        return path

    def _unchanged(self, path: str, post: Version | None, digest: str | None) -> Ident | None:
        """Return the identity of what lies at ``path`` if it is as the commit left it; else note a problem."""
        now = self._folders.version(path)
        info = self._folders.lstat(path) if now else None
        if info is None or now is None or post is None:
            self._problems.append(path)
            return None
        as_left = (now.size, now.mtime_ns) == (post.size, post.mtime_ns)  # a later run may have been undone: new inode
        if now == post or (as_left and self._has(path, info, digest)):
            return ident(info)
        self._problems.append(path)
        return None

    def _has(self, path: str, info: os.stat_result, digest: str | None) -> bool:
        """Tell whether the content still has ``digest`` (None: it was moved and never read)."""
        if digest is None or not stat.S_ISREG(info.st_mode):
            return True
        opened = self._folders.open(path)
        try:
            return files.digest_of(opened) == digest
        finally:
            os.close(opened)

    def _folders_to_restore(self) -> dict[str, tuple[int, int]]:
        """Return the old times of folders that nobody else has touched since the commit.

        Their present times are noted where they lie now, should this undo have to be taken back.
        """
        moves = went(self._records)
        found = {}
        for folder, mtime_ns in self._applied["folders"].items():
            self._draft.remember(moved_path(folder, moves))
            info = self._folders.lstat(moved_path(folder, moves))
            if info is not None and info.st_mtime_ns == mtime_ns:
                found[folder] = tuple(self._plan["times"][folder])
        return found


def _in_trash_unchanged(info: os.stat_result, post: Version) -> bool:
    if stat.S_ISDIR(info.st_mode):
        return (info.st_dev, info.st_ino) == (post.dev, post.ino)
    return Version.of(info).but_for_ctime(post)


def choose(record: Record, taken: Collection[int], paths: Collection[str]) -> list[int]:
    """Return which records of a committed run to take back. Raises Conflict where nothing is left to.

    A path stands for itself and, if it is a folder, for everything the run did below it.
    """
    records = (record.plan or {})["records"]
    left = [index for index in range(len(records)) if index not in set(taken)]
    if paths:
        left = [index for index in left if _is_meant(records[index], paths)]
    if not left:
        said = ", ".join(shown(path) for path in sorted(paths)[:5]) or "this run"
        message = f"There is nothing left to take back of {said}."
        raise Conflict("conflict.undone", message, subject=record.run, hint="It was taken back before, or never done.")
    return left


def _is_meant(record: dict[str, Any], paths: Collection[str]) -> bool:
    places = [record["path"], record.get("source") or record["path"]]
    return any(place == path or place.startswith(f"{path}/") for place in places for path in paths)
