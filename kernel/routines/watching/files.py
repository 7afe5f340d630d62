"""Files as a source of events: the folders that routines wait for, watched while they do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from kernel.routines.model import FileSeen
from kernel.routines.watching.fitting import fits
from kernel.routines.watching.folders import FolderWatch, Wanted
from kernel.routines.watching.settling import Seen
from kernel.routines.watching.source import Awake, HandIn
from kernel.routines.watching.things import come_of

if TYPE_CHECKING:
    from kernel.house import House


class Files:
    """Tells of files that came, changed, or went."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn) -> None:
        self._house, self._awake, self._hand_in = house, awake, hand_in
        self._changed = asyncio.Event()
        self.is_ready = False

    def changed(self) -> None:
        """The routines are others now: other folders, perhaps."""
        self.is_ready = False
        self._changed.set()

    async def run(self) -> None:
        """Watch the folders that routines wait for; others when these change."""
        wanted: Wanted = frozenset()
        watching: asyncio.Task[None] | None = None
        try:
            while True:
                self._changed.clear()
                now = frozenset((one.folder, one.below) for one in self._triggers())
                if now != wanted or (watching is not None and watching.done()):
                    await _ended(watching)
                    wanted, watching = now, await self._begun(now)
                self.is_ready = True
                await self._changed.wait()
        finally:
            await _ended(watching)

    async def _begun(self, wanted: Wanted) -> asyncio.Task[None] | None:
        if not wanted:
            return None
        watch = FolderWatch(wanted, self._seen, self._house.report)
        watching = asyncio.create_task(watch.run())
        watching.add_done_callback(self._watch_ended)
        ready = asyncio.create_task(watch.ready.wait())
        await asyncio.wait({watching, ready}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        return watching

    def _watch_ended(self, watching: asyncio.Task[None]) -> None:
        if not watching.cancelled() and (error := watching.exception()) is not None:
            self._house.report(error)

    def _triggers(self) -> Iterable[FileSeen]:
        return (one.trigger for one in self._awake() if isinstance(one.trigger, FileSeen))

    def _seen(self, seen: list[Seen]) -> None:
        """Hand in what means one of the routines, and is not its own doing."""
        routines = [one for one in self._awake() if isinstance(one.trigger, FileSeen)]
        for one in seen:
            chain = self._house.causes.of(one.path)
            for routine in routines:
                if isinstance(routine.trigger, FileSeen) and fits(routine.trigger, one):
                    come = come_of(self._house, routine, one)
                    if come is not None and chain[-1:] != (routine.name,):
                        self._hand_in(routine, replace(come, chain=chain))


async def _ended(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
