"""The last rung: what only a person can say is asked, and the answer completes the plan.

"The step before found 5 and only one can be taken" is no end but a question: which one? So is "there is no column of
that name" of a tool that knows the columns, and "At what time?" of one that lacks nothing else. The plan is kept as the
draft of that question; the answer takes the place of what was refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kernel.asking import wording
from kernel.dispatching.binding import project
from kernel.errors import TaskFailed
from kernel.fields import as_text
from kernel.model import Constant, FromTask, Outcome, Plan, Question, Task, TaskId
from skills.model import Tool, ValueKind

MOST_CHOICES = 9
_IN_WORDS = frozenset({ValueKind.TITLE, ValueKind.COLUMN, ValueKind.QUERY, ValueKind.TEXT, ValueKind.URL})
_ONE_OF = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE, ValueKind.TITLE, ValueKind.DATE})


def which_one(plan: Plan, failed: Outcome, outcomes: Mapping[TaskId, Outcome], tool: Tool) -> Question | None:
    """Return the question that a task leaves which was given several things for one, or what it cannot take."""
    task = next((one for one in plan.tasks if one.id == failed.task), None)
    if task is None or task.each is not None:
        return None
    if failed.offered is not None:
        return _instead(plan, task, failed, tool) or _asked(plan, task, failed, tool)
    return _of_several(plan, task, outcomes, tool) if (failed.error or {}).get("code") == "task.many" else None


def _instead(plan: Plan, task: Task, failed: Outcome, tool: Tool) -> Question | None:
    """Ask which of what the tool would take stands for the words that it refused, where a person said these words."""
    offered = failed.offered
    if offered is None or not 0 < len(offered.choices) <= MOST_CHOICES:
        return None
    for name, argument in task.arguments.items():
        kind = tool.parameter(name).type
        said = isinstance(argument, Constant) and argument.value == offered.instead_of
        if said and not kind.many and kind.kind in _IN_WORDS:
            text = (failed.error or {}).get("message", "")
            return Question(text, task.id, name, plan, offered.choices, offered.choices)
    unsaid = _unsaid(task, tool) if not offered.instead_of else ""
    text = (failed.error or {}).get("message", "")
    return Question(text, task.id, unsaid, plan, offered.choices, offered.choices) if unsaid else None


def _asked(plan: Plan, task: Task, failed: Outcome, tool: Tool) -> Question | None:
    """Ask what the tool itself asks for: "When? Say it, for example tomorrow at 8". No result is put aside for it."""
    asks = failed.offered.asks if failed.offered is not None else ""
    if not any(one.name == asks for one in tool.parameters):
        return None
    if asks in task.arguments and not isinstance(task.arguments[asks], Constant):
        return None
    error = failed.error or {}
    text = " ".join(filter(None, (error.get("message", ""), error.get("hint", ""))))
    return Question(text, task.id, asks, plan)


def _unsaid(task: Task, tool: Tool) -> str:
    """The one argument that words would say which thing is meant, where nobody gave it: "cancel the timer", of two."""
    words = [one.name for one in tool.parameters if one.type.kind is ValueKind.QUERY and not one.type.many]
    return words[0] if len(words) == 1 and words[0] not in task.arguments else ""


def _of_several(plan: Plan, task: Task, outcomes: Mapping[TaskId, Outcome], tool: Tool) -> Question | None:
    for name, argument in task.arguments.items():
        parameter = tool.parameter(name)
        if not isinstance(argument, FromTask) or parameter.type.many or parameter.type.kind not in _ONE_OF:
            continue
        values = _several(argument, outcomes)
        if 1 < len(values) <= MOST_CHOICES:
            return _question(plan, task, name, values, tool)
    return None


def _several(argument: FromTask, outcomes: Mapping[TaskId, Outcome]) -> list[Any]:
    outcome = outcomes.get(argument.task)
    if outcome is None or not outcome.ok:
        return []
    try:
        value = project(outcome, argument)
    except TaskFailed:
        return []
    return value if isinstance(value, list) else []


def _question(plan: Plan, task: Task, name: str, values: list[Any], tool: Tool) -> Question:
    noun = wording.noun(plan.language, tool.parameter(name))
    text = f"Welches davon ({noun})?" if plan.language == "de" else f"Which one ({noun})?"
    choices = tuple(str(one["path"]) if isinstance(one, Mapping) and "path" in one else as_text(one) for one in values)
    return Question(text, task.id, name, plan, choices, tuple(values))
