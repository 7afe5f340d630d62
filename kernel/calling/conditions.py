"""Whether a condition holds of what a step gave back: asked of the daemon, which compares as it does in a plan.

What this stops: two ways of comparing, one for plans and one for the skills that are made of them.
What it does not: need a right. Whoever asks has the value already, and learns nothing but yes or no.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from kernel.calling.refusals import malformed
from kernel.calling.wording import Body, read_question
from kernel.dispatching.binding import project
from kernel.dispatching.holding import held
from kernel.model import Comparison, Condition, FromTask, Measure, Outcome, TaskId
from skills.branches import HOLDS

_TASK = TaskId("step")
_BOOLEAN = ["boolean", False, []]


@dataclass(frozen=True, slots=True)
class Asked:
    """A value, which part of it is meant, and what is to hold of that."""

    value: Any
    part: FromTask
    condition: Condition


def read_condition(question: bytes) -> Asked | None:
    """Return what is asked about a value; None where the question is another one. Raises TaskFailed."""
    if HOLDS.encode() not in question:
        return None
    asked = read_question(question)
    if asked.tool != HOLDS:
        return None
    given, part = asked.arguments, asked.parts.get("of")
    if part is None or not isinstance(given.get("value"), str | int | float):
        raise malformed("a condition about nothing")
    try:
        measure, comparison = Measure(given["measure"]), Comparison(given["comparison"])
    except (KeyError, ValueError) as error:
        raise malformed("no such condition") from error
    text = json.dumps(given["value"], ensure_ascii=False)
    return Asked(given["of"], part, Condition(_TASK, measure, comparison, given["value"], text=f"{comparison} {text}"))


def answered(asked: Asked) -> Body:
    """Return whether it holds, with what was found there as the answer. Raises TaskFailed where that cannot be told."""
    value = project(Outcome(asked.part.task, True, asked.value), asked.part)
    found = held(asked.condition, {_TASK: Outcome(_TASK, True, value)})
    return {"value": found.holds, "type": _BOOLEAN, "answer": found.found, "withheld": [], "changes": []}
