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
from dataclasses import replace
from typing import TYPE_CHECKING

from kernel.errors import NotNow
from kernel.model import Outcome, Task
from kernel.routines.contents import Found, looked_at
from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.settling import Seen
from kernel.routines.watching.source import Awake, HandIn, LetRest
from kernel.routines.watching.things import come_of, fitting, nouns_of
from permissions.naming import shown

if TYPE_CHECKING:
    from kernel.house import House

MOST_AT_ONCE = 100
MOST_TRIED = 20
"""So many of the newest files are looked at for one that would set a rule off."""

_MOST_TIMES = 3
"""So often a file is looked at that is written meanwhile; then whoever writes it will be heard of again."""

_Waiting = dict[str, tuple[Seen, tuple[str, ...]]]
"""The files that a routine has yet to look at, by their places, with the routines whose doing each is."""


class Contents:
    """Tells of files that came, once they were looked at in the name of the routine that waits for them."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn, looks: Looks, let_rest: LetRest) -> None:
        self._house, self._awake, self._hand_in, self._looks, self._let_rest = house, awake, hand_in, looks, let_rest
        self._waiting: dict[str, _Waiting] = {}
        self._come = asyncio.Event()
        self.is_ready = True

    def changed(self) -> None:
        """Whose files are looked at is asked each time."""

    def take_in(self, routine: Routine, seen: Seen, chain: tuple[str, ...]) -> None:
        """Have a file looked at that was ``seen``, where its name and its size are what the routine waits for."""
        if chain[-1:] != (routine.name,) and come_of(self._house, routine, seen) is not None:
            self._waiting.setdefault(routine.name, {})[seen.path] = (seen, chain)
            self._come.set()

    async def run(self) -> None:
        """Look at what has come until cancelled."""
        while True:
            await self._come.wait()
            self._come.clear()
            waiting, self._waiting = self._waiting, {}
            for routine in self._awake():  # what waits for one that rests, or is gone, waits for nobody
                if routine.name in waiting:
                    await self._look(routine, waiting[routine.name])

    async def _look(self, routine: Routine, waiting: _Waiting) -> None:
        if len(waiting) > MOST_AT_ONCE:
            await self._let_rest(routine, say(routine.language, "broken.storm", count=str(len(waiting))))
            return
        try:
            for seen, chain in waiting.values():
                come = await opened(self._house, self._looks, routine, seen)
                if come is not None and not self._house.routines.has_fired(routine, come.mark):
                    self._hand_in(routine, replace(come, chain=chain))
        except NotNow as broken:
            await self._let_rest(routine, str(broken))


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
