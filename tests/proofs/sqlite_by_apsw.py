"""Stands in for the standard library's ``sqlite3``, through apsw, with every write to disk written down.

The ledger's own code runs over it unchanged; only in a process of its own, before memory is imported (``install``).
Files are really written: the log says, in order, what a disk would have been asked to do.
"""

from __future__ import annotations

import os
import sys
import types
from typing import Any

import apsw

Op = tuple[Any, ...]
"""("create", name), ("write", name, offset, data), ("truncate", name, size), ("sync", name), ("delete", name), or a
word of the writer's own: ("ack", ...)."""

LOG: list[Op] = []
_REPLACED: dict[str, str] = {}


def _name(path: str | None) -> str:
    return os.path.basename(path or "")


def _is_ours(name: str) -> bool:
    return name.startswith(("ledger.db", "keys.db"))


class _Disk(apsw.VFS):
    def __init__(self) -> None:
        super().__init__("recorded", "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if _is_ours(_name(path)) and not os.path.exists(path or ""):
            LOG.append(("create", _name(path)))
        return _File(name, flags, _name(path))

    def xDelete(self, path: str, sync: bool) -> None:
        if _is_ours(_name(path)):
            LOG.append(("delete", _name(path)))
        super().xDelete(path, sync)


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], short: str) -> None:
        self._short = short
        self._recorded = _is_ours(short)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._recorded:
            LOG.append(("write", self._short, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        if self._recorded:
            LOG.append(("truncate", self._short, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        if self._recorded:
            LOG.append(("sync", self._short))


class Connection:
    """As much of ``sqlite3.Connection`` as memory uses."""

    text_factory: Any = str

    def __init__(self, path: str) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        self._apsw = apsw.Connection(path, flags=flags, vfs="recorded")
        self._apsw.set_busy_timeout(5000)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._apsw.in_transaction

    def execute(self, statement: str, words: Any = ()) -> Any:
        """Run one statement; a pragma that the control changes is changed."""
        return self._apsw.cursor().execute(_REPLACED.get(statement, statement), words or None)

    def executemany(self, statement: str, rows: Any) -> Any:
        """Run one statement for every row."""
        return self._apsw.cursor().executemany(statement, rows)

    def close(self) -> None:
        """Close the file."""
        self._apsw.close(True)


def connect(path: Any, **_options: Any) -> Connection:
    """As ``sqlite3.connect``."""
    return Connection(str(path))


def install(synchronous: str) -> None:
    """Take the place of ``sqlite3`` in this process; the ledger's FULL becomes ``synchronous``."""
    global _KEPT  # noqa: PLW0603 - a VFS lives as long as somebody holds it
    _KEPT = _Disk()
    _REPLACED["PRAGMA synchronous = FULL"] = f"PRAGMA synchronous = {synchronous}"
    module = types.ModuleType("sqlite3")
    module.__dict__.update(connect=connect, Connection=Connection, Error=apsw.Error, OperationalError=apsw.Error)
    sys.modules["sqlite3"] = module


_KEPT: _Disk | None = None
