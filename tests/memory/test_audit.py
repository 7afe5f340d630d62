"""Attacks on the closed files, with the triggers out of the way: every one is found."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory import Draft, Ledger, chain
from memory.errors import LedgerBroken
from memory.model import Verification
from memory.rows import prepare, write_row
from memory.sealing import Secret, new_secrets

Make = Callable[..., Draft]
EVENTS = 40


@pytest.fixture
def closed(folder: Path, draft: Make) -> Path:
    """A closed ledger with 40 events, one of them forgotten."""
    with Ledger.open(folder) as ledger:
        ledger.append(*(draft(number, entities=()) for number in range(EVENTS - 2)))
        ledger.append(draft(99, entities=("person:gone",)))
        assert ledger.forget("person:gone") == 1
    return folder


@contextmanager
def bypass(folder: Path, name: str = "ledger.db") -> Iterator[sqlite3.Connection]:
    """The file without its triggers, which are put back afterwards."""
    connection = sqlite3.connect(folder / name, isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for trigger, _ in triggers:
        connection.execute(f"DROP TRIGGER {trigger}")
    yield connection
    for _, sql in triggers:
        connection.execute(sql)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def look(folder: Path) -> Verification:
    with Ledger.open(folder, read_only=True) as ledger:
        return ledger.verify()


def found(folder: Path) -> set[int]:
    return {problem.seq for problem in look(folder).problems}


def test_without_an_attack_nothing_is_found(closed: Path) -> None:
    with bypass(closed), bypass(closed, "keys.db"):
        pass
    assert look(closed) == Verification(events=EVENTS, checked=EVENTS, forgotten=1, checkpoints=1)


@pytest.mark.parametrize("statement", ["UPDATE event SET kind = 'x' WHERE seq = 3", "DELETE FROM event WHERE seq = 40"])
@pytest.mark.parametrize("table", ["event", "checkpoint", "origin"])
def test_triggers_refuse_honest_programs(closed: Path, statement: str, table: str) -> None:
    connection = sqlite3.connect(closed / "ledger.db")
    changes = {
        "event": statement,
        "checkpoint": "DELETE FROM checkpoint",
        "origin": "UPDATE origin SET public_key = x''",
    }
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(changes[table])
    connection.close()


def test_triggers_refuse_replacing_and_jumping_ahead(closed: Path) -> None:
    connection = sqlite3.connect(closed / "ledger.db")
    for seq in (3, EVENTS + 2):
        with pytest.raises(sqlite3.IntegrityError, match="in order"):
            connection.execute("INSERT OR REPLACE INTO event SELECT ?, 1, 'r', 't', 'k', x'', x'', x'', x''", (seq,))
    connection.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("at_ns", "at_ns + 1"),
        ("run", "'other'"),
        ("run", "NULL"),
        ("task", "'t2'"),
        ("kind", "'task.failed'"),
        ("sealed", "(SELECT sealed FROM event WHERE seq = 6)"),
        ("sealed", "x''"),
        ("digest", "zeroblob(32)"),
        ("prev", "hash"),
        ("hash", "prev"),
    ],
)
def test_an_edited_column_is_found(closed: Path, column: str, value: str) -> None:
    with bypass(closed) as connection:
        connection.execute(f"UPDATE event SET {column} = {value} WHERE seq = 5")
    assert 5 in found(closed)


def test_a_deleted_event_is_found(closed: Path) -> None:
    with bypass(closed) as connection:
        connection.execute("DELETE FROM event WHERE seq = 5")
    assert 5 in found(closed)


def test_a_deleted_first_event_is_found(closed: Path) -> None:
    with bypass(closed) as connection:
        connection.execute("DELETE FROM event WHERE seq = 1")
    assert 1 in found(closed)


def test_swapped_events_are_found(closed: Path) -> None:
    with bypass(closed) as connection:
        for before, after in ((5, 1000), (6, 5), (1000, 6)):
            connection.execute("UPDATE event SET seq = ? WHERE seq = ?", (after, before))
    assert {5, 6} <= found(closed)


def test_a_renumbered_gap_is_found(closed: Path) -> None:
    with bypass(closed) as connection:
        connection.execute("DELETE FROM event WHERE seq = 5")
        for seq in range(6, EVENTS + 1):
            connection.execute("UPDATE event SET seq = seq - 1 WHERE seq = ?", (seq,))
    assert 5 in found(closed)


@pytest.mark.parametrize("cover", ["nothing", "checkpoints", "witness"])
def test_a_cut_off_end_is_found_by_verify_and_at_the_start(closed: Path, cover: str) -> None:
    """Whoever cuts the event file must also clean the checkpoints and the key file."""
    with bypass(closed) as connection:
        connection.execute("DELETE FROM event WHERE seq > 30")
        if cover == "checkpoints":
            connection.execute("DELETE FROM checkpoint")
    if cover == "witness":
        with bypass(closed, "keys.db") as connection:
            connection.execute("DELETE FROM witness")
    assert found(closed)
    with pytest.raises(LedgerBroken) as caught:
        Ledger.open(closed)
    assert caught.value.hint


def rewrite(connection: sqlite3.Connection, keys: sqlite3.Connection, draft: Make) -> None:
    """What a thief of the key file can do: a whole new chain, correct but for the signature."""
    ledger_id = keys.execute("SELECT ledger_id FROM origin").fetchone()[0]
    connection.execute("DELETE FROM event")
    prev = chain.genesis(ledger_id)
    for seq, secret in enumerate(new_secrets(EVENTS), 1):
        row = write_row(prepare(draft(seq + 500, entities=())), seq, seq, secret, prev)
        connection.execute("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?)", row[:9])
        keys.execute("INSERT OR REPLACE INTO secret VALUES (?, ?, ?)", (seq, secret.key, secret.salt))
        prev = row.hash
    connection.execute("UPDATE checkpoint SET hash = ?", (prev,))
    keys.execute("UPDATE witness SET hash = ?", (prev,))


def test_a_new_chain_without_the_signing_key_is_found(closed: Path, draft: Make) -> None:
    with bypass(closed) as connection, bypass(closed, "keys.db") as keys:
        rewrite(connection, keys, draft)
    assert [problem.reason for problem in look(closed).problems] == ["the signature of its checkpoint is false"]
    with pytest.raises(LedgerBroken, match="signature"):
        Ledger.open(closed)


def test_one_event_replaced_with_its_own_key_is_found(closed: Path, draft: Make) -> None:
    """The thief of a key writes a perfect event 5; event 6 still says what came before it."""
    with bypass(closed) as connection, bypass(closed, "keys.db") as keys:
        prev = connection.execute("SELECT hash FROM event WHERE seq = 4").fetchone()[0]
        secret = Secret(*keys.execute("SELECT key, salt FROM secret WHERE seq = 5").fetchone())
        row = write_row(prepare(draft(500, entities=())), 5, 5, secret, prev)
        connection.execute("DELETE FROM event WHERE seq = 5")
        connection.execute("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?)", row[:9])
    assert found(closed) == {6}


def test_damage_outside_the_rows_is_found_too(closed: Path) -> None:
    """No row depends on an index, but a reader would get wrong answers from it."""
    connection = sqlite3.connect(closed / "ledger.db")
    page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'event_kind'").fetchone()[0]
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    flip(closed / "ledger.db", page * size - 2, 0x7F)
    assert "SQLite finds damage in the event file" in look(closed).problems[0].reason


def test_an_event_appended_without_a_key_is_found(closed: Path, draft: Make) -> None:
    with bypass(closed) as connection, bypass(closed, "keys.db") as keys:
        prev = connection.execute("SELECT hash FROM event WHERE seq = ?", (EVENTS,)).fetchone()[0]
        row = write_row(prepare(draft(1)), EVENTS + 1, 1, new_secrets(1)[0], prev)
        connection.execute("INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?)", row[:9])
        keys.execute("DELETE FROM secret WHERE seq = ?", (EVENTS + 1,))
    assert found(closed) == {EVENTS + 1}


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("DELETE FROM secret WHERE seq = 7", 7),
        ("UPDATE secret SET key = zeroblob(32) WHERE seq = 7", 7),
        ("UPDATE secret SET salt = zeroblob(16) WHERE seq = 7", 7),
        ("UPDATE secret SET key = x'' WHERE seq = 7", 7),
        ("INSERT INTO about VALUES (zeroblob(16), 7)", 7),
        ("UPDATE origin SET ledger_id = zeroblob(16)", 0),
    ],
)
def test_a_changed_key_file_is_found(closed: Path, change: str, seq: int) -> None:
    with bypass(closed, "keys.db") as connection:
        connection.execute(change)
    assert seq in found(closed)


def test_an_index_that_lost_a_person_is_found(folder: Path, draft: Make) -> None:
    with Ledger.open(folder) as ledger:
        ledger.append(draft(1, entities=("person:anna",)))
    with bypass(folder, "keys.db") as connection:
        connection.execute("DELETE FROM about")
    assert found(folder) == {1}


@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER event_no_update",
        "DROP INDEX event_run",
        "CREATE TRIGGER more AFTER INSERT ON event BEGIN SELECT 1; END",
        "PRAGMA user_version = 2",
        "PRAGMA application_id = 1",
    ],
)
def test_a_changed_schema_is_found(closed: Path, change: str) -> None:
    connection = sqlite3.connect(closed / "ledger.db", isolation_level=None)
    connection.execute(change)
    connection.close()
    assert found(closed) == {0}


def test_swapped_files_are_found(closed: Path, tmp_path: Path, draft: Make) -> None:
    other = tmp_path / "other"
    with Ledger.open(other) as ledger:
        ledger.append(draft(1))
    for name in ("ledger.db", "keys.db", "signing.key"):
        mixed = tmp_path / f"mixed-{name}"
        shutil.copytree(closed, mixed)
        shutil.copy(other / name, mixed / name)
        assert not look(mixed).ok
        with pytest.raises(LedgerBroken):
            Ledger.open(mixed)


@pytest.mark.parametrize("name", ["ledger.db", "keys.db", "signing.key"])
def test_a_missing_file_is_said_and_nothing_is_begun_anew(closed: Path, name: str) -> None:
    (closed / name).unlink()
    before = sorted(path.name for path in closed.iterdir())
    with pytest.raises(LedgerBroken) as caught:
        Ledger.open(closed)
    assert caught.value.hint
    assert [path.name for path in sorted(closed.iterdir()) if path.stat().st_size] == before


@pytest.mark.parametrize("name", ["ledger.db", "keys.db"])
def test_a_file_that_is_something_else_is_said(closed: Path, name: str) -> None:
    (closed / name).write_bytes(b"not a database" * 1000)
    with pytest.raises(LedgerBroken):
        Ledger.open(closed)
    with pytest.raises(LedgerBroken):
        Ledger.open(closed, read_only=True)


def test_damage_at_the_end_is_found_at_the_start_and_can_be_looked_at(closed: Path) -> None:
    with bypass(closed) as connection:
        connection.execute("UPDATE event SET sealed = zeroblob(100) WHERE seq = 35")
    with pytest.raises(LedgerBroken) as caught:
        Ledger.open(closed)
    assert caught.value.seq == 35
    with Ledger.open(closed, read_only=True) as ledger:
        assert len(list(ledger.events(limit=34))) == 34
        with pytest.raises(LedgerBroken) as caught:
            list(ledger.events())
        assert caught.value.seq == 35


def row_ranges(folder: Path, data: bytes) -> list[tuple[int, int]]:
    """Where the rows lie in the file: from the cell's header (24 bytes at most before the first text) to the hash."""
    connection = sqlite3.connect(folder / "ledger.db")
    rows = connection.execute("SELECT run, task, kind, sealed, digest, prev, hash FROM event").fetchall()
    connection.close()
    ranges = []
    for row in rows:
        content = b"".join(part.encode() if isinstance(part, str) else part or b"" for part in row)
        at = data.find(content)
        assert at > 0
        ranges.append((at - 24, at + len(content)))
    return ranges


@pytest.mark.parametrize("seed", range(3))
def test_every_flipped_bit_in_a_row_is_found(closed: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = closed / "ledger.db"
    data = path.read_bytes()
    ranges = row_ranges(closed, data)
    for _ in range(120):
        at = chance.randrange(*chance.choice(ranges))
        bit = 1 << chance.randrange(8)
        flip(path, at, data[at] ^ bit)
        assert is_damaged(closed), f"a flip of bit {bit} at {at} went unnoticed"
        flip(path, at, data[at])
    assert look(closed).ok


def flip(path: Path, at: int, byte: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes([byte]))
    for suffix in ("-shm", "-wal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def is_damaged(folder: Path) -> bool:
    try:
        return not look(folder).ok
    except LedgerBroken:
        return True
