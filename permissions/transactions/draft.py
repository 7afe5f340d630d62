"""Turning changes into steps: where each prepared file waits, which mount it needs, what has to be copied first.

A commit and an undo draft alike. Drafting decides places; ``prepare`` then makes the files there; only then do the
steps know whom they move. Prepared files wait in our holding folder when a rename can reach the target from there,
else under a ``.steward-`` name in the target's own folder; the journal knows those names before they exist.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection
from dataclasses import replace

from permissions.transactions import displaced, files, syscalls
from permissions.transactions.files import Meta
from permissions.transactions.model import Ident, ident
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import Shop, private_folder
from permissions.transactions.steps import Step

_ACL = "system.posix_acl_default"


class Draft:
    """The steps of one commit or undo in the making. Methods raise OSError unless they say otherwise.

    ``leaving`` are the paths whose present holders go away: nothing may wait inside them.
    """

    def __init__(self, shop: Shop, folders: Folders, tag: str, leaving: Collection[str]) -> None:
        self._shop = shop
        self._folders = folders
        self.tag = tag
        self._count = 0
        self._jobs: list[Callable[[], None]] = []
        self._mounts: dict[str, tuple[int, int]] = {}
        self._special: dict[str, bool] = {}
        self._standing: dict[str, str] = {}
        self.leaving = frozenset(leaving)
        self.steps: list[Step] = []
        self.temps: list[str] = []
        self.prepared: list[str] = []
        self.copied: list[str] = []
        self.started = False
        self.times: dict[str, tuple[int, int]] = {}
        private_folder(shop.holding(tag))

    # places

    def standing(self, path: str) -> str:
        """Return the nearest folder above ``path`` that exists now and stays where it is."""
        folder, stays = path.rpartition("/")[0], ""
        first = folder
        if first in self._standing:
            return self._standing[first]
        while folder:
            if folder in self.leaving:
                stays = ""
            elif not stays and self._is_folder(folder):
                stays = folder
            folder = folder.rpartition("/")[0]
        self._standing[first] = stays or "/"
        return self._standing[first]

    def _is_folder(self, path: str) -> bool:
        info = self._folders.lstat(path)
        return info is not None and stat.S_ISDIR(info.st_mode)

    def mount(self, path: str) -> tuple[int, int]:
        """Return the mount on which ``path`` lies or will lie."""
        folder = path.rpartition("/")[0] or "/"
        if folder not in self._mounts:
            self._mounts[folder] = syscalls.mount_of(self._folders.fd(self.standing(path)))
        return self._mounts[folder]

    def spot(self, near: str) -> str:
        """Return a free name from which, or to which, a rename reaches ``near``."""
        self._count += 1
        held = f"{self._shop.holding(self.tag)}/{self._count:06d}"
        if self.mount(held) == self.mount(near):
            return held
        return self._temporary(near)

    def _temporary(self, near: str) -> str:
        folder = self.standing(near)
        self.remember(folder)
        name = f"{folder.rstrip('/')}/.steward-{self.tag[:80]}-{self._count:06d}"
        self.temps.append(name)
        return name

    def remember(self, folder: str) -> None:
        """Note the times of a folder of the user's that is about to be touched."""
        if folder in self.times:
            return
        info = self._folders.lstat(folder) if folder != "/" else None
        if info is not None and stat.S_ISDIR(info.st_mode):
            self.times[folder] = (info.st_atime_ns, info.st_mtime_ns)

    def _needs_birth(self, path: str) -> bool:
        """Tell whether new files below this folder must be born there: group or access list are inherited."""
        folder = self.standing(path)
        if folder not in self._special:
            opened = self._folders.fd(folder)
            try:
                acl = _ACL in os.listxattr(f"/proc/self/fd/{opened}")
            except OSError:
                acl = False
            self._special[folder] = acl or bool(os.fstat(opened).st_mode & stat.S_ISGID)
        return self._special[folder]

    # what can be asked for

    def put(
        self,
        path: str,
        source: str,
        *,
        near: str,
        meta: Meta | None,
        mode: int,
        times: tuple[int, int] | None,
        replaces: Ident | None,
        shared: bool,
        seen: str = "",
    ) -> None:
        """Place the content of our file ``source`` at ``path``, new or instead of the thing ``replaces``.

        With ``meta`` the file takes over what the old one was. A ``shared`` source is copied, never used up. ``seen``
        is the digest of what was kept of the thing that is replaced.
        """
        self.remember(near.rpartition("/")[0])
        born = replaces is None and self._needs_birth(near)
        direct = not shared and not born and self.mount(source) == self.mount(near)
        waiting = source if direct else (self._birth(near) if born else self.spot(near))
        self._jobs.append(lambda: self._finish_put(path, source, waiting, meta, mode, times, replaces, seen))

    def _birth(self, near: str) -> str:
        self._count += 1
        return self._temporary(near)

    def _finish_put(
        self,
        path: str,
        source: str,
        waiting: str,
        meta: Meta | None,
        mode: int,
        times: tuple[int, int] | None,
        replaces: Ident | None,
        seen: str,
    ) -> None:
        opened = self._waiting_file(source, waiting)
        try:
            if meta is not None:
                meta.put(opened, times=times is not None)
            os.fchmod(opened, mode)
            if times is not None:
                os.utime(opened, ns=times)
            here = ident(os.fstat(opened))
        finally:
            os.close(opened)
        self.prepared.append(waiting)
        if replaces is None:
            self.steps.append(Step("move", path, waiting, here, fresh=True, key=path))
        else:
            self.steps.append(Step("swap", path, waiting, replaces, here, seen=seen, key=path))

    def _waiting_file(self, source: str, waiting: str) -> int:
        self._shop.checkpoint("prepare:put")
        if waiting == source:
            opened = self._folders.open(source)
            files.strip(opened)
            return opened
        old = self._folders.open(source)
        try:
            new = self._folders.open(waiting, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            try:
                files.copy_content(old, new)
            except OSError:
                os.close(new)
                raise
            return new
        finally:
            os.close(old)

    def fill(
        self, path: str, source: str, *, near: str, was: Ident, pre: str, meta: Meta | None, back: Meta, seen: str
    ) -> None:
        """Write our file ``source`` into the file at ``path`` itself, which has other names or another owner.

        ``pre`` holds the present content (``seen`` is its digest) and ``back`` the present metadata, should it have to
        be taken back.
        """
        self.remember(near.rpartition("/")[0])
        self.prepared.append(source)  # after a power cut it tells how far the writing came
        self.steps.append(Step("fill", path, source, was, seen=seen, key=path, pre=pre, meta=meta, back=back))

    def folder(self, path: str, near: str, meta: Meta | None = None) -> None:
        """Make an empty folder."""
        self.remember(near.rpartition("/")[0])
        self.steps.append(Step("mkdir", path, key=path, meta=meta))

    def attributes(self, path: str, was: Ident | None, meta: Meta, back: Meta, *, first: bool = False) -> None:
        """Give the folder at ``path`` the mode and attributes ``meta``: last of all, or before anything leaves it."""
        self.steps.append(Step("meta", path, was=was, phase=0 if first else 3, key=path, meta=meta, back=back))

    def open_up(self, path: str, was: Ident | None, now: Meta) -> Meta:
        """Let things leave and enter a folder whose mode forbids it; return what it is like from then on."""
        if now.mode & 0o300 == 0o300:
            return now
        opened = replace(now, mode=now.mode | 0o700)
        self.attributes(path, was, opened, now, first=True)
        return opened

    def no_folder(self, path: str, back: Meta) -> None:
        """Remove a folder that will be empty by then."""
        self.remember(path.rpartition("/")[0])
        self.steps.append(Step("rmdir", path, phase=1, key=path, back=back))

    def link(self, path: str, near: str, target: str) -> None:
        """Make a symbolic link."""
        self.remember(near.rpartition("/")[0])
        waiting = self.spot(near)

        def job() -> None:
            folder, name = self._folders.at(waiting)
            os.symlink(target, name, dir_fd=folder)
            self.steps.append(Step("move", path, waiting, self._ident(waiting), fresh=True, key=path))

        self._jobs.append(job)

    def info(self, path: str, text: str) -> None:
        """Place a small description file of our own making (a ``.trashinfo``), before everything else."""
        waiting = self.spot(path)

        def job() -> None:
            opened = self._folders.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                files.write_all(opened, text.encode())
                here = ident(os.fstat(opened))
            finally:
                os.close(opened)
            self.prepared.append(waiting)
            self.steps.append(Step("move", path, waiting, here, fresh=True, phase=0, key=path))

        self._jobs.append(job)

    def remove(self, path: str, was: Ident, *, folder: bool, seen: str = "") -> None:
        """Take our own file, with the digest ``seen``, away; it is gone for good once the journal says so."""
        self._leave(path, self.spot(path), was, folder, gone=True, seen=seen)

    def relocate(self, source: str, target: str, near: str, was: Ident, *, folder: bool, ours: bool = False) -> None:
        """Move a thing, by rename or, between mounts, by a checked copy. ``ours``: a place in the trash."""
        self.remember(source.rpartition("/")[0])
        if not ours:
            self.remember(near.rpartition("/")[0])
        if self.mount(source) == self.mount(near):
            if ours:
                self._leave(source, target, was, folder)
            else:
                self.steps.append(Step("move", target, source, was, folder=folder, key=target))
            return
        waiting, leaves = self.spot(near), self.spot(source)

        def job() -> None:
            self._shop.checkpoint("prepare:copy")
            seen = displaced.content_of(self._folders, source)
            files.copy_tree(self._folders, source, waiting)
            self._note_copied(waiting)
            self.steps.append(
                Step("move", target, waiting, self._ident(waiting), folder=folder, fresh=True, key=target)
            )
            self._leave(source, leaves, was, folder, gone=True, seen=seen)

        self._jobs.append(job)

    def _leave(self, source: str, target: str, was: Ident, folder: bool, *, gone: bool = False, seen: str = "") -> None:
        self.remember(source.rpartition("/")[0])
        self.steps.append(
            Step("move", target, source, was, folder=folder, private=True, gone=gone, seen=seen, phase=1, key=source)
        )

    def _note_copied(self, top: str) -> None:
        """Note what a copy brought, so that it is made durable: files and folders."""
        info = self._folders.lstat(top)
        if info is None or not stat.S_ISDIR(info.st_mode):
            self.prepared += [top] if info is not None and stat.S_ISREG(info.st_mode) else []
            return
        self.copied.append(top)
        for name, inner in files.walk(self._folders, top):
            if stat.S_ISREG(inner.st_mode):
                self.prepared.append(f"{top}/{name}")
            elif stat.S_ISDIR(inner.st_mode):
                self.copied.append(f"{top}/{name}")

    def _ident(self, path: str) -> Ident:
        info = self._folders.lstat(path)
        if info is None:
            raise FileNotFoundError(2, "a prepared file vanished", path)
        return ident(info)

    # making it so

    def prepare(self) -> None:
        """Make every prepared file."""
        for job in self._jobs:
            job()
        self._jobs.clear()
