"""One validator for plans from any proposer: the search, a stored draft, later a language model.

What this stops: unknown tools and parameters, missing required values, references to later or absent tasks, results
that cannot serve the parameter, cycles, plans without end.
No value of a task stands in what it says: that goes back to a proposer, and a value may be a file's name or its text.
What it does not: decide whether a value is wise. Rights are decided in ``authorize``, concrete values in ``binding``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from kernel.composition.problem import Flaw, Problem
from kernel.composition.profiles.profile import Box
from kernel.composition.steps.results import fit
from kernel.fields import fields_in
from kernel.model import Constant, FromTask, Measure, Plan, Task, TaskId
from skills.model import Parameter, Tool, ValueKind, ValueType

K = ValueKind
MOST_TASKS = 16
MOST_BYTES = 100_000
"""So long one value may be, written out."""

MOST_ITEMS = 20_000
"""So many values a list may have: the files that an earlier run has found."""


def validate(plan: Plan, toolbox: Box) -> tuple[str, ...]:
    """Return what is wrong with ``plan`` in words; nothing when it may be authorised."""
    if not plan.tasks:
        return (Problem("The plan has no task.", Flaw.EMPTY),)
    if len(plan.tasks) > MOST_TASKS:
        words = f"The plan has {len(plan.tasks)} tasks; {MOST_TASKS} are the most."
        return (Problem(words, Flaw.MANY, str(len(plan.tasks))),)
    problems: list[str] = []
    earlier: dict[TaskId, Tool] = {}
    looped = {task.id for task in plan.tasks if task.each is not None}
    for task in plan.tasks:
        problems += _task(task, earlier, toolbox)
        problems += _bounds(task, earlier, looped)
        if toolbox.knows(task.tool):
            earlier[task.id] = toolbox.tool(task.tool)
    return tuple(problems)


def _task(task: Task, earlier: Mapping[TaskId, Tool], toolbox: Box) -> Iterator[str]:
    if task.id in earlier:
        yield f"Two tasks are called {task.id}."
    for other in task.after:
        if other not in earlier:
            yield Problem(f"{task.id} waits for {other}, which does not come before it.", Flaw.RESULT)
    if not toolbox.knows(task.tool):
        yield Problem(f"{task.id} names the tool {task.tool}, which is not installed.", Flaw.TOOL, task.tool)
        return
    tool = toolbox.tool(task.tool)
    known = {parameter.name: parameter for parameter in tool.parameters}
    for name, argument in task.arguments.items():
        if name not in known:
            yield Problem(f"{tool.id} has no parameter {name}.", Flaw.PARAMETER, name, tool.id)
        elif isinstance(argument, FromTask):
            yield from _reference(task, argument, known[name], earlier)
        else:
            yield from _constant(task, argument, known[name])
    for name, parameter in known.items():
        if parameter.required and name not in task.arguments:
            yield Problem(f"{task.id} ({tool.id}) lacks {name}.", Flaw.LACKING, name, tool.id)


def _bounds(task: Task, earlier: Mapping[TaskId, Tool], looped: Set[TaskId]) -> Iterator[str]:
    """What is wrong with its conditions, and with what it is made for each of."""
    for condition in task.when:
        result = earlier[condition.task].result if condition.task in earlier else None
        if result is None:
            yield Problem(f"{task.id} depends on {condition.task}, which does not come before it.", Flaw.RESULT)
        elif condition.field and condition.field not in result.fields:
            words = f"{task.id} depends on the field {condition.field}, which {condition.task} does not have."
            yield Problem(words, Flaw.RESULT)
        elif condition.measure is Measure.COUNT and not isinstance(condition.value, int):
            yield f"{task.id} depends on a count, and {condition.value!r:.60} is none."
        elif len(repr(condition.value)) > MOST_BYTES:
            yield f"{task.id} compares with a value that is too large."
    if task.each is not None and task.each in looped:
        yield f"{task.id} is made for each item of {task.each}, which is made for each item itself."
    elif task.each is not None and task.each not in earlier:
        words = f"{task.id} is made for each item of {task.each}, which does not come before it."
        yield Problem(words, Flaw.RESULT)


def _reference(task: Task, argument: FromTask, parameter: Parameter, earlier: Mapping[TaskId, Tool]) -> Iterator[str]:
    if argument.task not in earlier:
        words = f"{task.id}.{parameter.name} takes the result of {argument.task}, which does not come before it."
        yield Problem(words, Flaw.RESULT)
        return
    result = earlier[argument.task].result
    names = fields_in(argument.field)
    if not set(names) <= result.fields.keys():
        words = f"{task.id}.{parameter.name} takes the field {argument.field}, which {argument.task} does not have."
        yield Problem(words, Flaw.RESULT)
        return
    source = result
    if len(names) > 1:
        source = ValueType(K.TEXT, result.many)
    elif names:
        inner = result.fields[argument.field]
        source = ValueType(inner.kind, inner.many or result.many, inner.choices, inner.fields)
    if argument.index is not None or argument.task == task.each:
        source = ValueType(source.kind, False, source.choices, source.fields)
    if parameter.type.kind in (K.TITLE, K.QUERY) and source.kind in (K.TEXT, K.TITLE, K.QUERY):
        return
    if fit(source, parameter.type, single=True) is None:
        yield f"{task.id}.{parameter.name} wants {parameter.type.kind}, but {argument.task} gives {source.kind}."


def _constant(task: Task, argument: Constant, parameter: Parameter) -> Iterator[str]:
    where = f"{task.id}.{parameter.name}"
    if argument.value is None:
        yield f"{where} has no value."
        return
    items = argument.value if parameter.type.many and isinstance(argument.value, list) else [argument.value]
    if len(items) > MOST_ITEMS or any(len(repr(item)) > MOST_BYTES for item in items):
        yield f"{where} is too large."
        return
    for item in items:
        if not _shape_fits(item, parameter.type):
            yield f"{where} does not take what it is given: {parameter.type.kind} is wanted."


def _shape_fits(value: Any, wanted: ValueType) -> bool:
    if wanted.kind is K.CHOICE:
        return isinstance(value, str) and (not wanted.choices or value in wanted.choices)
    if wanted.kind in (K.FILE, K.FOLDER, K.NEW_FILE):
        return _is_path(value)
    if isinstance(value, bool):
        return wanted.kind in (K.BOOLEAN, K.TEXT, K.RECORD, K.ANY)
    return isinstance(value, _SHAPES.get(wanted.kind, object))


_SHAPES: Mapping[ValueKind, type | tuple[type, ...]] = {
    K.INTEGER: int,
    K.NUMBER: (int, float, str),
    K.BOOLEAN: bool,
    K.PERIOD: Mapping,
    K.SIZE: Mapping,
    K.CONDITION: Mapping,
    K.QUANTITY: Mapping,
    K.TITLE: str,
    K.QUERY: str,
    K.COLUMN: str,
    K.UNIT: str,
    K.EXPRESSION: str,
    K.DATE: str,
    K.URL: str,
}


def _is_path(value: Any) -> bool:
    path = value.get("path") if isinstance(value, Mapping) else value
    return isinstance(path, str) and bool(path) and "\x00" not in path
