"""The fold of confirmed runs: phrases outlive the runs that are looked at, the same whenever they are read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from kernel.learning import log
from kernel.learning.log import ConfirmedLog
from kernel.learning.model import TAUGHT, UNTAUGHT, Taught
from kernel.model import Plan, Task, TaskId
from kernel.planning.plan_json import plan_to_json
from memory.model import Event
from skills.model import ToolId

AT = datetime(2025, 3, 1, tzinfo=UTC)


def _run(seq: int, name: str, phrase: str = "", end: str = "executed") -> Iterator[Event]:
    yield _event(seq, name, "run.created", {"text": f"say {name}", "now": AT.isoformat()})
    if phrase:
        yield _event(seq + 1, name, TAUGHT, Taught(name, phrase, "list Downloads", "en").to_json())
    yield _event(seq + 2, name, "run.finished", {"resolution": end})


def _many(phrases: dict[int, str], count: int) -> list[Event]:
    return [event for at in range(count) for event in _run(3 * at + 1, f"r{at}", phrases.get(at, ""))]


def _event(seq: int, run: str, kind: str, body: dict[str, Any]) -> Event:
    return Event(seq, 0, kind, run, None, body, None, "")


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_RUNS", 5)


def _phrases(found: ConfirmedLog) -> list[str]:
    return [one.phrase for one in found.taught()]


def test_a_phrase_outlives_the_runs_that_are_looked_at_and_can_still_be_forgotten() -> None:
    events = _many({0: "tidy", 3: "month end"}, 40)
    at_once, by_turns = ConfirmedLog(), ConfirmedLog()
    at_once.take(events)
    for one in events:
        by_turns.take([one])
    assert _phrases(at_once) == _phrases(by_turns) == ["tidy", "month end"]
    at_once.take([_event(200, "r0", UNTAUGHT, {"phrase": "Tidy"})])
    assert _phrases(at_once) == ["month end"]


def test_a_phrase_that_is_taught_again_is_the_newest() -> None:
    found = ConfirmedLog()
    found.take(_many({0: "tidy", 1: "month end", 2: "Tidy"}, 4))
    assert _phrases(found) == ["month end", "Tidy"]


@pytest.mark.parametrize("end", ["rolled_back", "blocked", "failed", "clarify", ""])
def test_a_run_that_was_not_done_taught_no_phrase(end: str) -> None:
    found = ConfirmedLog()
    found.take(_run(1, "r", "tidy", end))
    assert not found.taught()


@pytest.mark.parametrize("why", [{"steps": [{"name": "tidy", "key": "k"}]}, {"macro": {"name": "tidy", "key": "k"}}])
def test_a_plan_with_a_macro_in_it_teaches_nothing(why: dict[str, Any]) -> None:
    frozen = plan_to_json(Plan((Task(TaskId("t1"), ToolId("files.find"), {}),), "en"))
    assert log._plan(frozen) is not None
    assert log._plan(frozen | {"why": why}) is None
