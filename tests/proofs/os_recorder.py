"""Notes what a program asks of the file system: every call of ``os`` that changes something, by inode.

The calls are carried out as always. Who uses the log checks it against the tree that came of them, so that a call which
is not noted is found out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from permissions.transactions import syscalls

Log = list[tuple[Any, ...]]


def tree(top: Path) -> dict[int, Any]:
    """Return the inodes below ``top`` by number."""
    from tests.proofs.journal_disk import Inode

    found: dict[int, Any] = {}
    for path in [top, *top.rglob("*")]:
        info = path.lstat()
        if info.st_ino in found:
            continue
        kind = "folder" if stat.S_ISDIR(info.st_mode) else "link" if stat.S_ISLNK(info.st_mode) else "file"
        inode = Inode(kind, stat.S_IMODE(info.st_mode), info.st_mtime_ns)
        if kind == "folder":
            inode.entries = {name: (path / name).lstat().st_ino for name in os.listdir(path)}
        elif kind == "link":
            inode.target = os.readlink(path)
        else:
            inode.content = path.read_bytes()
        found[info.st_ino] = inode
    return found


def _place(path: Any, dir_fd: int | None) -> tuple[int, str]:
    """Return the inode of the folder that holds a path, and the name in it."""
    text = os.fsdecode(path)
    if dir_fd is not None:
        assert "/" not in text
        return os.fstat(dir_fd).st_ino, text
    return os.stat(os.path.dirname(text)).st_ino, os.path.basename(text)


def _info(path: Any, dir_fd: int | None) -> os.stat_result | None:
    try:
        return os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
    except FileNotFoundError:
        return None


@contextmanager
def recording(log: Log) -> Iterator[None]:
    """Note into ``log`` for the time of a block."""
    replaced = _replacements(log)
    before = [(room, name, getattr(room, name)) for room, name in replaced]
    for (room, name), act in replaced.items():
        setattr(room, name, act)
    try:
        yield
    finally:
        for room, name, act in before:
            setattr(room, name, act)


def _replacements(log: Log) -> dict[tuple[Any, str], Callable[..., Any]]:
    return {
        **_of_names(log), **_of_contents(log),
        (syscalls, "renameat2"): _renameat2(log, syscalls.renameat2),
        (syscalls, "syncfs"): _after(syscalls.syncfs, lambda _fd: log.append(("syncfs",))),
        (syscalls, "reflink"): lambda _source, _target: False,
    }  # fmt: skip


def _after(act: Callable[..., Any], note: Callable[..., None]) -> Callable[..., Any]:
    def noted(*words: Any, **named: Any) -> Any:
        result = act(*words, **named)
        note(*words, **named)
        return result

    return noted


def _of_names(log: Log) -> dict[tuple[Any, str], Callable[..., Any]]:
    opened, made, linked = os.open, os.mkdir, os.symlink

    def open_(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        is_new = bool(flags & os.O_CREAT) and _info(path, dir_fd) is None
        number = opened(path, flags, mode, dir_fd=dir_fd)
        if is_new:
            info = os.fstat(number)
            log.append(("file", *_place(path, dir_fd), info.st_ino, stat.S_IMODE(info.st_mode), info.st_mtime_ns))
        assert is_new or not flags & os.O_TRUNC
        return number

    def mkdir(path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        made(path, mode, dir_fd=dir_fd)
        info = _info(path, dir_fd)
        assert info
        log.append(("mkdir", *_place(path, dir_fd), info.st_ino, stat.S_IMODE(info.st_mode)))

    def symlink(target: str, path: Any, *, dir_fd: int | None = None) -> None:
        linked(target, path, dir_fd=dir_fd)
        info = _info(path, dir_fd)
        assert info
        log.append(("symlink", *_place(path, dir_fd), info.st_ino, target, info.st_mtime_ns))

    def gone(act: Callable[..., Any]) -> Callable[..., None]:
        def noted(path: Any, *, dir_fd: int | None = None) -> None:
            info = _info(path, dir_fd)
            act(path, dir_fd=dir_fd)
            assert info
            log.append(("unlink", *_place(path, dir_fd), info.st_ino))

        return noted

    def rename(old: Any, new: Any, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None) -> None:
        log.append(("rename", *_place(old, src_dir_fd), *_place(new, dst_dir_fd)))

    return {
        (os, "open"): open_, (os, "mkdir"): mkdir, (os, "symlink"): symlink, (os, "unlink"): gone(os.unlink),
        (os, "rmdir"): gone(os.rmdir), (os, "rename"): _after(os.rename, rename),
    }  # fmt: skip


def _renameat2(log: Log, act: Callable[..., None]) -> Callable[..., None]:
    def noted(old_dir: int, old: str, new_dir: int, new: str, flags: int) -> None:
        act(old_dir, old, new_dir, new, flags)
        kind = "exchange" if flags & syscalls.RENAME_EXCHANGE else "rename"
        log.append((kind, os.fstat(old_dir).st_ino, old, os.fstat(new_dir).st_ino, new))

    return noted


def _of_contents(log: Log) -> dict[tuple[Any, str], Callable[..., Any]]:
    written = os.write

    def write(number: int, data: Any) -> int:
        appends = "/journal/" in os.readlink(f"/proc/self/fd/{number}")
        offset = -1 if appends else os.lseek(number, 0, os.SEEK_CUR)
        count = written(number, data)
        info = os.fstat(number)
        log.append(("write", info.st_ino, offset, bytes(data[:count]), info.st_mtime_ns))
        return count

    def truncated(number: int, size: int) -> None:
        log.append(("truncate", os.fstat(number).st_ino, size, os.fstat(number).st_mtime_ns))

    def mode(path: Any, mode: int, *, dir_fd: int | None = None, follow_symlinks: bool = True) -> None:
        info = os.fstat(path) if isinstance(path, int) else os.stat(path, dir_fd=dir_fd)
        log.append(("mode", info.st_ino, mode & 0o7777))

    def times(path: Any, *_words: Any, dir_fd: int | None = None, **_named: Any) -> None:
        info = os.fstat(path) if isinstance(path, int) else _info(path, dir_fd)
        assert info
        log.append(("times", info.st_ino, info.st_mtime_ns))

    def synced(number: int) -> None:
        log.append(("sync", os.fstat(number).st_ino))

    return {
        (os, "write"): write, (os, "ftruncate"): _after(os.ftruncate, truncated), (os, "chmod"): _after(os.chmod, mode),
        (os, "fchmod"): _after(os.fchmod, mode), (os, "utime"): _after(os.utime, times),
        (os, "fsync"): _after(os.fsync, synced),
    }  # fmt: skip
