"""What a trigger brings, in the plan of a routine: the result of a task that has been done before the plan begins.

The words of a rule speak of it ("it", "the PDF"); they are planned on a stand-in, and wherever that comes out the plan
has a reference to ``BROUGHT``. When the routine fires, the references become the thing itself.

What this stops: a plan that is made of the thing's own words; whatever it is called, the plan is the one that was
shown.
What it does not: vouch for it. What a file is called is nobody's word, and its label says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from kernel.context.dialogue import Dialogue, LastRun
from kernel.dispatching.binding import fit, project
from kernel.dispatching.standing_in import MARK, matched, referred, stand_in
from kernel.model import Argument, Constant, FromTask, Outcome, Plan, Question, Task
from kernel.routines.contents import looks_at, reads_contents
from kernel.routines.model import Added, BeforeEvent, Called, FileSeen, Happened, Learnt, TaskDue, Trigger
from kernel.routines.owning import values_of
from kernel.routines.parts import OF_THE_CLOCK, Part, marked, part_alone, parts_in, with_parts
from kernel.routines.parts import in_words as with_names
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.waited_for import BROUGHT, LOOKED_AT, is_mail, look_task, look_tool
from permissions.labels import KERNEL_SAID, USER_SAID, Label
from permissions.model import Action
from skills.model import Parameter, Skill, Tool, ToolId, ValueKind


class CannotBring(Exception):
    """The plan wants more of the thing than its trigger brings: a list of it, a condition on it."""


@dataclass(frozen=True, slots=True)
class Bringing:
    """The ``tool`` that finds things of the ``kind`` ("file", "text", "event", "mail", "task"), and what stands for one
    while the plan is made.
    """

    kind: str
    tool: Tool
    example: Any
    values: frozenset[str] = frozenset()  # what is called that can be read out of it ("total")
    skills: tuple[Skill, ...] = ()  # those with which files are looked into
    whole: str = ""  # the part that is meant where it is spoken of as a whole; empty: its text

    @property
    def place(self) -> str:
        """Where the stand-in of a file is; "" of anything else."""
        known = matched(self.example, self.tool.result, BROUGHT).by_field
        return str(known["path"]) if self.tool.result.kind is ValueKind.FILE else ""

    def word_for(self, field: str) -> str:
        """Return the text that stands in for a part of the thing; empty where that part is no text."""
        known = matched(self.example, self.tool.result, BROUGHT).by_field
        word = known.get(field)
        return word if isinstance(word, str) and MARK in word and not self.place else ""

    def told(self, dialogue: Dialogue, language: str) -> Dialogue:
        """Return the conversation as if the thing had just been found."""
        found = Outcome(BROUGHT, True, self.example, label=KERNEL_SAID)
        run = LastRun(Plan((Task(BROUGHT, self.tool.id, {}),), language), {BROUGHT: found})
        return replace(dialogue, last=run, recent=(run,))

    def put(self, plan: Plan, tool: Callable[[ToolId], Tool]) -> Plan:
        """Return ``plan`` with a reference wherever it has the stand-in. Raises CannotBring.

        Behind a task that moves the file it is what that task returns: it lies there then.
        """
        known = matched(self.example, self.tool.result, BROUGHT).by_value
        itself, tasks = FromTask(BROUGHT), list[Task]()
        for task in plan.tasks:
            placed = _to_its_sender(_put(task, known, self.place, itself, self.whole), self.kind, tool(task.tool))
            tasks.append(placed)
            if any(value == itself and _moves(tool(task.tool), name) for name, value in placed.arguments.items()):
                itself = FromTask(task.id)
        return replace(plan, tasks=tuple(tasks))

    def answers(self, asked: Question, tool: Callable[[ToolId], Tool]) -> Plan | None:
        """Return the plan where all that was missing is the thing: "copy to Backup", of a file that comes."""
        task = next((one for one in asked.draft.tasks if one.id == asked.task), None)
        if task is None or asked.parameter not in {one.name for one in tool(task.tool).parameters} or asked.choices:
            return None
        wanted = tool(task.tool).parameter(asked.parameter).type.kind
        if wanted is not self.tool.result.kind or asked.parameter in task.arguments:
            return None
        filled = replace(task, arguments={**task.arguments, asked.parameter: FromTask(BROUGHT)})
        tasks = tuple(filled if one is task else one for one in asked.draft.tasks)
        return replace(asked.draft, tasks=tasks, score=asked.settled)

    def is_taken_by_others(self, plan: Plan) -> bool:
        """Tell whether a tool of another skill takes the file that the thing is kept in."""
        skill = self.tool.id.partition(".")[0]
        return any(
            isinstance(one, FromTask) and one.task == BROUGHT and one.field in ("", "file")
            for task in plan.tasks if task.tool.partition(".")[0] != skill
            for one in task.arguments.values()
        )  # fmt: skip

    def is_only_its_own(self, plan: Plan) -> bool:
        """Tell whether tools of the skill that finds the thing take it, and no others."""
        skill = self.tool.id.partition(".")[0]
        takes = [task.tool.partition(".")[0] for task in plan.tasks if BROUGHT in task.takes()]
        return set(takes) == {skill}

    def found_in(self, routine: Routine) -> Plan:
        """Return the plan of ``routine`` with the search before it that finds such things: it reaches where they lie.

        For what is looked at that is the look itself, also where the plan takes nothing of what it finds; where files
        are looked into, the looks come behind the search.
        """
        plan, trigger, opens = routine.plan, routine.trigger, reads_contents(routine.such)
        if self.is_looked_at:
            return replace(plan, tasks=(look_task(self.tool, routine), *plan.tasks))
        if not isinstance(trigger, FileSeen) or not (opens or takes_any(plan)):
            return plan
        folder = next(one.name for one in self.tool.parameters if one.type.kind is ValueKind.FOLDER)
        search = Task(BROUGHT, self.tool.id, {folder: Constant(trigger.folder, USER_SAID)})
        looks = looks_at(FromTask(BROUGHT), routine.such, self.skills) if opens else []
        return replace(plan, tasks=(search, *looks, *plan.tasks))

    @property
    def is_looked_at(self) -> bool:
        """Whether only a look of the tool can tell what came: others wrote it, and no daemon reads that."""
        return self.kind in LOOKED_AT


def bringing(trigger: Trigger, skills: Sequence[Skill], home: str, language: str) -> Bringing | None:
    """Return how what ``trigger`` brings stands in a plan; None where it brings nothing that a plan can take."""
    kind = kind_of(trigger, home)
    tool = look_tool(kind, skills) if kind else None
    if tool is None:
        return None
    example = _ending(stand_in(BROUGHT, tool.result, single=True, home=home), trigger)
    whole = str(Part.NAME) if isinstance(trigger, Added) else "title" if isinstance(trigger, TaskDue) else ""
    return Bringing(kind, tool, example, values_of(tool.result.kind, skills, language), tuple(skills), whole)


def _ending(example: Any, trigger: Trigger) -> Any:
    """Return what stands in for a file with the ending that those have which ``trigger`` waits for, if it is one."""
    ending = re.search(r"\.\{?(\w+)[^.]*$", trigger.pattern) if isinstance(trigger, FileSeen) else None
    if ending is None or not isinstance(example, list):
        return example
    return [{**one, "path": f"{os.path.splitext(one['path'])[0]}.{ending[1]}"} for one in example]


def kind_of(trigger: Trigger, home: str) -> str:
    """Return what kind of thing ``trigger`` brings; empty where it brings none."""
    match trigger:
        case FileSeen():
            return "mail" if is_mail(trigger, home) else "file"
        case BeforeEvent():
            return "event"
        case TaskDue():
            return "task"
        case Added() | Called() | Happened() | Learnt():
            return "text"
        case _:
            return ""


def takes_any(plan: Plan, part: str = "") -> bool:
    """Tell whether ``plan`` takes anything of what its trigger brings; with ``part``, whether it takes that."""
    if part:
        return any(one == FromTask(BROUGHT, part) for one in _arguments(plan))
    whole = any(BROUGHT in task.takes() for task in plan.tasks)
    return whole or any(parts_in(getattr(one, "value", None)) - OF_THE_CLOCK for one in _arguments(plan))


def _arguments(plan: Plan) -> Iterator[Argument]:
    return (one for task in plan.tasks for one in task.arguments.values())


def in_words(view: Mapping[str, Any], plan: Plan, kind: str) -> dict[str, Any]:
    """Return the view of ``plan`` with what its trigger brings, a thing of ``kind``, as a person calls it."""
    given = {task.id: task.arguments for task in plan.tasks}
    return {**view, "tasks": [_in_words(one, given[one["id"]], plan.language, kind) for one in view["tasks"]]}


def _in_words(task: Mapping[str, Any], given: Mapping[str, Argument], language: str, kind: str) -> dict[str, Any]:
    whole = kind == "text"
    words = {
        name: say(
            language,
            f"part {value.field}"
            if value.field and whole
            else f"brought {kind} part"
            if value.field
            else f"brought {kind}",
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
    of_text = value.items() if isinstance(value, Mapping) else ()
    parts = {Part(name): str(one) for name, one in of_text} or {Part.NAME: words}
    plan = with_parts(plan, parts, Label())
    found = Outcome(BROUGHT, True, value, label=Label())
    return replace(plan, tasks=tuple(_with(task, found, words, plan.language, tool(task.tool)) for task in plan.tasks))


def _moves(tool: Tool, parameter: str) -> bool:
    """Tell whether ``tool`` takes what it is given there to another place, and returns it."""
    away = any(right.action == Action.FS_DELETE and right.scope == f"{{{parameter}}}" for right in tool.rights)
    return away and tool.result.kind is tool.parameter(parameter).type.kind is ValueKind.FILE


def _fitting(found: Outcome, reference: FromTask, language: str, parameter: Parameter) -> Any:
    """What a reference points at; of something that has parts, its text is the whole of it."""
    if isinstance(found.value, Mapping) and not reference.field:
        reference = replace(reference, field=str(Part.TEXT))
    value = project(found, reference, language)
    if reference.field == Part.DAY and value and parameter.type.kind is ValueKind.PERIOD:
        day = date.fromisoformat(value)
        return {"start": value, "end": (day + timedelta(days=1)).isoformat()}
    return fit(value, parameter)


def _put(task: Task, known: Mapping[str, FromTask], place: str, itself: FromTask, whole: str) -> Task:
    arguments: dict[str, Argument] = {}
    for name, value in task.arguments.items():
        part = part_alone(value)
        if part is not None and part not in OF_THE_CLOCK:
            arguments[name] = FromTask(BROUGHT, "" if part is Part.TEXT and not whole else str(part))
            continue
        reference = referred(marked(value), known)
        if reference is None:
            raise CannotBring
        if isinstance(value, Constant) and isinstance(reference, FromTask):
            is_all = not reference.field or (bool(place) and value.value in (place, [place]))
            reference = itself if is_all else reference
        arguments[name] = FromTask(BROUGHT, whole) if reference == FromTask(BROUGHT) else reference
    placed = replace(task, arguments=arguments)
    if placed.each == BROUGHT or any(one.task == BROUGHT for one in placed.when):
        raise CannotBring
    return placed


def _to_its_sender(task: Task, kind: str, tool: Tool) -> Task:
    """Return ``task`` with the sender where somebody is meant by the mail that came: "leg ihm einen Entwurf hin".

    Raises CannotBring where somebody is meant by anything else.
    """
    people = {one.name for one in tool.parameters if one.person}
    meant = {name for name, one in task.arguments.items() if name in people and _is_no_person(one)}
    if meant and kind != "mail":
        raise CannotBring
    sender = dict.fromkeys(meant, FromTask(BROUGHT, "address"))
    return replace(task, arguments={**task.arguments, **sender}) if sender else task


def _is_no_person(argument: Argument) -> bool:
    if not isinstance(argument, FromTask) or argument.task != BROUGHT:
        return False
    return argument.field in ("", "subject", "title", "name", "path", "text")


def _with(task: Task, found: Outcome, words: str, language: str, tool: Tool) -> Task:
    arguments = {
        name: Constant(_fitting(found, value, language, tool.parameter(name)), Label(), words)
        if isinstance(value, FromTask) and value.task == BROUGHT
        else value
        for name, value in task.arguments.items()
    }
    return replace(task, arguments=arguments)
