"""What is taken out of a user's folder to be thrown away: held still meanwhile, and nobody's work.

What this stops: throwing away what a program wrote after the thing was looked at for the last time - through a
descriptor that it had opened before, or with the old size and times put back. Showing ours where it must be taken away
again: the look comes before the exchange, and while it is held still a file cannot be opened for writing.
What it does not: see writers of files that are not ours, or on a file system without leases; keep a program that works
inside a folder from opening more of its files. What is put in a file's place by its name, between the look and the
exchange, is noticed and put back; who saved anew even before that is done finds both versions side by side.

Sources: fcntl(2) on leases, rename(2).
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from permissions.errors import Conflict
from permissions.transactions import files, syscalls
from permissions.transactions.failures import conflict, in_use
from permissions.transactions.model import Ident, ident
from permissions.transactions.resolve import Folders

_PATIENCE_S, _PAUSE_S = 0.2, 0.01
"""How long it is waited for others to close a file that has to be written in place."""


@dataclass(frozen=True, slots=True)
class Held:
    """A thing at a path, looked at for the last time; the descriptor ``leased`` (-1: none) holds a file still."""

    folders: Folders
    was: Ident
    seen: str
    leased: int
    plain: bool

    def lies_at(self, spot: str) -> bool:
        """Tell whether this very thing was taken to ``spot``, and nobody waits to write to it. Raises OSError."""
        if not self.plain:
            return objection(self.folders, spot, self.was, self.seen, spot) is None
        info = self.folders.lstat(spot)
        untouched = self.leased < 0 or syscalls.has_lease(self.leased)
        return info is not None and ident(info) == self.was and untouched


@contextmanager
def held_still(folders: Folders, path: str, was: Ident | None, seen: str, said: str) -> Iterator[Held]:
    """Hold the thing at ``path`` still while it is taken away; what is wrong is said about ``said``.

    ``seen`` is the SHA-256 of its content as it was kept, of a folder the digest of its tree; empty where nothing was.
    Raises Conflict where it is not ``was``, or in somebody's hands; OSError.
    """
    info = folders.lstat(path)
    if info is None or was is None or ident(info) != was:
        raise conflict([said])
    if not stat.S_ISREG(info.st_mode):
        wrong = objection(folders, path, was, seen, said)
        if wrong is not None:
            raise wrong
        yield Held(folders, was, seen, -1, False)
        return
    opened = _open(folders, path)
    try:
        leased = syscalls.lease(opened, fcntl.F_RDLCK) if opened >= 0 else None
        if leased is False:
            raise in_use(said)
        if opened >= 0 and (ident(os.fstat(opened)) != was or (seen and files.digest_of(opened) != seen)):
            raise conflict([said])
        yield Held(folders, was, seen, opened if leased else -1, True)
    finally:
        if opened >= 0:
            os.close(opened)  # and the lease with it


def _open(folders: Folders, path: str) -> int:
    try:
        return folders.open(path)
    except PermissionError:
        return -1


def objection(folders: Folders, spot: str, was: Ident | None, seen: str, said: str) -> Conflict | None:
    """Return why the thing at ``spot`` must not be thrown away; None where it may be. Raises OSError."""
    info = folders.lstat(spot)
    if info is None or was is None:
        return conflict([said])
    if _is_being_written(folders, spot, info):
        return in_use(said)
    info = folders.lstat(spot)
    same = info is not None and ident(info) == was and (not seen or content_of(folders, spot) == seen)
    return None if same else conflict([said])


def _is_being_written(folders: Folders, path: str, info: os.stat_result) -> bool:
    if stat.S_ISREG(info.st_mode):
        return _has_writers(folders, path)
    if not stat.S_ISDIR(info.st_mode):
        return False
    inside = (below for below, inner in files.walk(folders, path) if stat.S_ISREG(inner.st_mode))
    return any(_has_writers(folders, f"{path}/{below}") for below in inside)


def _has_writers(folders: Folders, path: str) -> bool:
    opened = _open(folders, path)
    if opened < 0:
        return False
    try:
        return syscalls.lease(opened, fcntl.F_RDLCK) is False
    finally:
        os.close(opened)


def content_of(folders: Folders, path: str) -> str:
    """Return the digest of a file's content, or of a folder's tree; empty for anything else. Raises OSError."""
    info = folders.lstat(path)
    if info is None or not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode)):
        return ""
    if stat.S_ISDIR(info.st_mode):
        return files.survey(folders, path).digest
    opened = folders.open(path)
    try:
        return files.digest_of(opened)
    finally:
        os.close(opened)


def keep_beside(folders: Folders, spot: str, path: str) -> str:
    """Put somebody's work at ``spot`` beside ``path``, under a free name that is returned. Raises OSError."""
    folder, _, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    stem, suffix = (stem, dot + suffix) if stem else (name, "")
    for number in range(1, 1000):
        target = f"{folder}/{stem[:120]} (other version {number}){suffix[:60]}"
        try:
            syscalls.renameat2(*folders.at(spot), *folders.at(target), syscalls.RENAME_NOREPLACE)
        except OSError as error:
            if error.errno != errno.EEXIST:
                raise
        else:
            return target
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def hold_alone(opened: int, path: str) -> None:
    """Keep others from opening a file until it is closed. Raises Conflict where another program has it open."""
    deadline = time.monotonic() + _PATIENCE_S
    while syscalls.lease(opened, fcntl.F_WRLCK) is False:
        if time.monotonic() > deadline:
            raise in_use(path)
        time.sleep(_PAUSE_S)
