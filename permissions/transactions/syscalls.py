"""The Linux calls that Python lacks: openat2, renameat2, syncfs, FICLONE, leases, and the mount of a descriptor.

Sources: openat2(2), renameat2(2), syncfs(2), ioctl_ficlone(2), fcntl(2) on leases, proc_pid_fdinfo(5),
linux/openat2.h, linux/fs.h.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import signal
from functools import cache

_LIBC = ctypes.CDLL(None, use_errno=True)
_SYS_OPENAT2 = 437  # the same on every architecture
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_NO_SYMLINKS = 0x04
_RESOLVE_BENEATH = 0x08
_STRICT = _RESOLVE_NO_MAGICLINKS | _RESOLVE_NO_SYMLINKS | _RESOLVE_BENEATH
_FICLONE = 0x40049409
RENAME_NOREPLACE = 1
RENAME_EXCHANGE = 2


class _OpenHow(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def _fail(path: str) -> OSError:
    code = ctypes.get_errno()
    return OSError(code, os.strerror(code), path)


def openat2(base: int, path: str, flags: int) -> int:
    """Open ``path`` beneath descriptor ``base``, following no symbolic link at all. Raises OSError."""
    how = _OpenHow(flags | os.O_CLOEXEC, 0, _STRICT)
    opened: int = _LIBC.syscall(
        _SYS_OPENAT2, base, ctypes.c_char_p(os.fsencode(path)), ctypes.byref(how), ctypes.c_size_t(ctypes.sizeof(how))
    )
    if opened < 0:
        raise _fail(path)
    return opened


@cache
def has_openat2() -> bool:
    """Tell whether the running kernel (and its seccomp filter) offers openat2."""
    root = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.close(openat2(root, ".", os.O_PATH | os.O_DIRECTORY))
    except OSError:
        return False
    finally:
        os.close(root)
    return True


def renameat2(old_dir: int, old: str, new_dir: int, new: str, flags: int) -> None:
    """Rename between two folder descriptors. Raises OSError; EEXIST with RENAME_NOREPLACE."""
    if _LIBC.renameat2(old_dir, os.fsencode(old), new_dir, os.fsencode(new), flags) != 0:
        raise _fail(new)


def syncfs(descriptor: int) -> None:
    """Make everything on the file system of ``descriptor`` durable. Raises OSError."""
    if _LIBC.syncfs(descriptor) != 0:
        raise _fail("")


def reflink(source: int, target: int) -> bool:
    """Share the blocks of ``source`` with the empty file ``target``; False where the file system cannot."""
    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS):
            raise
        return False
    return True


def lease(descriptor: int, kind: int) -> bool | None:
    """Take a lease (``F_RDLCK``, ``F_WRLCK``) until the descriptor is closed; False where somebody has the file open.

    A read lease is refused while anybody has the file open for writing, mapped into memory included; a write lease
    while anybody else has it open at all, and who opens it then waits. Where the file system or the file's owner allow
    no leases nothing can be told, and it is None.
    """
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)  # who breaks it must not end us: ignored by default
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, kind)
    except OSError as error:
        return False if error.errno == errno.EAGAIN else None
    return True


def has_lease(descriptor: int) -> bool:
    """Tell whether nobody waits for the end of a lease that ``lease`` took. Raises OSError."""
    return fcntl.fcntl(descriptor, fcntl.F_GETLEASE) != fcntl.F_UNLCK


def mount_of(descriptor: int) -> tuple[int, int]:
    """Return the device and mount id of a descriptor: a rename works only between equal ones (0 without /proc)."""
    device = os.fstat(descriptor).st_dev
    try:
        with open(f"/proc/self/fdinfo/{descriptor}", "rb") as lines:
            number = next(line for line in lines if line.startswith(b"mnt_id:"))
    except (OSError, StopIteration):
        return device, 0
    return device, int(number.split()[1])
