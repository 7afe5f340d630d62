"""Who waits for whom: any DAG is run whole, in an order that keeps every arrow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.dispatching.schedule import GATHERED, Schedule
from kernel.model import Plan, Task, TaskId, TaskRights
from permissions.model import Action, Right
from skills.model import ToolId


def plan(shape: list[set[int]]) -> Plan:
    tasks = [
        Task(TaskId(f"t{n}"), ToolId("s.t"), {}, tuple(TaskId(f"t{one}") for one in sorted(after)))
        for n, after in enumerate(shape)
    ]
    return Plan(tuple(tasks), "en")


def rights(made: Plan, touching: set[int] = frozenset()) -> dict[TaskId, TaskRights]:  # type: ignore[assignment]
    change = Right(Action.FS_WRITE, "/h/a")
    return {
        one.id: TaskRights(one.id, (change,) if at in touching else (), (), ()) for at, one in enumerate(made.tasks)
    }


@st.composite
def dags(draw: st.DrawFn) -> list[set[int]]:
    size = draw(st.integers(1, 25))
    return [draw(st.sets(st.integers(0, n - 1), max_size=3)) if n else set() for n in range(size)]


@given(dags(), st.sets(st.integers(0, 24)), st.integers(1, 8))
def test_every_task_is_run_once_and_after_what_it_needs(shape: list[set[int]], touching: set[int], room: int) -> None:
    made = plan(shape)
    schedule = Schedule(made, rights(made, touching))
    order: list[int] = []
    running = schedule.take(room)
    while running:
        node = running.pop(0)
        order.append(int(node.task.id[1:]))
        schedule.done(node)
        running += schedule.take(room - len(running))
    assert sorted(order) == list(range(len(shape)))
    assert all(order.index(one) < order.index(at) for at, after in enumerate(shape) for one in after)
    turns = [one for one in order if one in touching]
    assert turns == sorted(turns), "what touches the same place keeps the order of the plan"


def test_the_longest_chain_begins_first() -> None:
    made = plan([set(), set(), {1}, {2}])
    assert [node.task.id for node in Schedule(made, rights(made)).take(1)] == ["t1"]


def looped(count: int, *, changes: bool) -> list[str]:
    """The order of ``t0``, then ``t1`` and ``t2`` (of it) for each item, then ``t3``, one at a time from behind."""
    tasks = (
        Task(TaskId("t0"), ToolId("s.t"), {}),
        Task(TaskId("t1"), ToolId("s.t"), {}, each=TaskId("t0")),
        Task(TaskId("t2"), ToolId("s.t"), {}, (TaskId("t1"),), each=TaskId("t0")),
        Task(TaskId("t3"), ToolId("s.t"), {}, (TaskId("t2"),)),
    )
    made = Plan(tasks, "en")
    schedule = Schedule(made, rights(made, {2} if changes else set()))
    order: list[str] = []
    running = schedule.take(9)
    while running:
        node = running.pop()
        order.append(node.name if node.item != GATHERED else f"{node.name}.")
        if node.task.id == "t0":
            schedule.open(TaskId("t0"), count)
        schedule.done(node)
        running += schedule.take(9)
    return order


@pytest.mark.parametrize("changes", [False, True])
def test_an_item_waits_for_its_own_calls_only(changes: bool) -> None:
    order = looped(3, changes=changes)
    assert order[0] == "t0."
    assert order[-1] == "t3."
    assert order[-2] == "t2."
    assert all(order.index(f"t1-{n}") < order.index(f"t2-{n}") < order.index("t2.") for n in (1, 2, 3))
    if changes:
        assert order.index("t2-1") < order.index("t2-2") < order.index("t2-3")
    else:
        assert order.index("t2-3") < order.index("t1-1"), "the third item did not wait for the first"


def test_a_list_of_nothing_is_gathered_at_once() -> None:
    assert looped(0, changes=False) == ["t0.", "t1.", "t2.", "t3."]
