"""Names in a plan: what is looked for by what somebody is to the speaker ("my sister") is looked for by name.

Only the words of a search change, and the plan shows them; what is written down stays as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kernel.knowing import forms
from kernel.knowing.finding import Chosen, find
from kernel.model import Argument, Constant, Plan
from permissions.labels import Label, join
from skills.model import ParamRole, Tool, ToolId, ValueKind

if TYPE_CHECKING:
    from memory.graph import Graph

_MINE = re.compile(rf"\b(?:my|meine?[rsnm]?) (?P<w>{forms.ROLES})(?:['’]?s)?\b", re.IGNORECASE)
_OTHERS_WORD = Label()
"""What a name from the graph is at least worth: it may be from a file."""


def names_somebody(text: str) -> bool:
    """Tell whether a sentence speaks of somebody by what they are to the speaker; nothing else is looked up."""
    return _MINE.search(text) is not None


def named(graph: Graph, plan: Plan, text: str, tool: Callable[[ToolId], Tool], chosen: Chosen) -> Plan:
    """Return ``plan`` with names in the searches that ``text`` asks for by role. Raises Several."""
    names = {}
    for match in _MINE.finditer(text):
        found = find(graph, f"my {match['w']}", "person", chosen)
        if found is not None:
            names[match["w"].casefold()] = found.name
    if not names:
        return plan
    tasks = []
    for task in plan.tasks:
        parameters = {one.name: one for one in tool(task.tool).parameters}
        said = {
            name: _named(value, names) if _is_search(parameters.get(name)) else value
            for name, value in task.arguments.items()
        }
        tasks.append(replace(task, arguments=said))
    return replace(plan, tasks=tuple(tasks))


def _is_search(parameter: Any) -> bool:
    return parameter is not None and parameter.type.kind is ValueKind.QUERY and parameter.role is not ParamRole.SINK


def _named(argument: Argument, names: dict[str, str]) -> Argument:
    if not isinstance(argument, Constant) or not isinstance(argument.value, str):
        return argument
    words = "|".join(map(re.escape, names))
    whole = re.compile(rf"(?:\b(?:my|meine?[rsnm]?) )?\b(?P<w>{words})(?P<s>['’]s|s)?\b", re.IGNORECASE)
    value = whole.sub(lambda found: names[found["w"].casefold()], argument.value)
    if value == argument.value:
        return argument
    return replace(argument, value=value, label=join([argument.label, _OTHERS_WORD]))
