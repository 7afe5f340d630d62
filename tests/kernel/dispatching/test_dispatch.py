"""A plan under way: conditions, lists, failures, hanging calls and second attempts."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from typing import Any

import pytest

from kernel.model import Comparison, Condition, Measure, Task
from permissions.model import CellOutcome, CellStatus, Level
from skills.model import Call, CallResult
from tests.kernel.dispatching.workshop import Ran, Workshop, nap, of, sleeping, soon, step, task

C, M = Comparison, Measure


def when(made: Task, about: int, comparison: Comparison, value: Any, measure: Measure = M.COUNT) -> Task:
    return replace(made, when=(Condition(task(about), measure, comparison, value),))


def each(made: Task, over: int) -> Task:
    return replace(made, each=task(over))


async def test_what_is_ready_runs_side_by_side_and_no_more_at_once_than_allowed(shop: Workshop) -> None:
    now, most = 0, 0

    async def counted(call: Call, *rest: Any) -> Any:
        nonlocal now, most
        now, most = now + 1, max(most, now + 1)
        ran = await sleeping(call, *rest)
        now -= 1
        return ran

    await shop.run(*(nap(n, 0.02) for n in range(1, 9)), run_call=counted, parallel=3)
    assert most == 3


async def test_a_branch_that_does_not_hold_is_said_and_what_would_take_it_is_left_out(shop: Workshop) -> None:
    many = when(step(2, "one", name="a"), 1, C.MORE, 3)
    few = when(step(4, "one", name="b"), 1, C.AT_MOST, 3)
    outcomes = await shop.run(step(1, "names", count=2), many, step(3, "one", name=of(2)), few)
    assert [outcomes[task(n)].skipped for n in (1, 2, 3, 4)] == [False, True, True, False]
    assert outcomes[task(2)].answer == "Not done (one 2): only if step 1 finds more than 3; it is 2."
    assert (outcomes[task(3)].answer, outcomes[task(4)].value) == ("", "b!")
    assert [body["answer"] for body in shop.kinds("task.skipped")] == [outcomes[task(2)].answer, ""]


async def test_a_branch_is_said_in_german(shop: Workshop) -> None:
    branch = when(step(2, "one", name="a"), 1, C.EQUAL, 0)
    outcomes = await shop.run(step(1, "names", count=2), branch, language="de")
    assert outcomes[task(2)].answer == "Nicht getan (one 2): nur wenn Schritt 1 nichts findet; es ist 2."


@pytest.mark.parametrize(
    ("comparison", "value", "holds"),
    [
        (C.MORE, "15 km", True),
        (C.MORE, "15000 m", True),
        (C.LESS, {"value": "25", "unit": "km"}, True),
        (C.EQUAL, 20, True),
        (C.MORE, "30 kg", None),
        (C.MORE, "a lot", None),
    ],
)
async def test_quantities_are_compared_in_their_own_measure(
    shop: Workshop, comparison: Comparison, value: Any, holds: bool | None
) -> None:
    branch = when(step(2, "one", name="a"), 1, comparison, value, M.VALUE)
    outcomes = await shop.run(step(1, "measure", name="name 2"), branch)
    if holds is None:
        assert (outcomes[task(2)].error or {})["code"] == "condition.open"
    else:
        assert outcomes[task(2)].skipped is not holds


async def test_a_task_is_made_for_each_item_and_what_follows_for_the_same_item(shop: Workshop) -> None:
    plan = [
        step(1, "names", count=4),
        each(step(2, "measure", name=of(1)), 1),
        each(step(3, "keep", name=of(1), text=of(2, "value")), 1),
        step(4, "one", name=of(3, "name")),
    ]
    outcomes = await shop.run(*plan[:3])
    measured, kept = outcomes[task(2)], outcomes[task(3)]
    assert [one["value"] for one in measured.value] == ["10", "20", "40"]
    assert "Left out: 1 of 4.\n  name 3 has no length." in measured.answer
    assert [one["path"].rsplit("/")[-1] for one in kept.value] == ["name 1.txt", "name 2.txt", "name 4.txt"]
    assert [effect["path"].rsplit("/")[-1] for effect in kept.effects] == ["name 1.txt", "name 2.txt", "name 4.txt"]
    assert [body["call"] for body in shop.kinds("task.started")[1:3]] == ["t2-1", "t2-2"]


async def test_a_condition_on_the_item_is_decided_item_by_item(shop: Workshop) -> None:
    branch = when(each(step(3, "one", name=of(1)), 1), 2, C.MORE, 15, M.VALUE)
    outcomes = await shop.run(step(1, "names", count=2), each(step(2, "measure", name=of(1)), 1), branch)
    assert outcomes[task(3)].value == ["name 2!"]


async def test_a_list_whose_items_all_fail_fails(shop: Workshop) -> None:
    outcomes = await shop.run(step(1, "names", count=2), each(step(2, "fail", a=of(1)), 1))
    assert (outcomes[task(2)].error or {})["code"] == "tool.will_not"


@pytest.mark.parametrize(("count", "code"), [(0, None), (201, "task.items")])
async def test_no_items_and_too_many(shop: Workshop, count: int, code: str | None) -> None:
    outcomes = await shop.run(step(1, "names", count=count), each(step(2, "one", name=of(1)), 1))
    if code is None:
        assert outcomes[task(2)].skipped
        assert outcomes[task(2)].answer == "There was nothing to do it for."
    else:
        assert (outcomes[task(1)].error or {})["code"] == code


async def test_a_value_in_the_wrong_form_is_made_the_right_one_and_said(shop: Workshop) -> None:
    outcomes = await shop.run(step(1, "measure", name="name 2"), step(2, "double", number=of(1)))
    assert outcomes[task(2)].value == 40
    assert outcomes[task(2)].answer == "doubled 20\n(took 20 km as 20)"
    outcomes = await shop.run(step(1, "one", name="x"), step(2, "double", number=of(1)))
    assert (outcomes[task(2)].error or {})["code"] == "task.form"


async def test_a_call_that_crashes_is_made_again_twice_and_no_more(shop: Workshop) -> None:
    outcomes = await shop.run(step(1, "crash"))
    assert (outcomes[task(1)].error or {})["code"] == "task.crashed"
    assert [(body["rung"], body["attempt"]) for body in shop.kinds("task.recovered")] == [("retry", 2), ("retry", 3)]


async def test_a_call_that_crashes_once_is_done_in_the_end(shop: Workshop) -> None:
    calls = 0

    async def flaky(call: Call, *rest: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            error = {"code": "task.crashed", "message": "It crashed.", "hint": ""}
            return Ran(CallResult(error=error), CellOutcome(CellStatus.CRASHED, Level.L3))
        return await sleeping(call, *rest)

    outcomes = await shop.run(nap(1, 0), run_call=flaky)
    assert (outcomes[task(1)].ok, calls, len(shop.kinds("task.started"))) == (True, 2, 2)


async def test_what_a_tool_refuses_is_not_tried_again_and_ends_what_runs_beside_it(shop: Workshop) -> None:
    began = time.monotonic()
    outcomes = await shop.run(step(1, "fail"), nap(2, 30), nap(3, 0, (2,)))
    assert (outcomes[task(1)].error or {})["message"] == "It will not."
    assert set(outcomes) == {task(1)}
    assert not shop.kinds("task.recovered")
    assert time.monotonic() - began < 10


async def test_a_call_that_never_comes_back_ends_with_its_time(shop: Workshop) -> None:
    async def gone(_call: Call, *_: Any) -> Any:
        await asyncio.Event().wait()

    began = time.monotonic()
    outcomes = await shop.run(nap(1, 0), run_call=gone, timeout_s=0.3, prepare=soon)
    assert (outcomes[task(1)].error or {})["code"] == "task.time"
    assert time.monotonic() - began < 10


async def test_a_call_that_is_deaf_to_its_end_is_left_behind(shop: Workshop) -> None:
    heard, ended = asyncio.Event(), asyncio.Event()

    async def deaf(_call: Call, *_: Any) -> Any:
        while not heard.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await heard.wait()
        ended.set()
        return await sleeping(_call)

    outcomes = await asyncio.wait_for(shop.run(nap(1, 0), run_call=deaf, timeout_s=0.2, prepare=soon), 20)
    assert ((outcomes[task(1)].error or {})["code"], ended.is_set()) == ("task.time", False)
    heard.set()
    await asyncio.wait_for(ended.wait(), 20)


async def test_a_call_is_not_told_what_was_staged_where_it_has_no_right(shop: Workshop) -> None:
    kept = step(1, "keep", name="secret name", text="x")
    outcomes = await shop.run(kept, step(2, "spy", [1]), step(3, "trusted_spy", [1]))
    assert outcomes[task(2)].value == "nothing"
    assert outcomes[task(3)].value.endswith("/home/Kept/secret name.txt"), "the control: it is there to be seen"
