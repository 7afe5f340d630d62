"""What a question would ask for, and was spoken of before: "take the coffee off" the list that was just read.

What this stops: that a person says again which note, or to whom, where nothing else was spoken of: "draft him a mail",
"invite Anna to the dinner and mail it to her".
What it does not: choose what is taken away; that is asked as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kernel.asking.taken import plan_takes_away
from kernel.composition.build import with_argument
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.context.dialogue import Dialogue
from kernel.dialogue.answers import lacking
from kernel.language.follow_words import means_somebody
from kernel.model import Constant, FromTask, Plan, Proposal, Question, Task
from skills.model import Parameter, Tool, ValueKind

_TO = r"\b(?:to|an|with|mit)\s+"
_END = r"\s*(?:[^\w\s]|$)"
_THING = r"the|an?|it|that|about|d(?:ie|as|en)|eine?n?|es"
_GOES_ON = (
    r"and|with|by|in|on|at|from|today|tomorrow|now|please|und|mit|von|per|am|um|heute|morgen|gleich|jetzt|bitte|weiter"
)
_WHOM = re.compile(
    rf"\b(?:him|ihm)\b|{_TO}(?:them|ihnen|sie|ihn)\b|{_TO}(?:her|ihr)\b(?={_END}|\s+(?:{_GOES_ON}|{_THING})\b)"
    rf"|(?<!from )(?<!of )\bher\b(?={_END}|\s+(?:{_THING})\b)|\bihr\b(?=\s+(?:{_THING})\b)",
    re.IGNORECASE,
)
"""Words of a step for somebody to whom something goes: "to her", "draft him"; not "them" of mails, nor "her picture",
nor "ihn" of a letter."""


def goes_to_somebody(text: str) -> bool:
    """Tell whether a step goes to a person who was spoken of."""
    return _WHOM.search(text) is not None


def carried(proposal: Proposal, scene: Scene, context: Dialogue, box: Box) -> Proposal:
    """Return ``proposal``; of a question for what an earlier step or the last request named, what it comes to."""
    if not isinstance(proposal, Question) or context.unsettled or context.pending is not None:
        return proposal
    task = next(one for one in proposal.draft.tasks if one.id == proposal.task)
    if not proposal.parameter or proposal.values or proposal.parameter in task.arguments or not box.knows(task.tool):
        return proposal
    wanted = box.tool(task.tool).parameter(proposal.parameter)
    value = _of_earlier_step(proposal.draft, task, wanted, box)
    draft = proposal.draft if value is None else _once(proposal.draft, task, box.tool(task.tool))
    if value is None and context.last is not None:
        value = next(_named(scene, context.last.plan, box.tool(task.tool), wanted, box), None)
    if value is None or plan_takes_away(proposal.draft, box):
        return proposal
    plan = with_argument(draft, task.id, proposal.parameter, value)
    plan = replace(plan, score=max(plan.score, proposal.settled))
    return lacking(plan, box) or plan


def _of_earlier_step(plan: Plan, task: Task, wanted: Parameter, box: Box) -> Constant | None:
    """The person whom the nearest step before named, where this one goes to "her"."""
    if not wanted.person or not goes_to_somebody(task.text):
        return None
    before = plan.tasks[: plan.tasks.index(task)]
    held = ((one, name, value) for one in reversed(before) for name, value in one.arguments.items())
    return next((value for one, name, value in held if isinstance(value, Constant) and box.knows(one.tool)
                 and box.tool(one.tool).parameter(name).person), None)  # fmt: skip


def _once(plan: Plan, task: Task, tool: Tool) -> Plan:
    """The plan without a text that is the same result as another argument: of "mail it to them" both words took it."""
    given = list(task.arguments.values())
    twice = {name for name, one in task.arguments.items() if isinstance(one, FromTask) and given.count(one) > 1
             and tool.parameter(name).type.kind is ValueKind.TEXT and not tool.parameter(name).required}  # fmt: skip
    kept = {name: one for name, one in task.arguments.items() if name not in twice}
    return replace(plan, tasks=tuple(replace(one, arguments=kept) if one is task else one for one in plan.tasks))


def _named(scene: Scene, last: Plan, tool: Tool, wanted: Parameter, box: Box) -> Iterator[Constant]:
    """What the last request gave to a parameter that takes the same: a thing by its name, or a person."""
    said = any(means_somebody(token.norm) for token in scene.tokens)
    somebody = wanted.person and said and goes_to_somebody(scene.intent.text)
    for task in reversed(last.tasks):
        for name, held in task.arguments.items() if box.knows(task.tool) else ():
            other = box.tool(task.tool)
            theirs = other.parameter(name)
            same = other.skill == tool.skill and bool(wanted.names) and theirs.names == wanted.names
            if isinstance(held, Constant) and not theirs.type.many and (same or (somebody and theirs.person)):
                yield held
