"""Whether a condition holds of what a step gave back: asked of the daemon, which compares as it does in a plan.

What this stops: two ways of comparing, one for plans and one for the skills that are made of them.
What it does not: need a right. Whoever asks has the value already, and learns nothing but yes or no.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kernel.calling.refusals import malformed
from kernel.calling.wording import Asked, Body
from kernel.dispatching.binding import project
from kernel.dispatching.holding import held
from kernel.model import Comparison, Condition, Measure, Outcome, TaskId

_TASK = TaskId("step")
_BOOLEAN = ["boolean", False, []]


def decided(asked: Asked) -> Body:
    """Return whether a condition holds, with what was found there as the answer.

    Raises TaskFailed where it is none, and where it cannot be told.
    """
    given, part = asked.arguments, asked.parts.get("of")
    if part is None:
        raise malformed("a condition about nothing")
    condition, value = _condition(given), project(Outcome(part.task, True, given["of"]), part)
    found = held(condition, {_TASK: Outcome(_TASK, True, value)})
    return {"value": found.holds, "type": _BOOLEAN, "answer": found.found, "withheld": [], "changes": []}


def _condition(given: Mapping[str, Any]) -> Condition:
    wanted = given.get("value")
    if not isinstance(wanted, str | int | float):
        raise malformed("a condition about nothing")
    try:
        measure, comparison = Measure(given["measure"]), Comparison(given["comparison"])
    except (KeyError, ValueError) as error:
        raise malformed("no such condition") from error
    text = f"{comparison} {json.dumps(wanted, ensure_ascii=False)}"
    return Condition(_TASK, measure, comparison, wanted, text=text)
