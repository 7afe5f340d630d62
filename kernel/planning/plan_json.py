"""Plans and questions as JSON and back: the ledger keeps them, a restart goes on with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kernel.model import (
    Argument,
    Comparison,
    Condition,
    Constant,
    FromTask,
    Measure,
    Plan,
    Question,
    Task,
    TaskId,
)
from permissions.labels import Label
from skills.model import ToolId


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Return ``plan`` as JSON values."""
    return {
        "tasks": [_task_to_json(task) for task in plan.tasks],
        "language": plan.language,
        "version": plan.version,
        "score": plan.score,
        "why": dict(plan.why),
    }


def plan_from_json(value: Mapping[str, Any]) -> Plan:
    """Read what ``plan_to_json`` wrote. Raises KeyError, TypeError or ValueError on anything else."""
    return Plan(
        tuple(_task_from_json(task) for task in value["tasks"]),
        str(value["language"]),
        int(value.get("version", 1)),
        float(value.get("score", 1.0)),
        dict(value.get("why") or {}),
    )


def question_to_json(question: Question) -> dict[str, Any]:
    """Return ``question`` with its draft as JSON values."""
    return {
        "text": question.text,
        "task": question.task,
        "parameter": question.parameter,
        "draft": plan_to_json(question.draft),
        "choices": list(question.choices),
        "values": list(question.values),
    }


def question_from_json(value: Mapping[str, Any]) -> Question:
    """Read what ``question_to_json`` wrote. Raises KeyError, TypeError or ValueError on anything else."""
    return Question(
        str(value["text"]),
        TaskId(str(value["task"])),
        str(value["parameter"]),
        plan_from_json(value["draft"]),
        tuple(str(choice) for choice in value.get("choices", ())),
        tuple(value.get("values", ())),
    )


def _task_to_json(task: Task) -> dict[str, Any]:
    value: dict[str, Any] = {
        "id": task.id,
        "tool": task.tool,
        "arguments": {name: _argument_to_json(value) for name, value in task.arguments.items()},
        "after": list(task.after),
        "text": task.text,
    }
    if task.when:
        value["when"] = [_condition_to_json(one) for one in task.when]
    if task.each is not None:
        value["each"] = task.each
    return value


def _task_from_json(value: Mapping[str, Any]) -> Task:
    return Task(
        TaskId(str(value["id"])),
        ToolId(str(value["tool"])),
        {str(name): _argument_from_json(argument) for name, argument in value["arguments"].items()},
        tuple(TaskId(str(task)) for task in value.get("after", ())),
        str(value.get("text", "")),
        tuple(_condition_from_json(one) for one in value.get("when", ())),
        None if value.get("each") is None else TaskId(str(value["each"])),
    )


def _condition_to_json(one: Condition) -> dict[str, Any]:
    return {
        "task": one.task, "measure": str(one.measure), "comparison": str(one.comparison), "value": one.value,
        "field": one.field, "text": one.text,
    }  # fmt: skip


def _condition_from_json(value: Mapping[str, Any]) -> Condition:
    return Condition(
        TaskId(str(value["task"])), Measure(value["measure"]), Comparison(value["comparison"]), value["value"],
        str(value.get("field", "")), str(value.get("text", "")),
    )  # fmt: skip


def _argument_to_json(argument: Argument) -> dict[str, Any]:
    if isinstance(argument, FromTask):
        return {"task": argument.task, "field": argument.field, "index": argument.index}
    return {"value": argument.value, "label": argument.label.to_json(), "text": argument.text}


def _argument_from_json(value: Mapping[str, Any]) -> Argument:
    if "task" in value:
        index = value.get("index")
        return FromTask(TaskId(str(value["task"])), str(value.get("field", "")), None if index is None else int(index))
    return Constant(value["value"], Label.from_json(value.get("label")), str(value.get("text", "")))
