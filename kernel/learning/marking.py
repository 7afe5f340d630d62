"""From the task of a plan to an example: the words of its clause with the values marked, as an author would mark them.

What this stops: that a value which stands in the clause becomes a word of the request, or a word that came from an
answer becomes part of the clause. Whatever cannot be marked surely is no example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kernel.learning.model import Clause
from kernel.model import Argument, Constant, FromTask, Plan, Task, TaskId
from skills.model import Example, ExampleSlot

LONGEST = 300
"""Characters of a clause that is an example."""


def clauses_of(plan: Plan, said: str, asked: Plan | None = None) -> tuple[Clause, ...]:
    """Return the clauses of ``plan`` as examples; ``said`` is the sentence that they stand in.

    ``asked`` is the plan before an answer completed it: what stood for a value then stands in the clause.
    """
    found = (_clause(task, plan, said, asked) for task in plan.tasks if not _is_described(task, plan))
    return tuple(one for one in found if one is not None)


def _is_described(task: Task, plan: Plan) -> bool:
    """The object of another call ("the newest pdf"): no request of its own."""
    return any(one.id != task.id and task.text and task.text in one.text for one in plan.tasks)


def _clause(task: Task, plan: Plan, said: str, asked: Plan | None) -> Clause | None:
    text = task.text
    if not text or len(text) > LONGEST or text not in said or task.when or task.each is not None:
        return None
    before = _arguments(asked, task.id)
    slots: list[ExampleSlot] = []
    for name, value in sorted(task.arguments.items(), key=lambda one: -len(_words(one[1], plan))):
        told = [words for words in (_words(value, plan), _words(before.get(name), asked or plan)) if words]
        found = next((place for words in told if (place := _place(text, words, slots)) is not None), None)
        if found is not None:
            slots.append(ExampleSlot(name, *found))
        elif told and not _may_be_elsewhere(told, text, answered=asked is not None and name not in before):
            return None
    return Clause(task.tool, Example(text, plan.language, tuple(sorted(slots, key=lambda one: one.start))))


def _arguments(plan: Plan | None, task: TaskId) -> Mapping[str, Argument]:
    return next((one.arguments for one in plan.tasks if one.id == task), {}) if plan is not None else {}


def _may_be_elsewhere(told: Sequence[str], text: str, *, answered: bool) -> bool:
    """A value that was asked for stands in no clause; one that stands in the same words as another is marked there."""
    return answered or any(re.search(_whole(words), text) for words in told)


def _words(value: Argument | None, plan: Plan) -> str:
    if isinstance(value, Constant):
        return value.text
    if isinstance(value, FromTask):
        return next((one.text for one in plan.tasks if one.id == value.task), "")
    return ""


def _place(text: str, words: str, taken: Sequence[ExampleSlot]) -> tuple[int, int] | None:
    """Where ``words`` stand in ``text`` as whole words that no other value has."""
    for match in re.finditer(_whole(words), text):
        if all(match.end() <= one.start or one.end <= match.start() for one in taken):
            return match.span()
    return None


def _whole(words: str) -> str:
    return rf"(?<!\w){re.escape(words)}(?!\w)"
