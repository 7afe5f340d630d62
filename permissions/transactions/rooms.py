"""A room: where the changes of one call to one tree collect while it works there, and what was there before.

Two kinds, one contract. An overlay where the tree can be served: its lower layers are what the plan has staged so far
and the tree itself. A whole copy of a small tree else. Either way the tree is not touched, and the call sees what
earlier tasks staged, whichever back end made it.
What this stops: a tree that holds Steward's own folder, or is a never-written place itself.
What it does not: judge what the call did; ``reading`` and the staging do.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from permissions.errors import BadScope, Refused
from permissions.model import Layer
from permissions.naming import shown
from permissions.transactions import files
from permissions.transactions.diff import size_words
from permissions.transactions.files import Meta
from permissions.transactions.laying import Laying, user_xattrs
from permissions.transactions.model import Node, Version, Xattrs
from permissions.transactions.net import Held
from permissions.transactions.resolve import Folders
from permissions.transactions.shadow import Shadow
from permissions.transactions.shop import Shop, private_folder
from permissions.transactions.trees import Seen, Survey, node_of, store_hindrance, survey

OPAQUE = "user.overlay.opaque"


class Like(NamedTuple):
    """What a file or folder was like when the call began, besides its content."""

    mode: int
    size: int
    mtime_ns: int
    xattrs: Xattrs


@dataclass(slots=True)
class Room:
    """One tree of one call. ``disk`` is where it lies on the disk, empty where it is only staged so far.

    ``made`` holds, by path below the tree, what a whole copy brought; None for an overlay. ``linked`` are staged
    contents that have a second name in it.
    """

    layer: Layer
    folder: str
    disk: str
    found: Survey
    shadow: Shadow
    made: Mapping[str, tuple[Seen, Xattrs]] | None = None
    linked: tuple[str, ...] = ()

    def close(self) -> None:
        """Let go of the staged contents that were lent to the layers. Raises OSError."""
        for blob in self.linked:
            os.chmod(blob, 0o600)


def open_room(shop: Shop, shadow: Shadow, tree: str, folder: str, top: str) -> Room:
    """Make the room for ``tree`` in our ``folder``, with everything staged in it (contents below ``top``).

    Raises BadScope where there is no such folder, Refused where nobody can work in it, OSError.
    """
    folders = Folders()
    try:
        _must_be_fit(shop, tree)
        disk = _on_disk(folders, shadow, tree)
        found = survey(folders, disk) if disk else Survey()
        hindrance = found.hindrance or (store_hindrance(shop.folder) if disk else "")
        private_folder(folder)
        laying = Laying(folders, shadow, tree, top, shop.umask)
        if not hindrance:
            layer = _overlay(folders, laying, tree, disk, folder)
            return Room(layer, folder, disk, found, shadow, linked=tuple(laying.linked))
        if not found.fits_a_copy():
            raise _too_large(tree, hindrance, found)
        made = _copy(folders, laying, disk, f"{folder}/upper")
        return Room(Layer(tree, f"{folder}/upper"), folder, disk, found, shadow, made)
    finally:
        folders.close()


def _must_be_fit(shop: Shop, tree: str) -> None:
    shop.places.look_again()
    shop.places.check(tree)
    if f"{shop.folder}/".startswith(f"{tree.rstrip('/')}/"):
        message = f"{shown(tree)} holds Steward's own folder, so no program may work in it as a whole."
        raise Refused("refused.tree", message, subject=tree, hint="Name a folder inside it.")


def _on_disk(folders: Folders, shadow: Shadow, tree: str) -> str:
    held = shadow.staged().get(tree)
    lower = (held.lower if held else shadow.lower_of(tree)) or ""
    info = folders.lstat(lower) if lower else None
    there = info is not None and stat.S_ISDIR(info.st_mode)
    if (held is None and not there) or (held is not None and (held.gone or held.node is not Node.FOLDER)):
        message = f"{shown(tree)} is not a folder, so no program can work in it."
        raise BadScope("scope.path", message, subject=tree, hint="Check the name, and ask again.")
    return lower if there else ""


def _too_large(tree: str, why: str, found: Survey) -> Refused:
    size = f"{len(found.seen):,} files and folders, {size_words(found.size_bytes)}"
    message = f"No program can work in {shown(tree)}: {why}, and with {size} it is too large to be copied."
    return Refused("refused.tree", message, subject=tree, hint="Name a smaller folder inside it.")


def _overlay(folders: Folders, laying: Laying, tree: str, disk: str, folder: str) -> Layer:
    below = [disk] if disk else []
    if laying.paths or not disk:
        staged = private_folder(f"{folder}/staged")
        _dress(folders, disk, staged)
        laying.as_layer(staged, disk)
        below.insert(0, staged)
    for name in ("upper", "work"):
        private_folder(f"{folder}/{name}")
    _dress(folders, below[0], f"{folder}/upper")
    return Layer(tree, f"{folder}/upper", f"{folder}/work", tuple(below))


def _dress(folders: Folders, old: str, new: str) -> None:
    """The top of an overlay looks like its uppermost layer: give it what the tree has."""
    if old:
        Meta.of(folders.fd(old)).give_to_folder(folders.fd(new))


def _copy(folders: Folders, laying: Laying, disk: str, target: str) -> dict[str, tuple[Seen, Xattrs]]:
    """Copy the tree, lay over it what is staged, and note what the copy is like."""
    if disk:
        copy_plain(folders, disk, target)
    else:
        private_folder(target)
    laying.into_copy(target)
    made = {"": _made(folders, target)}
    for below, _ in files.walk(folders, target):
        made[below] = _made(folders, f"{target}/{below}")
    return made


def copy_plain(folders: Folders, source: str, target: str) -> None:
    """Copy files, folders and links of a tree; a device, pipe or socket in it is left out. Raises OSError."""
    os.mkdir(folders.at(target)[1], 0o700, dir_fd=folders.at(target)[0])
    made = [(source, target)]
    for below, info in files.walk(folders, source):
        if node_of(info.st_mode) is None:
            continue
        files.copy_node(folders, f"{source}/{below}", f"{target}/{below}", info)
        if stat.S_ISDIR(info.st_mode):
            made.append((f"{source}/{below}", f"{target}/{below}"))
    for old, new in reversed(made):
        Meta.of(folders.fd(old)).put(folders.fd(new), times=True)


def _made(folders: Folders, path: str) -> tuple[Seen, Xattrs]:
    info = folders.lstat(path)
    if info is None:
        raise FileNotFoundError(2, "a copy vanished", path)
    return Seen(info.st_mode, info.st_nlink, Version.of(info)), user_xattrs(folders, path, info)


@dataclass(slots=True)
class Before:
    """What was at a path of a room's tree when the call began: what was staged, else what the survey saw."""

    room: Room
    folders: Folders
    _staged: dict[str, Held] = field(init=False)
    _children: dict[str, set[str]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._staged = self.room.shadow.staged()
        for below in self.room.found.seen:
            if below:
                folder, _, name = below.rpartition("/")
                self._children.setdefault(f"{self.room.disk}/{folder}" if folder else self.room.disk, set()).add(name)
        for path, held in self._staged.items():
            folder, _, name = path.rpartition("/")
            if not held.gone:
                self._children.setdefault(f"staged:{folder}", set()).add(name)

    def at(self, path: str) -> Held | None:
        """Return what was at ``path``, with the version that the call could see; None for nothing."""
        held = self._staged.get(path)
        if held is not None:
            return None if held.gone else held
        lower = self.room.shadow.lower_of(path)
        seen = self.seen(lower) if lower else None
        return Held(seen.node or Node.FILE, lower, seen.version) if seen else None

    def seen(self, lower: str) -> Seen | None:
        """Return what the survey saw at a path of the disk; of one outside its tree, what is there now."""
        disk = self.room.disk
        if disk and lower == disk:
            return self.room.found.seen.get("")
        if disk and lower.startswith(f"{disk}/"):
            return self.room.found.seen.get(lower[len(disk) + 1 :])
        info = self.folders.lstat(lower)
        return Seen(info.st_mode, info.st_nlink, Version.of(info)) if info else None

    def names(self, path: str) -> set[str]:
        """Return the names that were in the folder at ``path``."""
        held = self.at(path)
        lower = held.lower if held else None
        names = self._children.get(lower, set()) if lower else set()
        names = names | self._children.get(f"staged:{path}", set())
        return {name for name in names if self.at(f"{path}/{name}") is not None}

    def changed_below(self, folder: str) -> list[str]:
        """Return what is not any more, in a folder of the disk, as it was seen when the call began. Raises OSError."""
        disk = self.room.disk
        info = self.folders.lstat(folder)
        if not disk or not folder.startswith(f"{disk}/") or info is None or not stat.S_ISDIR(info.st_mode):
            return []
        prefix = f"{folder[len(disk) + 1 :]}/"
        then = {path[len(prefix) :]: seen.version for path, seen in self.room.found.seen.items()
                if path.startswith(prefix)}  # fmt: skip
        now = {below: Version.of(inner) for below, inner in files.walk(self.folders, folder)}
        return [f"{folder}/{below}" for below in then.keys() | now.keys() if then.get(below) != now.get(below)]

    def like(self, path: str) -> Like | None:
        """Return what the file or folder at ``path`` looked like to the call."""
        below = path[len(self.room.layer.tree) + 1 :]
        if self.room.made is not None:
            known = self.room.made.get(below)
            return Like(known[0].mode, known[0].version.size, known[0].version.mtime_ns, known[1]) if known else None
        real = self.real(path)
        info = self.folders.lstat(real) if real else None
        if info is None:
            return None
        return Like(info.st_mode, info.st_size, info.st_mtime_ns, user_xattrs(self.folders, real, info))

    def real(self, path: str) -> str:
        """Return where, in the layers of an overlay, the thing at ``path`` lies; empty where it is gone by now."""
        below = path[len(self.room.layer.tree) :]
        for layer in self.room.layer.below:
            info = self.folders.lstat(layer + below)
            if info is not None and not is_whiteout(info):
                return layer + below
        return ""


def is_whiteout(info: os.stat_result) -> bool:
    """Tell whether a stat result is that of an overlay's whiteout."""
    return stat.S_ISCHR(info.st_mode) and info.st_rdev == 0
