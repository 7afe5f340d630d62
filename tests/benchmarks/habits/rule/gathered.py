"""A text that a plan makes of several things before it takes it: what it is made of, whatever the step is called."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from kernel.model import Argument, FromTask, Plan, TaskId
from skills.model import Tool, ToolId

_AND = re.compile(r" and (?=<|the )")


def without_gathering(plan: Plan, tool: Callable[[ToolId], Tool]) -> tuple[Plan, dict[TaskId, tuple[Argument, ...]]]:
    """Return ``plan`` without the steps that only make one text for a later one, and what each of them is made of."""
    taken = {one.task for task in plan.tasks for one in task.arguments.values() if one == FromTask(_task_of(one))}
    made = [one for one in plan.tasks if tool(one.tool).gathers and one.id in taken and not (one.when or one.each)]
    parts = {one.id: tuple(one.arguments[of.name] for of in tool(one.tool).parameters if of.name in one.arguments)
             for one in made}  # fmt: skip
    return replace(plan, tasks=tuple(one for one in plan.tasks if one not in made)), parts


def parts_wanted(pattern: str) -> tuple[str, ...]:
    """Return the parts of "<1> and the file's name", each as it is written alone: "<1>", "<the file's name>"."""
    return tuple(one if one.startswith("<") else f"<{one}>" for one in _AND.split(pattern))


def _task_of(one: Argument) -> TaskId:
    return one.task if isinstance(one, FromTask) else TaskId("")
