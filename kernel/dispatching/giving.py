"""What a call is given: its arguments, with the values of earlier calls in their places, in the form of its tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel.calling import Floor, settled
from kernel.dispatching.binding import bind
from kernel.dispatching.coercion import coerce, said_otherwise
from kernel.model import Constant, FromTask, Outcome, Task, TaskId
from permissions.labels import Label
from skills.model import Tool


@dataclass(frozen=True, slots=True)
class Given:
    """Concrete values, whose word each of them is, and in ``notes`` what was made another form."""

    values: Mapping[str, Any]
    labels: Mapping[str, Label]
    notes: Sequence[str]


def given_to(task: Task, outcomes: Mapping[TaskId, Outcome], floor: Floor) -> Given:
    """Return what the call of ``task`` is given where what came before it are ``outcomes``. Raises TaskFailed."""
    tool = floor.around.tool(task.tool)
    bound, labels = bind(task, tool, outcomes, floor.language)
    bound, notes = _in_form(task, tool, bound, floor.language)
    return Given(settled(tool, bound, floor.around.resolve), labels, notes)


def _in_form(task: Task, tool: Tool, bound: Mapping[str, Any], language: str) -> tuple[dict[str, Any], list[str]]:
    """Give what earlier tasks found the form that the tool takes; the notes say what was made another."""
    values, notes = dict(bound), list[str]()
    for name, argument in task.arguments.items():
        if isinstance(argument, FromTask):
            values[name], note = coerce(bound[name], tool.parameter(name), language)
            notes += [note] if note else []
        elif isinstance(argument, Constant):
            note = said_otherwise(argument.text, bound[name], tool.parameter(name), language)
            notes += [note] if note else []
    return values, notes
