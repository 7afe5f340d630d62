"""A moment of the ledger: its files as they were between two writes, copied while the daemon goes on.

What this stops: a copy in which an event has no key, or a key outlives its event's forgetting; a writer that waits
until a long record is copied (only the keys are copied on its thread; the events are held by a read of their own).
What it does not: forget. Whoever keeps the copy answers for that.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from memory.database import BUSY_TIMEOUT_S, copy_database, sqlite_errors


class Moment:
    """The events of one moment, held until ``finish`` or ``close``. Made on the writer's thread, used on any."""

    def __init__(self, events: Path, folder: Path) -> None:
        self._target = folder / events.name
        self._path = events
        uri = f"file:{quote(str(events.absolute()))}?mode=ro"
        with sqlite_errors(events):
            self._connection = sqlite3.connect(
                uri, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, uri=True
            )
            try:
                self._connection.execute("BEGIN")
                self.head: int = self._connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()[0]
            except sqlite3.Error:
                self._connection.close()
                raise

    def finish(self) -> None:
        """Copy the events beside the keys. Raises StoreFailed."""
        try:
            with sqlite_errors(self._target):
                copy_database(self._connection, self._target)
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the events. Twice is harmless."""
        self._connection.close()
