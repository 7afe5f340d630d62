"""A list that an earlier request found, as the list of a new plan: each call takes an item as it was found.

What this stops: that "delete each of them" looks again and takes what nobody has seen. Where that is too many calls
for a plan, only what reads may look again; a change is asked for in one request with the search. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernel.asking.taken import plan_takes_away
from kernel.composition.build import is_pure
from kernel.composition.profiles.profile import Box
from kernel.composition.steps.results import Fit, value_of
from kernel.composition.validate import MOST_TASKS
from kernel.context.dialogue import Dialogue, LastRun
from kernel.dispatching.holding import counts
from kernel.model import Argument, Constant, FromTask, Plan, Question, Task, TaskId
from permissions.labels import Label


@dataclass(frozen=True, slots=True)
class Found:
    """What the last request found: its ``items``, by the last of ``tasks``, which are those that found it.

    ``again``: they only read, so they may be asked once more.
    """

    tasks: tuple[Task, ...]
    items: Sequence[Any]
    label: Label
    again: bool

    @property
    def task(self) -> TaskId:
        """The task whose result the items are."""
        return self.tasks[-1].id


def last_found(context: Dialogue, box: Box) -> Found | None:
    """Return the newest list of the last request; None where it found none, or where it came to nothing."""
    run = context.last
    if run is None or context.unsettled:
        return None
    for task in reversed(run.plan.tasks):
        outcome = run.outcomes.get(task.id)
        items = outcome.value if outcome is not None and outcome.ok else None
        if not box.knows(task.tool) or task.each is not None or not box.tool(task.tool).result.many:
            continue
        if isinstance(items, list) and items:
            tasks = _leading_to(task, run)
            again = all(is_pure(one.tool, box) for one in tasks)
            return Found(_numbered(tasks), items, (outcome.label if outcome else None) or Label(), again)
    return None


def _leading_to(task: Task, run: LastRun) -> tuple[Task, ...]:
    wanted = {task.id}
    for one in reversed(run.plan.tasks):
        wanted |= one.needs() if one.id in wanted else frozenset()
    return tuple(one for one in run.plan.tasks if one.id in wanted)


def _numbered(tasks: Sequence[Task]) -> tuple[Task, ...]:
    names = {one.id: TaskId(f"t{at}") for at, one in enumerate(tasks, 1)}
    return tuple(one.renamed(names) for one in tasks)


def unrolled(plan: Plan, found: Found, box: Box) -> Plan | None:
    """Return ``plan`` with a call for each item of ``found`` in place of the tasks that find them.

    What is only to be done with more or fewer of them is left out where they are not so many; a plan may then be empty.
    None where that is too many calls, or where something else depends on what becomes of all of them.
    """
    found_by = {one.id for one in found.tasks}
    rest = [task for task in plan.tasks if task.id not in found_by and _is_met(task, found)]
    looped = [task for task in rest if task.each == found.task]
    if len(rest) - len(looped) + len(looped) * len(found.items) > MOST_TASKS:
        return None
    made: list[Task] = []
    try:
        names: dict[TaskId, TaskId] = {}
        for task in rest:
            if task.each != found.task:  # once, or for each of another list
                made.append(_with_values(task, names, found, found.items, len(made), box))
                names[task.id] = made[-1].id
            elif task is looped[0]:
                made += _for_each(looped, names, found, len(made), box)
    except KeyError:  # it takes the list of what came of the items, or counts them
        return None
    return replace(plan, tasks=tuple(made))


def asked_of_found(question: Question, found: Found, box: Box) -> Question | None:
    """Return ``question`` about a plan whose tasks find ``found`` as one about what was found.

    Where something is done item by item, and may look again (nothing would be taken away), as it is; else None.
    """
    plan, found_by = question.draft, {one.id for one in found.tasks}
    risky = bool(question.parameter) and plan_takes_away(plan, box)  # of two whole plans each is made of what was found
    if any(one.each == found.task for one in plan.tasks):
        return None if risky else question
    rest = [one.id for one in plan.tasks if one.id not in found_by]
    whole = unrolled(plan, found, box)
    if question.task not in rest or whole is None or len(whole.tasks) != len(rest):
        return None if risky else question
    return replace(question, draft=whole, task=whole.tasks[rest.index(question.task)].id)


def _is_met(task: Task, found: Found) -> bool:
    return all(counts(one, len(found.items)) for one in task.when if one.task == found.task)


def _for_each(
    looped: Sequence[Task], names: Mapping[TaskId, TaskId], found: Found, first: int, box: Box
) -> Iterator[Task]:
    for item in found.items:
        own = dict(names)
        for task in looped:
            made = _with_values(task, own, found, item, first, box)
            own[task.id], first = made.id, first + 1
            yield made


def _with_values(task: Task, names: Mapping[TaskId, TaskId], found: Found, value: Any, at: int, box: Box) -> Task:
    """The task with ``value`` for what was found. Raises KeyError where it needs what is not in the plan."""
    own = {**names, task.id: TaskId(f"t{at + 1}")}
    arguments: dict[str, Argument] = {}
    for name, given in task.arguments.items():
        if not isinstance(given, FromTask) or given.task != found.task:
            arguments[name] = given
            continue
        meant = value_of(value, Fit(1.0, given.field, given.index))
        if meant is None:
            raise KeyError(given.field)
        many = box.tool(task.tool).parameter(name).type.many
        listed = [meant] if many and not isinstance(meant, list) else meant
        arguments[name] = Constant(listed, found.label, found.tasks[-1].text)
    when = tuple(one for one in task.when if one.task != found.task)
    after = tuple(one for one in task.after if one in own)
    each = None if task.each == found.task else task.each
    whole = replace(task, arguments=arguments, when=when, each=each, after=after)
    if not whole.needs() <= own.keys():
        raise KeyError(task.id)
    return whole.renamed(own)
