"""Places: the paths of a call, resolved once as it is dispatched, and held until it has ended.

What this stops, together with the wall (``confine.granted``), which compares what it opens with what is held: a path
that vanishes, or is swapped for another file, folder or link, between the decision and the use. A link anywhere in a
path, magic ones (``/proc/PID/root``, ``/proc/PID/fd``) included: what is decided on is a real path.
What it does not: what changes inside a held folder. Of a call with very many paths the first ``MOST_OPEN`` are held
open, so that nothing else can get their inodes; of the others device and inode are noted. Without openat2 (a system
call of Linux 5.6) nothing is held and all is refused.

Sources: openat2(2), ``linux/openat2.h``, open(2) on ``O_PATH``, inode(7).
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from permissions.errors import BadScope, PermissionsError, Refused
from permissions.model import Identity
from permissions.naming import shown

MOST_OPEN = 64
"""Descriptors that the places of one call keep open."""

_LIBC = ctypes.CDLL(None, use_errno=True)
_OPENAT2 = 437  # the same on every architecture
_NO_MAGICLINKS, _NO_SYMLINKS = 0x02, 0x04
_GONE = (errno.ENOENT, errno.ENOTDIR)


class _How(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


_REAL = _How(os.O_PATH | os.O_CLOEXEC, 0, _NO_MAGICLINKS | _NO_SYMLINKS)
_REAL_BYTES = ctypes.c_size_t(ctypes.sizeof(_REAL))


class Places:
    """The places of one call, held until it has ended. Use it as a context manager."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Resolve each of ``paths``, once. Raises BadScope (malformed), Refused (vanished, or leads elsewhere)."""
        self._open: list[int] = []
        try:
            self.identities = tuple(self._hold(path) for path in dict.fromkeys(paths))
        except BaseException:
            self.close()
            raise

    def _hold(self, path: str) -> Identity:
        descriptor = _opened(path)
        found = os.fstat(descriptor)
        if len(self._open) < MOST_OPEN:
            self._open.append(descriptor)
        else:
            os.close(descriptor)
        return Identity(path, found.st_dev, found.st_ino)

    def close(self) -> None:
        """Let go of everything; twice is harmless."""
        while self._open:
            os.close(self._open.pop())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def _opened(path: str) -> int:
    opened: int = _LIBC.syscall(_OPENAT2, -100, _bytes_of(path), ctypes.byref(_REAL), _REAL_BYTES)
    if opened < 0:
        raise _from_os(ctypes.get_errno(), path)
    return opened


def _bytes_of(path: str) -> bytes:
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:
        name = b""
    if name.startswith(b"/") and not name.startswith(b"//") and b"\0" not in name and os.path.normpath(name) == name:
        return name
    raise BadScope("scope.path", f"{shown(path)} is not an absolute, normalised path.", subject=shown(path),
                   hint="Write the whole path, without '..', '//' or a trailing slash.")  # fmt: skip


def _from_os(code: int, path: str) -> PermissionsError:
    if code in _GONE:
        return _refused("refused.vanished", path, "is not there any more")
    if code == errno.ELOOP:
        return _refused("refused.elsewhere", path, "leads somewhere else")
    return _refused("refused.unheld", path, f"cannot be opened ({os.strerror(code)})")


def _refused(code: str, path: str, why: str) -> Refused:
    return Refused(code, f"{shown(path)} {why}; nothing was done.", subject=shown(path),
                   hint="Look at that place, then ask again.")  # fmt: skip
