"""Folders under watch while somebody waits for something in them: begun, ended, and begun anew for others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kernel.routines.watching.folders import FolderWatch, Wanted
from kernel.routines.watching.settling import Seen


class Watched:
    """The folders that are ``wanted`` now. ``seen`` hears what came to rest in them, ``report`` what went wrong."""

    def __init__(self, seen: Callable[[list[Seen]], None], report: Callable[[BaseException], None]) -> None:
        self._seen, self._report = seen, report
        self._wanted: Wanted = frozenset()
        self._watching: asyncio.Task[None] | None = None

    async def want(self, wanted: Wanted) -> None:
        """Watch these folders and no others; when this returns they are watched."""
        if wanted == self._wanted and (self._watching is None or not self._watching.done()):
            return
        await self.end()
        self._wanted = wanted
        if wanted:
            self._watching = await self._begun(wanted)

    async def end(self) -> None:
        """Watch nothing any more."""
        watching, self._watching, self._wanted = self._watching, None, frozenset()
        if watching is not None:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _begun(self, wanted: Wanted) -> asyncio.Task[None]:
        watch = FolderWatch(wanted, self._seen, self._report)
        watching = asyncio.create_task(watch.run())
        watching.add_done_callback(self._ended)
        ready = asyncio.create_task(watch.ready.wait())
        try:
            await asyncio.wait({watching, ready}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
        return watching

    def _ended(self, watching: asyncio.Task[None]) -> None:
        if not watching.cancelled() and (error := watching.exception()) is not None:
            self._report(error)
