"""Ledgers of every released format are kept as data: they open, verify, say what they said, and can be continued."""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from memory import Draft, Ledger
from memory.errors import LedgerBroken

DATA = Path(__file__).with_name("data")
FORMATS = ["ledger-v1"]


@pytest.fixture(params=FORMATS)
def old(request: Any, tmp_path: Path) -> tuple[Path, list[dict[str, Any]]]:
    shutil.copytree(DATA / request.param, tmp_path / "ledger")
    return tmp_path / "ledger", json.loads((DATA / f"{request.param}.json").read_text())


def as_json(ledger: Ledger) -> Any:
    return json.loads(json.dumps([asdict(event) for event in ledger.events()]))


def test_an_old_ledger_says_what_it_said(old: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, expected = old
    with Ledger.open(folder) as ledger:
        assert as_json(ledger) == expected
        check = ledger.verify()
        assert check.ok, check.problems
        assert (check.events, check.forgotten) == (len(expected), sum(event["body"] is None for event in expected))
        assert ledger.head() == (expected[-1]["seq"], expected[-1]["hash"])


def test_an_old_ledger_can_be_continued(old: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, expected = old
    with Ledger.open(folder) as ledger:
        ledger.append(Draft("new", {}))
        assert ledger.forget("person:ben") == 1  # type: ignore[arg-type]
        assert ledger.verify().ok
        assert len(as_json(ledger)) == len(expected) + 2


def test_a_newer_format_is_refused_and_left_alone(old: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, _ = old
    connection = sqlite3.connect(folder / "ledger.db", isolation_level=None)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    before = (folder / "keys.db").read_bytes()
    with pytest.raises(LedgerBroken, match="format"):
        Ledger.open(folder)
    assert (folder / "keys.db").read_bytes() == before
