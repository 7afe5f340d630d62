"""Which values of a run become parameters of the skill that is made of it.

What this stops: an address, a recipient or a place that a text of others named, frozen in a skill: what decides
something is always a parameter, with the role that it had, so that it is asked about as in the tool that it came from;
and so is whatever others said.
What it does not: invent words. A value that stands in none of the person's words has none in the example either, and
is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from kernel.authoring.savable import Looked, refused
from kernel.dispatching.binding import bind
from kernel.dispatching.coercion import coerce
from kernel.errors import TaskFailed
from kernel.flow.found import THINGS, is_thing
from kernel.model import Argument, Constant, FromTask, Task
from permissions.labels import Integrity
from skills.authoring.drafting import Lifted
from skills.model import Parameter, ParamRole

_TAKEN = frozenset({"ctx", "item", "error"})
"""Names that the source has for something else."""


@dataclass(slots=True)
class Lifting:
    """The parameters of one skill in the making. ``shipped`` names the tasks that tools of Steward's own do."""

    looked: Looked
    said: str
    shipped: frozenset[str]
    lifted: dict[str, Lifted] = field(default_factory=dict)
    places: list[tuple[int, int, str]] = field(default_factory=list)  # in what was said, and the parameter there
    _unsaid: dict[tuple[str, str], str] = field(default_factory=dict)  # by task and argument

    def lift(self) -> None:
        """Make parameters of what the person said, the longest first, and of what nobody here has said."""
        plan, tools = self.looked.plan, self.looked.tools
        every = [(task, name, value, tools[task.id].parameter(name))
                 for task in plan.tasks for name, value in task.arguments.items()]  # fmt: skip
        own = [(value, one) for _, _, value, one in every if isinstance(value, Constant) and _is_own(value)]
        for said, parameter in sorted(own, key=lambda one: -len(one[0].text)):
            self._lift_said(said, parameter)
        order = {name: at for at, (_, _, name) in enumerate(sorted(self.places))}
        self.lifted = dict(sorted(self.lifted.items(), key=lambda one: order[one[0]]))
        for task, name, value, parameter in every:
            if self._must_be_said(task, value, parameter):
                self._unsaid[task.id, name] = self._lift_unsaid(task, value, parameter)

    def parameter_of(self, task: Task, name: str) -> str:
        """Return the parameter that an argument became; "" where it stays what it is."""
        value, parameter = task.arguments[name], self.looked.tools[task.id].parameter(name)
        if (task.id, name) in self._unsaid:
            return self._unsaid[task.id, name]
        return self._same(value, parameter) if _is_own(value) and isinstance(value, Constant) else ""

    def example(self) -> str:
        """Return what was said with the values marked. Raises BadRequest."""
        if "{" in self.said or "}" in self.said:
            raise refused(self.looked.run, "what was said holds braces, which mark values in examples")
        text, at = "", 0
        for first, last, name in sorted(self.places):
            text += f"{self.said[at:first]}{{{name}:{self.said[first:last]}}}"
            at = last
        return " ".join((text + self.said[at:]).split())

    def plain(self) -> str:
        """Return what was said without the values."""
        plain, at = "", 0
        for first, last, _ in sorted(self.places):
            plain, at = f"{plain}{self.said[at:first]} ", last
        return plain + self.said[at:]

    # --- what was said --------------------------------------------------------------------------------------------

    def _lift_said(self, value: Constant, parameter: Parameter) -> None:
        known = self._same(value, parameter)
        if known:
            self.lifted[known] = _stricter(self.lifted[known], parameter)
            return
        place = next(self._free(value.text), None)
        if place is not None:
            self.places.append((*place, self._add(parameter, value.value, value.text)))

    def _add(self, parameter: Parameter, value: Any, said: str) -> str:
        name = next(one for one in _names(parameter.name) if one not in self.lifted)
        self.lifted[name] = Lifted(name, parameter.type, parameter.doc, value, said, parameter.words, parameter.role,
                                   parameter.person)  # fmt: skip
        return name

    def _free(self, words: str) -> Iterator[tuple[int, int]]:
        for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", self.said):
            if all(match.end() <= first or last <= match.start() for first, last, _ in self.places):
                yield match.span()

    def _same(self, value: Constant, parameter: Parameter) -> str:
        """Return the parameter that the same words of the same kind became already."""
        same = (one.name for one in self.lifted.values()
                if (one.said, one.value, one.type.kind) == (value.text, value.value, parameter.type.kind))  # fmt: skip
        return next(same, "")

    # --- what was not ---------------------------------------------------------------------------------------------

    def _must_be_said(self, task: Task, value: Argument, parameter: Parameter) -> bool:
        """Tell whether a person has to say a value each time, though they did not in this run."""
        sink = parameter.role is ParamRole.SINK
        if isinstance(value, Constant):
            if _is_own(value) and self._same(value, parameter):
                return False
            return value.value is not None and (sink or value.label.integrity <= Integrity.UNTRUSTED)
        return sink and not self._is_found(value, parameter)

    def _is_found(self, value: FromTask, parameter: Parameter) -> bool:
        """Tell whether a value is a thing that one of Steward's own tools finds."""
        result = self.looked.tools[value.task].result
        return parameter.type.kind in THINGS and value.task in self.shipped and is_thing(result, value.field)

    def _lift_unsaid(self, task: Task, value: Argument, parameter: Parameter) -> str:
        if task.each is not None and isinstance(value, FromTask):
            raise self.looked.refused(
                task.id, f"takes its {parameter.name} for each item out of what others wrote: you decide on that"
            )  # fmt: skip
        found = value.value if isinstance(value, Constant) else self._came_to(task, parameter)
        known = next((one.name for one in self.lifted.values()
                      if not one.said and (one.value, one.type) == (found, parameter.type)), "")  # fmt: skip
        if not known:
            return self._add(parameter, found, "")
        self.lifted[known] = _stricter(self.lifted[known], parameter)
        return known

    def _came_to(self, task: Task, parameter: Parameter) -> Any:
        """Return what an argument was in the run."""
        tool, language = self.looked.tools[task.id], self.looked.plan.language
        one = replace(task, arguments={parameter.name: task.arguments[parameter.name]})
        try:
            values, _ = bind(one, tool, self.looked.outcomes, language)
            return coerce(values[parameter.name], parameter, language)[0]
        except (TaskFailed, KeyError) as error:
            raise self.looked.refused(
                task.id, f"was not done, so what its {parameter.name} would have been is not known"
            ) from error


def _is_own(value: Argument) -> bool:
    """Tell whether a person said a value, in words of their own."""
    return isinstance(value, Constant) and bool(value.text) and value.label.integrity is Integrity.USER


def _stricter(one: Lifted, parameter: Parameter) -> Lifted:
    """Return a parameter that is also a sink where one of the places it goes to is."""
    return replace(one, role=ParamRole.SINK) if parameter.role is ParamRole.SINK else one


def _names(name: str) -> Iterator[str]:
    if name not in _TAKEN:
        yield name
    yield from (f"{name}_{number}" for number in range(2, 100))
