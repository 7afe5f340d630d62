"""What accepted requests say of whom Steward knows: which tool was used about them, and that the person uses it.

A request that was carried out and stands is the source (its plan's event). The word is Steward's own, for the person
alone to read: that somebody was asked about vouches for no name of theirs. Nobody is made for it: only whom the graph
knows already, and whom a value names alone, is written of. So it is forgotten with them, and taken back with the
last request that said it.

What this stops: a name from a file that decides by itself once a request has used it; facts from a request that was
refused, is private or a client's; two who are called alike taken for one; a graph for somebody who never told anything.
What it does not: say what was done, or with what result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kernel.knowing.finding import SELF, TOOL, oneself
from kernel.model import Constant, Plan, Resolution, Task
from memory.graph import Claim, Object, Query
from memory.model import EntityId
from permissions.labels import FOR_THE_PERSON, KERNEL_SAID, Label, join
from skills.errors import SkillError
from skills.model import ParamRole, Tool, ToolId, ValueKind

if TYPE_CHECKING:
    from kernel.house import House
    from memory.graph import Graph
    from memory.graph.model import Fact

VOICE = "requests"
"""The extractor of what accepted requests say."""

MOST_NAMED, LONGEST = 5, 200
"""So many are named in one call, at most; in values of so many characters."""

_NAMELESS = frozenset((
    ValueKind.CHOICE, ValueKind.EXPRESSION, ValueKind.UNIT, ValueKind.URL, ValueKind.DATE, ValueKind.RECURRENCE,
))  # fmt: skip
"""Values of these kinds are written in words, and name nobody."""


def note(
    graph: Graph, plan: Plan, tool: Callable[[ToolId], Tool], source: int,
    only: AbstractSet[tuple[str, str, str]] | None = None,
) -> int:  # fmt: skip
    """Write down whom the calls of ``plan`` were about, read from the event ``source``; return how many facts it says.

    With ``only``, nothing but these (subject, predicate, object). Raises StoreFailed.
    """
    claims: list[Claim] = []
    for task in plan.tasks:
        named = dict(list(_named(graph, task, tool(task.tool)))[:MOST_NAMED])
        if not named:
            continue
        used = _tool(graph, str(task.tool))
        label = _label(join(named.values()))
        claims.append(Claim(_speaker(graph), "uses", Object.entity(used), VOICE, source=source, label=label))
        claims += [
            Claim(used, "mentions", Object.entity(who), VOICE, source=source, label=_label(its))
            for who, its in named.items()
        ]  # fmt: skip
    claims = [one for one in claims if only is None or (one.subject, one.predicate, one.object.value) in only]
    return len(graph.assert_facts(*claims)) if claims else 0


def _label(said: Label) -> dict[str, Any]:
    """The label of a fact that comes from words with the label ``said``: never more than Steward's own word."""
    return replace(FOR_THE_PERSON, integrity=min(said.integrity, FOR_THE_PERSON.integrity)).to_json()


def _named(graph: Graph, task: Task, tool: Tool) -> Iterator[tuple[EntityId, Label]]:
    """Yield who alone is named in what the call was given, and whose words that is."""
    for text, label in _texts(task, tool):
        whom = graph.named_in(text, besides=(TOOL, SELF))
        alike = Counter(whom.values())
        yield from ((one, label) for one, form in whom.items() if alike[form] == 1)


def speaks(plan: Plan, tool: Callable[[ToolId], Tool]) -> bool:
    """Tell whether a call was given any words that may name somebody; else the graph is not asked."""
    return any(True for task in plan.tasks for _ in _texts(task, tool(task.tool)))


def _texts(task: Task, tool: Tool) -> Iterator[tuple[str, Label]]:
    parameters = {one.name: one for one in tool.parameters}
    for name, value in task.arguments.items():
        parameter = parameters.get(name)
        if parameter is None or parameter.role is ParamRole.PAYLOAD or not isinstance(value, Constant):
            continue
        text, names = value.value, parameter.type.kind not in _NAMELESS
        if names and isinstance(text, str) and len(text) <= LONGEST and not text.startswith("/"):
            yield text, value.label


def _tool(graph: Graph, name: str) -> EntityId:
    there = next((one.id for one in graph.entities(TOOL) if one.name == name), None)
    return there or graph.make_entity(TOOL, name, label=KERNEL_SAID.to_json()).id


def _speaker(graph: Graph) -> EntityId:
    speaker = oneself(graph)
    return speaker.id if speaker else graph.make_entity(SELF, "me", label=KERNEL_SAID.to_json()).id


def take_back(house: House, run: str) -> None:
    """Take back what ``run`` said, for it was undone; what another request that stands says as well is said by that.

    Raises StoreFailed.
    """
    graph = house.knowledge.graph()
    facts = [
        fact
        for event in house.ledger.events(run=run, kinds=("run.planned",))
        for fact in graph.facts(Query(extractor=VOICE, source=event.seq))
    ]
    for fact in facts:
        graph.retract(fact.id, "undone")
    gone = {_said(fact) for fact in facts}
    tools = {graph.entity(id).name for fact in facts for id in (fact.subject, EntityId(fact.object.value))}
    for source, plan in _standing(house, run, tools) if gone else ():
        with suppress(SkillError):  # a tool that is no longer there is used by nobody
            note(graph, plan, house.registry.tool, source, only=gone)
        if gone <= {_said(fact) for fact in graph.facts(Query(extractor=VOICE))}:
            return


def _said(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.predicate, fact.object.value


def _standing(house: House, besides: str, tools: AbstractSet[str]) -> Iterator[tuple[int, Plan]]:
    """Yield each other request that used one of ``tools``, was carried out and stands, the latest first: the event of
    its plan, and the plan. So many are looked at (``MOST_LOOKED_AT``): an undo does not wait for a whole ledger.
    """
    ended = house.ledger.events(kinds=("run.finished",))
    done = [event.run for event in ended if (event.body or {}).get("resolution") in _DONE]
    for run in reversed(done[-MOST_LOOKED_AT:]):
        plan = house.talk.plan(run) if run and run != besides else None
        if run is None or plan is None or tools.isdisjoint(str(task.tool) for task in plan.tasks):
            continue
        events = {event.kind: event for event in house.ledger.events(run=run, kinds=_TOLD)}
        created = dict[str, Any](events["run.created"].body or {})
        if not (created.get("private") or created.get("client") or "run.undone" in events):
            yield events["run.planned"].seq, plan


MOST_LOOKED_AT = 2000
_DONE = (Resolution.EXECUTED, Resolution.CONFIRMED)
_TOLD = ("run.created", "run.planned", "run.undone")


def linked(graph: Graph, text: str) -> Mapping[str, float]:
    """Return how near each tool is to whom ``text`` names, 0..1, the nearest as 1 (personalised PageRank)."""
    seeds = dict.fromkeys(graph.named_in(text, besides=(TOOL, SELF)), 1.0)
    tools = {one.id: one.name for one in graph.entities(TOOL)} if seeds else {}
    shares = {tools[id]: share for id, share in graph.rank(seeds) if id in tools} if tools else {}
    top = max(shares.values(), default=0.0)
    return {name: share / top for name, share in shares.items()} if top > 0 else {}
