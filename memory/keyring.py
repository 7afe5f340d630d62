"""The key file: one secret for each event, and the index from entities to events.

What this stops: a forgotten event can be read again from these files; the index betrays whom the ledger is about
(it holds keyed hashes of the entities only); the ledger's tail is cut off or its file swapped without notice, as long
as the key file is not swapped with it (it remembers the newest checkpoint).
What it does not: see ``memory/sealing.py``.

Secrets are made and committed ahead of the events that will use them, many at a time, so that an event never exists
without its key and most events cost one sync instead of two. A secret that no event uses yet is harmless.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from memory.chain import ID_BYTES, entity_tag
from memory.database import broken, copy_database, open_writer, transaction
from memory.errors import LedgerBusy
from memory.sealing import KEY_BYTES, Secret, new_secrets

APPLICATION_ID = 0x5374_774B  # "StwK"
FORMAT = 1
AHEAD = 256  # secrets made at a time
LOW = 64  # fewer than this are topped up when there is nothing else to do

_SCHEMA = """
CREATE TABLE origin (ledger_id BLOB NOT NULL, index_key BLOB NOT NULL) STRICT;
CREATE TABLE secret (seq INTEGER PRIMARY KEY, key BLOB NOT NULL, salt BLOB NOT NULL) STRICT;
CREATE TABLE about (tag BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)) STRICT, WITHOUT ROWID;
CREATE INDEX about_seq ON about (seq);
CREATE TABLE doomed (seq INTEGER PRIMARY KEY) STRICT;
CREATE TABLE witness (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
"""


class Keyring:
    """The key file, used by the writer thread alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_writer(path)
        self._stale_index = True  # entries of events that were never committed may be left over
        self._pool: dict[int, Secret] = {}
        try:
            self.ledger_id, self._index_key = self._origin()
        except BaseException:
            self._connection.close()
            raise

    def _origin(self) -> tuple[bytes, bytes]:
        application = self._connection.execute("PRAGMA application_id").fetchone()[0]
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if (application, version) == (0, 0) and not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._create()
        elif (application, version) != (APPLICATION_ID, FORMAT):
            raise broken(self.path, f"it is not a key file of format {FORMAT}")
        row: tuple[bytes, bytes] | None = self._connection.execute("SELECT ledger_id, index_key FROM origin").fetchone()
        if row is None:
            raise broken(self.path, "its origin is missing")
        return row

    def _create(self) -> None:
        with transaction(self._connection) as connection:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute("INSERT INTO origin VALUES (?, ?)", (os.urandom(ID_BYTES), os.urandom(KEY_BYTES)))

    # --- secrets ------------------------------------------------------------------------------------------------------

    def load(self, head: int) -> None:
        """Take over the secrets that were made ahead of event ``head``; drop what the index says beyond it."""
        if self._connection.execute("SELECT 1 FROM about WHERE seq > ? LIMIT 1", (head,)).fetchone():
            self._commit(head, {}, ())
        self._stale_index = False
        rows = self._connection.execute("SELECT seq, key, salt FROM secret WHERE seq > ?", (head,))
        self._pool = {seq: Secret(key, salt) for seq, key, salt in rows}

    def prepare(self, head: int, upto: int, entities: Sequence[tuple[int, Collection[str]]]) -> list[Secret]:
        """Durable secrets for the events ``head + 1 .. upto``; ``entities`` are (seq, whom it is about), indexed here.

        One sync when secrets must be made or entities be indexed, none otherwise.
        """
        tags = [(entity_tag(self._index_key, entity), seq) for seq, names in entities for entity in names]
        missing = [seq for seq in range(head + 1, upto + 1) if seq not in self._pool]
        if missing or tags or self._stale_index:
            made = dict(zip(missing, new_secrets(len(missing)), strict=True)) | self._further(upto, bool(missing))
            self._commit(head, made, tags)
        return [self._pool[seq] for seq in range(head + 1, upto + 1)]

    def top_up(self, head: int) -> None:
        """Make secrets ahead when few are left."""
        if len(self._pool) < LOW:
            self._commit(head, self._further(head, True), ())

    def _further(self, upto: int, wanted: bool) -> dict[int, Secret]:
        free = [seq for seq in range(upto + 1, upto + 1 + AHEAD) if seq not in self._pool] if wanted else []
        return dict(zip(free, new_secrets(len(free)), strict=True))

    def _commit(self, head: int, made: dict[int, Secret], tags: Iterable[tuple[bytes, int]]) -> None:
        with transaction(self._connection) as connection:
            if self._stale_index:
                connection.execute("DELETE FROM about WHERE seq > ?", (head,))
            connection.executemany(
                "INSERT OR REPLACE INTO secret VALUES (?, ?, ?)", [(seq, s.key, s.salt) for seq, s in made.items()]
            )
            connection.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", tags)
        self._stale_index = False
        self._pool |= made

    def committed(self, seqs: Iterable[int]) -> None:
        """These events are on disk: their secrets are not handed out again."""
        for seq in seqs:
            self._pool.pop(seq, None)

    def failed(self) -> None:
        """A commit failed: what the index may say of events that never came to be goes before the next one."""
        self._stale_index = True

    # --- forgetting ---------------------------------------------------------------------------------------------------

    def about(self, entity: str, head: int) -> list[int]:
        """The events about ``entity`` up to ``head``, in order."""
        rows = self._connection.execute(
            "SELECT seq FROM about WHERE tag = ? AND seq <= ? ORDER BY seq", (entity_tag(self._index_key, entity), head)
        )
        return [seq for (seq,) in rows]

    def held(self, seqs: Collection[int], head: int) -> list[int]:
        """Those of ``seqs`` up to ``head`` whose secrets are still there, in order."""
        rows = self._connection.execute(
            "SELECT seq FROM secret WHERE seq <= ? AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
            (head, json.dumps(sorted(seqs))),
        )
        return [seq for (seq,) in rows]

    def doom(self, seqs: Sequence[int]) -> None:
        """Note durably that these secrets must go, so that a crash in between does not save them."""
        with transaction(self._connection) as connection:
            connection.executemany("INSERT OR IGNORE INTO doomed VALUES (?)", [(seq,) for seq in seqs])

    def doomed(self) -> list[int]:
        """What a crash has left to be destroyed."""
        return [seq for (seq,) in self._connection.execute("SELECT seq FROM doomed ORDER BY seq")]

    def destroy_doomed(self) -> None:
        """Overwrite and remove the doomed secrets and all that the index says of their events."""
        with transaction(self._connection) as connection:
            for table in ("secret", "about"):
                connection.execute(f"DELETE FROM {table} WHERE seq IN (SELECT seq FROM doomed)")  # noqa: S608
        self._scrub()
        with transaction(self._connection) as connection:
            connection.execute("DELETE FROM doomed")
        self._truncate_log()

    def _scrub(self) -> None:
        """No page, free page or write-ahead log holds a deleted secret afterwards."""
        self._truncate_log()
        self._connection.execute("VACUUM")
        self._truncate_log()

    def _truncate_log(self) -> None:
        busy = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise LedgerBusy(
                "ledger.busy",
                f"Another program reads {self.path}, so that destroyed keys still stand in its log.",
                subject=str(self.path),
                hint="Close the program that reads it, then forget again or restart Steward.",
            )

    def copy_to(self, path: Path) -> None:
        """Copy the file, as it is, to ``path`` (0600)."""
        copy_database(self._connection, path)

    def in_use(self) -> bool:
        """Whether secrets were made, so that there must have been events."""
        return self._connection.execute("SELECT 1 FROM secret LIMIT 1").fetchone() is not None

    # --- the witness --------------------------------------------------------------------------------------------------

    def witness(self) -> tuple[int, bytes] | None:
        """(seq, hash) of the newest checkpoint that this file has seen."""
        row: tuple[int, bytes] | None = self._connection.execute("SELECT seq, hash FROM witness").fetchone()
        return row

    def remember(self, seq: int, head_hash: bytes) -> None:
        """Note a checkpoint, so that a ledger cut off before it is noticed."""
        with transaction(self._connection) as connection:
            connection.execute("INSERT OR REPLACE INTO witness VALUES (1, ?, ?)", (seq, head_hash))

    def close(self) -> None:
        """Close the file; SQLite folds its write-ahead log into it."""
        self._connection.close()
