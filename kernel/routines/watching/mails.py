"""Mail as a source of events: what has come into the mailbox is looked at, and told where it is waited for.

What this stops: a mail that sets a routine off twice, or because a mail program moved it; a mailbox that is filled at
once (more than ``MOST_AT_ONCE`` mails that wait to be looked at) and has a routine look without end.
What it does not: open a mail, which is the look's; make up for mails that came while no daemon ran.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any

from kernel.errors import NotNow
from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.model import FileSeen
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.waited_for import look_task, look_tool
from kernel.routines.watching.settling import Seen, is_unfinished
from kernel.routines.watching.source import Awake, HandIn, LetRest

if TYPE_CHECKING:
    from kernel.house import House

MOST_AT_ONCE = 500
AT_A_TIME = 50
"""So many mails are looked at in one call."""

_BEING_WRITTEN = "tmp"

_Waiting = dict[str, tuple[str, ...]]
"""The mails that a routine has yet to look at: where each lies, and the routines whose doing it is."""


class Mails:
    """Tells of mails that came, once they were looked at in the name of the routine that waits for them."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn, looks: Looks, let_rest: LetRest) -> None:
        self._house, self._awake, self._hand_in, self._looks, self._let_rest = house, awake, hand_in, looks, let_rest
        self._waiting: dict[str, _Waiting] = {}
        self._come = asyncio.Event()
        self.is_ready = True

    def changed(self) -> None:
        """Whose mails are looked at is asked each time."""

    def take_in(self, routine: Routine, seen: Seen, chain: tuple[str, ...]) -> None:
        """Have a mail looked at that was ``seen``; one that was only moved within its mailbox has not come."""
        folder = os.path.basename(os.path.dirname(seen.path))
        before = os.path.basename(os.path.dirname(seen.known))
        if folder == _BEING_WRITTEN or (seen.known and before != _BEING_WRITTEN) or chain[-1:] == (routine.name,):
            return
        self._waiting.setdefault(routine.name, {})[seen.path] = chain
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
            await self._let_rest(routine, say(routine.language, "broken.mails", count=str(len(waiting))))
            return
        paths = list(waiting)
        try:
            for first in range(0, len(paths), AT_A_TIME):
                for come, path in await arrived(self._house, self._looks, routine, paths[first : first + AT_A_TIME]):
                    self._tell(routine, come, waiting.get(path, ()))
        except NotNow as broken:
            await self._let_rest(routine, str(broken))

    def _tell(self, routine: Routine, come: Come, chain: tuple[str, ...]) -> None:
        if not self._house.routines.has_fired(routine, come.mark):
            self._hand_in(routine, Come(come.mark, come.at, 0, come.value, come.words, chain))


async def arrived(house: House, looks: Looks, routine: Routine, paths: Sequence[str]) -> list[tuple[Come, str]]:
    """Return what comes to ``routine`` with those of the mails at ``paths`` that it waits for, each with where it lies.

    Raises NotNow.
    """
    tool = look_tool("mail", house.registry.skills())
    if tool is None:
        return []
    files = [{"path": path} for path in paths]
    found = await looks.look(routine, look_task(tool, routine, files))
    at = house.clock().astimezone(UTC)
    return [(_come(one, at), _path_of(one)) for one in found.value]


def _come(mail: Mapping[str, Any], at: Any) -> Come:
    return Come(str(mail["key"]), at, 0, [mail], str(mail["subject"]) or str(mail["sender"]))


def _path_of(mail: Mapping[str, Any]) -> str:
    return str(mail["file"]["path"])


async def newest(house: House, looks: Looks, routine: Routine) -> Come | None:
    """Return what would come to ``routine`` with the newest mail there that it waits for. Raises NotNow."""
    trigger = routine.trigger
    assert isinstance(trigger, FileSeen)
    paths = await asyncio.to_thread(_latest, trigger.folder)
    for first in range(0, len(paths), AT_A_TIME):
        found = await arrived(house, looks, routine, paths[first : first + AT_A_TIME])
        if found:
            return found[-1][0]
    return None


def _latest(folder: str) -> list[str]:
    """Return the mails that came last into a folder and below it, the newest first; no more than may be looked at."""
    found: list[tuple[float, str]] = []
    for place, names, files in os.walk(folder):
        names[:] = [name for name in names if not name.startswith(".") and name != _BEING_WRITTEN]
        for name in files:
            path = os.path.join(place, name)
            if not is_unfinished(name):
                found.append((os.lstat(path).st_mtime if os.path.lexists(path) else 0.0, path))
    return [path for _, path in sorted(found, reverse=True)[:MOST_AT_ONCE]]
