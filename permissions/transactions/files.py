"""Contents and metadata of single files and trees, through descriptors only.

What this stops: copies that are not what was read (digests), setuid bits, capabilities and overlay attributes that
travel with new content, links and devices inside copied trees being followed.
What it does not: make anything durable; the commit does that in groups.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from permissions.transactions import syscalls
from permissions.transactions.model import Tree, Version
from permissions.transactions.resolve import Folders

_CHUNK = 1 << 20
_LEAST_CHUNK = 4096
_SECTOR = 512
_SECTORS = range(0, _CHUNK, _SECTOR)
_NEVER_CARRIED = ("security.", "trusted.", "user.overlay.")
MOST_IN_TREE = 1_000_000
"""Entries that one folder may hold to be fingerprinted, copied or deleted in a run."""


def digest_of(descriptor: int) -> str:
    """Return the SHA-256 of the whole file."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    total = hashlib.sha256()
    room = min(_CHUNK, max(_LEAST_CHUNK, os.fstat(descriptor).st_size + 1))  # a megabyte of it costs more than a page
    while chunk := os.read(descriptor, room):
        total.update(chunk)
    return total.hexdigest()


def copy_content(source: int, target: int) -> str:
    """Copy the content of one open file into another empty one: shared blocks, else data with its holes kept.

    The copy is read back and compared by digest, which is returned. Raises OSError; ESTALE where somebody wrote to the
    original meanwhile.
    """
    before = Version.of(os.fstat(source))
    if not syscalls.reflink(source, target):
        _copy_data(source, target)
    digest = digest_of(target)
    if digest != digest_of(source):
        if Version.of(os.fstat(source)) != before:
            raise OSError(errno.ESTALE, "somebody is writing to it")
        raise OSError(errno.EIO, "a copy differs from its original")
    return digest


def _copy_data(source: int, target: int) -> None:
    size = os.fstat(source).st_size
    for start, end in _extents(source, size):
        os.lseek(source, start, os.SEEK_SET)
        os.lseek(target, start, os.SEEK_SET)
        left = end - start
        while left > 0 and (chunk := os.read(source, min(_CHUNK, left))):
            write_all(target, chunk)
            left -= len(chunk)
    os.ftruncate(target, size)


def _extents(source: int, size: int) -> Iterator[tuple[int, int]]:
    if os.fstat(source).st_blocks * 512 >= size:
        yield 0, size
        return
    start = 0
    while start < size:
        try:
            start = os.lseek(source, start, os.SEEK_DATA)
            end = os.lseek(source, start, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            raise
        yield start, end
        start = end


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data``. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def begins_with(old: int, new: int) -> bool:
    """Tell whether the content of ``new`` starts with the whole content of ``old``."""
    size = os.fstat(old).st_size
    for offset in range(0, size, _CHUNK):
        length = min(_CHUNK, size - offset)
        if os.pread(old, length, offset) != os.pread(new, length, offset):
            return False
    return True


def is_part_of(old: int, new: int) -> bool:
    """Tell whether ``old`` may be what a power cut left of writing ``new``: a beginning, zeros where it is missing.

    A file system may have written down the new size before the content; what did not arrive then reads as zeros.
    """
    size = os.fstat(old).st_size
    if os.fstat(new).st_size < size:
        return False
    for offset in range(0, size, _CHUNK):
        length = min(_CHUNK, size - offset)
        now, whole = os.pread(old, length, offset), os.pread(new, length, offset)
        if now != whole and not all(_arrived(now[at : at + _SECTOR], whole[at : at + _SECTOR]) for at in _SECTORS):
            return False
    return True


def _arrived(now: bytes, whole: bytes) -> bool:
    return now == whole or not any(now)


@dataclass(frozen=True, slots=True)
class Meta:
    """What a file is besides its content: mode, owner, times in ns, extended attributes."""

    mode: int
    uid: int
    gid: int
    atime_ns: int
    mtime_ns: int
    xattrs: tuple[tuple[str, bytes], ...] = ()

    @staticmethod
    def of(descriptor: int) -> Meta:
        """Read it from an open file or folder."""
        info = os.fstat(descriptor)
        mode = stat.S_IMODE(info.st_mode)
        return Meta(mode, info.st_uid, info.st_gid, info.st_atime_ns, info.st_mtime_ns, _xattrs(descriptor))

    def to_json(self) -> list[Any]:
        """Return a row for the journal."""
        pairs = [[name, base64.b64encode(value).decode()] for name, value in self.xattrs]
        return [self.mode, self.uid, self.gid, self.atime_ns, self.mtime_ns, pairs]

    @staticmethod
    def from_json(row: list[Any]) -> Meta:
        """Read what ``to_json`` wrote."""
        mode, uid, gid, atime_ns, mtime_ns, pairs = row
        return Meta(mode, uid, gid, atime_ns, mtime_ns, tuple((name, base64.b64decode(value)) for name, value in pairs))

    def put(self, descriptor: int, *, times: bool, mask: int = 0o1777) -> None:
        """Give it to an open file: attributes, owner where the system allows, mode under ``mask``, times last.

        The usual mask drops setuid and setgid; only a thing's own old content gets them back.
        """
        info = os.fstat(descriptor)
        if self.xattrs:
            os.fchmod(descriptor, stat.S_IMODE(info.st_mode) | 0o600)  # attributes need a writable file
        for name, value in self.xattrs:
            _try(os.setxattr, descriptor, name, value)
        if (info.st_uid, info.st_gid) != (self.uid, self.gid):
            _try(os.fchown, descriptor, self.uid, self.gid)
        os.fchmod(descriptor, self.mode & mask)
        if times:
            os.utime(descriptor, ns=(self.atime_ns, self.mtime_ns))

    def give_to_folder(self, descriptor: int) -> None:
        """Give mode and attributes to an open folder; those of the user's that are not among them go."""
        name = f"/proc/self/fd/{descriptor}"  # it may have been opened for its name alone
        os.chmod(name, self.mode | 0o700)  # attributes need a writable folder
        kept = {key for key, _ in self.xattrs}
        for key in os.listxattr(name):
            if key.startswith("user.") and key not in kept:
                _try(os.removexattr, name, key)
        for key, value in self.xattrs:
            _try(os.setxattr, name, key, value)
        os.chmod(name, self.mode & 0o3777)  # a folder's setgid bit gives nobody rights; its files inherit the group


def _try(act: Callable[..., None], *arguments: object) -> None:
    """Do what the system may deny without harm."""
    try:
        act(*arguments)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EINVAL):
            raise


def _xattrs(descriptor: int) -> tuple[tuple[str, bytes], ...]:
    try:
        names = sorted(os.listxattr(descriptor))
    except OSError:
        return ()
    kept = [name for name in names if not name.startswith(_NEVER_CARRIED)]
    return tuple((name, os.getxattr(descriptor, name)) for name in kept)


def strip(descriptor: int) -> None:
    """Take capabilities, overlay marks and access lists off new content."""
    try:
        names = os.listxattr(descriptor)
    except OSError:
        return
    unwanted = [name for name in names if name != "security.selinux"]
    if unwanted:
        os.fchmod(descriptor, 0o600)  # a sealed file is read-only, and its attributes with it
    for name in unwanted:
        _try(os.removexattr, descriptor, name)


def walk(folders: Folders, top: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield (path relative to ``top``, lstat) of everything below folder ``top``, parents first, sorted. OSError."""
    waiting = [""]
    count = 0
    while waiting:
        prefix = waiting.pop()
        folder = folders.fd(f"{top}/{prefix}" if prefix else top)
        for name in sorted(os.listdir(folder)):
            count += 1
            if count > MOST_IN_TREE:
                raise OSError(errno.EFBIG, "the folder holds too many files", top)
            info = os.stat(name, dir_fd=folders.fd(f"{top}/{prefix}" if prefix else top), follow_symlinks=False)
            below = f"{prefix}/{name}" if prefix else name
            yield below, info
            if stat.S_ISDIR(info.st_mode):
                waiting.append(below)


def survey(folders: Folders, top: str) -> Tree:
    """Return what folder ``top`` holds: a digest over names and versions, the files, their bytes. Raises OSError."""
    total = hashlib.sha256()
    count = size_bytes = 0
    for below, info in walk(folders, top):
        row = [os.fsencode(below), *map(str, (info.st_mode, *Version.of(info).row()))]
        total.update(repr(row).encode())
        if not stat.S_ISDIR(info.st_mode):
            count += 1
            size_bytes += info.st_size
    return Tree(total.hexdigest(), count, size_bytes)


def copy_tree(folders: Folders, source: str, target: str) -> None:
    """Copy a file, link or folder with everything in it, metadata included, to ``target`` where nothing is."""
    info = folders.lstat(source)
    if info is None:
        raise FileNotFoundError(errno.ENOENT, "it is gone", source)
    copy_node(folders, source, target, info)
    if not stat.S_ISDIR(info.st_mode):
        return
    made = [(source, target)]
    for below, inner in walk(folders, source):
        copy_node(folders, f"{source}/{below}", f"{target}/{below}", inner)
        if stat.S_ISDIR(inner.st_mode):
            made.append((f"{source}/{below}", f"{target}/{below}"))
    for old, new in reversed(made):  # times and tight modes last, inside out
        Meta.of(folders.fd(old)).put(folders.fd(new), times=True)


def copy_node(folders: Folders, source: str, target: str, info: os.stat_result) -> None:
    """Copy one file or link, or make one folder, where nothing is; of a folder nothing but that. Raises OSError."""
    folder, name = folders.at(target)
    if stat.S_ISDIR(info.st_mode):
        os.mkdir(name, 0o700, dir_fd=folder)
    elif stat.S_ISLNK(info.st_mode):
        old_folder, old_name = folders.at(source)
        os.symlink(os.readlink(old_name, dir_fd=old_folder), name, dir_fd=folders.fd(target.rpartition("/")[0]))
    else:
        copy_file(folders, source, target, times=True)


def copy_file(folders: Folders, source: str, target: str, *, times: bool) -> Meta:
    """Copy one regular file with its metadata (times too if asked) and check the copy; returns the metadata."""
    old = folders.open(source)
    try:
        new = folders.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            meta = Meta.of(old)
            copy_content(old, new)
            meta.put(new, times=times)
        finally:
            os.close(new)
    finally:
        os.close(old)
    return meta


def keep_file(folders: Folders, source: str, target: str) -> tuple[Meta, str]:
    """Copy the content of one regular file to ``target``, for us alone; returns the metadata and the digest."""
    old = folders.open(source)
    try:
        new = folders.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            return Meta.of(old), copy_content(old, new)
        finally:
            os.close(new)
    finally:
        os.close(old)


def _in_disk_order(folders: Folders, path: str) -> list[str]:
    """Return the names in a folder, in the order in which they are removed fastest. Raises OSError with its path."""
    try:
        with os.scandir(folders.fd(path)) as found:
            return [name for _, name in sorted((item.inode(), item.name) for item in found)]
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def remove_tree(folders: Folders, path: str) -> None:
    """Remove whatever is at ``path`` for good; nothing there is fine. Only for our own leftovers. Raises OSError."""
    info = folders.lstat(path)
    if info is None:
        return
    folder, leaf = folders.at(path)
    if not stat.S_ISDIR(info.st_mode):
        os.unlink(leaf, dir_fd=folder)
        return
    os.chmod(leaf, 0o700, dir_fd=folder)
    for name in _in_disk_order(folders, path):
        remove_tree(folders, f"{path}/{name}")
    folders.forget()
    folder, leaf = folders.at(path)
    os.rmdir(leaf, dir_fd=folder)
