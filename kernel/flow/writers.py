"""Whose words an answer repeats: each step's result with what it was read from, in words a person knows.

The name of a file is marked where it could pass for a sentence: of a list of names everybody sees that it is one.
What a tool says that does not come with Steward is marked whole, a server's, too, and its error. An error of Steward's
own is one line in its own words; what stands below that is what a program or a page has said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from kernel.flow.found import THINGS, things_in
from kernel.flow.marks import marks_of
from kernel.model import Argument, Constant, FromTask, Outcome, Plan, Task, TaskId
from kernel.paths import paths_of
from permissions.labels import Integrity, Label
from permissions.naming import shown
from skills.mcp.texts import FAILED, FAILED_IN_GERMAN, SAID, SAID_IN_GERMAN
from skills.model import Tool, ToolId, ValueKind

_READ = frozenset({ValueKind.FILE, ValueKind.TABLE, ValueKind.URL})
_SENTENCE_WORDS = 4
_MOST_NAMES = 3


def marks_view(
    answer: str, plan: Plan, outcomes: Mapping[TaskId, Outcome], tool: Callable[[ToolId], Tool], said: str,
    shipped: Callable[[ToolId], bool],
) -> list[dict[str, Any]]:  # fmt: skip
    """Return which characters [start, end) of ``answer`` are of others, and what they are from.

    ``shipped`` tells which tools come with Steward.
    """
    steps = [task for task in plan.tasks if task.id in outcomes]
    results = [_written(outcomes[task.id], tool(task.tool), shipped(task.tool)) for task in steps]
    found = marks_of(answer, results, "\n".join([said, *_given(plan)]))
    origins = {step: origin_of(steps[step - 1], plan, outcomes, tool) for step in {one.step for one in found}}
    return [{"start": one.start, "end": one.end, "origin": origins[one.step]} for one in found]


def _given(plan: Plan) -> Iterator[str]:
    """Yield the texts of a plan that are the person's own, as they are after reading ("to call Anna": "call Anna")."""
    for task in plan.tasks:
        for value in task.arguments.values():
            if isinstance(value, Constant) and value.label.integrity is Integrity.USER:
                yield from (str(value.value), value.text)


def _written(outcome: Outcome, tool: Tool, shipped: bool) -> tuple[Any, Label | None]:
    ours = shipped or tool.served is not None or tool.followed  # of a server and a worker the kernel tells
    error = outcome.error or {}
    if not outcome.ok:
        message = str(error.get("message", ""))
        if tool.served is not None:
            return _of_failed(message, str(tool.id)), None
        return (message.partition("\n")[2] if ours else [message, error.get("hint", "")]), None
    if not ours:
        return [outcome.value, outcome.answer], None
    if tool.served is not None:
        return [outcome.value, _of_server(outcome.answer, str(tool.skill))], None
    if tool.result.kind not in THINGS:
        return outcome.value, outcome.label
    names = (path.rpartition("/")[2] for one in _flat(outcome.value) for path in paths_of(one))
    return [name for name in names if len(name.split()) >= _SENTENCE_WORDS], outcome.label


def _of_server(answer: str, skill: str) -> str:
    """Return what stands in an answer above the last line in which Steward says whose words they are."""
    ends = (answer.rfind(says.format(skill=skill)) for says in (SAID, SAID_IN_GERMAN))
    return answer[: max(0, *ends)]


def _of_failed(message: str, tool: str) -> str:
    """Return what a server has said in an error; nothing of an error in Steward's own words."""
    begins = (says.format(tool=tool) for says in (FAILED, FAILED_IN_GERMAN))
    return next((message.removeprefix(one).partition("\n")[0] for one in begins if message.startswith(one)), "")


def _flat(value: Any) -> Iterator[Any]:
    """Yield the items of a list, and those of lists in it: what was made for each of many."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, list):
            yield from _flat(one)
        else:
            yield one


def origin_of(task: Task, plan: Plan, outcomes: Mapping[TaskId, Outcome], tool: Callable[[ToolId], Tool]) -> str:
    """Say what a step read: the files and pages by name, and where there are none or many what it did."""
    made_by = tool(task.tool)
    kinds = {one.name: one.type.kind for one in made_by.parameters}
    read = [value for name, value in task.arguments.items() if kinds.get(name) in _READ]
    names = list(dict.fromkeys(name for value in read for name in _names(value, plan, outcomes, tool)))
    if 0 < len(names) <= _MOST_NAMES:
        return shown(", ".join(names))
    return made_by.said(made_by.summary, plan.language).rstrip(".")


def _names(
    argument: Argument, plan: Plan, outcomes: Mapping[TaskId, Outcome], tool: Callable[[ToolId], Tool]
) -> Iterator[str]:
    """Yield what files are called, and the hosts of pages."""
    value: Any = None if isinstance(argument, FromTask) else argument.value
    if isinstance(argument, FromTask):
        made = next((one for one in plan.tasks if one.id == argument.task), None)
        held = outcomes.get(argument.task)
        value = list(things_in(held.value, tool(made.tool).result)) if made is not None and held is not None else []
    if isinstance(value, Mapping) and value.get("source"):
        value = value["source"]
    for one in _texts(value):
        yield urlsplit(one).netloc or PurePosixPath(one).name


def _texts(value: Any) -> Sequence[str]:
    if isinstance(value, str) and "://" in value:
        return (value,)
    return tuple(paths_of(value))
