"""Forgetting: the keys are gone for good, the chain still verifies."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from memory import Draft, Ledger
from memory.errors import LedgerBusy

Make = Callable[..., Draft]
ANNA, BEN = "person:anna", "person:ben"


def secrets(folder: Path) -> dict[int, bytes]:
    connection = sqlite3.connect(folder / "keys.db")
    rows = connection.execute("SELECT seq, key, salt FROM secret").fetchall()
    connection.close()
    return {seq: key + salt for seq, key, salt in rows}


def test_forgotten_events_keep_their_place_and_lose_their_content(ledger: Ledger, draft: Make) -> None:
    ledger.append(draft(1, entities=(ANNA,)), draft(2, entities=(BEN,)), draft(3, entities=(ANNA, BEN)), draft(4))
    assert ledger.forget(ANNA) == 2
    events = {event.seq: event for event in ledger.events()}
    assert [events[seq].body is None for seq in (1, 2, 3, 4)] == [True, False, True, False]
    assert events[1].label is None
    assert events[1].entities == ()
    assert events[1].kind == "task.done"
    check = ledger.verify()
    assert check.ok
    assert (check.events, check.forgotten) == (5, 2)


def test_an_event_says_what_was_forgotten_but_not_about_whom(ledger: Ledger, draft: Make) -> None:
    heard: list[str] = []
    ledger.subscribe(lambda event: heard.append(event.kind))
    ledger.append(*(draft(number, entities=(ANNA,) if number in (1, 2, 3, 5) else ()) for number in range(1, 7)))
    ledger.forget(ANNA)
    last = list(ledger.events())[-1]
    assert (last.kind, last.body) == ("ledger.forgotten", {"events": [[1, 3], [5, 5]]})
    assert heard[-1] == "ledger.forgotten"


def test_forgetting_nobody_or_twice_writes_nothing(ledger: Ledger, draft: Make) -> None:
    ledger.append(draft(1, entities=(ANNA,)))
    assert ledger.forget(BEN) == 0
    assert ledger.forget(ANNA) == 1
    head = ledger.head()
    assert ledger.forget(ANNA) == 0
    assert ledger.head() == head


def test_what_is_written_after_forgetting_is_kept_until_the_next_time(ledger: Ledger, draft: Make) -> None:
    ledger.append(draft(1, entities=(ANNA,)))
    ledger.forget(ANNA)
    ledger.append(draft(2, entities=(ANNA,)))
    assert list(ledger.events())[-1].body is not None
    assert ledger.forget(ANNA) == 1
    assert ledger.verify().forgotten == 2


def test_no_byte_of_a_destroyed_key_is_left_in_any_file(ledger: Ledger, folder: Path, draft: Make) -> None:
    ledger.append(*(draft(number, entities=(ANNA,) if number % 3 else ()) for number in range(300)))
    before = secrets(folder)
    ledger.forget(ANNA)
    after = secrets(folder)
    gone = [value for seq, value in before.items() if seq not in after]
    assert len(gone) == 200
    files = [path.read_bytes() for path in folder.iterdir()]
    for value in gone:
        assert not any(part in data for data in files for part in (value[:32], value[32:], value[8:16]))
    kept = next(iter(after.values()))
    assert any(kept[:32] in data for data in files)  # control: keys are found like this


def test_a_crash_while_forgetting_is_completed_at_the_next_start(folder: Path, draft: Make) -> None:
    with Ledger.open(folder) as ledger:
        ledger.append(draft(1, entities=(ANNA,)), draft(2, entities=()))
    connection = sqlite3.connect(folder / "keys.db")  # as far as a crash after the first step gets
    connection.execute("INSERT INTO doomed VALUES (1)")
    connection.commit()
    connection.close()
    with Ledger.open(folder) as ledger:
        assert [event.body is None for event in ledger.events()] == [True, False, False]
        assert ledger.verify().ok
    assert 1 not in secrets(folder)


def test_a_reader_in_the_way_is_said_and_the_keys_go_the_next_time(
    folder: Path, draft: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.database.BUSY_TIMEOUT_S", 0.05)
    with Ledger.open(folder) as ledger:
        ledger.append(draft(1, entities=(ANNA,)))
        connection = sqlite3.connect(folder / "keys.db", isolation_level=None)
        connection.execute("BEGIN")
        connection.execute("SELECT * FROM secret").fetchone()
        with pytest.raises(LedgerBusy):
            ledger.forget(ANNA)
        connection.close()
        ledger.append(draft(2, entities=()))
        assert ledger.forget(ANNA) == 1
        assert ledger.verify().ok
        assert next(ledger.events()).body is None


def test_strange_names_can_be_forgotten(ledger: Ledger, draft: Make) -> None:
    for number, name in enumerate(("ä", "a\udc80", "x" * 10_000, "a\0b", "%' OR 1=1 --")):
        ledger.append(draft(number, entities=(name,)))
        assert ledger.forget(name) == 1
    assert ledger.verify().ok
