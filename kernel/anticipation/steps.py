"""Which steps of a plan may be made before anybody asked for them.

What this stops: a call that writes, asks, sends, reaches a host, a model, a program or another tool; one whose word
comes of an earlier step, and so of what others wrote; one of code that nobody here has read.
What it does not: decide a right. Each call is decided like any other, and made only where nothing has to be asked.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from kernel.anticipation.model import Offer
from kernel.errors import KernelError
from kernel.macros.spoken import meant
from kernel.macros.trying import tried_plan
from kernel.model import Constant, Plan, Task
from kernel.routines.moving import CannotTell, moved
from permissions.labels import Integrity
from permissions.model import Action
from skills.errors import SkillError
from skills.model import EffectClass, Skill, SkillId, Tool, ToolId

if TYPE_CHECKING:
    from kernel.house import House


def may_be_ahead(tool: Tool, skill: Skill) -> bool:
    """Tell whether what a call of ``tool`` depends on can be known in full: its arguments, and files that it is shown.

    Whether it goes by the clock only its call tells (``skills.sdk.moment``), and only the shipped skills are known to
    look at no other clock.
    """
    only_its_own = not (tool.served or tool.followed or tool.code or tool.runs_programs or skill.packages)
    in_no_room = not (tool.works_in or tool.works_at or skill.reminds)
    only_reads = all(one.action == Action.FS_READ for one in tool.rights)
    return tool.effect is EffectClass.PURE and skill.shipped and only_its_own and in_no_room and only_reads


def steps_of(house: House, offer: Offer) -> list[tuple[Plan, Task]]:
    """Return the first steps of what taking an offer would do, with the plan that they are of; none where that cannot
    be told."""
    registry = house.registry
    with suppress(KernelError, SkillError, CannotTell, KeyError):
        macro = meant(offer.text, house.macros.every())
        frozen = house.talk.plan(offer.run) if macro is None else None
        if macro is not None:
            plan = tried_plan(house, macro, {})
        elif frozen is not None:
            plan = moved(frozen, frozen.language, offer.made, house.clock(), registry.tool)
        else:
            return []
        return [(plan, task) for task in first_steps(plan, registry.tool, registry.skill)]
    return []


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
