"""What a skill takes where nobody said it: a default of its manifest instead of a question. Pure.

What this stops: a default that decides something (an address, a place, a command): no manifest may have one for a sink.
What it does not: answer a question between several things; that is asked as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from kernel.composition.build import Judged
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.dialogue.answers import lacking
from kernel.model import Constant, Proposal, Question, Task
from permissions.labels import FOR_THE_PERSON
from skills.model import ValueKind


def with_usual(proposal: Proposal, box: Box, home: str) -> Proposal:
    """Return ``proposal``; where it asks for a value that has a default, what it comes to with that."""
    reply = proposal.reply
    while isinstance(proposal, Question) and (value := _usual(proposal, box, home)) is not None:
        tasks = tuple(_given(task, proposal, value) for task in proposal.draft.tasks)
        plan = replace(proposal.draft, tasks=tasks, score=max(proposal.draft.score, 0.9))
        proposal = replace(lacking(plan, box) or plan, reply=reply)
    return proposal


def says_nothing_of_it(scene: Scene, judged: Judged) -> bool:
    """Tell whether every word is understood without what is missing: no value stands there that nothing takes."""
    if judged.unexplained or judged.doubt:
        return False
    taken = reduce(or_, (one.mask for step in judged.draft.steps for one in step.fillers), 0)
    return not (scene.never | scene.hard | scene.pointing) & ~taken


def _given(task: Task, question: Question, value: Any) -> Task:
    if task.id != question.task:
        return task
    return replace(task, arguments={**task.arguments, question.parameter: Constant(value, FOR_THE_PERSON)})


def _usual(question: Question, box: Box, home: str) -> Any:
    """Return the default of what is asked for because it was not said; None where there is none."""
    task = next((one for one in question.draft.tasks if one.id == question.task), None)
    if task is None or question.parameter in task.arguments or not box.knows(task.tool):
        return None
    parameter = next((one for one in box.tool(task.tool).parameters if one.name == question.parameter), None)
    if parameter is None or (question.choices and parameter.type.kind is not ValueKind.CHOICE):
        return None
    return _at(parameter.usual, home)


def _at(value: Any, home: str) -> Any:
    if isinstance(value, Mapping):
        return {name: _at(one, home) for name, one in value.items()}
    if isinstance(value, list):
        return [_at(one, home) for one in value]
    return home + value[1:] if isinstance(value, str) and (value == "~" or value.startswith("~/")) else value
