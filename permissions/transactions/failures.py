"""One place where the operating system's errors become ours."""

from __future__ import annotations

import errno
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from permissions.errors import Conflict, PermissionsError, StorageFailed
from permissions.naming import shown

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_MOVED = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EEXIST, errno.ENOTEMPTY, errno.EISDIR, errno.ESTALE)
_DENIED = (errno.EACCES, errno.EPERM)


def conflict(paths: Collection[str], why: str = "changed since the plan looked at it") -> Conflict:
    """Return the conflict that names ``paths`` (five in words, all in its field)."""
    names = sorted(set(paths))
    hint = "Nothing was changed. Look at the files and ask again."
    return Conflict(
        "conflict.changed", f"{_listed(names)}: {why}.", subject=names[0] if names else "", hint=hint, paths=names
    )


def read_before(paths: Collection[str]) -> Conflict:
    """Return the conflict about files that were only read, and have changed before what was made of them came about."""
    names = sorted(set(paths))
    hint = "Nothing was changed. Ask again, and it is read anew."
    message = f"{_listed(names)}: read for this, but changed since then."
    return Conflict("conflict.read", message, subject=names[0], hint=hint, paths=names)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def taken(path: str) -> Conflict:
    """Return the conflict of something new whose place is taken: asking again would end the same."""
    hint = "Nothing was changed. Move or rename what is there, or name another place."
    return Conflict("conflict.taken", f"{shown(path)} is there already.", subject=path, hint=hint, paths=[path])


def in_use(path: str) -> Conflict:
    """Return the conflict about a file that another program has open for writing: what it writes would be lost."""
    hint = "Nothing was changed. Close it there, then ask again."
    message = f"{shown(path)} is open for writing in another program."
    return Conflict("conflict.open", message, subject=path, hint=hint, paths=[path])


def kept_both(path: str, other: str) -> Conflict:
    """Return the conflict about a file that somebody saved twice while it was being exchanged: both are there."""
    message = f"{shown(path)} was being saved at that moment; another version of it lies beside it: {shown(other)}."
    hint = "Nothing of yours was changed. Compare the two, then ask again."
    return Conflict("conflict.both", message, subject=path, hint=hint, paths=[path, other])


def place(error: OSError) -> str:
    """Return the name that an error of the operating system is about, "" where it has a descriptor or nothing."""
    return error.filename if isinstance(error.filename, str) else ""


def from_os(error: OSError, path: str) -> PermissionsError:
    """Return our error for one of the operating system's."""
    where = shown(path or place(error)) or "what was to be written"
    if error.errno in _FULL:
        hint = "Free some space (or raise the quota) and ask again; nothing was changed."
        return StorageFailed("storage.full", f"There is no room to write {where}.", subject=path, hint=hint)
    if error.errno == errno.EROFS:
        hint = "Make it writable and ask again; nothing was changed."
        return StorageFailed("storage.read_only", f"{where} lies on a read-only disk.", subject=path, hint=hint)
    if error.errno in _DENIED:
        hint = "Allow your user to write there and ask again; nothing was changed."
        return StorageFailed("storage.denied", f"The system does not let you change {where}.", subject=path, hint=hint)
    if error.errno in _MOVED:
        return conflict([path], f"changed while it was being written ({error.strerror})")
    hint = "Check the disk (dmesg) and ask again; nothing was changed."
    return StorageFailed("storage.failed", f"{where}: {error.strerror}.", subject=path, hint=hint)


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Turn an OSError inside the block into ours, about ``path``."""
    try:
        yield
    except OSError as error:
        raise from_os(error, path) from error
