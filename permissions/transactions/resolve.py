"""Paths become folder descriptors here, without following a single link.

What this stops: a folder that is swapped for a symbolic link between description and commit (openat2 with
RESOLVE_NO_SYMLINKS, NO_MAGICLINKS and BENEATH; a component-wise O_NOFOLLOW walk where the call is missing).
What it does not: a folder that is swapped for another real folder; the versions of what lies inside tell.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import OrderedDict

from permissions.naming import shown
from permissions.transactions import syscalls
from permissions.transactions.failures import translated
from permissions.transactions.model import Version

_MOST_OPEN = 128
_GONE = (errno.ENOENT, errno.ENOTDIR)
_FOLDER = os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW


def real_place(path: str) -> str:
    """Return ``path`` with its folders' links resolved once; the last name is never followed."""
    folder, _, name = path.rpartition("/")
    return f"{os.path.realpath(folder or '/').rstrip('/')}/{name}"


class Folders:
    """A bounded set of open folders by absolute path. Not thread-safe: one commit owns one. Raises StorageFailed."""

    def __init__(self, *, walk: bool = False) -> None:
        with translated("/"):
            self._root = os.open("/", os.O_PATH | _FOLDER)
            self._walk = walk or not syscalls.has_openat2()
        self._open: OrderedDict[str, int] = OrderedDict()

    def fd(self, folder: str) -> int:
        """Return a descriptor of ``folder``. Raises OSError (ELOOP where a component is a link)."""
        held = self._open.get(folder)
        if held is not None:
            self._open.move_to_end(folder)
            return held
        try:
            opened = self._descend(folder.strip("/") or ".")
        except OSError as error:
            raise OSError(error.errno, error.strerror, folder) from None
        self._open[folder] = opened
        if len(self._open) > _MOST_OPEN:
            os.close(self._open.popitem(last=False)[1])
        return opened

    def at(self, path: str) -> tuple[int, str]:
        """Return the descriptor of the folder that holds ``path``, and the last name."""
        folder, _, name = path.rpartition("/")
        return self.fd(folder or "/"), name

    def lstat(self, path: str) -> os.stat_result | None:
        """Return what lies at ``path`` itself, None if nothing does. Raises OSError for anything else."""
        try:
            folder, name = self.at(path)
            return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError as error:
            if error.errno in _GONE:
                return None
            raise

    def version(self, path: str) -> Version | None:
        """Return the version of what lies at ``path``, None if nothing does or a link stands in the way."""
        try:
            info = self.lstat(path)
        except OSError as error:
            if error.errno == errno.ELOOP:
                return None
            raise
        return Version.of(info) if info else None

    def open(self, path: str, flags: int = os.O_RDONLY, mode: int = 0o600) -> int:
        """Open the regular file at ``path`` through its folder, refusing links and devices. Raises OSError."""
        folder, name = self.at(path)
        opened = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, mode, dir_fd=folder)
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            os.close(opened)
            raise OSError(errno.EINVAL, f"{shown(path)} is not a regular file", path)
        return opened

    def forget(self) -> None:
        """Close all: after a folder has moved, old paths mean other folders."""
        while self._open:
            os.close(self._open.popitem()[1])

    def close(self) -> None:
        """Close everything."""
        self.forget()
        os.close(self._root)

    def _descend(self, path: str) -> int:
        step = self._descend_by_walk if self._walk else self._descend_at_once
        try:
            return step(path, os.O_RDONLY)
        except PermissionError:
            return step(path, os.O_PATH)  # a folder that may be entered but not listed

    def _descend_at_once(self, path: str, flags: int) -> int:
        return syscalls.openat2(self._root, path, flags | _FOLDER)

    def _descend_by_walk(self, path: str, flags: int) -> int:
        current = os.dup(self._root)
        names = path.split("/")
        try:
            for index, name in enumerate(names):
                how = flags if index == len(names) - 1 else os.O_PATH
                below = os.open(name, how | _FOLDER, dir_fd=current)
                os.close(current)
                current = below
        except OSError as error:
            linked = error.errno == errno.ENOTDIR and _is_link(current, name)
            os.close(current)
            if linked:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path) from error
            raise
        return current


def _is_link(folder: int, name: str) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
