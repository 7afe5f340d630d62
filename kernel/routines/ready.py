"""The plan of a routine made ready for a moment: held against the skills there are, its days as their words mean them.

What this stops: a routine that is begun again and again with a tool that is gone; a day of long ago in a plan of today.
What it does not: hold the contents of skills. Rights are granted to contents, so what changed is asked about.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from kernel.errors import NotNow, TaskFailed
from kernel.model import Plan, Task
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from skills import one_import
from skills.errors import UnknownTool

if TYPE_CHECKING:
    from kernel.house import House


def ready(house: House, routine: Routine, at: datetime, value: Any = None, words: str = "") -> Plan:
    """Return the plan that is carried out at the moment ``at``, in the zone of the person, with the ``value`` that its
    trigger brings, called by ``words``. Raises NotNow.
    """
    with one_import:  # it knows the language, which no start waits for
        from kernel.routines.bringing import with_brought
        from kernel.routines.moving import CannotTell, moved
        from kernel.routines.parts import of_the_clock, with_parts

    tool = house.registry.tool
    for task in routine.plan.tasks:
        _check(house, routine, task)
    try:
        plan = with_parts(moved(routine.plan, routine.language, routine.made, at, tool), of_the_clock(at))
        return plan if value is None else with_brought(plan, value, words, tool)
    except CannotTell as error:
        raise _broken(routine, "words", words=str(error)) from error
    except TaskFailed as error:
        raise _broken(routine, "part", words=words) from error


def _check(house: House, routine: Routine, task: Task) -> None:
    try:
        known = {one.name: one for one in house.registry.tool(task.tool).parameters}
    except UnknownTool as error:
        raise _broken(routine, "gone", tool=task.tool) from error
    lacking = any(one.required and name not in task.arguments for name, one in known.items())
    if lacking or not known.keys() >= task.arguments.keys():
        raise _broken(routine, "other", tool=task.tool)


def _broken(routine: Routine, key: str, **values: str) -> NotNow:
    return NotNow("routine.broken", say(routine.language, f"broken.{key}", **values), subject=routine.name,
                  hint=f"./steward routines remove {routine.name}, and say the rule anew.")  # fmt: skip
