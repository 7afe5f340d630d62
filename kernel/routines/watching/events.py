"""The calendar as a source of events: what begins soon.

Each time of an event counts once: its mark is the event and when it begins. One that is moved is due anew, one that is
deleted is not. A moment that passed unseen is made up for as long as the event has not begun.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.model import About, BeforeEvent
from kernel.routines.routine import Routine
from kernel.routines.waited_for import look_task, look_tool
from kernel.routines.watching.ahead import HORIZON, Ahead, Kind
from skills.model import Tool

if TYPE_CHECKING:
    from kernel.house import House

LATE_S = 60.0
"""So long after an event began a rule for its beginning is still due."""


async def comes(house: House, looks: Looks, routine: Routine, tool: Tool) -> Ahead:
    """Look at what begins soon, and return what of it ``routine`` waits for. Raises NotNow."""
    trigger = routine.trigger
    assert isinstance(trigger, BeforeEvent)
    before, here = timedelta(seconds=trigger.before_s), house.clock()
    now, late = here.astimezone(UTC), timedelta(seconds=0.0 if trigger.before_s else LATE_S)
    found = (await looks.look(routine, look_task(tool, routine))).value
    meant = [one for one in found if one["start"] or About.NOT_ALL_DAY not in dict(routine.such)]
    told = tuple((datetime.fromisoformat(one["begins"]), one) for one in meant)
    ahead = tuple((begins + late, _come(begins - before, one)) for begins, one in told)
    return Ahead(now, now + HORIZON, here.tzinfo, ahead)


def _come(at: datetime, event: Mapping[str, Any]) -> Come:
    """What one time of an event is; its mark is a digest, which stays when the run is forgotten."""
    mark = blake2b(f"{event['key']}\0{event['begins']}".encode(), digest_size=12).hexdigest()
    return Come(mark, at, 0, [event], str(event["title"]))


async def next_one(house: House, looks: Looks, routine: Routine) -> Come | None:
    """Return what would come to ``routine`` with the next event ahead that it waits for. Raises NotNow."""
    tool = look_tool("event", house.registry.skills())
    found = (await comes(house, looks, routine, tool)).comes if tool is not None else ()
    return found[0][1] if found else None


EVENTS = Kind("event", BeforeEvent, comes, late=True)
"""Events of the calendar before they begin."""
