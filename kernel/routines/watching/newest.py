"""What a routine would be given now, where a person has it run or tries it out: the newest file or mail, the next
event or task, or a file that they name.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from kernel.routines.contents import reads_contents
from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.model import BeforeEvent, FileSeen, TaskDue
from kernel.routines.routine import Routine
from kernel.routines.waited_for import is_mail
from kernel.routines.watching import contents, events, mails, tasks, things

if TYPE_CHECKING:
    from kernel.house import House


async def newest(house: House, routine: Routine) -> Come | None:
    """Return what would come to ``routine``; None where nothing there is what it waits for. Raises NotNow."""
    if is_mail(routine.trigger, str(house.folders.home)):
        return await mails.newest(house, Looks(house), routine)
    if reads_contents(routine.such):
        return await contents.newest(house, Looks(house), routine)
    if isinstance(routine.trigger, BeforeEvent):
        return await events.next_one(house, Looks(house), routine)
    if isinstance(routine.trigger, TaskDue):
        return await tasks.next_one(house, Looks(house), routine)
    return await asyncio.to_thread(things.newest, house, routine)


async def with_file(house: House, routine: Routine, path: str) -> Come | None:
    """Return what would come to ``routine`` with the file or mail at ``path``; None where it waits for no such one.

    Raises NotNow.
    """
    trigger = routine.trigger
    if not isinstance(trigger, FileSeen):
        return None
    seen = things.seen_at(trigger, path)
    if seen not in await asyncio.to_thread(things.fitting, routine):
        return None
    if is_mail(trigger, str(house.folders.home)):
        return next((come for come, _ in await mails.arrived(house, Looks(house), routine, [path])), None)
    if reads_contents(routine.such):
        return await contents.opened(house, Looks(house), routine, seen)
    return await asyncio.to_thread(things.come_of, house, routine, seen)
