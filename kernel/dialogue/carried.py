"""What a question would ask for, and the last request was about: "take the coffee off" the list that was just read.

What this stops: that a person says again which note, or to whom, where nothing else was spoken of: "draft him a mail".
What it does not: choose what is taken away; that is asked as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernel.asking.taken import plan_takes_away
from kernel.composition.build import with_argument
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.context.dialogue import Dialogue
from kernel.dialogue.answers import lacking
from kernel.language.follow_words import means_somebody
from kernel.model import Constant, Plan, Proposal, Question
from skills.model import Parameter, Tool


def carried(proposal: Proposal, scene: Scene, context: Dialogue, box: Box) -> Proposal:
    """Return ``proposal``; of a question for what the last request named, what it comes to with that."""
    if not isinstance(proposal, Question) or context.last is None or context.unsettled or context.pending is not None:
        return proposal
    task = next(one for one in proposal.draft.tasks if one.id == proposal.task)
    if not proposal.parameter or proposal.values or proposal.parameter in task.arguments or not box.knows(task.tool):
        return proposal
    wanted = box.tool(task.tool).parameter(proposal.parameter)
    value = next(_named(scene, context.last.plan, box.tool(task.tool), wanted, box), None)
    if value is None or plan_takes_away(proposal.draft, box):
        return proposal
    plan = with_argument(proposal.draft, task.id, proposal.parameter, value)
    plan = replace(plan, score=max(plan.score, proposal.settled))
    return lacking(plan, box) or plan


def _named(scene: Scene, last: Plan, tool: Tool, wanted: Parameter, box: Box) -> Iterator[Constant]:
    """What the last request gave to a parameter that takes the same: a thing by its name, or a person."""
    somebody = wanted.person and any(means_somebody(token.norm) for token in scene.tokens)
    for task in reversed(last.tasks):
        for name, held in task.arguments.items() if box.knows(task.tool) else ():
            other = box.tool(task.tool)
            theirs = other.parameter(name)
            same = other.skill == tool.skill and bool(wanted.names) and theirs.names == wanted.names
            if isinstance(held, Constant) and not theirs.type.many and (same or (somebody and theirs.person)):
                yield held
