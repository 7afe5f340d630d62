"""``graph.db``: what the ledger's events say, in tables that can be asked. Never the truth, always rebuildable.

Rows are added for events and removed when an event is forgotten; nothing is worked out in them. What depends on
several events (which fact ends another, who is one with whom) is worked out when it is asked for, so that the same
events always give the same rows, in whatever portions they came.

What this stops: forgotten words staying in the file or its log (``secure_delete``, log truncated, file vacuumed;
finished at the next opening after a crash).
What it does not: older copies of the file; blocks that a disk has not reused.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memory.database import open_writer, transaction
from memory.graph import events as kinds
from memory.graph.model import canonical
from memory.graph.names import folded
from memory.model import Event
from memory.rows import forgotten_in
from memory.store import schema, stamp

APPLICATION_ID = 0x5374_7747  # "StwG"
FORMAT = 1

SCHEMA = {
    "state": """CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), seen INTEGER NOT NULL,
    hash TEXT NOT NULL, clock INTEGER NOT NULL) STRICT""",
    "chore": """CREATE TABLE chore (one INTEGER PRIMARY KEY CHECK (one = 1), indexed INTEGER NOT NULL,
    dirty INTEGER NOT NULL) STRICT""",
    "entity": "CREATE TABLE entity (seq INTEGER PRIMARY KEY, at INTEGER, id TEXT, kind TEXT, name TEXT) STRICT",
    "name": "CREATE TABLE name (seq INTEGER, at INTEGER, place INTEGER, entity TEXT, name TEXT, form TEXT) STRICT",
    "fact": """CREATE TABLE fact (seq INTEGER PRIMARY KEY, at INTEGER, id TEXT, subject TEXT, predicate TEXT, type TEXT,
    value TEXT, unit TEXT, valid_from INTEGER, valid_to INTEGER, source INTEGER, extractor TEXT, confidence REAL,
    label TEXT, owner TEXT, tags TEXT) STRICT""",
    "retracted": "CREATE TABLE retracted (seq INTEGER PRIMARY KEY, at INTEGER, fact TEXT, reason TEXT) STRICT",
    "ended": "CREATE TABLE ended (seq INTEGER PRIMARY KEY, at INTEGER, fact TEXT, valid_to INTEGER) STRICT",
    "same": "CREATE TABLE same (seq INTEGER PRIMARY KEY, at INTEGER, a TEXT, b TEXT, joined INTEGER) STRICT",
    "predicate": "CREATE TABLE predicate (seq INTEGER PRIMARY KEY, at INTEGER, name TEXT, body TEXT) STRICT",
    "entity_id": "CREATE INDEX entity_id ON entity (id)",
    "name_seq": "CREATE INDEX name_seq ON name (seq)",
    "name_entity": "CREATE INDEX name_entity ON name (entity)",
    "name_form": "CREATE INDEX name_form ON name (form)",
    "fact_id": "CREATE INDEX fact_id ON fact (id)",
    "fact_subject": "CREATE INDEX fact_subject ON fact (subject, predicate)",
    "fact_value": "CREATE INDEX fact_value ON fact (value, predicate) WHERE type = 'entity'",
    "fact_predicate": "CREATE INDEX fact_predicate ON fact (predicate)",
    "fact_source": "CREATE INDEX fact_source ON fact (source)",
    "retracted_fact": "CREATE INDEX retracted_fact ON retracted (fact)",
    "ended_fact": "CREATE INDEX ended_fact ON ended (fact)",
}
"""The statements that make the file, by name."""
CONTENT = ("entity", "name", "fact", "retracted", "ended", "same", "predicate")
"""The tables that hold what events say; the rest is where the projection stands."""
_CHUNK = 500
_NAME = "INSERT INTO name VALUES (?, ?, ?, ?, ?, ?)"

_log = logging.getLogger(__name__)


class Projection:
    """The tables, for one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open or begin the file. Raises sqlite3.DatabaseError when it is damaged or of another form."""
        self.path = path
        self.connection = open_writer(path)
        try:
            self.connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is read again
            if stamp(self.connection, "main") == (0, 0) and not schema(self.connection, "main"):
                self._create()
            self._check()
        except BaseException:
            self.connection.close()
            raise

    def _create(self) -> None:
        with transaction(self.connection) as connection:
            for statement in SCHEMA.values():
                connection.execute(statement)
            connection.execute("INSERT INTO state VALUES (1, 0, '', 0)")
            connection.execute("INSERT INTO chore VALUES (1, 0, 0)")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")

    def _check(self) -> None:
        found = stamp(self.connection, "main")
        if found != (APPLICATION_ID, FORMAT) or schema(self.connection, "main") != SCHEMA:
            raise sqlite3.DatabaseError(f"it is not a graph of format {FORMAT}")
        line = self.connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if line != "ok":
            raise sqlite3.DatabaseError(str(line))
        self.standing()

    # --- where it stands ----------------------------------------------------------------------------------------------

    def standing(self) -> tuple[int, str]:
        """(seq, hash) of the last event that was taken in."""
        row: tuple[int, str] | None = self.connection.execute("SELECT seen, hash FROM state").fetchone()
        if row is None:
            raise sqlite3.DatabaseError("it does not say where it stands")
        return row

    def chores(self) -> tuple[int, bool]:
        """(seq up to which the text index is filled, whether forgotten words may still lie in the file)."""
        indexed, dirty = self.connection.execute("SELECT indexed, dirty FROM chore").fetchone()
        return indexed, bool(dirty)

    def indexed(self, seq: int) -> None:
        """Note how far the text index is filled."""
        self.connection.execute("UPDATE chore SET indexed = ?", (seq,))

    # --- taking events in ---------------------------------------------------------------------------------------------

    def take(self, events: Iterable[Event]) -> int:
        """Take events in, all or none, and note the last one: how many rows were forgotten by them."""
        removed = 0
        with transaction(self.connection) as connection:
            clock: int = connection.execute("SELECT clock FROM state").fetchone()[0]
            last: Event | None = None
            for last in events:
                clock = max(clock, last.at_ns)  # a clock that was set back never makes a fact end before it begins
                removed += self._take(last, clock)
            if last is not None:
                connection.execute("UPDATE state SET seen = ?, hash = ?, clock = ?", (last.seq, last.hash, clock))
            if removed:
                connection.execute("UPDATE chore SET indexed = 0, dirty = 1")
        return removed

    def _take(self, event: Event, at: int) -> int:
        if event.body is None:
            return 0
        if event.kind == kinds.FORGOTTEN:
            return self._remove(forgotten_in(event.body, event.seq))
        try:
            _TAKERS[event.kind](self.connection, event, at, event.body)
        except (KeyError, TypeError, ValueError, AttributeError, sqlite3.IntegrityError):
            _log.warning("event %d of kind %s is of another form and is passed over", event.seq, event.kind)
        return 0

    def _remove(self, seqs: set[int]) -> int:
        gone = 0
        ordered = sorted(seqs)
        for at in range(0, len(ordered), _CHUNK):
            part = ordered[at : at + _CHUNK]
            marks = ", ".join("?" * len(part))
            for table in CONTENT:
                gone += self.connection.execute(f"DELETE FROM {table} WHERE seq IN ({marks})", part).rowcount  # noqa: S608
        return gone

    def scrub(self) -> None:
        """Leave no byte of removed rows in the file or its log."""
        self._fold()
        self.connection.execute("VACUUM")
        self._fold()

    def clean(self) -> None:
        """Note that nothing forgotten is left."""
        self.connection.execute("UPDATE chore SET dirty = 0")

    def _fold(self) -> None:
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    # --- reading ------------------------------------------------------------------------------------------------------

    def dump(self) -> list[str]:
        """Everything that events say, row by row, in one order: equal for equal events."""
        return [
            f"{table} {row}"
            for table in CONTENT
            for row in sorted(json.dumps(row) for row in self.connection.execute(f"SELECT * FROM {table}"))  # noqa: S608
        ]

    def close(self) -> None:
        """Close the file."""
        self.connection.close()


def _entity(connection: sqlite3.Connection, event: Event, at: int, body: Mapping[str, Any]) -> None:
    names = [*_names(event.seq, at, body["entity"], (body["name"], *body["names"]))]
    row = (event.seq, at, body["entity"], body["kind"], body["name"])
    connection.execute("INSERT INTO entity VALUES (?, ?, ?, ?, ?)", row)
    connection.executemany(_NAME, names)


def _name(connection: sqlite3.Connection, event: Event, at: int, body: Mapping[str, Any]) -> None:
    connection.executemany(_NAME, [*_names(event.seq, at, body["entity"], (body["name"],))])


def _names(seq: int, at: int, entity: str, names: Iterable[str]) -> Iterator[tuple[object, ...]]:
    for place, name in enumerate(names):
        for form in folded(name):
            yield seq, at, place, entity, name, form


def _fact(connection: sqlite3.Connection, event: Event, at: int, body: Mapping[str, Any]) -> None:
    thing = body["object"]
    begin, end, source = body.get("valid_from"), body.get("valid_to"), body.get("source", event.seq)
    sure, owner = float(body.get("confidence", 1)), body.get("owner", "")
    row = (
        event.seq, at, body["fact"], body["subject"], body["predicate"], thing["type"], thing["value"],
        thing.get("unit", ""), begin, end, source, body["extractor"], sure, canonical(event.label), owner,
        json.dumps(event.entities),
    )  # fmt: skip
    connection.execute(f"INSERT INTO fact VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


def _retracted(connection: sqlite3.Connection, event: Event, at: int, body: Mapping[str, Any]) -> None:
    connection.execute("INSERT INTO retracted VALUES (?, ?, ?, ?)", (event.seq, at, body["fact"], body["reason"]))


def _ended(connection: sqlite3.Connection, event: Event, at: int, body: Mapping[str, Any]) -> None:
    connection.execute("INSERT INTO ended VALUES (?, ?, ?, ?)", (event.seq, at, body["fact"], body["valid_to"]))


def _same(connection: sqlite3.Connection, event: Event, at: int, body: Mapping[str, Any]) -> None:
    one, other = sorted((body["a"], body["b"]))
    connection.execute(
        "INSERT INTO same VALUES (?, ?, ?, ?, ?)", (event.seq, at, one, other, int(event.kind == kinds.MERGED))
    )


def _predicate(connection: sqlite3.Connection, event: Event, at: int, body: Mapping[str, Any]) -> None:
    declared = body["predicate"]
    text = json.dumps(declared, sort_keys=True)
    connection.execute("INSERT INTO predicate VALUES (?, ?, ?, ?)", (event.seq, at, declared["name"], text))


_TAKERS: dict[str, Callable[[sqlite3.Connection, Event, int, Mapping[str, Any]], None]] = {
    kinds.ASSERTED: _fact,
    kinds.RETRACTED: _retracted,
    kinds.ENDED: _ended,
    kinds.MADE: _entity,
    kinds.NAMED: _name,
    kinds.MERGED: _same,
    kinds.SPLIT: _same,
    kinds.DECLARED: _predicate,
}
