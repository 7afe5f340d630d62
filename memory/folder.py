"""The ledger's folder: private to its owner, held by one process at a time.

What this stops: another account reads the files; a second daemon writes into the same ledger.
What it does not: a program of the same account that ignores the lock.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from memory.errors import LedgerBusy, StoreFailed

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


def hold(folder: Path) -> int:
    """Make ``folder`` (0700) if need be and lock it; the descriptor that holds the lock until it is closed.

    Raises LedgerBusy when another process, or another Ledger of this one, holds it; StoreFailed when it cannot be
    made.
    """
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise cannot_use(folder, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.fchmod(descriptor, PRIVATE_FOLDER)
    except OSError as error:
        os.close(descriptor)
        raise _busy(folder) if isinstance(error, BlockingIOError) else cannot_use(folder, error) from error
    return descriptor


def touch_private(path: Path) -> None:
    """Make an empty file of mode 0600 where none is, and take other people's rights from one that is there.

    SQLite gives its write-ahead log and shared memory the mode of the database.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE_FILE)
    try:
        os.fchmod(descriptor, PRIVATE_FILE)
    finally:
        os.close(descriptor)


def write_private(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` (0600) so that after a power cut it is there whole or not at all."""
    partial = path.with_name(path.name + ".new")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.rename(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def cannot_use(folder: Path, error: OSError) -> StoreFailed:
    """The error for a folder or file that the operating system refuses."""
    return StoreFailed(
        "store.folder",
        f"The ledger's folder {folder} cannot be used: {error.strerror or error}.",
        subject=str(folder),
        hint="Check that the disk has room and that the folder belongs to you and can be written.",
    )


def _busy(folder: Path) -> LedgerBusy:
    return LedgerBusy(
        "ledger.busy",
        f"Another process holds the ledger in {folder}.",
        subject=str(folder),
        hint="Stop the other daemon (`./steward down`), or wait until it has ended.",
    )
