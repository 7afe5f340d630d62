"""The list of tasks as a source of events: what is due.

Each task counts once at each day and time by which it is to be done. One that is moved is due anew; one that is ticked
off, taken away or moved before does not come. What is entered, moved or called otherwise when its moment is over does
not count at once: a rule that puts tasks on the list would else have no end. A moment that passed while no daemon ran
is made up for (``made_up_until``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from kernel.model import Constant
from kernel.routines.firing import Come
from kernel.routines.judging import folded
from kernel.routines.looking import Looks
from kernel.routines.model import TaskDue
from kernel.routines.routine import Routine
from kernel.routines.tasks_due import Deadline, is_meant, made_up_until, moment, usual_s
from kernel.routines.waited_for import look_task, look_tool
from kernel.routines.watching.ahead import HORIZON, Ahead, Kind
from skills.model import Tool

if TYPE_CHECKING:
    from kernel.house import House


async def comes(house: House, looks: Looks, routine: Routine, tool: Tool) -> Ahead:
    """Look at the tasks that are due by now or later, and return what of it ``routine`` waits for. Raises NotNow."""
    trigger, here = routine.trigger, house.clock()
    assert isinstance(trigger, TaskDue)
    zone, usual, found = here.tzinfo or UTC, usual_s(routine.limits), list[tuple[datetime, Come]]()
    own = set(_own_titles(house, routine))
    for one in (await looks.look(routine, look_task(tool, routine))).value:
        if not is_meant(trigger, one) or folded(str(one["title"])) in own:
            continue
        with suppress(OverflowError):  # a day at the edge of the calendar, by hand
            at = moment(trigger, Deadline.of(one), usual, zone)
            found.append((made_up_until(trigger, at, zone), _come(at, one)))
    now = here.astimezone(UTC)
    return Ahead(now, now + HORIZON, here.tzinfo, tuple(sorted(found, key=lambda each: each[1].at)))


def _own_titles(house: House, routine: Routine) -> Iterator[str]:
    """The texts of the tasks that a routine puts on the list itself: they would set it off again, day after day."""
    for task in routine.plan.tasks:
        adds = house.registry.tool(task.tool).adds
        given = task.arguments.get(adds.called) if adds is not None and adds.what == "task" else None
        if isinstance(given, Constant):
            yield folded(str(given.value))


def _come(at: datetime, task: Mapping[str, Any]) -> Come:
    """What one task at its day is; its mark is a digest, which stays when the run is forgotten."""
    mark = blake2b(f"{task['key']}\0{task['day']}\0{task['time']}".encode(), digest_size=12).hexdigest()
    return Come(mark, at, 0, [task], str(task["title"]))


async def next_one(house: House, looks: Looks, routine: Routine) -> Come | None:
    """Return what would come to ``routine`` with the task that is due next, else with the last one. Raises NotNow."""
    tool = look_tool("task", house.registry.skills())
    found = (await comes(house, looks, routine, tool)).comes if tool is not None else ()
    now = house.clock().astimezone(UTC)
    return next((come for _, come in found if come.at > now), found[-1][1] if found else None)


TASKS = Kind("task", TaskDue, comes, late=False)
"""Tasks that are due."""
