"""Laying out what a plan has staged, so that a program sees it: as a layer of an overlay, or over a whole copy.

What this stops: a later task that works on its own seeing less than one that reads through the SDK.
What it does not: copy much. New contents are linked, not copied; of what is moved or copied on the disk only as much as
a tree may hold that is copied.
"""

from __future__ import annotations

import base64
import os
import stat
from dataclasses import replace

from permissions.errors import Refused
from permissions.naming import shown
from permissions.transactions import files
from permissions.transactions.files import Meta
from permissions.transactions.model import Node, Xattrs
from permissions.transactions.net import Held
from permissions.transactions.resolve import Folders
from permissions.transactions.shadow import Shadow
from permissions.transactions.trees import survey

_OPAQUE = "user.overlay.opaque"


def user_xattrs(folders: Folders, path: str, info: os.stat_result) -> Xattrs:
    """Return the extended attributes of a file or folder that are the user's; none of a link. Raises OSError."""
    if stat.S_ISREG(info.st_mode):
        opened = folders.open(path)
        try:
            return _of(opened)
        finally:
            os.close(opened)
    return _of(folders.fd(path)) if stat.S_ISDIR(info.st_mode) else ()


def _of(descriptor: int) -> Xattrs:
    meta = Meta.of(descriptor)
    mine = (pair for pair in meta.xattrs if pair[0].startswith("user."))
    return tuple((name, base64.b64encode(value).decode()) for name, value in sorted(mine))


class Laying:
    """What is staged at and below ``tree``. ``top`` is the run's folder, in which the new contents lie."""

    def __init__(self, folders: Folders, shadow: Shadow, tree: str, top: str, umask: int) -> None:
        self._folders = folders
        self._tree = tree
        self._top = top
        self._umask = umask
        self._staged = shadow.staged()
        below = [path for path in self._staged if path.startswith(f"{tree}/")]
        self.paths = sorted(below, key=lambda path: path.split("/"))
        self._target = ""
        self._disk = ""
        self._whiteouts = False
        self._opaque: list[str] = []
        self.linked: list[str] = []

    def as_layer(self, target: str, disk: str) -> None:
        """Lay it out in our folder ``target`` as a layer over ``disk``. Raises Refused, OSError."""
        self._target, self._disk, self._whiteouts = target, disk, True
        self._lay()

    def into_copy(self, target: str) -> None:
        """Make a whole copy at ``target`` what the plan has staged. Raises Refused, OSError."""
        self._target, self._whiteouts = target, False
        self._lay()

    def _lay(self) -> None:
        for path in self.paths:
            below, held = path[len(self._tree) + 1 :], self._staged[path]
            self._make_above(below)
            self._put(f"{self._target}/{below}", below, held)

    def _make_above(self, below: str) -> None:
        """Make the folders above, as the tree has them: a layer's folder stands for the one under it."""
        names = below.split("/")[:-1]
        for count in range(1, len(names) + 1):
            inner = "/".join(names[:count])
            if self._folders.lstat(f"{self._target}/{inner}") is None:
                self._mkdir(f"{self._target}/{inner}")
                old = self._folders.lstat(f"{self._disk}/{inner}") if self._disk else None
                if old is not None and stat.S_ISDIR(old.st_mode):
                    Meta.of(self._folders.fd(f"{self._disk}/{inner}")).give_to_folder(
                        self._folders.fd(f"{self._target}/{inner}")
                    )

    def _mkdir(self, path: str) -> None:
        folder, name = self._folders.at(path)
        os.mkdir(name, 0o700, dir_fd=folder)

    def _put(self, place: str, below: str, held: Held) -> None:
        stays = held.node is Node.FOLDER and held.lower == f"{self._disk}/{below}"  # it only looks different
        if not stays:
            files.remove_tree(self._folders, place)
        if held.gone:
            if self._shows_through(below):
                folder, name = self._folders.at(place)
                os.mknod(name, stat.S_IFCHR, 0, dir_fd=folder)
        elif held.node is Node.FOLDER:
            self._put_folder(place, held, opaque=not stays)
            self._opaque += [] if stays else [f"{below}/"]
        elif held.node is Node.LINK:
            self._put_link(place, held)
        else:
            self._put_file(place, held)

    def _shows_through(self, below: str) -> bool:
        """Tell whether the disk's own thing would be seen there; in a folder that hides what is below it none is."""
        hidden = any(below.startswith(folder) for folder in self._opaque)
        return self._whiteouts and not hidden and self._folders.lstat(f"{self._disk}/{below}") is not None

    def _put_folder(self, place: str, held: Held, *, opaque: bool) -> None:
        if held.lower and opaque:
            self._must_be_small(held.lower)
            files.copy_tree(self._folders, held.lower, place)
        elif self._folders.lstat(place) is None:
            self._mkdir(place)
            source = self._folders.fd(held.lower) if held.lower else -1
            mode = 0o777 & ~self._umask
            meta = Meta.of(source) if source >= 0 else Meta(mode, -1, -1, 0, 0)
            meta.give_to_folder(self._folders.fd(place))
        opened = self._folders.fd(place)
        if held.mode is not None or held.xattrs is not None:
            meta = Meta.of(opened)
            mode = meta.mode if held.mode is None else held.mode
            meta = replace(meta, mode=mode, xattrs=decoded(held.xattrs) if held.xattrs is not None else meta.xattrs)
            meta.give_to_folder(opened)
        if opaque and self._whiteouts:
            os.setxattr(f"/proc/self/fd/{opened}", _OPAQUE, b"y")

    def _must_be_small(self, folder: str) -> None:
        if not survey(self._folders, folder).fits_a_copy():
            message = f"{shown(folder)} was moved by an earlier step, and is too large to be shown at its new place."
            raise Refused("refused.tree", message, subject=folder, hint="Ask for one thing after the other.")

    def _put_link(self, place: str, held: Held) -> None:
        target = held.target
        if target is None:
            folder, name = self._folders.at(held.lower or "")
            target = os.readlink(name, dir_fd=folder)
        folder, name = self._folders.at(place)
        os.symlink(target, name, dir_fd=folder)

    def _put_file(self, place: str, held: Held) -> None:
        if not held.blob:
            files.copy_file(self._folders, held.lower or held.copied or "", place, times=True)
            return
        mode = self._mode_of(held)
        if self._whiteouts:
            old, name = self._folders.at(f"{self._top}/{held.blob}")
            new, leaf = self._folders.at(place)
            old = self._folders.at(f"{self._top}/{held.blob}")[0]  # opening the second may have closed the first
            os.link(name, leaf, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)
            self.linked.append(f"{self._top}/{held.blob}")
        else:
            files.copy_file(self._folders, f"{self._top}/{held.blob}", place, times=True)
        self._dress(place, held, mode)

    def _mode_of(self, held: Held) -> int:
        if held.mode is not None:
            return held.mode
        old = self._folders.lstat(held.lower) if held.lower else None
        return stat.S_IMODE(old.st_mode) & 0o777 if old else 0o644 & ~self._umask

    def _dress(self, place: str, held: Held, mode: int) -> None:
        opened = self._folders.open(place)
        try:
            for name, value in decoded(held.xattrs or ()):
                os.setxattr(opened, name, value)
            os.fchmod(opened, mode)
            if held.mtime_ns is not None:
                os.utime(opened, ns=(held.mtime_ns, held.mtime_ns))
        finally:
            os.close(opened)


def decoded(xattrs: Xattrs) -> tuple[tuple[str, bytes], ...]:
    """Return extended attributes as bytes."""
    return tuple((name, base64.b64decode(text)) for name, text in xattrs)
