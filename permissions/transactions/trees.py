"""A tree in which a call is to work as it likes: what is in it now, and whether an overlay can serve it.

What this stops: a tree that is shown empty or half (other disks mounted in it), programs that fail in the middle with
errors that nobody understands (files of other owners), and a layer on a file system that keeps none.
What it does not: see who changes the tree meanwhile; the versions noted here tell afterwards.

Sources: ``Documentation/filesystems/overlayfs.rst``, ``proc_pid_mountinfo(5)``, ``ioctl_iflags(2)``.
"""

from __future__ import annotations

import fcntl
import os
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from permissions.errors import Refused
from permissions.naming import shown
from permissions.transactions import syscalls
from permissions.transactions.model import Node, Version
from permissions.transactions.mounts import kind_of, mounts
from permissions.transactions.resolve import Folders

MOST_ENTRIES = 300_000
"""Files and folders of a tree that are noted before a call works in it."""
COPIED_ENTRIES, COPIED_BYTES = 10_000, 512 << 20
"""A tree that an overlay cannot serve is copied up to this size."""

_SERVED = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "f2fs"})
_GET_FLAGS, _CASEFOLD = 0x80086601, 0x40000000


class Seen(NamedTuple):
    """What lay at a path when the call began."""

    mode: int
    names: int
    version: Version

    @property
    def node(self) -> Node | None:
        """What it was; None for a device, pipe or socket."""
        return node_of(self.mode)


@dataclass(slots=True)
class Survey:
    """What a tree held: by path below it (the tree itself is ``""``), in bytes, and what keeps an overlay from it."""

    seen: dict[str, Seen] = field(default_factory=dict)
    size_bytes: int = 0
    hindrance: str = ""

    def fits_a_copy(self) -> bool:
        """Tell whether the tree is small enough to be copied."""
        return len(self.seen) <= COPIED_ENTRIES and self.size_bytes <= COPIED_BYTES


def node_of(mode: int) -> Node | None:
    """Return what a mode says, None for a device, pipe or socket."""
    kinds = ((stat.S_ISREG, Node.FILE), (stat.S_ISDIR, Node.FOLDER), (stat.S_ISLNK, Node.LINK))
    return next((node for is_one, node in kinds if is_one(mode)), None)


def survey(folders: Folders, tree: str) -> Survey:
    """Look at all of ``tree``, following no link. Raises Refused for one that is too large, OSError."""
    found = Survey(hindrance=_of_its_disk(folders, tree))
    info = os.fstat(folders.fd(tree))
    waiting = [""]
    _note(found, tree, "", info)
    while waiting:
        place = waiting.pop()
        for name, inner in _inside(folders, f"{tree}/{place}" if place else tree):
            below = f"{place}/{name}" if place else name
            _note(found, tree, below, inner)
            if stat.S_ISDIR(inner.st_mode):
                waiting.append(below)
        found.hindrance = found.hindrance or _of_folder(folders, f"{tree}/{place}" if place else tree)
    return found


def _inside(folders: Folders, folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield what is in a folder; what cannot be listed is seen by nobody, the call included."""
    try:
        with os.scandir(folders.fd(folder)) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    yield entry.name, entry.stat(follow_symlinks=False)
    except PermissionError:
        return
    except OSError as error:
        if error.errno != 9:  # EBADF: it could be opened for its name alone
            raise


def _note(found: Survey, tree: str, below: str, info: os.stat_result) -> None:
    if len(found.seen) >= MOST_ENTRIES:
        message = f"{shown(tree)} holds more than {MOST_ENTRIES:,} files and folders, too many to work in at once."
        raise Refused("refused.tree", message, subject=tree, hint="Name a folder inside it.")
    found.seen[below] = Seen(info.st_mode, info.st_nlink, Version.of(info))
    if stat.S_ISREG(info.st_mode):
        found.size_bytes += info.st_size
    if (info.st_uid, info.st_gid) != (os.geteuid(), os.getegid()) and not found.hindrance:
        found.hindrance = f"{shown(f'{tree}/{below}'.rstrip('/'))} belongs to another user or group"


def _of_its_disk(folders: Folders, tree: str) -> str:
    """Say what about the disk keeps an overlay from ``tree``; nothing if nothing does."""
    kind = kind_of(syscalls.mount_of(folders.fd(tree))[1])
    if kind not in _SERVED:
        return f"it lies on {kind}"
    inside = next((mount.point for mount in mounts() if mount.point.startswith(f"{tree}/")), "")
    return f"another disk is mounted inside, at {shown(inside)}" if inside else ""


def _of_folder(folders: Folders, folder: str) -> str:
    """Say whether names in ``folder`` are compared without regard to case."""
    flags = bytearray(8)
    try:
        fcntl.ioctl(folders.fd(folder), _GET_FLAGS, flags)
    except OSError:  # not every file system has flags
        return ""
    cased = struct.unpack_from("I", flags)[0] & _CASEFOLD
    return f"{shown(folder)} ignores upper and lower case in names" if cased else ""


_TRIED: set[tuple[int, str]] = set()
"""Folders of ours, with the mount that they lie on, that can keep layers."""


def store_hindrance(folder: str) -> str:
    """Try whether our ``folder`` can keep layers (whiteouts, marks). Say what refuses them, nothing if all works."""
    folders = Folders()
    trial = f"{folder}/.trial-{os.getpid()}"
    try:
        number = syscalls.mount_of(folders.fd(folder))[1]
        kind = kind_of(number)
        if kind not in _SERVED:
            return f"Steward's own folder lies on {kind}"
        if (number, folder) in _TRIED:
            return ""
        os.mknod(trial, stat.S_IFCHR, 0)  # a whiteout, which anybody may make
        os.unlink(trial)
        os.mkdir(trial, 0o700)
        os.setxattr(trial, "user.overlay.opaque", b"y")
        os.rmdir(trial)
        _TRIED.add((number, folder))
    except OSError as error:
        return f"Steward's own folder cannot keep layers ({error.strerror})"
    finally:
        folders.close()
    return ""
