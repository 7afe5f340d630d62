"""Which steps of a plan may be made before anybody asked for them.

What this stops: a call that writes, asks, sends, reaches a host, a model, a program or another tool; one whose word
comes of an earlier step, and so of what others wrote; one of code that nobody here has read.
What it does not: decide a right. Each call is decided like any other, and made only where nothing has to be asked.
"""

from __future__ import annotations

from collections.abc import Callable

from kernel.model import Constant, Plan, Task
from permissions.labels import Integrity
from permissions.model import Action
from skills.model import EffectClass, Skill, SkillId, Tool, ToolId


def may_be_ahead(tool: Tool, skill: Skill) -> bool:
    """Tell whether what a call of ``tool`` depends on can be known in full: its arguments, and files that it is shown.

    Whether it goes by the clock only its call tells (``skills.sdk.moment``), and only the shipped skills are known to
    look at no other clock.
    """
    only_its_own = not (tool.served or tool.followed or tool.code or tool.runs_programs or skill.packages)
    in_no_room = not (tool.works_in or tool.works_at or skill.reminds)
    only_reads = all(one.action == Action.FS_READ for one in tool.rights)
    return tool.effect is EffectClass.PURE and skill.shipped and only_its_own and in_no_room and only_reads


def first_steps(
    plan: Plan, tool_of: Callable[[ToolId], Tool], skill_of: Callable[[SkillId], Skill]
) -> list[Task]:  # fmt: skip
    """Return the steps that wait for nothing, are told nothing but the person's words, and may be made ahead."""
    found = []
    for task in plan.tasks:
        tool = tool_of(task.tool)
        if not task.needs() and _is_persons(task) and may_be_ahead(tool, skill_of(tool.skill)):
            found.append(task)
    return found


def _is_persons(task: Task) -> bool:
    """Tell whether every value is the person's word or the kernel's own, and none is of others."""
    values = task.arguments.values()
    return all(isinstance(one, Constant) and one.label.integrity >= Integrity.KERNEL for one in values)
