"""Plans that contradict themselves: a thing is taken away, and a later call is to change that very thing where it was.

What this stops: "delete the PDFs and keep the PDFs", "move a.pdf to Archive and move a.pdf to Desktop": which of the
two is meant nobody knows, and the first alone would be done by a guess. What it does not: "move the PDFs to Archive
and rename them", where the later call takes what the earlier one left, and texts that only tell of what was there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from kernel.asking import wording
from kernel.composition.profiles.profile import Box
from kernel.model import Argument, Constant, Decline, FromTask, Plan, Task, TaskId
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
        twin = next((one for one, thing in gone if thing in taken.values() and _both(one, task)), None)
        if twin is not None:
            return Decline(
                wording.say(plan.language, "gone", first=_said(twin, plan, box), then=_said(task, plan, box))
            )
        removes = box.profile(task.tool, plan.language).removes
        gone += [(task, thing) for name, thing in taken.items() if removes(name.partition(" ")[0])]
        if box.profile(task.tool, plan.language).destroys:
            gone.append((task, f"what came of {task.id}"))
    return None


def _both(one: Task, other: Task) -> bool:
    """Whether both may be done in one run: of two branches only one is."""
    return one.each == other.each and (not one.when or not other.when or one.when == other.when)


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
