"""The rungs between: another tool, in a new version of the plan.

What this stops: a request that ends because one tool is broken although another one could do it; and a replacement that
nobody agreed to, since the new version goes the whole way of any plan: validated, decided on, and asked about where it
needs what was not allowed yet.
Nor is a condition passed over, or a list: a sentence that is read whole again has none.
What it does not: go around a refusal. A tool that says why it will not, a right that was denied and a limit of a
person's are answers; only a tool that broke is replaced, and only while nothing has left the staging.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from kernel.model import Candidate, Outcome, Plan, Proposal
from skills.model import EffectClass, Tool, ToolId

MOST_VERSIONS = 2

_BROKEN = frozenset({"task.crashed", "task.fault", "tool.fault", "tool.os", "result.wrong", "skill.changed"})


def broke(outcomes: Iterable[Outcome], plan: Plan, tool: Callable[[ToolId], Tool]) -> ToolId | None:
    """Return the tool to do without in a new version; None where none broke, or where something may have happened."""
    if plan.version >= MOST_VERSIONS or any(tool(task.tool).effect is EffectClass.ONCE for task in plan.tasks):
        return None
    tools = {task.id: task.tool for task in plan.tasks}
    bad = [one for one in outcomes if not one.ok and _is_broken(one.error or {})]
    return tools[bad[0].task] if bad else None


def _is_broken(error: Mapping[str, str]) -> bool:
    code = error.get("code", "")
    return code in _BROKEN or code.startswith("result.")


def without(
    broken: ToolId, plan: Plan, candidates: Iterable[Candidate], propose: Callable[[list[Candidate]], Proposal]
) -> Plan | None:
    """Return the next version of ``plan``, as ``propose`` makes it of the ``candidates`` without the ``broken`` tool.

    None where what it makes is no plan, or still calls that tool; nor is one without any condition or list the next
    version of one that has them.
    """
    left = [one for one in candidates if one.tool != broken]
    made = propose(left) if left else None
    if not isinstance(made, Plan) or any(task.tool == broken for task in made.tasks):
        return None
    if _is_bounded(plan) and not _is_bounded(made):
        return None
    return replace(made, version=plan.version + 1)


def _is_bounded(plan: Plan) -> bool:
    return any(task.when or task.each for task in plan.tasks)
