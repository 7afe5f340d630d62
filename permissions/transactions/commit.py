"""Commit: compare every touched path with what the plan saw, then carry the sealed entries out.

What this stops: lost updates (any difference is a conflict that changes nothing), what was made of a file that was
changed before it came about, content that is not what was
approved, setuid bits and overlay attributes, files of several names torn from their other names, and a hard link by
which a granted file is also a never-written one.
What it does not: decide; policy and the person did.
"""

from __future__ import annotations

import base64
import os
import stat
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from permissions.errors import PermissionsError, Refused
from permissions.model import ChangeKind
from permissions.naming import shown
from permissions.transactions import files, journal
from permissions.transactions.apply import carry_out
from permissions.transactions.draft import Draft
from permissions.transactions.failures import conflict, read_before, translated
from permissions.transactions.files import Meta
from permissions.transactions.model import Entry, Ident, Node, Version, change_to_json, ident
from permissions.transactions.resolve import Folders
from permissions.transactions.seal import Sealed
from permissions.transactions.shop import Shop, private_folder
from permissions.transactions.trash import Trash

_DELETED_COPY_UP_TO_BYTES = 64 << 20
"""Deleted files up to this size are also kept as pre-images, so that undo works after the trash was emptied."""


def changed_since(folders: Folders, entries: Iterable[Entry]) -> list[str]:
    """Return the paths that are no longer as the plan saw them. Raises OSError."""
    found = []
    for entry in entries:
        if entry.origin and not _as_seen(folders, entry):
            found.append(entry.origin)
        if entry.vacant and _occupied(folders, entry.vacant):
            found.append(entry.vacant)
    return found


def outdated(inputs: Mapping[str, Version]) -> list[str]:
    """Return which of the files that were only read are no longer as they were: any difference counts.

    What they said then is not known any more, so that a new time of change alone cannot be told from a new content.
    """
    return [path for path, version in inputs.items() if _now(path) != version]


def _now(path: str) -> Version | None:
    try:
        return Version.of(os.lstat(path))
    except OSError:
        return None


def _as_seen(folders: Folders, entry: Entry) -> bool:
    base, origin = entry.base, entry.origin or ""
    now = folders.version(origin)
    if now is None or base is None:
        return False
    if entry.tree is not None and files.survey(folders, origin).digest != entry.tree:
        return False
    if now == base:
        return True
    if not now.but_for_ctime(base):
        return False
    return entry.kind is ChangeKind.MOVED or entry.node is not Node.FILE or _same_content(folders, entry)


def _same_content(folders: Folders, entry: Entry) -> bool:
    digest = entry.digest if entry.kind is ChangeKind.CREATED else entry.base_digest
    if digest is None:
        return False
    opened = folders.open(entry.origin or "")
    try:
        return files.digest_of(opened) == digest
    finally:
        os.close(opened)


def _occupied(folders: Folders, path: str) -> bool:
    try:
        return folders.lstat(path) is not None
    except OSError:
        return True  # a link or a closed door stands in the way now


def _stands(folders: Folders, entry: Entry) -> bool:
    """Tell whether a folder that was to be made has been made by somebody else: nothing is left to do, or to undo."""
    if entry.kind is not ChangeKind.CREATED or entry.node is not Node.FOLDER or not entry.vacant or entry.origin:
        return False
    try:
        info = folders.lstat(entry.vacant)
    except OSError:
        return False
    return info is not None and stat.S_ISDIR(info.st_mode)


class Commit:
    """One commit of one sealed run."""

    def __init__(self, shop: Shop, folders: Folders, sealed: Sealed) -> None:
        self._shop = shop
        self._folders = folders
        self._sealed = sealed
        self._top = shop.run_folder(sealed.run)
        leaving = [e.origin for e in sealed.entries if e.origin and e.kind in (ChangeKind.MOVED, ChangeKind.DELETED)]
        self._draft = Draft(shop, folders, sealed.run, leaving)
        self._trash = Trash(folders, shop.home, self._draft.mount)
        self._records: list[dict[str, Any]] = []
        self._uses = Counter(entry.blob for entry in sealed.entries if entry.blob)
        self._verified: set[str] = set()
        self._others = shop.places.other_names()
        self._saved: list[str] = []
        self._restore: dict[str, tuple[int, int]] = {}
        self._now = datetime.now().astimezone()

    def carry_out(self) -> journal.Record:
        """Do it and return what the journal says. Raises Conflict, Refused, StorageFailed; then nothing has changed."""
        try:
            with translated(""):
                entries = [entry for entry in self._sealed.entries if not _stands(self._folders, entry)]
                changed = changed_since(self._folders, entries)
            if changed:
                raise conflict(changed)
            if old := outdated(self._sealed.inputs):
                raise read_before(old)
            for entry in entries:
                with translated(entry.path):
                    self._add(entry)
            head: dict[str, Any] = {"seal": self._sealed.seal, "restore": self._restore}
            head["changes"] = [change_to_json(entry.change()) for entry in entries]
            self._draft.prepared += self._saved
            return carry_out(
                self._shop,
                self._folders,
                self._draft,
                self._sealed.run,
                {**head, "records": self._records},
                self._result,
            )
        except PermissionsError:
            if not journal.is_open(self._shop, self._sealed.run):  # else recovery needs them
                files.remove_tree(self._folders, self._shop.preimages(self._sealed.run))
                files.remove_tree(self._folders, self._shop.holding(self._sealed.run))
            raise

    def _add(self, entry: Entry) -> None:
        self._shop.checkpoint("draft")
        record: dict[str, Any] = {"kind": entry.kind, "path": entry.path, "node": entry.node}
        match entry.kind:
            case ChangeKind.CREATED:
                self._create(entry, record)
            case ChangeKind.MODIFIED:
                self._modify(entry, record)
            case ChangeKind.MOVED:
                record["source"] = entry.source
                self._draft.relocate(
                    entry.source or "",
                    entry.path,
                    entry.vacant or entry.path,
                    self._ident(entry),
                    folder=entry.node is Node.FOLDER,
                )
            case ChangeKind.DELETED:
                self._delete(entry, record)
        self._records.append(record)

    def _create(self, entry: Entry, record: dict[str, Any]) -> None:
        near = entry.vacant or entry.path
        if entry.node is Node.FOLDER:
            self._draft.folder(entry.path, near)
            self._dress(entry)
        elif entry.node is Node.LINK:
            self._draft.link(entry.path, near, entry.target or "")
        else:
            record["digest"] = entry.digest
            source, shared = self._blob(entry)
            mode = 0o644 & ~self._shop.umask if entry.mode is None else entry.mode & 0o777
            times, meta = _times(entry), _new_meta(entry, mode) if entry.xattrs else None
            self._draft.put(
                entry.path, source, near=near, meta=meta, mode=mode, times=times, replaces=None, shared=shared
            )

    def _dress(self, entry: Entry) -> None:
        """Give a new folder, when all is in it, its mode, attributes and time."""
        if entry.mode is not None:
            meta = _new_meta(entry, entry.mode)
            self._draft.attributes(entry.path, None, meta, replace(meta, mode=meta.mode | 0o700))
        if entry.mtime_ns is not None:
            self._restore[entry.path] = (entry.mtime_ns, entry.mtime_ns)

    def _blob(self, entry: Entry) -> tuple[str, bool]:
        """Return the staged content, its digest checked once more, and whether another entry uses it too."""
        name = entry.blob or ""
        path = f"{self._top}/{name}"
        if name not in self._verified:
            opened = self._folders.open(path)
            try:
                if files.digest_of(opened) != entry.digest:
                    message = f"The staged content of {shown(entry.path)} is not what was approved."
                    raise Refused("refused.content", message, subject=entry.path, hint="Ask again.")
            finally:
                os.close(opened)
            self._verified.add(name)
        return path, self._uses[name] > 1

    def _mend(self, entry: Entry, record: dict[str, Any]) -> None:
        origin = entry.origin or ""
        back = Meta.of(self._folders.fd(origin))
        record |= {"origin": origin, "meta": back.to_json()}
        mode = back.mode if entry.mode is None else entry.mode | back.mode & stat.S_ISGID
        meta = replace(back, mode=mode, xattrs=_mixed(back, entry))
        self._draft.remember(origin)
        opened = self._draft.open_up(origin, self._ident(entry), back)
        self._draft.attributes(entry.path, self._ident(entry), meta, opened)

    def _modify(self, entry: Entry, record: dict[str, Any]) -> None:
        if entry.node is Node.FOLDER:
            self._mend(entry, record)
            return
        origin = entry.origin or ""
        info = self._folders.lstat(origin)
        if info is None:
            raise conflict([origin])
        place = self._others.of(info)
        if place:
            message = f"{shown(entry.path)} is another name of {shown(place)}, which is never written by a run."
            raise Refused("refused.place", message, subject=entry.path)
        meta, pre = self._save(entry, record)
        record["digest"] = entry.digest
        mode = (meta.mode if entry.mode is None else entry.mode) & 0o1777
        source, shared = self._blob(entry)
        times, xattrs = _times(entry), _mixed(meta, entry)
        mtime_ns = meta.mtime_ns if times is None else times[1]
        kept = Meta(mode, meta.uid, meta.gid, meta.atime_ns, mtime_ns, xattrs)
        if (info.st_nlink > 1 and not entry.apart) or not _can_give(info):
            record["fill"] = True
            given = None if times is None else kept
            self._draft.fill(entry.path, source, near=origin, was=ident(info), pre=pre, meta=given, back=meta,
                             seen=record["pre_digest"])  # fmt: skip
            return
        self._draft.put(
            entry.path, source, near=origin, meta=kept, mode=mode, times=times, replaces=ident(info), shared=shared,
            seen=record["pre_digest"],
        )  # fmt: skip

    def _save(self, entry: Entry, record: dict[str, Any]) -> tuple[Meta, str]:
        """Keep the old content and metadata; the copy is checked against the original."""
        origin = entry.origin or ""
        folder = self._shop.preimages(self._sealed.run)
        if not self._saved:
            private_folder(folder)
        name = f"{len(self._records):06d}"
        self._shop.checkpoint("preimage")
        meta, digest = files.keep_file(self._folders, origin, f"{folder}/{name}")
        if entry.base_digest is not None and digest != entry.base_digest:
            raise conflict([origin])
        record |= {"origin": origin, "pre": name, "pre_digest": digest, "meta": meta.to_json()}
        self._saved.append(f"{folder}/{name}")
        return meta, f"{folder}/{name}"

    def _delete(self, entry: Entry, record: dict[str, Any]) -> None:
        was = self._ident(entry)
        if entry.node is Node.FILE and (entry.base is None or entry.base.size <= _DELETED_COPY_UP_TO_BYTES):
            self._save(entry, record)
        slot = self._trash.slot(entry.path, self._now)
        record |= {"trash": slot.file, "info": slot.info}
        self._draft.info(slot.info, slot.text)
        self._draft.relocate(entry.path, slot.file, slot.file, was, folder=entry.node is Node.FOLDER, ours=True)

    def _ident(self, entry: Entry) -> Ident:
        info = self._folders.lstat(entry.origin or "")
        if info is None:
            raise conflict([entry.origin or ""])
        return ident(info)

    def _result(self) -> dict[str, Any]:
        post = []
        for record in self._records:
            path = record.get("trash", record["path"])
            version = self._folders.version(path)
            post.append(version.row() if version else None)
        return {"post": post, "folders": folder_times(self._folders, self._draft.times, went(self._records))}


def went(records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return where the things that a commit took from their place lie after it: moved, or in the trash."""
    moved = {r["source"]: r["path"] for r in records if r["kind"] == ChangeKind.MOVED}
    return moved | {r["path"]: r["trash"] for r in records if r["kind"] == ChangeKind.DELETED}


def folder_times(folders: Folders, times: Iterable[str], moves: dict[str, str]) -> dict[str, int]:
    """Return the mtime that each touched folder has now, by its path before the moves."""
    found = {}
    for folder in times:
        info = folders.lstat(moved_path(folder, moves))
        if info is not None:
            found[folder] = info.st_mtime_ns
    return found


def moved_path(path: str, moves: dict[str, str]) -> str:
    """Return where ``path`` lies after ``moves`` (the innermost moved folder above it counts)."""
    above = path
    while above:
        if above in moves:
            return moves[above] + path[len(above) :]
        above = above.rpartition("/")[0]
    return path


def _times(entry: Entry) -> tuple[int, int] | None:
    return None if entry.mtime_ns is None else (entry.mtime_ns, entry.mtime_ns)


def _xattrs(entry: Entry) -> tuple[tuple[str, bytes], ...]:
    return tuple((name, base64.b64decode(text)) for name, text in entry.xattrs or ())


def _new_meta(entry: Entry, mode: int) -> Meta:
    """Return what a new thing is given; owner and group stay as they come."""
    return Meta(mode, -1, -1, entry.mtime_ns or 0, entry.mtime_ns or 0, _xattrs(entry))


def _mixed(meta: Meta, entry: Entry) -> tuple[tuple[str, bytes], ...]:
    """Return the old attributes with those of the user's replaced, where the entry says so."""
    if entry.xattrs is None:
        return meta.xattrs
    return (*((name, value) for name, value in meta.xattrs if not name.startswith("user.")), *_xattrs(entry))


def _can_give(info: os.stat_result) -> bool:
    """Tell whether a new file can be given the old one's owner and group."""
    if os.geteuid() == 0:
        return True
    return info.st_uid == os.geteuid() and (info.st_gid == os.getegid() or info.st_gid in os.getgroups())
