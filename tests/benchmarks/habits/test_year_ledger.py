"""A month of the simulated year as a real ledger: it verifies, and every run of it reads back as it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kernel.opening import BUILTIN
from kernel.planning.plan_json import plan_from_json
from kernel.remember import run_line, run_view
from memory import Ledger
from memory.model import Event, Verification
from permissions.labels import Integrity, Label
from skills import Registry
from tests.benchmarks.habits.year.ledger import write
from tests.benchmarks.habits.year.requests import Ending, Link, Request, requests

SEED = 1
MONTH = date(2027, 3, 5), date(2027, 4, 4)


@dataclass(frozen=True)
class Month:
    """A ledger of a month, read back whole, and what was asked in it."""

    asked: tuple[Request, ...]
    runs: Mapping[str, Sequence[Event]]
    order: Sequence[Event]
    written: tuple[int, int]
    verified: Verification


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Month:
    folder: Path = tmp_path_factory.mktemp("year") / "ledger"
    written = write(folder, "petra", SEED, Registry([BUILTIN]), *MONTH)
    with Ledger.open(folder) as ledger:
        order, verified = tuple(ledger.events()), ledger.verify()
    runs = dict[str, list[Event]]()
    for one in order:
        if one.run is not None:
            runs.setdefault(one.run, []).append(one)
    return Month(tuple(requests("petra", SEED, *MONTH)), runs, order, written, verified)


def test_a_ledger_of_a_month_verifies_and_tells_when_everything_was(month: Month) -> None:
    assert month.verified.ok, month.verified.problems
    assert month.written == (len(month.asked), len(month.order))
    assert month.verified.events == len(month.order)
    assert all(before.at_ns <= after.at_ns for before, after in pairwise(month.order))
    created = [one for one in month.order if one.kind == "run.created"]
    assert [one.at_ns // 1_000_000_000 for one in created] == [int(one.at.timestamp()) for one in month.asked]
    assert [(one.body or {})["now"] for one in created] == [one.at.isoformat() for one in month.asked]


def test_every_run_of_it_reads_back(month: Month) -> None:
    assert len(month.runs) == len(month.asked)
    for events, one in zip(month.runs.values(), month.asked, strict=True):
        view = run_view(events)
        line = run_line(view)
        assert (view["text"], view["language"], view["conversation"]) == (one.text, one.language, one.conversation)
        assert line["tools"] == [call.tool for call in one.calls]
        assert line["refused"] == (one.ending is Ending.REFUSED)
        assert view["undone"] == (one.ending is Ending.UNDONE)
        ended = {Ending.REFUSED: ("blocked",), Ending.FAILED: ("failed",)}
        assert view["resolution"] in ended.get(one.ending, ("executed", "confirmed"))
        assert view["card"] is None
        changed = [change["path"] for call in one.calls for change in call.result.changes]
        kept = one.ending in (Ending.DONE, Ending.UNDONE)
        assert [change["path"] for change in view["effects"]] == (changed if kept else [])


def test_plans_in_it_read_back_with_the_labels_of_their_arguments(month: Month) -> None:
    tainted = 0
    for events, one in zip(month.runs.values(), month.asked, strict=True):
        bodies: dict[str, Any] = {event.kind: event.body for event in events}
        plan = plan_from_json(bodies["run.planned"]["frozen"])
        for task, call in zip(plan.tasks, one.calls, strict=True):
            for name, given in call.arguments.items():
                if isinstance(given, Link):
                    assert task.arguments[name].task == f"t{given.call + 1}"  # type: ignore[union-attr]
                    continue
                label = task.arguments[name].label  # type: ignore[union-attr]
                assert (label.integrity is Integrity.USER) == given.trusted
                assert label.integrity in (Integrity.USER, Integrity.UNTRUSTED)
                tainted += not given.trusted
        if "task.done" in bodies and any(call.tool.startswith("mail.") for call in one.calls):
            assert Label.from_json(bodies["task.done"]["label"]).integrity is Integrity.UNTRUSTED
    assert tainted >= 10
