"""Which steps may be made ahead: those that read files they were told of by the person, and no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kernel.anticipation.steps import first_steps, may_be_ahead
from kernel.model import Comparison, Condition, Constant, FromTask, Measure, Plan, Task, TaskId
from permissions.labels import KERNEL_SAID, USER_SAID, Label
from permissions.model import Action
from skills import Registry
from skills.contents import BUILTIN
from skills.model import EffectClass, SkillId, Tool, ToolId

REGISTRY = Registry([BUILTIN])
ONE = TaskId("t1")


def _shows(**more: Any) -> Task:
    table = {"path": "/home/u/a.csv"}
    task = Task(TaskId("t2"), ToolId("data.show"), {"table": Constant(table, USER_SAID)})
    return replace(task, **more)


def _steps(*tasks: Task) -> list[str]:
    return [task.id for task in first_steps(Plan(tasks, "en"), REGISTRY.tool, REGISTRY.skill)]


def test_of_the_shipped_tools_only_those_qualify_that_read_files_and_do_nothing_else() -> None:
    ahead = [tool for tool in REGISTRY.tools() if may_be_ahead(tool, REGISTRY.skill(tool.skill))]
    assert {"documents.text", "documents.search", "data.show", "files.contents"} <= {str(one.id) for one in ahead}
    for tool in ahead:
        assert tool.effect is EffectClass.PURE
        assert all(right.action == Action.FS_READ for right in tool.rights)
    never = {"notes.create", "files.move", "mail.received", "system.memory", "timers.show", "desktop.paste"}
    assert never <= {str(tool.id) for tool in REGISTRY.tools()}
    assert never.isdisjoint(str(one.id) for one in ahead)


@pytest.mark.parametrize(
    "other",
    [
        {"effect": EffectClass.IDEMPOTENT}, {"effect": EffectClass.ONCE}, {"followed": True}, {"runs_programs": True},
        {"works_in": ("table",)}, {"works_at": ("~",)}, {"code": "/elsewhere"}, {"served": object()},
    ],
    ids=lambda one: next(iter(one)),
)  # fmt: skip
def test_a_tool_that_does_anything_else_does_not(other: dict[str, Any]) -> None:
    tool = REGISTRY.tool(ToolId("data.show"))
    assert may_be_ahead(tool, REGISTRY.skill(tool.skill))
    assert not may_be_ahead(replace(tool, **other), REGISTRY.skill(tool.skill))


@pytest.mark.parametrize("action", sorted(set(Action) - {Action.FS_READ}))
def test_a_tool_with_any_other_right_does_not(action: Action) -> None:
    tool = REGISTRY.tool(ToolId("data.show"))
    rights = (*tool.rights, replace(tool.rights[0], action=str(action)))
    assert not may_be_ahead(replace(tool, rights=rights), REGISTRY.skill(tool.skill))


def test_code_of_others_does_not() -> None:
    tool: Tool = REGISTRY.tool(ToolId("data.show"))
    skill = REGISTRY.skill(SkillId("data"))
    assert not may_be_ahead(tool, replace(skill, shipped=False))
    assert not may_be_ahead(tool, replace(skill, reminds="to tell"))


def test_only_what_the_person_or_the_kernel_said_is_told_to_a_step() -> None:
    table = {"path": "/home/u/a.csv"}
    assert _steps(_shows()) == ["t2"]
    assert _steps(_shows(arguments={"table": Constant(table, KERNEL_SAID)})) == ["t2"]
    assert _steps(_shows(arguments={"table": Constant(table, Label())})) == []


def test_what_waits_for_another_step_is_no_first_one() -> None:
    listed = Task(ONE, ToolId("files.contents"), {"folder": Constant({"path": "/home/u"}, USER_SAID)})
    assert _steps(listed, _shows(arguments={"table": FromTask(ONE)})) == ["t1"]
    assert _steps(listed, _shows(after=(ONE,))) == ["t1"]
    assert _steps(listed, _shows(each=ONE)) == ["t1"]
    assert _steps(listed, _shows(when=(Condition(ONE, Measure.COUNT, Comparison.MORE, 0),))) == ["t1"]
