"""Files of which a rule asks what stands in them, as a source of events: looked at one by one, and told where it does.

What this stops: a file that is opened by the daemon, or through a link; one that sets a rule off by what stood in it
before it was written anew; a file that cannot be read and has a rule rest (it is noted, ``Unread``); a folder that is
filled at once (more than ``MOST_AT_ONCE`` files that wait to be looked at) and has a rule look without end.
What it does not: make up for files that came while no daemon ran.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from kernel.model import Outcome, Task
from kernel.routines.contents import Found, looked_at
from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.settling import Seen
from kernel.routines.watching.things import come_of, fitting, nouns_of
from kernel.routines.watching.unopened import Opening
from permissions.naming import shown

if TYPE_CHECKING:
    from kernel.house import House

MOST_AT_ONCE = 100
MOST_TRIED = 20
"""So many of the newest files are looked at for one that would set a rule off."""

_MOST_TIMES = 3
"""So often a file is looked at that is written meanwhile; then whoever writes it will be heard of again."""


def _may_be(house: House, routine: Routine, seen: Seen) -> bool:
    return come_of(house, routine, seen) is not None


async def _comes(house: House, looks: Looks, routine: Routine, seen: Sequence[Seen]) -> AsyncIterator[tuple[Come, str]]:
    for one in seen:
        come = await opened(house, looks, routine, one)
        if come is not None:
            yield come, one.path


async def opened(house: House, looks: Looks, routine: Routine, seen: Seen) -> Come | None:
    """Return what comes to ``routine`` with a file, as it was when it was looked at; None where it is none of those
    that it waits for. What cannot be read is noted. Raises NotNow where the routine may not look.
    """
    for _ in range(_MOST_TIMES):
        come = come_of(house, routine, seen)
        if come is None or come.value is None:
            return None
        found = await _found(house, looks, routine, seen, come)
        after = come_of(house, routine, seen)
        if after is None or after.mark == come.mark:
            if found.unread:
                house.routines.unread.note(routine, found.unread)
            return come if found.fits and after is not None else None
    return None


async def _found(house: House, looks: Looks, routine: Routine, seen: Seen, come: Come) -> Found:
    if not _is_plain(seen.path):
        return Found(unread=say(routine.language, "unread link", name=shown(come.words)))

    async def ask(task: Task) -> Outcome:
        return await looks.tell(routine, task)

    return await looked_at(routine, come.value[0], house.registry.skills(), nouns_of(house), ask)


def _is_plain(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


async def newest(house: House, looks: Looks, routine: Routine) -> Come | None:
    """Return what would come to ``routine`` with the newest file there that it waits for. Raises NotNow."""
    for seen in (await asyncio.to_thread(fitting, routine))[:MOST_TRIED]:
        come = await opened(house, looks, routine, seen)
        if come is not None:
            return come
    return None


CONTENTS = Opening(_may_be, _comes, MOST_AT_ONCE, "broken.storm")
"""Files that may be meant by their names and their sizes: whether they are, what stands in them tells."""
