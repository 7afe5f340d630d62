"""What a routine would be given now, where a person has it run by hand: the newest file or mail, the next event."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.model import BeforeEvent
from kernel.routines.routine import Routine
from kernel.routines.waited_for import is_mail
from kernel.routines.watching import events, mails, things

if TYPE_CHECKING:
    from kernel.house import House


async def newest(house: House, routine: Routine) -> Come | None:
    """Return what would come to ``routine``; None where nothing there is what it waits for. Raises NotNow."""
    if is_mail(routine.trigger, str(house.folders.home)):
        return await mails.newest(house, Looks(house), routine)
    if isinstance(routine.trigger, BeforeEvent):
        return await events.next_one(house, Looks(house), routine)
    return await asyncio.to_thread(things.newest, house, routine)
