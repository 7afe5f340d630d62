"""What accepted requests say of whom Steward knows: which tool was used about them, and that the person uses it.

A request that was carried out and stands is the source (its plan's event), the person's own words the label. Nobody is
made for it: only whom the graph knows already, and whom a value names alone, is written of. So it is forgotten with
them, and taken back with the request.

What this stops: facts from a request that was refused, is private or a client's; two who are called alike taken for
one; a graph for somebody who never told anything. What it does not: say what was done, or with what result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from kernel.knowing.finding import SELF, TOOL, oneself
from kernel.model import Constant, Plan, Task
from memory.graph import Claim, Object, Query
from memory.model import EntityId
from permissions.labels import KERNEL_SAID, Label, join
from skills.model import ParamRole, Tool, ToolId

if TYPE_CHECKING:
    from memory.graph import Graph

VOICE = "requests"
"""The extractor of what accepted requests say."""

MOST_NAMED, LONGEST = 5, 200
"""So many are named in one call, at most; in values of so many characters."""


def note(graph: Graph, plan: Plan, tool: Callable[[ToolId], Tool], source: int) -> int:
    """Write down whom the calls of ``plan`` were about, read from the event ``source``; return how many facts it says.

    Raises StoreFailed.
    """
    claims: list[Claim] = []
    for task in plan.tasks:
        named = dict(list(_named(graph, task, tool(task.tool)))[:MOST_NAMED])
        if not named:
            continue
        used = _tool(graph, str(task.tool))
        label = join(named.values()).to_json()
        claims.append(Claim(_speaker(graph), "uses", Object.entity(used), VOICE, source=source, label=label))
        claims += [
            Claim(used, "mentions", Object.entity(who), VOICE, source=source, label=its.to_json())
            for who, its in named.items()
        ]  # fmt: skip
    return len(graph.assert_facts(*claims)) if claims else 0


def _named(graph: Graph, task: Task, tool: Tool) -> Iterator[tuple[EntityId, Label]]:
    """Yield who alone is named in what the call was given, and whose words that is."""
    parameters = {one.name: one for one in tool.parameters}
    for name, value in task.arguments.items():
        parameter = parameters.get(name)
        if parameter is None or parameter.role is ParamRole.PAYLOAD or not isinstance(value, Constant):
            continue
        text = value.value
        if not isinstance(text, str) or len(text) > LONGEST or text.startswith("/"):
            continue
        whom = graph.named_in(text, besides=(TOOL, SELF))
        alike = Counter(whom.values())
        yield from ((one, value.label) for one, form in whom.items() if alike[form] == 1)


def _tool(graph: Graph, name: str) -> EntityId:
    there = next((one.id for one in graph.entities(TOOL) if one.name == name), None)
    return there or graph.make_entity(TOOL, name, label=KERNEL_SAID.to_json()).id


def _speaker(graph: Graph) -> EntityId:
    speaker = oneself(graph)
    return speaker.id if speaker else graph.make_entity(SELF, "me", label=KERNEL_SAID.to_json()).id


def take_back(graph: Graph, source: int) -> int:
    """Take back what the plan of the event ``source`` said, for it was undone; return how many facts."""
    facts = graph.facts(Query(extractor=VOICE, source=source))
    for fact in facts:
        graph.retract(fact.id, "undone")
    return len(facts)


def linked(graph: Graph, text: str) -> Mapping[str, float]:
    """Return how near each tool is to whom ``text`` names, 0..1, the nearest as 1 (personalised PageRank)."""
    seeds = dict.fromkeys(graph.named_in(text, besides=(TOOL, SELF)), 1.0)
    tools = {one.id: one.name for one in graph.entities(TOOL)} if seeds else {}
    shares = {tools[id]: share for id, share in graph.rank(seeds) if id in tools} if tools else {}
    top = max(shares.values(), default=0.0)
    return {name: share / top for name, share in shares.items()} if top > 0 else {}
