"""What a macro was frozen with: the contents of the skills, and what the tools take, may do and give back.

What this stops: a plan that is carried out by other code, or by a tool of another form, than the one it was seen with.
What it does not: say what changed; a person sees the new plan.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kernel.model import Plan
from skills import one_import
from skills.errors import SkillError
from skills.model import Tool, ToolId

if TYPE_CHECKING:
    from skills import Registry


_DIGESTS: dict[tuple[str, ToolId], str] = {}
"""By contents and tool, as looked at in this process: for as long as it runs the same contents mean the same form."""


def guards_of(plan: Plan, registry: Registry) -> dict[str, str]:
    """Return the digests for a plan's skills and tools. Raises UnknownTool where one is not there."""
    tools = [registry.tool(tool) for tool in dict.fromkeys(task.tool for task in plan.tasks)]
    skills = {f"skill:{tool.skill}": registry.skill(tool.skill).hash for tool in tools}
    return skills | {f"tool:{tool.id}": _digest(tool, registry.skill(tool.skill).hash) for tool in tools}


def changed(plan: Plan, guards: Mapping[str, str], registry: Registry) -> tuple[ToolId, ...]:
    """Return the tools of a plan that are gone, or that are not as they were when it was frozen."""
    return tuple(tool for tool in dict.fromkeys(task.tool for task in plan.tasks) if _is_other(tool, guards, registry))


def _is_other(tool: ToolId, guards: Mapping[str, str], registry: Registry) -> bool:
    try:
        found = registry.tool(tool)
        skill = registry.skill(found.skill)
    except SkillError:
        return True
    return guards.get(f"skill:{found.skill}") != skill.hash or guards.get(f"tool:{tool}") != _digest(found, skill.hash)


def _digest(tool: Tool, contents: str) -> str:
    known = _DIGESTS.get((contents, tool.id))
    return known or _DIGESTS.setdefault((contents, tool.id), _form(tool))


def _form(tool: Tool) -> str:
    with one_import:  # no start waits for it
        from kernel.clients.describing import input_schema, value_schema

    form = {
        "takes": input_schema(tool), "gives": value_schema(tool.result), "effect": str(tool.effect),
        "roles": {one.name: str(one.role) for one in tool.parameters},
        "rights": [[one.action, one.scope] for one in tool.rights],
    }  # fmt: skip
    return hashlib.sha256(json.dumps(form, sort_keys=True).encode()).hexdigest()
