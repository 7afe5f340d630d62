"""A run without a plan of which no reading is recorded: it is read now, or it is said that it never came so far."""

from __future__ import annotations

from typing import Any

import pytest

from memory.model import Draft
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

FAULT = {"code": "kernel.fault", "message": "It broke.", "hint": ""}


async def ended(bench: Bench, run: str, error: dict[str, str], **said: Any) -> dict[str, Any]:
    """Return what comes of replaying a run that ended with ``error`` before it was read."""
    asked = await bench.ask("what is 2 + 3")
    ledger = bench.kernel._house.ledger
    body = dict(next(iter(ledger.events(run=asked["run"], kinds=("run.created",)))).body or {}) | said
    end = {"resolution": "failed", "answer": error["message"], "language": "de", "error": error}
    ledger.append(Draft("run.created", body, run=run), Draft("run.finished", end, run=run))
    return await bench.kernel.replay(run)


async def test_one_that_was_stopped_before_it_was_read_never_came_so_far(bench: Bench) -> None:
    for code in ("run.cancelled", "run.deadline", "run.interrupted"):
        found = await ended(bench, f"r-{code}", {"code": code, "message": "Stopped."})
        assert (found["standing"], found["same"], found["steps"]) == ("unread", False, [])
        assert "So weit kam er nie" in found["said"]
    found = await ended(bench, "r-routine", FAULT, channel="routine")
    assert found["standing"] == "unread"


async def test_one_that_failed_before_it_was_read_is_read_now(bench: Bench) -> None:
    found = await ended(bench, "r-failed", FAULT)
    assert (found["standing"], found["same"]) == ("compared", False)
    steps = {one["kind"]: one for one in found["steps"]}
    assert steps["intent"]["then"] is None
    assert steps["answer"]["then"]["answer"] == "It broke."
    assert not steps["answer"]["taken"]


async def test_one_that_acted_before_it_was_read_is_gone_through_and_does_it_no_more(bench: Bench) -> None:
    asked = await bench.ask("every day at 18:00 show me the largest files in Downloads", yes=False)
    await bench.answer(asked["run"], "once")
    (routine,) = bench.kernel.routines.every()
    gone = await bench.ask(f"forget the routine {routine['name']}")
    assert gone["resolution"] == "executed", gone
    await bench.ask("undo that")
    before = bench.kernel.routines.every(), bench.kernel.perms()
    found = await bench.kernel.replay(gone["run"])
    (answer,) = found["steps"]
    assert (answer["kind"], answer["same"], answer["taken"]) == ("answer", True, True), answer
    assert answer["now"] == {"would": "routine.removed"}
    assert (bench.kernel.routines.every(), bench.kernel.perms()) == before
