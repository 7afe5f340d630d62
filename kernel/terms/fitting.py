"""Whether a plan can be done in time, by what its calls took before.

It is refused only where it cannot be: the longest chain of steps that surely run, each as quick as the quickest of its
last calls. What has run fewer than ``ENOUGH`` times counts nothing, nor does a step that may be left out. Of a tool
that does what one of its values says (a command, an address) only calls with the very same values are looked at.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel.model import Constant, Plan, Task, TaskId
from kernel.paths import paths_of
from memory.model import Event
from skills.errors import UnknownTool
from skills.model import ParamRole, Tool, ToolId

ENOUGH = 3
LOOKED_AT = 20_000
"""So many of the last events are read."""

KINDS = ("task.started", "task.done")
ToolOf = Callable[[ToolId], Tool]


@dataclass(frozen=True, slots=True)
class Chain:
    """The steps that take longest one after the other, as tools, and the seconds that they take at the least."""

    tools: tuple[ToolId, ...] = ()
    least_s: float = 0.0


def longest(plan: Plan, events: Iterable[Event], tool: ToolOf) -> Chain:
    """Return the longest chain of ``plan`` by what stands in ``events`` of earlier calls."""
    least = _least(events, tool)
    chains: dict[TaskId, Chain] = {}
    for task in plan.tasks:
        before = max((chains[one] for one in task.needs() if one in chains), key=_length, default=Chain())
        took = 0.0 if task.when or task.each else least.get(_key(tool(task.tool), _known(task)), 0.0)
        chains[task.id] = Chain((*before.tools, task.tool), before.least_s + took) if took else before
    return max(chains.values(), key=_length, default=Chain())


def _length(chain: Chain) -> float:
    return chain.least_s


def _least(events: Iterable[Event], tool: ToolOf) -> Mapping[str, float]:
    """Return the seconds of the quickest call of every kind that was made often enough."""
    took = seconds_of(events, lambda body: _began(body, tool))
    return {key: min(each) for key, each in took.items() if len(each) >= ENOUGH}


def seconds_of(events: Iterable[Event], kind: Callable[[Mapping[str, Any]], str]) -> Mapping[str, Sequence[float]]:
    """Return by ``kind`` how long the calls took that ``events`` (of ``KINDS``) tell of, in seconds, the latest last.

    ``kind`` is told what was said when a call began, and is empty for one that does not count. Left out are calls that
    a tool made of another one, those that were tried again, and what was skipped.
    """
    begun: dict[tuple[str, str], str] = {}
    took: dict[str, list[float]] = defaultdict(list)
    for event in events:
        at = (event.run or "", event.task or "")
        if event.body is None:
            continue
        body: Mapping[str, Any] = event.body
        if event.kind == "task.started":
            begun.pop(at, None)
            if "call" not in body and body.get("attempt", 1) == 1 and (key := kind(body)):
                begun[at] = key
        elif at in begun and not body.get("skipped"):
            took[begun.pop(at)].append(float(body.get("wall_ms") or 0) / 1000)
    return took


def _began(body: Mapping[str, Any], tool: ToolOf) -> str:
    """Return of which kind a call was; empty where its tool is no longer there."""
    try:
        return _key(tool(ToolId(str(body.get("tool")))), body.get("arguments") or {})
    except UnknownTool:
        return ""


def _known(task: Task) -> Mapping[str, Any]:
    return {name: one.value for name, one in task.arguments.items() if isinstance(one, Constant)}


def _key(tool: Tool, values: Mapping[str, Any]) -> str:
    """Return what calls are alike by: their tool, and where a value of its says what it does, all that it is given."""
    if all(one.role is not ParamRole.SINK for one in tool.parameters):
        return str(tool.id)
    given = {name: list(paths_of(value)) or value for name, value in values.items() if value is not None}
    return f"{tool.id} {json.dumps(given, sort_keys=True, default=str)}"
