"""Folders under watch, by inotify(7): what happens to the files in them, and below them where that is wanted.

watchfiles looks twenty times a second whether something came, and does not tell a file that was closed from one that
is being written; the system's own events do, and wake nobody. A folder that is not there is waited for in the next one
above.

What this stops: a watch that ends when its folder is made anew; a file that is not seen because too many came, or
because it came before its new folder was watched. What it does not: follow links, enter hidden folders, or see what a
network share does not tell; where too many events come at once, tell what went or changed among them.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import time
from collections.abc import AsyncIterator, Callable

from asyncinotify import Event, Inotify, Mask, Watch

from kernel.routines.watching.settling import UNCLOSED_S, Raw, Seen, Settling

MOST_FOLDERS = 20_000
"""So many folders are watched at once; that there are more is reported."""

_MASK = (
    Mask.CREATE | Mask.CLOSE_WRITE | Mask.MOVED_TO | Mask.MOVED_FROM | Mask.DELETE | Mask.DELETE_SELF | Mask.MOVE_SELF
    | Mask.ONLYDIR | Mask.DONT_FOLLOW | Mask.EXCL_UNLINK
)  # fmt: skip

Wanted = frozenset[tuple[str, bool]]
"""Folders, and whether what is below them is watched, too."""


class FolderWatch:
    """Watches folders until cancelled; ``told`` hears what came to rest, ``report`` what could not be watched."""

    def __init__(self, wanted: Wanted, told: Callable[[list[Seen]], None], report: Callable[[OSError], None]) -> None:
        self._wanted, self._told, self._report = wanted, told, report
        self._settling = Settling()
        self._folders: dict[str, bool] = {}  # those under watch, and whether new ones in them are, too
        self._moving: dict[int, str] = {}  # by the system's cookie: where a file was moved from
        self.ready = asyncio.Event()
        """Set once everything that is there is watched."""

    async def run(self) -> None:
        """Watch until cancelled."""
        with Inotify(cache_size=1000) as inotify:
            await self._begin(inotify)
            self.ready.set()
            waiting = asyncio.ensure_future(inotify.get())
            try:
                while True:
                    at = self._settling.next_at()
                    pause = None if at is None else max(at - time.monotonic(), 0.0)
                    done, _ = await asyncio.wait({waiting}, timeout=pause)
                    if done:
                        await self._take_in(inotify, waiting.result())
                        waiting = asyncio.ensure_future(inotify.get())
                    else:
                        self._moving.clear()
                    seen = self._settling.settled(time.monotonic(), _is_growing)
                    if seen:
                        self._told(seen)
            finally:
                waiting.cancel()

    async def _begin(self, inotify: Inotify) -> None:
        for folder, below in sorted(self._wanted):
            await self._enter(inotify, folder, below)

    async def _enter(self, inotify: Inotify, folder: str, below: bool, *, fresh: bool = False) -> None:
        """Watch a folder; what is in it is known, or has just come where the folder is ``fresh``."""
        while (there := _there_of(folder)) != folder:  # it is waited for in the next one above
            if self._add(inotify, there) or _there_of(folder) == there:
                return
        async for files in self._watched(inotify, folder, below):
            if fresh:
                for path in files:
                    self._settling.take_in(Raw.CLOSED, path, time.monotonic())
            else:
                self._settling.know(files)

    async def _watched(self, inotify: Inotify, folder: str, below: bool) -> AsyncIterator[list[str]]:
        """Watch a folder, and where wanted those below it that are neither hidden nor links; yield the files of each,
        looked at once it is watched: none comes unseen.
        """
        folders = [folder]
        for one in folders:
            if one not in self._folders and len(self._folders) >= MOST_FOLDERS:
                self._report(OSError(errno.ENOSPC, "too many folders to watch", folder))
                return
            failed = self._add(inotify, one)
            if failed == errno.ENOSPC:
                return
            if failed:
                continue
            self._folders[one] = self._folders.get(one, False) or below
            files, inside = await asyncio.to_thread(_inside, one)
            yield files
            folders += inside if below else ()

    def _add(self, inotify: Inotify, folder: str) -> int:
        """Watch one folder; return the number of the error where that fails (ENOSPC: the system watches no more)."""
        try:
            inotify.add_watch(folder, _MASK)
        except OSError as error:
            if os.path.isdir(folder):
                self._report(error)
            return error.errno or errno.EIO
        return 0

    async def _take_in(self, inotify: Inotify, event: Event) -> None:
        if Mask.Q_OVERFLOW & event.mask:
            await self._look_again(inotify)
            return
        watch, now = event.watch, time.monotonic()
        if watch is None:
            return
        folder = str(watch.path)
        if event.mask & (Mask.DELETE_SELF | Mask.MOVE_SELF):
            await self._lost(inotify, watch, folder)
            return
        if event.name is None:
            return
        path = os.path.join(folder, str(event.name))
        if event.mask & Mask.ISDIR:
            if event.mask & (Mask.CREATE | Mask.MOVED_TO):
                await self._folder_came(inotify, path, folder)
        elif folder in self._folders:
            self._file(event, path, now)

    def _file(self, event: Event, path: str, now: float) -> None:
        if event.mask & Mask.MOVED_FROM:
            self._moving[event.cookie] = path
            self._settling.take_in(Raw.GONE, path, now)
        elif event.mask & Mask.MOVED_TO:
            source = self._moving.pop(event.cookie, "")
            within = os.path.dirname(source) == os.path.dirname(path)
            if not os.path.islink(path):
                self._settling.take_in(Raw.MOVED_HERE, path, now, renamed=within, source=source)
        elif event.mask & Mask.DELETE:
            self._settling.take_in(Raw.GONE, path, now)
        elif not os.path.islink(path):
            self._settling.take_in(Raw.MADE if event.mask & Mask.CREATE else Raw.CLOSED, path, now)

    async def _folder_came(self, inotify: Inotify, path: str, folder: str) -> None:
        if self._folders.get(folder) and _is_entered(os.path.basename(path)) and not os.path.islink(path):
            await self._enter(inotify, path, True, fresh=True)
        for wanted, below in self._wanted:
            if wanted not in self._folders and (wanted == path or wanted.startswith(f"{path}/")):
                await self._enter(inotify, wanted, below, fresh=True)

    async def _lost(self, inotify: Inotify, watch: Watch, folder: str) -> None:
        """A folder is gone, or another is in its place: it is waited for."""
        self._folders.pop(folder, None)
        with contextlib.suppress(OSError):
            inotify.rm_watch(watch)
        for wanted, below in self._wanted:
            if wanted == folder or wanted.startswith(f"{folder}/"):
                self._folders.pop(wanted, None)
                await self._enter(inotify, wanted, below, fresh=True)

    async def _look_again(self, inotify: Inotify) -> None:
        """More came than the system keeps: what is there and was not known has come."""
        for folder, below in sorted(self._wanted):
            async for files in self._watched(inotify, folder, below):
                for path in files:
                    if not self._settling.knows(path):
                        self._settling.take_in(Raw.CLOSED, path, time.monotonic())


def _there_of(folder: str) -> str:
    """Return a folder that is there, or else the next one above it that is."""
    while folder != "/" and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return folder


def _inside(folder: str) -> tuple[list[str], list[str]]:
    """Return the files in a folder, and the folders in it that are watched with it; links are neither."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return [], []
    files = [entry.path for entry in found if entry.is_file(follow_symlinks=False)]
    return files, [entry.path for entry in found if entry.is_dir(follow_symlinks=False) and _is_entered(entry.name)]


def _is_entered(name: str) -> bool:
    return not name.startswith(".") and name != "node_modules"


def _is_growing(path: str) -> bool:
    """Tell whether a file was written to a moment ago."""
    try:
        return abs(time.time() - os.lstat(path).st_mtime) < UNCLOSED_S
    except OSError:
        return False
