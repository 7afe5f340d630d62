"""SQLite as the ledger uses it: write-ahead log, every commit synced, errors in the room's words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from memory.errors import LedgerBroken, LedgerBusy, StoreError, StoreFailed
from memory.folder import touch_private

BUSY_TIMEOUT_S = 5.0


def open_writer(path: Path) -> sqlite3.Connection:
    """A connection for the one writer; makes the file (0600) where none is. Transactions are begun by hand."""
    with sqlite_errors(path):
        touch_private(path)
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
        except sqlite3.Error:
            connection.close()
            raise
    return connection


def open_reader(path: Path, keys: Path) -> sqlite3.Connection:
    """A connection that cannot write, with the key file attached as ``keys``.

    In a folder that cannot be written SQLite cannot share a write-ahead log; a ledger that was closed cleanly has
    none and is opened as unchanging there.
    """
    with sqlite_errors(path):
        connection = sqlite3.connect(
            _uri(path), timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("ATTACH ? AS keys", (_uri(keys),))
            connection.execute("SELECT 1 FROM main.sqlite_master, keys.sqlite_master LIMIT 1").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
    return connection


def _uri(path: Path) -> str:
    clean = not path.with_name(path.name + "-wal").exists() and not os.access(path.parent, os.W_OK)
    return f"file:{quote(str(path.absolute()))}?mode=ro" + ("&immutable=1" if clean else "")


def copy_database(source: sqlite3.Connection, path: Path) -> None:
    """Copy what ``source`` sees to a new file (0600): in a transaction that is the moment in which it began."""
    touch_private(path)
    copy = sqlite3.connect(path)
    try:
        source.backup(copy)
    finally:
        copy.close()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All or nothing: commit at the end, roll back on any error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's and the system's errors into StoreFailed, LedgerBusy or LedgerBroken, naming ``path``."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        raise StoreFailed(
            "store.io",
            f"{path} cannot be used: {error.strerror or error}.",
            subject=str(path),
            hint="Check that the disk has room and that the folder belongs to you and can be written.",
        ) from error


def translate(error: sqlite3.Error, path: Path) -> StoreError:
    """The room's error for one of SQLite's."""
    name = getattr(error, "sqlite_errorname", "")
    for prefix, (code, what, hint) in _FAILURES.items():
        if name.startswith(prefix):
            return StoreFailed(code, f"{path}: {what} ({error}).", subject=str(path), hint=hint)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")):
        return LedgerBusy(
            "ledger.busy", f"{path} is locked by another program.", subject=str(path), hint="Close it and try again."
        )
    return broken(path, str(error))


def broken(path: Path, reason: str, *, seq: int = 0) -> LedgerBroken:
    """The error for a ledger that cannot be trusted; says what to do."""
    where = f"event {seq}" if seq else "the file"
    return LedgerBroken(
        "ledger.broken",
        f"The ledger {path} is damaged at {where}: {reason}.",
        subject=str(path),
        seq=seq,
        hint="Nothing more is written to it. Look at it with `./steward ledger verify`; then put back its folder from "
        "a backup, or move the folder aside to begin a new ledger.",
    )


_FAILURES = {
    "SQLITE_FULL": ("store.full", "the disk is full", "Free some space; nothing was written, the next try may work."),
    "SQLITE_READONLY": ("store.read_only", "it cannot be written", "Make the folder writable for this account."),
    "SQLITE_IOERR": ("store.io", "reading or writing failed", "Check the disk and its free space, then try again."),
    "SQLITE_CANTOPEN": ("store.cannot_open", "it cannot be opened", "Check that it exists and belongs to you."),
    "SQLITE_PERM": ("store.cannot_open", "access is refused", "Check that it belongs to you."),
    "SQLITE_NOMEM": ("store.memory", "memory ran out", "Close other programs, then try again."),
}
