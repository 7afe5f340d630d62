"""Plans that contradict themselves: a thing is taken away, and a later call is to change that very thing where it was.

What this stops: "delete the PDFs and keep the PDFs", "move a.pdf to Archive and move a.pdf to Desktop": which of the
two is meant nobody knows, and the first alone would be done by a guess. What it does not: "move the PDFs to Archive
and rename them", where the later call takes what the earlier one left, texts that only tell of what was there, and two
branches of which never both are done.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from kernel.asking import wording
from kernel.composition.profiles.profile import Box
from kernel.dispatching.holding import counts
from kernel.language.branching import INVERSE
from kernel.model import Argument, Condition, Constant, Decline, FromTask, Measure, Plan, Task, TaskId
from kernel.paths import paths_of
from skills.model import EffectClass, ValueKind

_THINGS = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE})


def about_gone(plan: Plan, box: Box) -> Decline | None:
    """Return why ``plan`` is not done where a call is about what an earlier one took away; None where none is."""
    gone: list[tuple[Task, str]] = []
    tasks = {task.id: task for task in plan.tasks}
    for task in plan.tasks:
        if not box.knows(task.tool) or box.tool(task.tool).effect is EffectClass.PURE:
            continue
        taken = dict(_taken(task, tasks, box))
        twin = next((one for one, thing in gone if thing in taken.values() and _both(one, task, tasks)), None)
        if twin is not None:
            return Decline(
                wording.say(plan.language, "gone", first=_said(twin, plan, box), then=_said(task, plan, box))
            )
        removes = box.profile(task.tool, plan.language).removes
        gone += [(task, thing) for name, thing in taken.items() if removes(name.partition(" ")[0])]
        if box.profile(task.tool, plan.language).destroys:
            gone.append((task, f"what came of {task.id}"))
    return None


def _both(one: Task, other: Task, tasks: Mapping[TaskId, Task]) -> bool:
    """Whether both may be done in one run: not where some result would have to meet what excludes each other."""
    about: defaultdict[tuple[TaskId, Measure, str], list[Condition]] = defaultdict(list)
    for condition in (*one.when, *other.when):
        listed = condition.task in tasks and tasks[condition.task].each is not None
        if one.each == other.each or not listed:  # of two lists the results are others
            about[condition.task, condition.measure, condition.field].append(condition)
    return all(map(_can_hold, about.values()))


def _can_hold(conditions: Sequence[Condition]) -> bool:
    """Whether conditions on one measure of one result can all hold; of what is no count only opposites are known."""
    pairs = combinations(((one.comparison, one.value) for one in conditions), 2)
    if any(one[1] == other[1] and one[0] is INVERSE[other[0]] for one, other in pairs):
        return False
    if conditions[0].measure is not Measure.COUNT:
        return True
    tried = {max(0, int(one.value) + step) for one in conditions for step in (-1, 0, 1)}
    return any(all(counts(one, count) for one in conditions) for count in tried)


def _taken(task: Task, tasks: Mapping[TaskId, Task], box: Box) -> Iterator[tuple[str, str]]:
    """The things that a call is about: the parameter (with the number of one of several), and what it is."""
    for name, given in task.arguments.items():
        if box.tool(task.tool).parameter(name).type.kind not in _THINGS:
            continue
        things = [_found(given, tasks, box)] if isinstance(given, FromTask) else paths_of(given.value)
        yield from ((f"{name} {at}", thing) for at, thing in enumerate(things) if thing)


def _found(given: FromTask, tasks: Mapping[TaskId, Task], box: Box) -> str:
    """What a result is: the same call is the same list; of a call that changes things it is what came of that one."""
    if given.field or given.task not in tasks:
        return ""
    maker = tasks[given.task]
    if box.tool(maker.tool).effect is not EffectClass.PURE:
        return f"what came of {maker.id}"
    said = {name: _plain(one) for name, one in maker.arguments.items()}
    return json.dumps([str(maker.tool), said, given.index], sort_keys=True, default=str)


def _plain(one: Argument) -> object:
    return one.value if isinstance(one, Constant) else [one.task, one.field, one.index]


def _said(task: Task, plan: Plan, box: Box) -> str:
    return task.text or wording.summary(plan.language, box.tool(task.tool))
