"""What a log reads at a start: the latest runs, and of earlier ones what still counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel.learning.log import KINDS, ConfirmedLog
from kernel.learning.model import TAUGHT, UNTAUGHT, Taught
from kernel.remembering.lately import lately
from memory import Draft, Ledger
from memory.model import Event

_MINE = ("run.created", "run.planned", "run.finished", TAUGHT, UNTAUGHT)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path) as opened:
        yield opened


def _run(ledger: Ledger, name: str, phrase: str = "") -> None:
    said = [Draft(kind="run.created", run=name, body={"text": f"say {name}", "now": "2026-03-04T09:30:00+01:00"})]
    if phrase:
        said.append(Draft(kind=TAUGHT, run=name, body=Taught(name, phrase, "list Downloads", "en").to_json()))
    ledger.append(*said, Draft(kind="run.finished", run=name, body={"resolution": "executed"}))


def _told(events: Iterator[Event]) -> list[tuple[str | None, str]]:
    return [(one.run, one.kind) for one in events]


def test_of_few_runs_all_is_read(ledger: Ledger) -> None:
    _run(ledger, "a")
    _run(ledger, "b")
    assert _told(lately(ledger, _MINE, 3)) == _told(ledger.events(kinds=_MINE))
    assert _told(lately(ledger, _MINE, 2)) == _told(ledger.events(kinds=_MINE))


def test_of_many_the_latest_are(ledger: Ledger) -> None:
    for name in "abcd":
        _run(ledger, name)
    assert {run for run, _ in _told(lately(ledger, _MINE, 2))} == {"c", "d"}


def test_what_still_counts_comes_before_them_in_order(ledger: Ledger) -> None:
    _run(ledger, "a", "tidy")
    _run(ledger, "b")
    ledger.append(Draft(kind=UNTAUGHT, run=None, body={"phrase": "none"}))
    _run(ledger, "c", "month end")
    _run(ledger, "d")
    whole = [("run.created", "a"), (TAUGHT, "a"), ("run.finished", "a")]
    found = [(kind, run) for run, kind in _told(lately(ledger, _MINE, 1, ever=(UNTAUGHT,), whole=(TAUGHT,)))]
    assert found == [
        *whole, (UNTAUGHT, None), *((kind, "c") for kind, _ in whole), ("run.created", "d"), ("run.finished", "d")
    ]  # fmt: skip


def test_phrases_are_known_however_long_ago_they_were_explained(ledger: Ledger) -> None:
    _run(ledger, "a", "tidy")
    _run(ledger, "b", "month end")
    for name in "cdefgh":
        _run(ledger, name)
    ledger.append(Draft(kind=UNTAUGHT, run="h", body={"phrase": "month end"}))
    _run(ledger, "i")
    found = ConfirmedLog()
    found.take(lately(ledger, KINDS, 1, whole=(TAUGHT, UNTAUGHT)))
    assert [one.phrase for one in found.taught()] == ["tidy"]
