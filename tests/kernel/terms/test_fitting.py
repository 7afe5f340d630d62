"""The least that a plan has ever taken, worked out of what the ledger has."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.model import Comparison, Condition, Constant, FromTask, Measure, Plan, Task, TaskId
from kernel.terms.fitting import longest
from memory.model import Event
from permissions.labels import USER_SAID
from skills.errors import UnknownTool
from skills.model import EffectClass, Parameter, ParamRole, SkillId, Tool, ToolId, ValueKind, ValueType

T1, T2, T3 = (TaskId(f"t{n}") for n in (1, 2, 3))
NAP, RUN = ToolId("s.nap"), ToolId("s.run")


def tool(name: ToolId) -> Tool:
    if name not in (NAP, RUN):
        raise UnknownTool("tool.unknown", "gone", subject=str(name))
    role = ParamRole.SINK if name == RUN else ParamRole.PAYLOAD
    taken = Parameter("what", ValueType(ValueKind.TEXT), False, "", role=role)
    return Tool(name, SkillId("s"), name.partition(".")[2], "", EffectClass.PURE, (taken,),
                ValueType(ValueKind.TEXT), (), ())  # fmt: skip


def ran(name: ToolId, *seconds: float, what: str = "", first: int = 0, **more: Any) -> list[Event]:
    """The events of earlier calls of a tool that took so long."""
    found = []
    for at, took in enumerate(seconds, first):
        started: Any = {"tool": name, "arguments": {"what": what}, **more}
        for kind, body in (("task.started", started), ("task.done", {"wall_ms": took * 1000})):
            found.append(Event(len(found), at, kind, f"r{name}{what}{at}", "t1", body, {}, ""))
    return found


def step(number: TaskId, name: ToolId, *after: TaskId, what: str = "", **more: Any) -> Task:
    given = {"what": FromTask(after[0]) if after else Constant(what, USER_SAID)}
    return Task(number, name, given, **more)


def test_the_longest_chain_counts_by_the_quickest_call_of_each_tool() -> None:
    plan = Plan((step(T1, NAP), step(T2, NAP, T1), step(T3, NAP)), "en")
    chain = longest(plan, ran(NAP, 3, 2, 5), tool)
    assert (chain.tools, chain.least_s) == ((NAP, NAP), 4.0)


def test_too_few_calls_say_nothing() -> None:
    assert longest(Plan((step(T1, NAP),), "en"), ran(NAP, 9, 9), tool).least_s == 0
    assert longest(Plan((step(T1, NAP),), "en"), ran(NAP, 9, 9, 9), tool).least_s == 9, "the control"


def test_what_a_command_took_says_nothing_of_another_one() -> None:
    past = ran(RUN, 9, 9, 9, what="sleep 9")
    assert longest(Plan((step(T1, RUN, what="true"),), "en"), past, tool).least_s == 0
    assert longest(Plan((step(T1, RUN, what="sleep 9"),), "en"), past, tool).least_s == 9, "the control"


@pytest.mark.parametrize("more", [
    {"when": (Condition(T1, Measure.COUNT, Comparison.MORE, 3),)}, {"each": T1},
])  # fmt: skip
def test_a_step_that_may_be_left_out_counts_nothing(more: dict[str, Any]) -> None:
    plan = Plan((step(T1, RUN, what="true"), step(T2, NAP, **more)), "en")
    assert longest(plan, ran(NAP, 9, 9, 9), tool).least_s == 0


def test_forgotten_words_tools_that_are_gone_and_calls_for_each_of_many_are_passed_over() -> None:
    forgotten = [
        Event(1, 1, "task.started", "r", "t1", None, {}, ""),
        Event(2, 1, "task.done", "r", "t1", None, {}, ""),
    ]
    past = [*forgotten, *ran(ToolId("s.gone"), 9, 9, 9), *ran(NAP, 9, 9, 9, call="t1-1")]
    assert longest(Plan((step(T1, NAP),), "en"), past, tool).least_s == 0
