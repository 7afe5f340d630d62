"""Walking through folders: in a fixed order, past what nobody means, and with a word about what was passed over.

Hidden entries are left out unless they are asked for. So are, where the caller says so, the folders of caches and of
installed packages: known by their name, or by the mark that the program which made them left inside (``CACHEDIR.TAG``,
https://bford.info/cachedir; ``pyvenv.cfg``, PEP 405). Only what lies below the start is judged: a folder that was named
is walked, whatever it is. Symbolic links are not followed.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from skills.sdk import words
from skills.sdk.view import View

_CACHES = frozenset({"node_modules", "bower_components", "__pycache__", "site-packages", "lost+found", "$recycle.bin"})
_MARKS = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})


class Met(NamedTuple):
    """A file or folder that a walk came by; ``entry`` is the disk's own, None for a described one."""

    path: str
    folder: bool
    entry: os.DirEntry[str] | None


@dataclass(slots=True)
class Passed:
    """What a walk passed over. Folders count as one, whatever is in them."""

    hidden_files: int = 0
    hidden_folders: int = 0
    caches: int = 0
    unread: int = 0

    def said(self, language: str, *, hidden: bool = True) -> str:
        """Say it as a sentence, empty where nothing was passed over; without ``hidden`` only the rest."""
        german = language == "de"
        files, folders = (self.hidden_files, self.hidden_folders) if hidden else (0, 0)
        told = [
            (files, "hidden file", "hidden files", "versteckte Datei", "versteckte Dateien"),
            (folders, "hidden folder", "hidden folders", "versteckter Ordner", "versteckte Ordner"),
            (self.caches, "cache or package folder", "cache or package folders", "Cache- oder Paketordner",
             "Cache- oder Paketordner"),
            (self.unread, "unreadable folder", "unreadable folders", "nicht lesbarer Ordner", "nicht lesbare Ordner"),
        ]  # fmt: skip
        parts = [
            f"{count} {(one if count == 1 else many) if not german else (eins if count == 1 else viele)}"
            for count, one, many, eins, viele in told
            if count
        ]
        if not parts:
            return ""
        if german:
            return f"Nicht angesehen, solange nicht genannt: {words.listing(parts, 'de')}."
        return f"Not looked at unless you name them: {words.listing(parts)}."


class Walk:
    """One way through folders. ``ignored`` paths do not exist for it, and nobody is told of them.

    ``hidden`` entries and folders of ``caches`` are walked only where asked; ``passed`` counts what was not.
    """

    def __init__(
        self, view: View, ignored: Collection[str], passed: Passed, *, hidden: bool, caches: bool, near: bool
    ) -> None:
        self._view = view
        self._ignored = ignored
        self.passed = passed
        self._hidden = hidden
        self._caches = caches
        self._near = near

    def below(self, top: str, *, recursive: bool) -> Iterator[Met]:
        """Yield what lies below ``top``: each folder's own before that of its subfolders, sorted by name.

        With ``near`` all of one depth come before what lies deeper. Raises OSError when ``top`` cannot be listed.
        """
        waiting = deque([top])
        while waiting:
            below = yield from self._in(waiting.popleft(), top)
            if recursive and self._near:
                waiting.extend(below)
            elif recursive:
                waiting.extendleft(reversed(below))

    def _in(self, folder: str, top: str) -> Generator[Met, None, list[str]]:
        """Yield what lies in one folder; return its subfolders."""
        below: list[str] = []
        try:
            names = dict(self._view.names(folder))
        except OSError:
            if folder == top:
                raise
            self.passed.unread += 1
            return below
        if folder != top and not self._caches and not _MARKS.isdisjoint(names):
            self.passed.caches += 1
            return below
        for name, entry in names.items():
            met = self._met(os.path.join(folder, name), name, entry)
            if met is not None:
                yield met
                below += [met.path] if met.folder else []
        return below

    def _met(self, path: str, name: str, entry: os.DirEntry[str] | None) -> Met | None:
        if path in self._ignored:
            return None
        kind = self._kind(path, entry)
        if kind is None:
            return None
        if name.startswith(".") and not self._hidden:
            self.passed.hidden_folders += kind
            self.passed.hidden_files += not kind
            return None
        if kind and not self._caches and name.lower() in _CACHES:
            self.passed.caches += 1
            return None
        return Met(path, kind, entry)

    def _kind(self, path: str, entry: os.DirEntry[str] | None) -> bool | None:
        """Tell whether it is a folder (True), a file (False) or neither, such as a link or a socket (None)."""
        if entry is None:
            node = self._view.node(path)
            return node is not None and node.folder
        if entry.is_symlink():
            return None
        if entry.is_dir(follow_symlinks=False):
            return True
        return False if entry.is_file(follow_symlinks=False) else None
