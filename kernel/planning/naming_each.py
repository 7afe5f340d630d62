"""A title that nobody said, of what is made for each of a list: the item's own name."""

from __future__ import annotations

from dataclasses import replace

from kernel.composition.profiles.profile import Box
from kernel.dialogue.answers import lacking
from kernel.dispatching.standing_in import matched, stand_in
from kernel.model import Constant, Plan, Question, TaskId
from permissions.labels import KERNEL_SAID
from skills.model import ValueKind, ValueType

_BY_NAME = "stem"
_NAMING = ("title", "name", "subject")
_NAMES = frozenset({ValueKind.TITLE, ValueKind.TEXT, ValueKind.QUERY})


def titled(question: Question, each: TaskId, result: ValueType, box: Box, home: str) -> Question | Plan:
    """Return the plan of ``question`` with the item's own name for a title that nobody said, or what it still lacks.

    The plan is one about a stand-in of task ``each``, whose ``result`` is a list. A question that asks for anything but
    what is missing (which of two files, how many) stays as it is: it would not be asked again.
    """
    own = _own_name(result)
    task = next((one for one in question.draft.tasks if one.id == question.task), None)
    if own is None or task is None:
        return question
    missing = [one for one in box.tool(task.tool).parameters if one.required and one.name not in task.arguments]
    if question.parameter not in {one.name for one in missing}:
        return question
    titles = [one.name for one in missing if one.type.kind is ValueKind.TITLE]
    if not titles:
        return question
    value = stand_in(each, result, single=True, home=home)
    name = Constant(matched(value, result, each).by_field[own], KERNEL_SAID)
    title = question.parameter if question.parameter in titles else titles[0]
    called = replace(task, arguments={**task.arguments, title: name})
    plan = replace(question.draft, tasks=tuple(called if one is task else one for one in question.draft.tasks))
    return lacking(plan, box) or plan


def _own_name(kind: ValueType) -> str | None:
    """The field that names one of a list: of a file its name without the suffix, of a text all of it; None for none."""
    if kind.kind is ValueKind.FILE:
        return _BY_NAME
    if kind.kind in _NAMES:
        return ""
    return next((name for name in _NAMING if name in kind.fields and kind.fields[name].kind in _NAMES), None)
