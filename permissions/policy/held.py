"""Places: granted paths, resolved once, and held as descriptors from the moment a call is dispatched.

What this stops: a path that vanishes, or is swapped for another file, folder or link, between the grant and the use:
the descriptor still names what was granted, and the path no longer leading there is refused by name. A magic link
(``/proc/PID/root``, ``/proc/PID/fd``) anywhere in a path. A path that leaves the tree that it was said to be in.
What it does not: what changes inside a held folder. Without openat2 (a system call of Linux 5.6) nothing is held and
all is refused.

Sources: openat2(2), ``linux/openat2.h``, open(2) on ``O_PATH``.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from permissions.errors import BadScope, PermissionsError, Refused

_LIBC = ctypes.CDLL(None, use_errno=True)
_OPENAT2 = 437  # the same on every architecture
_NO_MAGICLINKS, _BENEATH = 0x02, 0x08
_GONE = (errno.ENOENT, errno.ENOTDIR)
_LEAVES = (errno.ELOOP, errno.EXDEV)


class _How(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def _openat2(base: int, path: str, resolve: int) -> int:
    how = _How(os.O_PATH | os.O_CLOEXEC, 0, resolve)
    name, size = ctypes.c_char_p(os.fsencode(path)), ctypes.c_size_t(ctypes.sizeof(how))
    opened: int = _LIBC.syscall(_OPENAT2, base, name, ctypes.byref(how), size)
    if opened < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), path)
    return opened


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder: the path that was granted, and the device and inode that it led to, opened O_PATH."""

    path: str
    dev: int
    ino: int
    descriptor: int

    def is_there(self) -> bool:
        """Tell whether the path still leads to what is held."""
        try:
            found = _openat2(-100, self.path, _NO_MAGICLINKS)
        except OSError:
            return False
        try:
            return _identity(found) == (self.dev, self.ino)
        finally:
            os.close(found)


def _identity(descriptor: int) -> tuple[int, int]:
    info = os.fstat(descriptor)
    return info.st_dev, info.st_ino


def hold(path: str, within: Place | None = None) -> Place:
    """Resolve ``path`` once and hold what it leads to; ``within`` a held folder it must stay beneath that.

    Links are followed as long as they stay inside. Raises BadScope (malformed), Refused (vanished, leads elsewhere).
    """
    _check(path)
    base, name, rules = -100, path, _NO_MAGICLINKS
    if within is not None:
        name = os.path.relpath(path, within.path)
        if name.startswith(".."):
            raise refused("refused.elsewhere", path, f"lies outside of {shown(within.path)}")
        base, rules = within.descriptor, _NO_MAGICLINKS | _BENEATH
    try:
        descriptor = _openat2(base, name, rules)
    except OSError as error:
        raise _from_os(error, path) from error
    return Place(path, *_identity(descriptor), descriptor)


def _check(path: str) -> None:
    if "\0" in path or not path.startswith("/") or path.startswith("//") or os.path.normpath(path) != path:
        raise BadScope("scope.path", f"{shown(path)} is not an absolute, normalised path.", subject=shown(path),
                       hint="Write the whole path, without '..', '//' or a trailing slash.")  # fmt: skip


def _from_os(error: OSError, path: str) -> PermissionsError:
    if error.errno in _GONE:
        return refused("refused.vanished", path, "is not there any more")
    if error.errno in _LEAVES:
        return refused("refused.elsewhere", path, "leads somewhere else")
    if error.errno == errno.ENOSYS:
        return refused("refused.unheld", path, "cannot be held on this system, which lacks openat2")
    return refused("refused.unheld", path, f"cannot be opened ({error.strerror})")


def refused(code: str, path: str, why: str) -> Refused:
    """Return the refusal of a path, by its name."""
    return Refused(code, f"{shown(path)} {why}; nothing was done.", subject=shown(path),
                   hint="Look at that place, then ask again.")  # fmt: skip


def shown(path: str) -> str:
    """Return a path fit for a message: control characters and broken bytes visible, its length bounded."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in path)
    return text if len(text) <= 300 else f"{text[:150]}…{text[-149:]}"


class Places:
    """The places of one call, held until it has ended. Use it as a context manager."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.held: tuple[Place, ...] = ()
        try:
            for path in dict.fromkeys(paths):
                self.held += (hold(path),)
        except PermissionsError:
            self.close()
            raise

    def check(self) -> None:
        """Raise Refused when a path no longer leads to what is held: it vanished, or was swapped."""
        for place in self.held:
            if not place.is_there():
                raise refused("refused.swapped", place.path, "is not what it was when it was granted")

    def close(self) -> None:
        """Let go of everything; twice is harmless."""
        held, self.held = self.held, ()
        for place in held:
            os.close(place.descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()
