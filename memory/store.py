"""The event file: one append-only table, its checkpoints and its origin.

What this stops: a program that uses SQLite honestly cannot change or remove an event (triggers refuse it), nor insert
one anywhere but at the end.
What it does not: whoever drops the triggers or edits the bytes; that is what the chain is for (``memory/chain.py``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memory.database import broken, open_reader, open_writer, transaction

APPLICATION_ID = 0x5374_774C  # "StwL"
FORMAT = 1
CHECKPOINT_EVERY = 1_000
"""Each event whose seq is a multiple of this has a signed checkpoint; others have one where the ledger was closed."""
CHUNK = 256

SCHEMA = {
    "origin": """CREATE TABLE origin (ledger_id BLOB NOT NULL, public_key BLOB NOT NULL) STRICT""",
    "event": """CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    at_ns INTEGER NOT NULL,
    run TEXT,
    task TEXT,
    kind TEXT NOT NULL,
    sealed BLOB NOT NULL,
    digest BLOB NOT NULL,
    prev BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT""",
    "checkpoint": """CREATE TABLE checkpoint (
    seq INTEGER PRIMARY KEY,
    at_ns INTEGER NOT NULL,
    hash BLOB NOT NULL,
    signature BLOB NOT NULL
) STRICT""",
    "event_run": "CREATE INDEX event_run ON event (run, seq) WHERE run IS NOT NULL",
    "event_kind": "CREATE INDEX event_kind ON event (kind, seq)",
    "event_at_end": """CREATE TRIGGER event_at_end BEFORE INSERT ON event
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event)
BEGIN SELECT RAISE(ABORT, 'events are appended in order'); END""",
    "checkpoint_at_end": """CREATE TRIGGER checkpoint_at_end BEFORE INSERT ON checkpoint
WHEN NEW.seq <= (SELECT coalesce(max(seq), 0) FROM checkpoint)
BEGIN SELECT RAISE(ABORT, 'checkpoints are appended in order'); END""",
    "origin_once": """CREATE TRIGGER origin_once BEFORE INSERT ON origin WHEN EXISTS (SELECT 1 FROM origin)
BEGIN SELECT RAISE(ABORT, 'the origin is written once'); END""",
} | {
    f"{table}_no_{verb}": f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
    for table in ("event", "checkpoint", "origin")
    for verb in ("update", "delete")
}

_INSERT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_COLUMNS = "e.seq, e.at_ns, e.run, e.task, e.kind, e.sealed, e.digest, e.prev, e.hash, s.key, s.salt"
_SELECT = f"SELECT {_COLUMNS} FROM main.event e LEFT JOIN keys.secret s ON s.seq = e.seq WHERE e.seq > ?"  # noqa: S608


class Row(NamedTuple):
    """An event as it lies in the file, with its secret where that still exists."""

    seq: int
    at_ns: int
    run: str | None
    task: str | None
    kind: str
    sealed: bytes
    digest: bytes
    prev: bytes
    hash: bytes
    key: bytes | None = None
    salt: bytes | None = None


class Checkpoint(NamedTuple):
    """A signed head; the message is ``chain.checkpoint_message``."""

    seq: int
    at_ns: int
    hash: bytes
    signature: bytes


class EventFile:
    """The event file for the writer thread alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_writer(path)

    def is_new(self) -> bool:
        """Whether nothing was ever written to it."""
        return stamp(self._connection, "main") == (0, 0) and not schema(self._connection, "main")

    def create(self, ledger_id: bytes, public_key: bytes) -> None:
        """Write the schema and the origin."""
        with transaction(self._connection) as connection:
            for statement in SCHEMA.values():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute("INSERT INTO origin VALUES (?, ?)", (ledger_id, public_key))

    def head(self) -> tuple[int, bytes] | None:
        """(seq, hash) of the last event."""
        row: tuple[int, bytes] | None
        row = self._connection.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        return row

    def write(self, rows: Sequence[Row], checkpoints: Sequence[Checkpoint]) -> None:
        """Append in one synced transaction."""
        with transaction(self._connection) as connection:
            connection.executemany(_INSERT, [row[:9] for row in rows])
            connection.executemany("INSERT INTO checkpoint VALUES (?, ?, ?, ?)", checkpoints)

    def close(self) -> None:
        """Close the file; SQLite folds its write-ahead log into it."""
        self._connection.close()


class Reader:
    """Reads events and their secrets; never writes. One thread at a time."""

    def __init__(self, events: Path, keys: Path) -> None:
        self.path = events
        self.connection = open_reader(events, keys)

    def rows(self, after: int, *, run: str | None = None, kinds: Collection[str] = (), limit: int = CHUNK) -> list[Row]:
        """At most ``limit`` rows after seq ``after``, in order."""
        if kinds and run is None:
            return self._rows_of(sorted(set(kinds)), after, limit)
        query, values = _SELECT, [after]
        arguments: list[Any] = values
        if run is not None:
            query += " AND e.run = ?"
            arguments.append(run)
        if kinds:
            query += f" AND e.kind IN ({', '.join('?' * len(kinds))})"
            arguments.extend(sorted(kinds))
        arguments.append(limit)
        return [Row._make(row) for row in self.connection.execute(f"{query} ORDER BY e.seq LIMIT ?", arguments)]

    def _rows_of(self, kinds: Sequence[str], after: int, limit: int) -> list[Row]:
        """The same of some kinds alone, each in its own order: what comes after the last row costs nothing."""
        each = " UNION ALL ".join("SELECT seq FROM main.event WHERE kind = ? AND seq > ?" for _ in kinds)
        arguments = [one for kind in kinds for one in (kind, after)]
        query = f"{_SELECT} AND e.seq IN ({each} ORDER BY seq LIMIT ?) ORDER BY e.seq"
        return [Row._make(row) for row in self.connection.execute(query, [after, *arguments, limit])]

    def rows_before(self, before: int | None, *, run: str | None, stems: Collection[str], limit: int) -> list[Row]:
        """At most ``limit`` rows before seq ``before`` (of all), the newest first; of kinds that begin with a stem."""
        last = 1 << 62 if before is None else before
        kinds = [kind for kind in self._kinds() if kind.startswith(tuple(stems))] if stems else []
        if stems and not kinds:
            return []
        query, values = f"{_SELECT} AND e.seq < ?", [0, last]
        arguments: list[Any] = values
        if run is not None:
            query += " AND e.run = ?"
            arguments.append(run)
            if kinds:
                query += f" AND e.kind IN ({', '.join('?' * len(kinds))})"
                arguments.extend(kinds)
        elif kinds:  # the newest of each kind, by the index: a rare one is not looked for among all others
            one = "SELECT seq FROM (SELECT seq FROM main.event WHERE kind = ? AND seq < ? ORDER BY seq DESC LIMIT ?)"
            query += f" AND e.seq IN ({' UNION ALL '.join([one] * len(kinds))})"
            arguments.extend(value for kind in kinds for value in (kind, last, limit))
        arguments.append(limit)
        return [Row._make(row) for row in self.connection.execute(f"{query} ORDER BY e.seq DESC LIMIT ?", arguments)]

    def _kinds(self) -> list[str]:
        """Every kind that there is, each looked up in the index."""
        query = """WITH RECURSIVE found(kind) AS (SELECT min(kind) FROM main.event UNION ALL
SELECT (SELECT min(kind) FROM main.event WHERE kind > found.kind) FROM found WHERE found.kind IS NOT NULL)
SELECT kind FROM found WHERE kind IS NOT NULL"""
        return [kind for (kind,) in self.connection.execute(query)]

    def nth_latest(self, kind: str, count: int) -> int:
        """The seq of the ``count``-th latest event of a kind; 0 where there are fewer."""
        query = "SELECT seq FROM main.event WHERE kind = ? ORDER BY seq DESC LIMIT 1 OFFSET ?"
        row: tuple[int] | None = self.connection.execute(query, (kind, count - 1)).fetchone()
        return 0 if row is None else row[0]

    def runs_without(self, end: str, kinds: Collection[str]) -> list[str]:
        """The runs that have an event of ``kinds`` and none of kind ``end``, in the order of their first one."""
        query = f"""SELECT run FROM main.event WHERE kind IN ({", ".join("?" * len(kinds))}) AND run IS NOT NULL
AND run NOT IN (SELECT run FROM main.event WHERE kind = ? AND run IS NOT NULL) GROUP BY run ORDER BY min(seq)"""  # noqa: S608
        return [run for (run,) in self.connection.execute(query, [*sorted(kinds), end])]

    def head(self) -> tuple[int, bytes] | None:
        """(seq, hash) of the last event."""
        row: tuple[int, bytes] | None
        row = self.connection.execute("SELECT seq, hash FROM main.event ORDER BY seq DESC LIMIT 1").fetchone()
        return row

    def hash_at(self, seq: int) -> bytes | None:
        """The stored hash of an event."""
        row = self.connection.execute("SELECT hash FROM main.event WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else row[0]

    def count(self) -> int:
        """How many events there are."""
        number: int = self.connection.execute("SELECT count(*) FROM main.event").fetchone()[0]
        return number

    def checkpoints(self, *, newest: int | None = None) -> Iterator[Checkpoint]:
        """Checkpoints from the newest backwards; at most ``newest`` of them."""
        rows = self.connection.execute(
            "SELECT seq, at_ns, hash, signature FROM main.checkpoint ORDER BY seq DESC LIMIT ?", (newest or -1,)
        )
        return map(Checkpoint._make, rows)

    def origin(self) -> tuple[bytes, bytes]:
        """(ledger id, public key). Raises LedgerBroken when the file has none or calls itself something else."""
        if stamp(self.connection, "main") != (APPLICATION_ID, FORMAT):
            raise broken(self.path, f"it is not a ledger of format {FORMAT}")
        row: tuple[bytes, bytes] | None = self.connection.execute("SELECT * FROM main.origin").fetchone()
        if row is None:
            raise broken(self.path, "its origin is missing")
        return row

    def key_origin(self) -> tuple[bytes, bytes]:
        """(ledger id, index key) of the key file; empty where it has none."""
        row: tuple[bytes, bytes] | None
        row = self.connection.execute("SELECT ledger_id, index_key FROM keys.origin").fetchone()
        return row or (b"", b"")

    def tags(self, first: int, last: int) -> dict[int, set[bytes]]:
        """What the index says of the events ``first .. last``."""
        found: dict[int, set[bytes]] = {}
        for tag, seq in self.connection.execute(
            "SELECT tag, seq FROM keys.about WHERE seq BETWEEN ? AND ?", (first, last)
        ):
            found.setdefault(seq, set()).add(tag)
        return found

    def witness(self) -> tuple[int, bytes] | None:
        """(seq, hash) of the newest checkpoint that the key file remembers."""
        row: tuple[int, bytes] | None = self.connection.execute("SELECT seq, hash FROM keys.witness").fetchone()
        return row

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def stamp(connection: sqlite3.Connection, name: str) -> tuple[int, int]:
    """(application id, format version) of a database."""
    application = connection.execute(f"PRAGMA {name}.application_id").fetchone()[0]
    return application, connection.execute(f"PRAGMA {name}.user_version").fetchone()[0]


def schema(connection: sqlite3.Connection, name: str) -> dict[str, str]:
    """The statements that made a database's tables, indexes and triggers, by name."""
    rows = connection.execute(f"SELECT name, sql FROM {name}.sqlite_master WHERE sql IS NOT NULL")  # noqa: S608
    return dict(rows.fetchall())
