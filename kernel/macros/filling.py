"""A macro's plan with what it was told: values are put in, and what is missing becomes one ordinary question.

What a draft still waits for stands in the reasons of its plan (``why["macro"]``), so that the answer finds it, also
after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kernel.asking.ask import question_for
from kernel.asking.values import value_words
from kernel.composition.build import with_argument
from kernel.macros.model import Macro, Parameter
from kernel.macros.sayings import say
from kernel.model import Constant, Plan, Question
from kernel.paths import short
from skills.model import Tool, ToolId

MOST_USUAL = 3


def filled(macro: Macro, plan: Plan, given: Mapping[str, Constant]) -> Plan:
    """Return ``plan`` with every value of ``given`` where its parameter is meant."""
    for one in macro.parameters:
        if one.name in given:
            for task in one.tasks:
                plan = with_argument(plan, task, one.argument, given[one.name])
    return plan


def marked(plan: Plan, macro: Macro, changed: Sequence[str] = (), waits: Sequence[str] = ()) -> Plan:
    """Return ``plan`` with what macro it came of, what had changed by then, and what it still waits for."""
    origin = {"name": macro.name, "key": macro.key, "text": macro.text, "anew": list(changed), "waits": list(waits)}
    return replace(plan, why={**plan.why, "macro": origin})


def asked_for(macro: Macro, plan: Plan, tool: Callable[[ToolId], Tool], home: str) -> Plan | Question:
    """Return the plan where nothing is missing; else the question for the first parameter that was not told."""
    missing = [one for one in macro.parameters if not _is_told(one, plan)]
    origin: Mapping[str, Any] = plan.why.get("macro") or {}
    plan = marked(plan, macro, origin.get("anew", ()), [one.name for one in missing])
    if not missing:
        return plan
    one = missing[0]
    task = next(task for task in plan.tasks if task.id == one.tasks[0])
    question = question_for(plan, task.id, tool(task.tool), one.argument)
    if one.folder:
        text = say(plan.language, "in folder", question=question.text, folder=short(one.folder, home))
        return replace(question, text=text)
    if one.usual and not question.choices:
        shown = ", ".join(value_words(value, home, plan.language) for value in one.usual[:MOST_USUAL])
        return replace(question, text=say(plan.language, "usual", question=question.text, values=shown))
    return question


def spread(macro: Macro, plan: Plan, name: str) -> Plan:
    """Return ``plan`` with the answer for a parameter wherever that is meant."""
    one = next(one for one in macro.parameters if one.name == name)
    values = (task.arguments.get(one.argument) for task in plan.tasks if task.id in one.tasks)
    value = next((value for value in values if isinstance(value, Constant)), None)
    return plan if value is None else filled(macro, plan, {name: value})


def _is_told(one: Parameter, plan: Plan) -> bool:
    return all(one.argument in task.arguments for task in plan.tasks if task.id in one.tasks)
