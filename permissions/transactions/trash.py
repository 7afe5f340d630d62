"""Deleting is moving to the freedesktop trash.

Source: the Trash specification 1.0 (specifications.freedesktop.org/trash-spec): ``files`` and ``info``, a
``.trashinfo`` with percent-encoded path and local deletion date, one trash per home and one per other volume.
What this stops: unlinking what a person may want back; a trash folder that is a link or somebody else's.
What it does not: empty the trash.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from permissions.errors import StorageFailed
from permissions.naming import shown
from permissions.transactions.resolve import Folders, real_place
from permissions.transactions.shop import private_folder

_LONGEST = 200
"""Bytes of a name in the trash; leaves room for a number and ``.trashinfo``."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a trash: where the thing goes, where its description goes, and what that says."""

    file: str
    info: str
    text: str


class Trash:
    """Hands out free slots for one commit. ``mount`` tells the mount of a path, as renames see it."""

    def __init__(self, folders: Folders, home: str, mount: Callable[[str], tuple[int, int]]) -> None:
        self._folders = folders
        self._home = home
        self._mount = mount
        self._taken: set[str] = set()
        self._ready: set[str] = set()

    def slot(self, path: str, now: datetime) -> Slot:
        """Return a free slot for ``path``. Raises OSError or StorageFailed."""
        top, shown_path = self._trash_for(path)
        name = self._free_name(top, path.rpartition("/")[2])
        date = now.strftime("%Y-%m-%dT%H:%M:%S")
        text = f"[Trash Info]\nPath={quote(os.fsencode(shown_path), safe='/')}\nDeletionDate={date}\n"
        return Slot(f"{top}/files/{name}", f"{top}/info/{name}.trashinfo", text)

    def _trash_for(self, path: str) -> tuple[str, str]:
        """Return the trash folder for ``path`` and the path that its description names."""
        home_trash = real_place(f"{self._home}/.local/share/Trash/x").rpartition("/")[0]
        if home_trash not in self._ready:
            self._prepare(home_trash)
        mount = self._mount(path)
        if mount == self._mount(f"{home_trash}/files"):
            return home_trash, path
        top = self._top_of(path, mount)
        for name in (f".Trash/{os.geteuid()}", f".Trash-{os.geteuid()}"):
            folder = f"{top.rstrip('/')}/{name}"
            if self._is_ours(folder):
                self._prepare(folder)
                return folder, path[len(top.rstrip("/")) + 1 :]
        return home_trash, path

    def _top_of(self, path: str, mount: tuple[int, int]) -> str:
        folder = path.rpartition("/")[0] or "/"
        while folder != "/":
            above = folder.rpartition("/")[0] or "/"
            if self._mount(f"{above.rstrip('/')}/x") != mount:
                break
            folder = above
        return folder

    def _is_ours(self, folder: str) -> bool:
        try:
            info = self._folders.lstat(folder)
        except OSError:
            return False
        return info is not None and stat.S_ISDIR(info.st_mode) and info.st_uid == os.geteuid()

    def _prepare(self, top: str) -> None:
        if top in self._ready:
            return
        for folder in (top, f"{top}/files", f"{top}/info"):
            if self._folders.lstat(folder) is None:
                private_folder(folder)
            if not self._is_ours(folder):
                raise StorageFailed(
                    "storage.trash", f"The trash {shown(folder)} is not a folder of yours.", subject=folder
                )
        self._ready.add(top)

    def _free_name(self, top: str, name: str) -> str:
        stem, dot, ending = name.rpartition(".") if "." in name[1:] else (name, "", "")
        short = os.fsdecode(os.fsencode(stem)[: _LONGEST - len(os.fsencode(dot + ending))])
        if len(os.fsencode(dot + ending)) > 40:
            short, dot, ending = os.fsdecode(os.fsencode(name)[:_LONGEST]), "", ""
        tried, count = f"{short}{dot}{ending}", 1
        while f"{top}/{tried}" in self._taken or self._is_there(top, tried):
            count += 1
            tried = f"{short}.{count}{dot}{ending}"
        self._taken.add(f"{top}/{tried}")
        return tried

    def _is_there(self, top: str, name: str) -> bool:
        return any(
            self._folders.lstat(place) is not None for place in (f"{top}/files/{name}", f"{top}/info/{name}.trashinfo")
        )
