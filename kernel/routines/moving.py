"""Values of a plan that mean another day each time: "today", "next week", "this month".

A constant keeps the words that it was read from. What a day or a period was read from is read again by the same grammar
when the routine fires. A value whose words alone do not come to it could not be told then, so no routine is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from kernel.language.whole_values import TIMELY, whole_values
from kernel.model import Argument, Constant, Plan, Task
from skills.model import Tool, ToolId, ValueKind

_HABITS = "en"
"""The words of a habit are English, whatever is spoken."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?")
"""A day as it is written down in a text, also with a time of day, which no words but "now" come to."""

_LATER = (0, 1, 8, 40, 200)
"""Days after a rule was made, on which its words are read once more before it is kept."""


class CannotTell(Exception):
    """What some words of a day or a period mean now cannot be told; they are the message."""


def standing_still(plan: Plan, language: str, made: datetime, tool: Callable[[ToolId], Tool]) -> list[str]:
    """Return the words of days and periods that could not be read again, now or on a later day."""
    found = []
    for after in _LATER:
        try:
            moved(plan, language, made, made + timedelta(days=after), tool)
        except CannotTell as error:
            found.append(str(error))
    return list(dict.fromkeys(found))


def moved(plan: Plan, language: str, made: datetime, now: datetime, tool: Callable[[ToolId], Tool]) -> Plan:
    """Return ``plan`` with its days and periods as their words mean them ``now``. Raises CannotTell."""
    return replace(plan, tasks=tuple(_moved(task, language, made, now, tool(task.tool)) for task in plan.tasks))


def in_words(view: Mapping[str, Any], plan: Plan, tool: Callable[[ToolId], Tool]) -> dict[str, Any]:
    """Return the view of ``plan`` with its days and periods as they were said: what they are is told when it fires."""
    said = {
        task.id: {name: constant.text for name, constant, _ in _timely(task, tool(task.tool)) if constant.text}
        for task in plan.tasks
    }
    tasks = [one | {"arguments": one["arguments"] | said[one["id"]]} for one in view["tasks"]]
    return {**view, "tasks": tasks}


def _moved(task: Task, language: str, made: datetime, now: datetime, tool: Tool) -> Task:
    arguments = dict(task.arguments)
    for name, constant, kind in _timely(task, tool):
        for spoken in dict.fromkeys((language, _HABITS)):
            before = list(whole_values(constant.text, kind, spoken, made))
            after = list(whole_values(constant.text, kind, spoken, now))
            if len(before) == len(after) and constant.value in before:
                arguments[name] = replace(constant, value=after[before.index(constant.value)])
                break
        else:
            raise CannotTell(constant.text or name)
    return replace(task, arguments=arguments)


def _timely(task: Task, tool: Tool) -> Iterator[tuple[str, Constant, ValueKind]]:
    for name, value in task.arguments.items():
        kind = tool.parameter(name).type.kind
        if kind is ValueKind.TEXT and _is_day(value):
            kind = ValueKind.DATE
        if kind in TIMELY and isinstance(value, Constant) and value.value is not None:
            yield name, value, kind


def _is_day(value: Argument) -> bool:
    """Tell whether a text is nothing but a day that was said in words: "together with today's date"."""
    if not isinstance(value, Constant) or not isinstance(value.value, str) or value.text == value.value:
        return False
    return _DAY.fullmatch(value.value) is not None
