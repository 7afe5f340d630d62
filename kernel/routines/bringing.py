"""What a trigger brings, in the plan of a routine: the result of a task that has been done before the plan begins.

The words of a rule speak of it ("it", "the PDF"); they are planned on a stand-in, and wherever that comes out the plan
has a reference to ``BROUGHT``. When the routine fires, the references become the thing itself.

What this stops: a plan that is made of the thing's own words; whatever it is called, the plan is the one that was
shown.
What it does not: vouch for it. What a file is called is nobody's word, and its label says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from kernel.context.dialogue import Dialogue, LastRun
from kernel.dispatching.binding import fit, project
from kernel.dispatching.standing_in import matched, referred, stand_in
from kernel.model import Argument, Constant, FromTask, Outcome, Plan, Task, TaskId
from kernel.routines.model import Called, FileSeen, Happened, Learnt, Trigger
from kernel.routines.parts import OF_THE_CLOCK, Part, marked, part_alone, parts_in, with_parts
from kernel.routines.parts import in_words as with_names
from kernel.routines.sayings import say
from permissions.labels import KERNEL_SAID, USER_SAID, Label
from skills.model import Parameter, Skill, Tool, ToolId, ValueKind

BROUGHT = TaskId("t0")


class CannotBring(Exception):
    """The plan wants more of the thing than its trigger brings: a list of it, a condition on it."""


@dataclass(frozen=True, slots=True)
class Bringing:
    """The ``tool`` that finds things of the kind, and what stands in for one while the plan is made."""

    tool: Tool
    example: Any

    def told(self, dialogue: Dialogue, language: str) -> Dialogue:
        """Return the conversation as if the thing had just been found."""
        found = Outcome(BROUGHT, True, self.example, label=KERNEL_SAID)
        run = LastRun(Plan((Task(BROUGHT, self.tool.id, {}),), language), {BROUGHT: found})
        return replace(dialogue, last=run, recent=(run,))

    def put(self, plan: Plan) -> Plan:
        """Return ``plan`` with a reference wherever it has the stand-in. Raises CannotBring."""
        known = matched(self.example, self.tool.result, BROUGHT).by_value
        return replace(plan, tasks=tuple(_put(task, known) for task in plan.tasks))

    def found_in(self, plan: Plan, trigger: FileSeen) -> Plan:
        """Return ``plan`` with the search before it that would find all such things: it reaches where they lie."""
        folder = next(one.name for one in self.tool.parameters if one.type.kind is ValueKind.FOLDER)
        search = Task(BROUGHT, self.tool.id, {folder: Constant(trigger.folder, USER_SAID)})
        return replace(plan, tasks=(search, *plan.tasks))


def bringing(trigger: Trigger, skills: Iterable[Skill], home: str) -> Bringing | None:
    """Return how what ``trigger`` brings stands in a plan; None where it brings nothing that a plan can take."""
    kind = (
        "file" if isinstance(trigger, FileSeen) else "text" if isinstance(trigger, Called | Happened | Learnt) else ""
    )
    tools = (tool for skill in skills if skill.shipped for tool in skill.tools)
    tool = next((one for one in tools if kind and one.brings == kind), None)
    return None if tool is None else Bringing(tool, stand_in(BROUGHT, tool.result, single=True, home=home))


def takes_any(plan: Plan) -> bool:
    """Tell whether ``plan`` takes anything of what its trigger brings."""
    whole = any(BROUGHT in task.takes() for task in plan.tasks)
    return whole or any(parts_in(getattr(one, "value", None)) - OF_THE_CLOCK for one in _arguments(plan))


def _arguments(plan: Plan) -> Iterator[Argument]:
    return (one for task in plan.tasks for one in task.arguments.values())


def in_words(view: Mapping[str, Any], plan: Plan, *, text: bool) -> dict[str, Any]:
    """Return the view of ``plan`` with what its trigger brings, a ``text`` or a file, as a person calls it."""
    given = {task.id: task.arguments for task in plan.tasks}
    return {**view, "tasks": [_in_words(one, given[one["id"]], plan.language, text) for one in view["tasks"]]}


def _in_words(task: Mapping[str, Any], given: Mapping[str, Argument], language: str, text: bool) -> dict[str, Any]:
    words = {
        name: say(
            language,
            "brought text"
            if text and not value.field
            else f"part {value.field}"
            if text
            else "brought part"
            if value.field
            else "brought",
            part=value.field.replace("_", " "),
        )
        for name, value in given.items()
        if isinstance(value, FromTask) and value.task == BROUGHT
    }
    words |= {
        name: with_names(one.value, language)
        for name, one in given.items()
        if isinstance(one, Constant) and parts_in(one.value)
    }
    whose = {name: words.get(name, one) for name, one in task.get("origins", {}).items()}
    after = [one for one in task["after"] if one != BROUGHT]
    return {**task, "arguments": task["arguments"] | words, "after": after} | ({"origins": whose} if whose else {})


def with_brought(plan: Plan, value: Any, words: str, tool: Callable[[ToolId], Tool]) -> Plan:
    """Return ``plan`` with ``value`` in place of the references: what was brought, as its tool would return it.

    ``value`` may be what its parts are. ``words`` are what a person reads of it. Raises TaskFailed where the value has
    no such part.
    """
    if isinstance(value, Mapping):
        parts = {Part(name): str(one) for name, one in value.items()}
        plan = with_parts(plan, parts, Label())
    found = Outcome(BROUGHT, True, value, label=Label())
    return replace(plan, tasks=tuple(_with(task, found, words, plan.language, tool(task.tool)) for task in plan.tasks))


def _fitting(found: Outcome, reference: FromTask, language: str, parameter: Parameter) -> Any:
    """What a reference points at; of something that has parts, its text is the whole of it."""
    if isinstance(found.value, Mapping) and not reference.field:
        reference = replace(reference, field=str(Part.TEXT))
    value = project(found, reference, language)
    if reference.field == Part.DAY and value and parameter.type.kind is ValueKind.PERIOD:
        day = date.fromisoformat(value)
        return {"start": value, "end": (day + timedelta(days=1)).isoformat()}
    return fit(value, parameter)


def _put(task: Task, known: Mapping[str, FromTask]) -> Task:
    arguments: dict[str, Argument] = {}
    for name, value in task.arguments.items():
        part = part_alone(value)
        if part is not None and part not in OF_THE_CLOCK:
            arguments[name] = FromTask(BROUGHT, "" if part is Part.TEXT else str(part))
            continue
        reference = referred(marked(value), known)
        if reference is None:
            raise CannotBring
        arguments[name] = reference
    placed = replace(task, arguments=arguments)
    if placed.each == BROUGHT or any(one.task == BROUGHT for one in placed.when):
        raise CannotBring
    return placed


def _with(task: Task, found: Outcome, words: str, language: str, tool: Tool) -> Task:
    arguments = {
        name: Constant(_fitting(found, value, language, tool.parameter(name)), Label(), words)
        if isinstance(value, FromTask) and value.task == BROUGHT
        else value
        for name, value in task.arguments.items()
    }
    return replace(task, arguments=arguments)
