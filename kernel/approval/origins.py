"""Values of others that already stand in a plan: they are seen on its card, and not asked about a second time.

What this stops: two questions about one value; a card that leaves out whose words would decide something.
What it does not: let a yes in advance count for one. Then nobody has looked, and the question comes before the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kernel.dispatching.binding import bind
from kernel.errors import TaskFailed
from kernel.flow import LONGEST, Around, Concern, around_of, concerns_of
from kernel.flow.found import found_in
from kernel.model import Argument, Constant, Plan, Task
from permissions.labels import Integrity
from skills.deciding import may_decide
from skills.errors import SkillError
from skills.model import Tool, ToolId

if TYPE_CHECKING:
    from kernel.run import Run

_WORDS = {
    "en": {"value": "Value", "origin": "It comes from", "decides": "It decides"},
    "de": {"value": "Wert", "origin": "Er kommt aus", "decides": "Er bestimmt"},
}


def lines_of(concerns: Sequence[Concern], language: str) -> list[dict[str, str]]:
    """Return what a person reads of values that would decide something: the value, its origin and what it decides."""
    said = _WORDS.get(language, _WORDS["en"])
    return [{"why": said[part], "subject": getattr(one, part)} for one in concerns for part in said]


def on_card(concerns: Sequence[Concern], language: str) -> dict[str, Any]:
    """Return what a card has of ``concerns``; nothing where there are none."""
    if not concerns:
        return {}
    flow = [{"tool": one.tool, "parameter": one.parameter} for one in concerns]
    return {"concerns": lines_of(concerns, language), "flow": flow}


def known_of(run: Run, plan: Plan) -> tuple[Concern, ...]:
    """Return what a person has to vouch for among the values that stand in ``plan`` already."""
    if not any(_is_others(value) for task in plan.tasks for value in task.arguments.values()):
        return ()
    from kernel.calling import settled  # calling knows this room

    circumstances = run.around()
    tasks = {task.id: task for task in plan.tasks}
    around = around_of(circumstances, tasks, plan.language, lambda: found_before(run))
    found: list[Concern] = []
    for task in plan.tasks:
        found += _known(task, circumstances.tool(task.tool), around, lambda tool, values: settled(
            tool, values, circumstances.resolve))  # fmt: skip
    return tuple(found) if sum(len(one.value) for one in found) <= LONGEST else ()


def _known(task: Task, tool: Tool, around: Around, settle: Any) -> Sequence[Concern]:
    given = {name: value for name, value in task.arguments.items() if _is_others_sink(tool, name, value)}
    if not given:
        return ()
    try:
        values, labels = bind(replace(task, arguments=given), tool, {})
    except TaskFailed:  # it is said when the task is made
        return ()
    return concerns_of(task, tool, settle(tool, values), labels, around)


def _is_others_sink(tool: Tool, name: str, value: Argument) -> bool:
    return _is_others(value) and may_decide(tool.parameter(name))


def _is_others(value: Argument) -> bool:
    return isinstance(value, Constant) and value.label.integrity is Integrity.UNTRUSTED


def found_before(run: Run) -> frozenset[str]:
    """Return the files and folders that Steward's own tools found earlier in the conversation."""
    registry, dialogue = run.house.registry, run.house.talk.dialogue(run.utterance.conversation, run.id)

    def shipped(tool: ToolId) -> bool:
        try:
            return registry.skill(registry.tool(tool).skill).shipped
        except SkillError:  # it is installed no more
            return False

    return found_in((dialogue.last, *dialogue.recent), registry.tool, shipped)
