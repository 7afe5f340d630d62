"""A pattern that a person took becomes a macro: its steps as one plan in order, its slots as values or parameters.

    Same -> a constant that the person said each time     Output -> what an earlier step made
    Within, Open -> a parameter                            Relative -> a constant with its words, read again each day

What this stops: a value that varied being taken for one that is always the same; a day without words to read again.
What it does not: keep anything. A person says yes to that first.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from kernel.habits.model import Open, Output, Pattern, Relative, Same, Slot, Step, Within
from kernel.macros.guards import guards_of
from kernel.macros.model import Macro, Parameter
from kernel.macros.sayings import say
from kernel.model import Argument, Constant, FromTask, Plan, Task, TaskId
from permissions.labels import USER_SAID
from skills import one_import
from skills.model import Parameter as Taken
from skills.model import ToolId, ValueKind

if TYPE_CHECKING:
    from skills import Registry

_HABITS = "en"
"""The language of the words of ``Relative``."""


@dataclass(frozen=True, slots=True)
class Around:
    """What a macro of a pattern is kept with: what it is called, in which language it is said, and when and where."""

    name: str
    language: str
    now: datetime
    cwd: str
    phrases: tuple[str, ...] = ()
    run: str = ""


def frozen(pattern: Pattern, registry: Registry, around: Around) -> Macro:
    """Return the macro that ``pattern`` becomes. Raises UnknownTool where one of its tools is not there."""
    making = _Making(registry, around)
    tasks = tuple(making.task(at, step) for at, step in enumerate(pattern.steps))
    plan = Plan(tasks, around.language)
    text = in_words(pattern.steps, registry, around.language)
    return Macro(
        around.name, text, around.phrases, around.language, plan, tuple(making.parameters), guards_of(plan, registry),
        secrets.token_hex(8), around.now, around.cwd, around.run, pattern.key,
    )  # fmt: skip


def in_words(steps: Sequence[Step], registry: Registry, language: str) -> str:
    """Return what the steps do, one after the other, by what their tools say of themselves."""
    said = []
    for step in steps:
        tool = registry.tool(ToolId(step.tool))
        given = ", ".join(_value_words(slot) for slot in step.arguments.values() if isinstance(slot, Same | Relative))
        title = tool.said(tool.summary, language).strip().rstrip(".")
        said.append(f"{title} ({given})" if given else title)
    return f"; {say(language, 'then')} ".join(said)


def _value_words(slot: Same | Relative) -> str:
    if isinstance(slot, Relative):
        return slot.words
    values = slot.value if isinstance(slot.value, list) else [slot.value]
    return ", ".join(str(one.get("path", "")) if isinstance(one, dict) else str(one) for one in values)


@dataclass(slots=True)
class _Making:
    """The parameters of one macro in the making."""

    registry: Registry
    around: Around
    parameters: list[Parameter] = field(default_factory=list)

    def task(self, at: int, step: Step) -> Task:
        """Return the task of one step; what it has to be told becomes parameters."""
        tool, task = self.registry.tool(ToolId(step.tool)), _task(at)
        slots: dict[str, Slot] = dict(step.arguments)
        slots |= {one.name: Open() for one in tool.parameters if one.required and one.name not in slots}
        made = {name: self._argument(task, tool.parameter(name), slot) for name, slot in slots.items()}
        arguments = {name: value for name, value in made.items() if value is not None}
        title = tool.said(tool.summary, self.around.language).strip().rstrip(".")
        return Task(task, tool.id, arguments, (_task(at - 1),) if at else (), title)

    def _argument(self, task: TaskId, taken: Taken, slot: Slot) -> Argument | None:
        """Return the value of a slot; None where it became a parameter."""
        match slot:
            case Output():
                return FromTask(_task(slot.step), slot.field, slot.index)
            case Same():
                words = str(slot.value) if taken.type.kind is ValueKind.DATE else ""
                if taken.type.kind is not ValueKind.PERIOD:
                    return Constant(slot.value, USER_SAID, words)
                self._ask(task, taken, usual=(slot.value,))
            case Relative():
                value = next(self._read(slot.words, taken), None)
                if value is not None:
                    return Constant(value, USER_SAID, slot.words)
                self._ask(task, taken)
            case Within():
                self._ask(task, taken, folder=slot.folder)
            case Open():
                self._ask(task, taken, usual=slot.values)
        return None

    def _read(self, words: str, taken: Taken) -> Iterator[Any]:
        with one_import:  # it knows the language, which no start waits for
            from kernel.language.whole_values import is_read, whole_values

        if is_read(taken.type.kind):
            yield from whole_values(words, taken.type.kind, _HABITS, self.around.now)

    def _ask(self, task: TaskId, taken: Taken, *, folder: str = "", usual: tuple[Any, ...] = ()) -> None:
        used = [one.name for one in self.parameters]
        name = next(one for one in (taken.name, *(f"{taken.name}-{n}" for n in range(2, 99))) if one not in used)
        one = Parameter(name, taken.type.kind, (task,), taken.name, taken.type.many)
        self.parameters.append(replace(one, folder=folder, usual=usual))


def _task(at: int) -> TaskId:
    return TaskId(f"t{at + 1}")
