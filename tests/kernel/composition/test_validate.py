"""The validator refuses every plan that may not be authorised, whoever proposed it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernel.composition.validate import MOST_TASKS, validate
from kernel.context.toolbox import Toolbox
from kernel.model import Argument, Constant, FromTask, Plan, Task, TaskId
from kernel.planning.plan_json import plan_from_json, plan_to_json
from permissions.labels import USER_SAID
from skills.model import EffectClass, Parameter, SkillId, Tool, ToolId, ValueKind, ValueType

K = ValueKind


def tool(name: str, result: ValueType, *parameters: Parameter) -> Tool:
    return Tool(ToolId(f"s.{name}"), SkillId("s"), name, "", EffectClass.PURE, parameters, result, (), ())


def wants(
    name: str, kind: ValueKind, *, required: bool = True, many: bool = False, choices: tuple[str, ...] = ()
) -> Parameter:
    return Parameter(name, ValueType(kind, many, choices), required, "")


BOX = Toolbox.build(
    [
        tool(
            "find",
            ValueType(K.FILE, many=True, fields={"name": ValueType(K.TEXT)}),
            wants("count", K.INTEGER, required=False),
        ),
        tool(
            "read", ValueType(K.TEXT), wants("file", K.FILE), wants("how", K.CHOICE, required=False, choices=("a", "b"))
        ),
        tool("weigh", ValueType(K.NUMBER), wants("row", K.RECORD)),
    ]
)


def said(value: object) -> Constant:
    return Constant(value, USER_SAID, str(value))


def task(number: int, name: str, after: tuple[TaskId, ...] = (), **arguments: Argument) -> Task:
    return Task(TaskId(f"t{number}"), ToolId(f"s.{name}"), arguments, after)


GOOD = Plan((task(1, "find", count=said(1)), task(2, "read", file=FromTask(TaskId("t1"), index=0))), "en")


def test_a_good_plan_passes_and_survives_the_ledger() -> None:
    assert validate(GOOD, BOX) == ()
    assert plan_from_json(plan_to_json(GOOD)) == GOOD


@pytest.mark.parametrize(
    ("tasks", "problem"),
    [
        ((), "no task"),
        ((task(1, "fly"),), "not installed"),
        ((task(1, "read"),), "lacks file"),
        ((task(1, "find", speed=said(1)),), "no parameter speed"),
        ((task(1, "read", file=FromTask(TaskId("t2"))), task(2, "find")), "does not come before"),
        ((task(1, "read", file=FromTask(TaskId("t1"))),), "does not come before"),
        ((task(1, "find"), task(1, "find")), "Two tasks"),
        ((task(1, "find"), task(2, "read", file=FromTask(TaskId("t1"), "colour", 0))), "field colour"),
        ((task(1, "find"), task(2, "weigh", row=FromTask(TaskId("t1")))), "wants record"),
        ((task(1, "find", after=(TaskId("t9"),)),), "waits for t9"),
        ((task(1, "find", count=said("three")),), "does not take"),
        ((task(1, "find", count=said(True)),), "does not take"),
        ((task(1, "read", file=said("/a\0b")),), "does not take"),
        ((task(1, "read", file=said("/a"), how=said("c")),), "does not take"),
        ((task(1, "read", file=said(None)),), "no value"),
        ((task(1, "read", file=said("/" + "x" * 200_000)),), "too large"),
        (tuple(task(number, "find") for number in range(MOST_TASKS + 1)), "are the most"),
    ],
)
def test_a_bad_plan_is_refused_in_words(tasks: tuple[Task, ...], problem: str) -> None:
    problems = validate(replace(GOOD, tasks=tasks), BOX)
    assert any(problem in one for one in problems), problems
