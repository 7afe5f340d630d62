"""Names in a plan: who is called by what they are to the speaker ("my sister"), or by another name of theirs, is looked
for under the name by which they are known; of two who are called so, one is asked about.

Only the words of a search and arguments that say who somebody is change, and the plan shows them; what is written down
stays as it was said. A name that one alone has in part ("Anna") stays too: the tool may know another Anna.

What this stops: a guess whom a name means; a name from a file deciding where something goes, also after a request has
used it (its label says so, and a person is asked). What it does not: know whom the graph was never told of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kernel.context.naming import plain
from kernel.knowing import forms
from kernel.knowing.finding import SELF, TOOL, Chosen, find
from kernel.knowing.requested import VOICE as REQUESTS
from kernel.language import words_of
from kernel.model import Argument, Constant, Plan
from memory.graph.model import Entity, Query
from memory.model import EntityId
from permissions.labels import USER_SAID, Integrity, Label, join
from skills.model import EffectClass, Parameter, ParamRole, Tool, ToolId, ValueKind

if TYPE_CHECKING:
    from memory.graph import Graph

_MINE = re.compile(rf"\b(?:my|meine?[rsnm]?) (?P<w>{forms.ROLES})(?:['’]?s)?\b", re.IGNORECASE)
_OTHERS_WORD = Label()
"""What a name from the graph is worth that nobody vouches for: it may be from a file."""

_PARTS = re.compile(r"(\s*(?:[,;&]|\band\b|\bund\b)\s*)", re.IGNORECASE)
_AROUND = re.compile(
    r"(?P<lead>(?:(?:the|from|by|der|die|das|den|dem|von|vom) )*)(?P<name>.*?)(?P<s>['’]s|['’])?", re.IGNORECASE
)


def concerns(plan: Plan, text: str, tool: Callable[[ToolId], Tool]) -> bool:
    """Tell whether a request speaks of somebody, so that the graph may know whom; else nothing is looked up."""
    return _MINE.search(text) is not None or any(True for _ in _people(plan, tool))


def _people(plan: Plan, tool: Callable[[ToolId], Tool]) -> Iterator[str]:
    for task in plan.tasks:
        parameters = {one.name: one for one in tool(task.tool).parameters}
        for name, value in task.arguments.items():
            parameter = parameters.get(name)
            if parameter is not None and parameter.person and isinstance(value, Constant):
                yield str(value.value)


def named(graph: Graph, plan: Plan, text: str, tool: Callable[[ToolId], Tool], chosen: Chosen) -> Plan:
    """Return ``plan`` with the names of those whom ``text`` calls otherwise. Raises Several."""
    naming = _Naming(graph, chosen, _by_role(graph, text, chosen))
    tasks = []
    for task in plan.tasks:
        parameters = {one.name: one for one in tool(task.tool).parameters}
        said = {name: naming.argument(value, parameters.get(name)) for name, value in task.arguments.items()}
        tasks.append(replace(task, arguments=said))
    return replace(plan, tasks=tuple(tasks))


def _by_role(graph: Graph, text: str, chosen: Chosen) -> dict[str, Entity]:
    found = {match["w"].casefold(): find(graph, f"my {match['w']}", "person", chosen) for match in _MINE.finditer(text)}
    return {role: one for role, one in found.items() if one is not None}


def otherwise(graph: Graph, plan: Plan, tool: Callable[[ToolId], Tool]) -> Plan | None:
    """Return the next version of a ``plan`` of one call that found nothing: looked for under another name of somebody.

    None where nobody is named, or may be another. Only a search that changes nothing goes by a name that a file gives.
    """
    if len(plan.tasks) != 1:
        return None
    (task,) = plan.tasks
    called = tool(task.tool)
    parameters = {one.name: one for one in called.parameters}
    naming, is_pure = _Naming(graph, {}, {}), called.effect is EffectClass.PURE
    said = {
        name: naming.renamed(value, parameters.get(name), sure=not is_pure) for name, value in task.arguments.items()
    }
    if said == dict(task.arguments) or called.effect is EffectClass.ONCE:
        return None
    return replace(plan, tasks=(replace(task, arguments=said),), version=plan.version + 1)


@dataclass(frozen=True, slots=True)
class _Naming:
    """Names for one request. ``roles`` are those whom it calls by what they are to the speaker."""

    graph: Graph
    chosen: Chosen
    roles: dict[str, Entity]

    def argument(self, argument: Argument, parameter: Parameter | None) -> Argument:
        if parameter is None or not isinstance(argument, Constant) or not isinstance(argument.value, str):
            return argument
        is_sink = parameter.role is ParamRole.SINK
        if parameter.type.kind is not ValueKind.QUERY or (is_sink and not parameter.person):
            return argument
        value, labels = self._without_roles(argument.value)
        if parameter.person:
            value, more = self._without_other_names(value)
            labels += more
        return argument if value == argument.value else replace(
            argument, value=value, label=join([argument.label, *labels])
        )  # fmt: skip

    def renamed(self, argument: Argument, parameter: Parameter | None, *, sure: bool) -> Argument:
        """The argument with another name of the one person named there; ``sure``: names of the person's word alone."""
        if (
            parameter is None or parameter.type.kind is not ValueKind.QUERY or parameter.role is not ParamRole.NEUTRAL
            or not isinstance(argument, Constant) or not isinstance(argument.value, str)
        ):  # fmt: skip
            return argument
        whom = self.graph.named_in(argument.value, besides=(SELF, TOOL))
        if len(whom) != 1:
            return argument
        same = self._same(self.graph.entity(next(iter(whom))))
        names = [name for one in same if not sure or self._is_vouched(one.id) for name in (one.name, *one.names)]
        for name in dict.fromkeys(names):
            found = re.search(rf"\b{re.escape(name)}(?:['’]?s)?\b", argument.value, re.IGNORECASE)
            other = next((one for one in names if one.casefold() != name.casefold()), "")
            if found is not None and other:
                value = argument.value[: found.start()] + other + argument.value[found.end() :]
                return replace(argument, value=value, label=join([argument.label, _OTHERS_WORD]))
        return argument

    def _same(self, entity: Entity) -> list[Entity]:
        return [entity, *(self.graph.entity(EntityId(id)) for id in entity.same_as)]

    def _without_roles(self, text: str) -> tuple[str, list[Label]]:
        if not self.roles:
            return text, []
        words = "|".join(map(re.escape, self.roles))
        whole = re.compile(rf"(?:\b(?:my|meine?[rsnm]?) )?\b(?P<w>{words})(?P<s>['’]s|s)?\b", re.IGNORECASE)
        meant = [self.roles[match["w"].casefold()] for match in whole.finditer(text)]
        said = whole.sub(lambda match: self.roles[match["w"].casefold()].name, text)
        return said, [USER_SAID if self._is_vouched(one.id) else _OTHERS_WORD for one in meant]

    def _without_other_names(self, text: str) -> tuple[str, list[Label]]:
        found = self._other(text)
        if found is not None:
            return found[0], [found[1]]
        parts = _PARTS.split(text)
        others = [self._other(part) if at % 2 == 0 and len(parts) > 1 else None for at, part in enumerate(parts)]
        said = "".join(part if one is None else one[0] for part, one in zip(parts, others, strict=True))
        return said, [one[1] for one in others if one is not None]

    def _other(self, said: str) -> tuple[str, Label] | None:
        """The name under which somebody is known, and whose word that is; None where it stays as it was said."""
        around = _AROUND.fullmatch(said.strip())
        if around is None or not around["name"] or "@" in said:
            return None
        for name in dict.fromkeys((around["name"], around["name"].removesuffix("s"))):
            entity = find(self.graph, name, "person", self.chosen, exact=True) if name else None
            if entity is not None and entity.kind != SELF:
                return self._known_as(entity, name)
        return None

    def _known_as(self, entity: Entity, said: str) -> tuple[str, Label] | None:
        same = self._same(entity)
        best = max(same, key=lambda one: (len(one.name.split()), self._is_vouched(one.id)))
        if said.casefold() in self.chosen:
            return best.name, USER_SAID  # it was shown, and picked
        if _words(said) <= _words(best.name):
            return None
        called = [one for one in same if any(_words(said) <= _words(name) for name in one.names)]
        sure = any(map(self._is_vouched, (one.id for one in called))) and self._is_vouched(best.id)
        return best.name, USER_SAID if sure else _OTHERS_WORD

    def _is_vouched(self, id: EntityId) -> bool:
        """Whether the person told something about just this entity: then its names are their words.

        What requests say of whom they were about is no telling, whatever label an earlier version gave it.
        """
        return any(
            _integrity(fact.label) is Integrity.USER
            and fact.extractor != REQUESTS
            and id in (fact.subject, fact.object.value)
            for fact in self.graph.facts(Query(either=id))
        )


def _integrity(label: Any) -> Integrity:
    return Label.from_json(label).integrity


def _words(name: str) -> set[str]:
    return {plain(word) for word in words_of(name) if word[:1].isalnum()}
