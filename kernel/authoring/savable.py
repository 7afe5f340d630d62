"""Which step of a run cannot be a step of a skill, and why. Pure.

What this stops: a skill that would decide without a person what one was asked about in the run: how often something is
done that nothing takes back, or whether it is, because of what others wrote.
What it does not: look at values; which of them a person has to say is ``lifting``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kernel.errors import BadRequest
from kernel.model import Outcome, Plan, Task, TaskId
from permissions.labels import Integrity, Label
from skills.model import EffectClass, ParamRole, Tool
from skills.roles import OUTWARD


def refused(run: str, why: str, hint: str = "") -> BadRequest:
    """Return why no skill can be made of a run."""
    hint = hint or "Choose another run (./steward runs), or write a skill: ./steward skills new NAME"
    return BadRequest("skill.from_run", f"No skill can be made of {run}: {why}.", subject=run, hint=hint)


@dataclass(frozen=True, slots=True)
class Looked:
    """A run as it is looked at: its plan, the tools of its tasks, and what those came to."""

    run: str
    plan: Plan
    tools: Mapping[TaskId, Tool]
    outcomes: Mapping[TaskId, Outcome]

    def step(self, task: TaskId) -> str:
        """Return what a person calls a task: ``step 2 (files.move)``."""
        number = next(at for at, one in enumerate(self.plan.tasks, 1) if one.id == task)
        return f"step {number} ({self.tools[task].id})"

    def refused(self, task: TaskId, why: str, hint: str = "") -> BadRequest:
        """Return why a task cannot be a step."""
        return refused(self.run, f"{self.step(task)} {why}", hint)


def check(looked: Looked) -> None:
    """Raise BadRequest for the first task that cannot be a step of a skill."""
    for task in looked.plan.tasks:
        why = _why_not(task, looked.tools[task.id]) or _undecided(task, looked)
        if why:
            raise looked.refused(task.id, why)


def _why_not(task: Task, tool: Tool) -> str:
    if tool.works_in or tool.works_at:
        return "works in a folder of yours in its own way, and only a request may have that"
    if tool.followed:
        return "is done by a model that follows instructions, which only a request may ask for"
    if any(right.is_own for right in tool.rights):
        return f"works with what {tool.skill} keeps for itself, which no other tool reaches"
    return ""


def _undecided(task: Task, looked: Looked) -> str:
    """Return what a person was asked about in the run that a skill would decide by itself; "" for nothing."""
    tool = looked.tools[task.id]
    if tool.effect is not EffectClass.ONCE and not any(right.action in OUTWARD for right in tool.rights):
        return ""
    if task.each is not None and _of_others(looked.outcomes.get(task.each)):
        return "is done once for each item of what others listed, which you are asked about each time"
    sinks = any(one.role is ParamRole.SINK and one.name in task.arguments for one in tool.parameters)
    if sinks and any(_of_others(looked.outcomes.get(one.task)) for one in task.when):
        return "is done or not because of what others wrote, which you are asked about each time"
    return ""


def _of_others(outcome: Outcome | None) -> bool:
    label = (outcome.label if outcome else None) or Label()
    return label.integrity <= Integrity.UNTRUSTED
