"""Where a new file goes that is named without a folder: beside what it is made of, also when an earlier run found that.

Within one sentence the words say it (``language.places``); what only the conversation knows is put right here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from kernel.composition.profiles.profile import Box
from kernel.context.dialogue import Dialogue, LastRun
from kernel.model import Argument, Constant, Plan, Task
from kernel.paths import paths_of
from skills.model import ValueKind

K = ValueKind
_LIES = frozenset({K.FILE, K.TABLE})


def beside(plan: Plan, box: Box, context: Dialogue) -> Plan:
    """Return ``plan`` with such new files in the folder of the earlier run's source; other plans as they are."""
    tasks = tuple(_moved(task, box, context) for task in plan.tasks)
    return plan if tasks == plan.tasks else replace(plan, tasks=tasks)


def _moved(task: Task, box: Box, context: Dialogue) -> Task:
    if not box.knows(task.tool):
        return task
    new = [one.name for one in box.tool(task.tool).parameters if one.type.kind is K.NEW_FILE]
    name = next((name for name in new if _is_bare(task.arguments.get(name), context.home)), None)
    if name is None:
        return task
    folder = next(_folders(task, box, context), "")
    given = task.arguments[name]
    if not folder or not isinstance(given, Constant):
        return task
    path = os.path.join(folder, os.path.basename(given.value))
    return replace(task, arguments={**task.arguments, name: replace(given, value=path)})


def _is_bare(value: Argument | None, home: str) -> bool:
    if not isinstance(value, Constant) or not isinstance(value.value, str):
        return False
    return "/" not in value.text and not value.text.startswith("~") and os.path.dirname(value.value) == home


def _folders(task: Task, box: Box, context: Dialogue) -> Iterator[str]:
    """The folders below the home in which the files lie that an earlier run made its result of."""
    held = [one.value for one in task.arguments.values() if isinstance(one, Constant)]
    for run in (context.last, *context.recent):
        values = [outcome.value for outcome in run.outcomes.values()] if run is not None else []
        if run is not None and any(value is one for value in values for one in held):
            yield from (folder for folder in _given(run, box) if folder.startswith(context.home + "/"))


def _given(run: LastRun, box: Box) -> Iterator[str]:
    for task in run.plan.tasks:
        for name, value in task.arguments.items():
            kind = box.tool(task.tool).parameter(name).type.kind if box.knows(task.tool) else None
            if isinstance(value, Constant) and kind in _LIES:
                yield from (os.path.dirname(path) for path in paths_of(value.value))
