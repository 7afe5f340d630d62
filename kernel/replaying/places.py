"""The person's places as they were when a run began, by name: those of today, without what it and later runs did.

What this stops: a request being read otherwise only because it was carried out: what it moved or deleted is known
again by its name and place, what it made is not.
What it does not: know of changes that other programs made, of what lay in a folder that went as a whole, or of the
contents and times of then.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterable

from kernel.context.world import HomeWorld
from permissions.model import Change, ChangeKind


def places_then(world: HomeWorld, changes: Iterable[Change]) -> HomeWorld:
    """Return ``world`` without ``changes``, the latest first; the world itself where there were none."""
    since = list(changes)
    return WorldThen(world, since) if since else world


class WorldThen(HomeWorld):
    """Places that were; they are not looked at again."""

    def __init__(self, world: HomeWorld, since: Iterable[Change]) -> None:
        world.look()
        with world._lock:
            self.__dict__.update(world.__dict__)
            self._walk = world._walk.copied()
        self._lock = threading.RLock()
        self._back: dict[str, tuple[bool, int]] = {}  # what was there and is not: whether a folder, and how large
        self._made: set[str] = set()  # what is there and was not
        for change in since:
            self._undo(change)
        self._names = type(self._names)()

    def look(self) -> None:
        """They stay as they were."""

    def _undo(self, change: Change) -> None:
        match change.kind:
            case ChangeKind.CREATED:
                self._take(change.path, folder=change.folder)
            case ChangeKind.DELETED:
                self._put(change.path, change)
            case ChangeKind.MOVED:
                self._take(change.path, folder=change.folder)
                if change.source:
                    self._put(change.source, change)
            case ChangeKind.MODIFIED:
                pass

    def _put(self, path: str, change: Change) -> None:
        self._made.discard(path)
        self._back[path] = change.folder, change.size_bytes
        if self._is_listed(path):
            self._walk.put(path, folder=change.folder)

    def _take(self, path: str, *, folder: bool) -> None:
        self._back.pop(path, None)
        self._made.add(path)
        if self._is_listed(path):
            self._walk.take(path, folder=folder)

    def _is_listed(self, path: str) -> bool:
        """Tell whether a path is one that a look would list: below the home, and nothing on its way hidden."""
        below = path.removeprefix(f"{self._home}/")
        return below != path and not any(part.startswith(".") for part in below.split("/"))

    def _lies_there(self, path: str) -> bool:
        return path in self._back or (path not in self._made and super()._lies_there(path))

    def _stat(self, path: str) -> os.stat_result | None:
        plain = os.path.abspath(path)
        if plain in self._made:
            return None
        if plain not in self._back:
            return super()._stat(path)
        folder, size = self._back[plain]
        mode = stat.S_IFDIR if folder else stat.S_IFREG
        return os.stat_result((mode, 0, 0, 1, 0, 0, size, 0, 0, 0))
