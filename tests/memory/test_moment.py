"""A moment of the ledger verifies, is of one moment, and keeps no writer waiting for the events."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memory import Draft, Ledger
from memory.errors import StoreFailed
from memory.model import EntityId


def _said(count: int, who: str = "person:anna") -> list[Draft]:
    return [Draft("note.said", {"text": f"number {n}"}, entities=(EntityId(who),)) for n in range(count)]


def test_a_moment_is_a_ledger_of_its_own(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with Ledger.open(tmp_path / "ledger") as ledger:
        ledger.append(*_said(30))
        ledger.forget(EntityId("person:bob"))
        moment = ledger.moment(out)
        ledger.append(*_said(20))  # it came later: it is not in it
        moment.finish()
        assert {path.name for path in out.iterdir()} >= {"ledger.db", "keys.db", "signing.key"}
        assert all(path.stat().st_mode & 0o077 == 0 for path in out.iterdir())
        head = ledger.head()
    with Ledger.open(out) as copy:
        assert copy.verify().ok
        assert copy.verify().events == moment.head == 30
        assert [event.body for event in copy.events()][-1] == {"text": "number 29"}
        assert copy.forget(EntityId("person:anna")) == 30
        copy.append(*_said(1))
        assert copy.verify().ok
    with Ledger.open(tmp_path / "ledger") as ledger:
        assert ledger.head()[0] >= head[0] == 50  # what the copy did is its own
        assert ledger.verify().ok


def test_what_is_forgotten_before_is_not_in_it_and_the_moment_keeps_no_forget_waiting(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with Ledger.open(tmp_path / "ledger") as ledger:
        ledger.append(*_said(5), *_said(5, "person:bob"))
        ledger.forget(EntityId("person:bob"))
        moment = ledger.moment(out)
        assert ledger.forget(EntityId("person:anna")) == 5  # the events are held, the keys are not
        moment.finish()
    with Ledger.open(out) as copy:
        assert copy.verify().ok
        assert sum(event.body is None for event in copy.events()) == 5


def test_moments_while_others_write(tmp_path: Path) -> None:
    stop = threading.Event()
    with Ledger.open(tmp_path / "ledger") as ledger:
        ledger.append(*_said(3))

        def write() -> None:
            while not stop.is_set():
                ledger.append(*_said(2))

        writers = [threading.Thread(target=write) for _ in range(3)]
        for one in writers:
            one.start()
        heads = []
        try:
            for number in range(12):
                out = tmp_path / f"out{number}"
                out.mkdir()
                moment = ledger.moment(out)
                moment.finish()
                with Ledger.open(out, read_only=True) as copy:
                    found = copy.verify()
                    assert found.ok, found.problems
                    heads.append(found.events)
        finally:
            stop.set()
            for one in writers:
                one.join()
    assert heads == sorted(heads)
    assert heads[-1] > heads[0]  # others did write


def test_a_closed_or_read_only_ledger_gives_none(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger") as ledger:
        ledger.append(*_said(1))
    with pytest.raises(StoreFailed):
        ledger.moment(tmp_path)
    with Ledger.open(tmp_path / "ledger", read_only=True) as looked, pytest.raises(StoreFailed):
        looked.moment(tmp_path)


def test_a_folder_that_is_not_there_leaves_the_ledger_at_work(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger") as ledger:
        with pytest.raises(StoreFailed):
            ledger.moment(tmp_path / "none")
        ledger.append(*_said(1))
        assert ledger.verify().ok
