"""What the code of today would do otherwise is told as otherwise, whatever that is, and breaks nothing."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.model import Outcome, Plan, TaskId
from kernel.replaying import replay as replaying
from kernel.replaying.calls import UNRECORDED
from kernel.replaying.then import Acts
from kernel.run import Run
from permissions.errors import Refused
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def raising(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the code of today end the reading of every sentence with ``error``."""

    async def planned(_run: Run) -> Plan:
        raise error

    monkeypatch.setattr(replaying, "planned", planned)


def answer_of(found: dict[str, Any]) -> dict[str, Any]:
    """Return the step that says how it ended."""
    (answer,) = [one for one in found["steps"] if one["kind"] in ("answer", "question")]
    return dict(answer)


@pytest.mark.parametrize("acts", ["memory", "fact.asserted", "approval.requested: macro", "approval.requested: commit",
                                  "transactions.begin", "routine.kept", "post.send"])  # fmt: skip
async def test_what_acts_now_and_only_answered_then_is_otherwise(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, acts: str
) -> None:
    answered = await bench.ask("who are you?")
    assert answered["resolution"] == "executed"
    raising(monkeypatch, Acts(acts))
    found = await bench.kernel.replay(answered["run"])
    assert (answer_of(found)["same"], answer_of(found)["taken"]) == (False, False), found
    assert not found["same"]


async def test_another_question_than_then_is_otherwise(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = await bench.ask("every day at 18:00 show me the largest files in Downloads", yes=False)
    kept = await bench.answer(asked["run"], "once")
    told = await bench.ask("remember that Anna likes tea")
    for run, acts, same in (
        (kept["run"], "approval.requested: routine", True), (kept["run"], "routine.kept", True),
        (kept["run"], "approval.requested: macro", False), (kept["run"], "memory", False),
        (told["run"], "memory", True), (told["run"], "fact.asserted", True), (told["run"], "deny.added", False),
    ):  # fmt: skip
        raising(monkeypatch, Acts(acts))
        assert answer_of(await bench.kernel.replay(run))["same"] is same, acts


async def test_an_unforeseen_fault_in_reading_is_what_came_of_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = await bench.ask("who are you?")
    note = await bench.ask("make a note called list: milk")
    raising(monkeypatch, ValueError("odd"))
    now = answer_of(await bench.kernel.replay(answered["run"]))["now"]
    assert now["resolution"] == "failed"
    assert "internal fault: ValueError: odd" in now["answer"], now
    found = await bench.kernel.replay(note["run"])
    (plan,) = [one for one in found["steps"] if one["kind"] == "plan"]
    assert (plan["same"], plan["now"]["resolution"]) == (False, "failed")


@pytest.mark.parametrize("error", [ValueError("odd"), Refused("right.denied", "No.")])
async def test_a_fault_in_carrying_out_breaks_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    note = await bench.ask("make a note called list: milk")

    async def faulty(*_: Any) -> Any:
        raise error

    async def failing(plan: Plan, *_: Any) -> dict[TaskId, Outcome]:
        return {task.id: Outcome(task.id, False, error={"code": "x", "message": "no"}) for task in plan.tasks}

    for dispatched in (faulty, failing):
        monkeypatch.setattr(replaying, "dispatch", dispatched)
        monkeypatch.setattr(replaying, "recovered", faulty)
        found = await bench.kernel.replay(note["run"])
        assert [one["kind"] for one in found["steps"] if not one["same"]] == ["task"], found


@pytest.mark.parametrize(("code", "expected"), [(UNRECORDED, []), ("task.fault", ["broke"])])
async def test_a_call_of_which_nothing_is_recorded_is_no_tool_that_broke(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, code: str, expected: list[str]
) -> None:
    note = await bench.ask("make a note called list: milk")
    broke: list[str] = []

    async def recovered(*_: Any) -> None:
        broke.append("broke")

    async def unrecorded(plan: Plan, *_: Any) -> dict[TaskId, Outcome]:
        return {task.id: Outcome(task.id, False, error={"code": code, "message": ""}) for task in plan.tasks}

    monkeypatch.setattr(replaying, "dispatch", unrecorded)
    monkeypatch.setattr(replaying, "recovered", recovered)
    await bench.kernel.replay(note["run"])
    assert broke == expected
