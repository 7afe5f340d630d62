"""The day that was just asked about: "what's on on Sunday?", then "put a hike in from 10 to 2" is that Sunday's.

What this stops: that it goes to today, which nobody spoke of.
What it does not: hold where a day is said, or where the last request was about more than one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kernel.composition.build import only_reads
from kernel.composition.filling.fillers import period_of_day
from kernel.composition.profiles.profile import Box
from kernel.context.dialogue import Dialogue
from kernel.language.time.intervals import looks_back
from kernel.model import Argument, Constant, Plan, Proposal
from skills.model import Parameter, Tool, ValueKind

K = ValueKind
_DAYS = frozenset({K.DATE, K.PERIOD})


def on_that_day(proposal: Proposal, context: Dialogue, box: Box) -> Proposal:
    """Return ``proposal``, a plan that adds something at a time of day without its day on the one just asked about."""
    last = context.last
    if not isinstance(proposal, Plan) or len(proposal.tasks) != 1 or last is None or context.unsettled:
        return proposal
    task, asked = proposal.tasks[0], last.plan.tasks[-1]
    if not (box.knows(task.tool) and box.knows(asked.tool)) or not only_reads(last.plan, box):
        return proposal
    tool, before = box.tool(task.tool), box.tool(asked.tool)
    if tool.skill != before.skill or tool.adds is None or not _is_at_a_time(tool, task.arguments):
        return proposal
    wanted = next((one for one in tool.parameters if one.type.kind in _DAYS and not one.type.many), None)
    day = next((found for name, held in asked.arguments.items() if (found := _day(before.parameter(name), held))), None)
    if looks_back(asked.text.casefold().split(), proposal.language):
        return proposal  # nothing is added to a day that is over
    if wanted is None or day is None or wanted.name in task.arguments:
        return proposal
    value = period_of_day(day[0]) if wanted.type.kind is K.PERIOD else day[0]
    given = Constant(value, day[1].label, day[1].text)
    return replace(proposal, tasks=(replace(task, arguments={**task.arguments, wanted.name: given}),))


def _is_at_a_time(tool: Tool, names: Iterable[str]) -> bool:
    """A time of day was said, and neither a day nor a repetition."""
    given = {tool.parameter(name).type.kind for name in names}
    return K.HOURS in given and given.isdisjoint({*_DAYS, K.RECURRENCE})


def _day(parameter: Parameter, held: Argument) -> tuple[str, Constant] | None:
    """The one day that was asked about."""
    if not isinstance(held, Constant):
        return None
    if parameter.type.kind is K.DATE:
        return str(held.value), held
    if parameter.type.kind is not K.PERIOD or not isinstance(held.value, dict):
        return None
    start, end = str(held.value.get("start") or ""), str(held.value.get("end") or "")
    return (start, held) if start and period_of_day(start).get("end") == end else None
