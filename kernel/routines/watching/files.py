"""Files as a source of events: the folders that routines wait for, watched while they do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from kernel.routines.contents import reads_contents
from kernel.routines.model import FileSeen
from kernel.routines.routine import Routine
from kernel.routines.waited_for import is_mail
from kernel.routines.watching.fitting import fits
from kernel.routines.watching.settling import Seen
from kernel.routines.watching.source import Awake, HandIn
from kernel.routines.watching.things import come_of
from kernel.routines.watching.watched import Watched

if TYPE_CHECKING:
    from kernel.house import House

PassOn = Callable[[Routine, Seen, tuple[str, ...]], None]
"""Takes in a file that a routine waits for and that has to be looked at, with the routines whose doing it is."""


class Files:
    """Tells of files that came, changed, or went. What has to be looked at is passed on: to ``mails`` mail that comes,
    to ``contents`` files of which a routine asks what stands in them.
    """

    def __init__(self, house: House, awake: Awake, hand_in: HandIn, mails: PassOn, contents: PassOn) -> None:
        self._house, self._awake, self._hand_in, self._mails, self._contents = house, awake, hand_in, mails, contents
        self._home = str(house.folders.home)
        self._changed = asyncio.Event()
        self.is_ready = False

    def changed(self) -> None:
        """The routines are others now: other folders, perhaps."""
        self.is_ready = False
        self._changed.set()

    async def run(self) -> None:
        """Watch the folders that routines wait for; others when these change."""
        watched = Watched(self._seen, self._house.report)
        try:
            while True:
                self._changed.clear()
                await watched.want(frozenset((one.folder, one.below) for _, one in self._waiting()))
                self.is_ready = not self._changed.is_set()
                await self._changed.wait()
        finally:
            await watched.end()

    def _waiting(self) -> list[tuple[Routine, FileSeen]]:
        return [(one, one.trigger) for one in self._awake() if isinstance(one.trigger, FileSeen)]

    def _seen(self, seen: list[Seen]) -> None:
        """Hand in what means one of the routines, and is not its own doing."""
        waiting = self._waiting()
        for one in seen:
            chain = self._house.causes.of(one.path)
            for routine, trigger in waiting:
                if not fits(trigger, one):
                    continue
                if is_mail(trigger, self._home):
                    self._mails(routine, one, chain)
                elif reads_contents(routine.such):
                    self._contents(routine, one, chain)
                else:
                    self._tell(routine, one, chain)

    def _tell(self, routine: Routine, seen: Seen, chain: tuple[str, ...]) -> None:
        come = come_of(self._house, routine, seen)
        if come is not None and chain[-1:] != (routine.name,):
            self._hand_in(routine, replace(come, chain=chain))
