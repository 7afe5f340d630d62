"""Deeds: the calls of a run with what they were given, and whether they are evidence at all.

What this stops: a value that others wrote becoming a part of a habit. It is compared with what earlier calls made and
let go of; a call in which such a value decided (a sink) counts against what it was, as one that was refused does. What
it does not: ask who is right. A person who vouched for such a value once did not make it theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernel.habits.model import Deed, Given, Made
from kernel.habits.origins import Origins
from kernel.habits.reading import Ran
from permissions.labels import Integrity, integrity_in
from skills import Registry
from skills.deciding import deciding_parts
from skills.errors import UnknownTool
from skills.model import Parameter, ParamRole, Tool, ToolId, ValueKind

NEAR_S = 7_200.0
"""So long after it was made a value may be what a later request was given."""
LONGEST = 400
"""Letters of a value; a longer one is no constant of a habit."""

_THINGS = frozenset((ValueKind.FILE, ValueKind.FOLDER))
FindTool = Callable[[str], Tool | None]


class Tools:
    """The tools that habits are made of."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __call__(self, tool: str) -> Tool | None:
        """Return a tool by its id, None where there is none."""
        try:
            return self._registry.tool(ToolId(tool))
        except UnknownTool:
            return None

    def finds(self, tool: str, field: str) -> bool:
        """Tell whether ``field`` of what ``tool`` makes is a file or a folder that one of Steward's own tools found."""
        known = self(tool)
        if known is None or not self._registry.skill(known.skill).shipped:
            return False
        of = known.result.fields.get(field) if field else known.result
        return of is not None and of.kind in _THINGS


class Deeds:
    """Makes deeds of runs, in the order in which they ended. Not thread-safe."""

    def __init__(self, tools: Tools) -> None:
        self._tool = tools
        self._origins = Origins()

    def of(self, ran: Ran) -> tuple[Deed, ...]:
        """Return the calls of ``ran``; none where a tool is gone, or where what is done depends on what was found."""
        steps: dict[str, int] = {}
        for number, call in enumerate(ran.calls):
            if call.get("when") or call.get("each") is not None:
                return ()  # a pattern has no conditions: without them it would be something else
            steps[str(call.get("id"))] = number
        at_s = ran.at.timestamp()
        deeds = tuple(self._deed(ran, at_s, steps, number, call) for number, call in enumerate(ran.calls))
        for task, value in ran.values.items():
            if task in steps:
                self._origins.remember(ran.run, steps[task], at_s, value)
        known = tuple(one for one in deeds if one is not None)
        return known if len(known) == len(deeds) else ()

    def _deed(
        self, ran: Ran, at_s: float, steps: Mapping[str, int], number: int, call: Mapping[str, Any]
    ) -> Deed | None:
        tool = self._tool(str(call.get("tool")))
        arguments = call.get("arguments")
        if tool is None or not isinstance(arguments, Mapping):
            return None
        given: dict[str, Given] = {}
        against = ran.against
        for name, argument in arguments.items():
            parameter = tool.find(name)
            if parameter is None:
                return None
            said = is_said(argument)
            one = given[name] = self._given(ran, at_s, steps, argument, said)
            if not against and not said and not self._may(ran, tool, parameter, argument, one):
                against = "untrusted"
        return Deed(ran.run, number, tool.id, given, ran.at, against)

    def _given(self, ran: Ran, at_s: float, steps: Mapping[str, int], argument: Mapping[str, Any], said: bool) -> Given:
        if "task" in argument:
            step = steps.get(str(argument["task"]))
            of_step = Made(ran.run, step or 0, str(argument.get("field") or ""), argument.get("index"))
            return Given(made=() if step is None else (of_step,))
        value = argument.get("value")
        made = self._origins.of(value, at_s - NEAR_S)
        return Given(value, True, made) if said and _is_short(value) else Given(made=made)

    def _may(self, ran: Ran, tool: Tool, parameter: Parameter, argument: Mapping[str, Any], given: Given) -> bool:
        """Tell whether a value that nobody answers for may decide: it decides nothing, or a tool of ours found it."""
        if parameter.role is not ParamRole.SINK and not deciding_parts(tool, parameter.name, argument.get("value")):
            return True
        return parameter.type.kind in _THINGS and self._is_found(ran, given)

    def _is_found(self, ran: Ran, given: Given) -> bool:
        """Tell whether a step of the same run found the thing: what it says its result is counts, not how it looks."""
        own = (one for one in given.made if one.run == ran.run)
        return any(self._tool.finds(str(ran.calls[one.step].get("tool")), one.field) for one in own)


def is_said(argument: Mapping[str, Any]) -> bool:
    """Tell whether somebody answers for the value of an argument: the person, Steward, or a model that read nothing."""
    return "value" in argument and integrity_in(argument.get("label")) > Integrity.UNTRUSTED


def _is_short(value: Any) -> bool:
    return len(str(value)) <= LONGEST
