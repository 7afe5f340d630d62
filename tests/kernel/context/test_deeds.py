"""Deeds are told by the ledger alone: in order, where things lie now, without what is private, forgotten or undone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kernel.context.deeds import LedgerPast
from memory import Draft, Ledger

NOW = datetime(2026, 3, 11, 10, 0).astimezone()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger."""
    with Ledger.open(tmp_path / "ledger") as one:
        yield one


def _run(ledger: Ledger, run: str, hours: float, *changes: dict[str, Any], **more: Any) -> None:
    now = (NOW - timedelta(hours=hours)).isoformat()
    body = {"text": f"do {run}", "conversation": "c", "now": now, **more}
    ledger.append(
        Draft(kind="run.created", body=body, run=run), Draft(kind="commit.done", body={"changes": changes}, run=run)
    )


def _past(ledger: Ledger, *runs: str, most: int = 100) -> LedgerPast:
    return LedgerPast(ledger, runs, lambda _: [], most=most)


def _moved(source: str, path: str) -> dict[str, Any]:
    return {"kind": "moved", "path": path, "source": source}


def test_the_latest_come_first_and_things_are_where_they_lie_now(ledger: Ledger) -> None:
    _run(ledger, "a", 5, {"kind": "created", "path": "/h/D", "folder": True}, {"kind": "created", "path": "/h/D/x"})
    _run(ledger, "b", 4, _moved("/h/D/x", "/h/D/y"))
    _run(ledger, "c", 3, _moved("/h/D", "/h/E"))
    _run(ledger, "d", 2, {"kind": "created", "path": "/h/D/x"})  # another thing at the old place
    found = [(deed.run, str(deed.kind), deed.now_at, deed.implied) for deed in _past(ledger, *"abcd").back()]
    assert found == [
        ("d", "made", "/h/D/x", False),
        ("c", "renamed", "/h/E", False),
        ("b", "renamed", "/h/E/y", False),
        ("a", "made", "/h/E/y", False),
        ("a", "made", "/h/E", True),
    ]


def test_a_stretch_of_time_and_a_bound(ledger: Ledger) -> None:
    for hours, run in ((30, "a"), (20, "b"), (1, "c")):
        _run(ledger, run, hours, {"kind": "modified", "path": f"/h/{run}"})
    past = _past(ledger, *"abc")
    assert [deed.run for deed in past.back(NOW - timedelta(hours=24))] == ["c", "b"]
    assert [deed.run for deed in past.back(NOW - timedelta(hours=24), NOW - timedelta(hours=2))] == ["b"]
    assert [deed.run for deed in _past(ledger, *"abc", most=1).back()] == ["c"]


def test_private_and_forgotten_runs_are_no_deeds(ledger: Ledger) -> None:
    _run(ledger, "a", 2, {"kind": "created", "path": "/h/a"}, private=True)
    _run(ledger, "b", 1, {"kind": "created", "path": "/h/b"})
    ledger.destroy([event.seq for event in ledger.events(run="b")])
    assert list(_past(ledger, "a", "b").back()) == []


def test_many_changes_are_all_of_them(ledger: Ledger) -> None:
    summary: dict[str, Any] = {"count": 60, "first": [], "folders": []}
    ledger.append(
        Draft(kind="run.created", body={"text": "t", "now": NOW.isoformat()}, run="a"),
        Draft(kind="commit.done", body={"changes": summary}, run="a"),
    )
    whole = [{"kind": "created", "path": f"/h/{number}"} for number in range(60)]
    assert len(list(LedgerPast(ledger, ("a",), lambda _: list(whole)).back())) == 60
