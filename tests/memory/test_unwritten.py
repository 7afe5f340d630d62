"""Volatile events: the ledger has that they happened; their words are in this process alone, and only for a while."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory import Draft, Ledger
from memory.errors import BadDraft

WORD = "Rumpelstilzchen"


def _bytes(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_what_a_volatile_event_says_is_handed_out_and_never_written(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        heard = []
        ledger.subscribe(heard.append)
        (event,) = ledger.append(Draft("run.created", {"text": WORD}, run="r-1", label={"by": WORD}, volatile=True))
        ledger.append(Draft("run.created", {"text": "spoken aloud"}, run="r-2"))
        (read, other) = ledger.events()
        assert event.body == read.body == heard[0].body == {"text": WORD}
        assert read.label == {"by": WORD}
        assert other.body == {"text": "spoken aloud"}
        ledger.let_go("r-1")
        (read, other) = ledger.events()
        assert (read.body, read.label, other.body) == ({"private": True}, None, {"text": "spoken aloud"})
        assert ledger.verify().ok
    with Ledger.open(tmp_path / "l") as ledger:
        assert [event.body for event in ledger.events()] == [{"private": True}, {"text": "spoken aloud"}]
    assert WORD not in str([event for event in Ledger.open(tmp_path / "l", read_only=True).events()])


def test_a_volatile_event_is_refused_where_any_other_would_be(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        with pytest.raises(BadDraft):
            ledger.append(Draft("run.created", {"text": object()}, volatile=True))  # type: ignore[dict-item]
        assert ledger.head()[0] == 0


def test_events_are_destroyed_by_number_once_and_the_chain_stands(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        ledger.append(*(Draft("run.created", {"text": f"{WORD} {at}"}, run=f"r-{at}") for at in range(6)))
        assert ledger.destroy([2, 3, 5, 5_000]) == 3
        assert ledger.destroy([2, 3, 5]) == 0
        assert [event.seq for event in ledger.events(kinds=("run.created",)) if event.body is None] == [2, 3, 5]
        assert ledger.verify().ok


def test_a_held_word_goes_with_its_event(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        ledger.append(Draft("run.created", {"text": WORD}, run="r-1", volatile=True))
        assert ledger.destroy([1]) == 1
        assert next(iter(ledger.events())).body in (None, {"private": True})
        assert WORD not in str(list(ledger.events()))
    assert WORD.encode() not in _bytes(tmp_path)
