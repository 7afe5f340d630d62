"""What lies in the person's home, by name: read once, and from then on only where a folder has changed.

What this stops: that something which is there is said to be missing. Each look compares the time of change of the
folders that were read with the disk; a folder that changed while it was read counts as changed.
What it does not: follow links, open files, or see on a network share what that share reports late. A look is bounded
in time; in a home with very many folders the far ones are compared in turn.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from copy import copy
from dataclasses import dataclass, field

from kernel.context.naming import NamedBy, key_of, without_umlauts

_NOT_ENTERED = frozenset({"node_modules", "__pycache__", "lost+found", "$recycle.bin", ".git"})
_WORD = re.compile(r"[^\W_]+")
_MOST_ENTRIES = 200_000
_LEAST_ENTRIES = 2_000  # so many are looked at on the busiest machine, too
_FIRST_BUDGET_S = 0.5
_BUDGET_S = 0.05
_NEAR = 2_000  # so many folders, the nearest first, are compared at every look
_JOINED = re.compile(r"[_-]+")
_TICK_NS = 20_000_000  # file systems stamp with a coarse clock: two changes within a tick look like one
_DEEPEST = 24

_Stamp = tuple[int, int]


def said_as(stem: str) -> tuple[str, ...]:
    """Return how the name of a file is said or typed: "zoom_installer" as two words, "Käsekuchen" without umlauts."""
    spaced = " ".join(_JOINED.sub(" ", stem).split()) or stem
    return tuple(dict.fromkeys((stem, spaced, without_umlauts(spaced))))


def words_in(key: str) -> list[str]:
    """Return the words of a name: runs of letters and digits."""
    return _WORD.findall(key)


def first_word(key: str) -> str:
    """Return the first word of a name, or its first character where it has none."""
    match = _WORD.match(key)
    return match.group() if match else key[:1]


def nearness(path: str) -> tuple[int, str]:
    """Order paths: the nearest to the home first, then by name."""
    return path.count("/"), path


@dataclass(slots=True)
class _Folder:
    """What was read of one folder. ``stamp`` is None when it may have changed meanwhile."""

    depth: int
    stamp: _Stamp | None
    folders: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


class Walk:
    """The names below ``home``. Each map leads from the compared form of a name to the paths that have it.

    ``left_out`` holds paths that are no place of the person. At most 200,000 entries are kept; ``complete`` tells
    whether all was seen so far, and ``version`` grows with every change.
    """

    def __init__(self, home: str, left_out: frozenset[str]) -> None:
        self.folders: dict[str, set[str]] = {}
        self.files: dict[str, set[str]] = {}
        self.stems: dict[str, set[str]] = {}
        self.reach: dict[str, int] = {}
        self.named = NamedBy()
        self.version = 0
        self._home = home
        self._left_out = left_out
        self._read: dict[str, _Folder] = {}
        self._waiting: deque[tuple[str, int]] = deque()
        self._queued: set[str] = set()
        self._entries = 0
        self._cut = False
        self._turn = 0

    @property
    def complete(self) -> bool:
        """Tell whether everything that is meant to be seen was seen."""
        return not self._waiting and not self._cut

    def look(self) -> None:
        """Read what is new: the whole home the first time, changed folders later, within the time of one look."""
        began = time.monotonic()
        if self._home in self._read:
            self._compare(began + _BUDGET_S)
            self._read_on(began + _BUDGET_S, 0)
        else:
            self._queue(self._home, 0)
            self._read_on(began + _FIRST_BUDGET_S, _LEAST_ENTRIES)

    def copied(self) -> Walk:
        """Return the same, to be changed apart: some 0.1 ms for each 1,000 names."""
        other = copy(self)
        other.folders, other.files, other.stems = map(_copied, (self.folders, self.files, self.stems))
        other.reach, other.named, other._read = dict(self.reach), self.named.copied(), dict(self._read)
        other._waiting, other._queued = deque(self._waiting), set(self._queued)
        return other

    def put(self, path: str, *, folder: bool) -> None:
        """Know of a file or folder that is not read from the disk."""
        parent, _, name = path.rpartition("/")
        if folder:
            self._add(self.folders, key_of(name), path)
        else:
            self._add_file(parent, name)

    def take(self, path: str, *, folder: bool) -> None:
        """Know no more of a file or folder, though it may be there."""
        parent, _, name = path.rpartition("/")
        if folder:
            self._remove(self.folders, key_of(name), path)
            self._drop(path)
        else:
            self._remove_file(parent, name)

    def _compare(self, stop: float) -> None:
        """Put every folder that is not as it was read in front of those that wait to be read."""
        paths = list(self._read)
        near, far = paths[:_NEAR], paths[_NEAR:]
        turn = self._turn % len(far) if far else 0
        for done, path in enumerate((*near, *far[turn:], *far[:turn])):
            if done >= _NEAR and done % 64 == 0 and time.monotonic() > stop:
                self._turn += done - _NEAR
                return
            known = self._read.get(path)
            if known is not None and (known.stamp is None or known.stamp != _stamp(path)):
                self._queue(path, known.depth, first=True)

    def _queue(self, path: str, depth: int, *, first: bool = False) -> None:
        if path in self._queued:
            return
        self._queued.add(path)
        if first:
            self._waiting.appendleft((path, depth))
        else:
            self._waiting.append((path, depth))

    def _read_on(self, stop: float, least: int) -> None:
        while self._waiting and (time.monotonic() <= stop or self._entries < least):
            path, depth = self._waiting.popleft()
            self._queued.discard(path)
            if self._entries < _MOST_ENTRIES or path in self._read:
                self._read_folder(path, depth)
            else:
                self._cut = True

    def _read_folder(self, path: str, depth: int) -> None:
        began = time.time_ns()
        stamp = _stamp(path)
        if stamp is None:
            self._drop(path)
            return
        found = _Folder(depth, stamp if stamp[1] < began - _TICK_NS else None)
        for entry in _entries(path):
            if not entry.name.startswith(".") and entry.path not in self._left_out:
                _sort_in(found, entry)
        before = self._read.get(path) or _Folder(depth, None)
        self._read[path] = found
        self._take_over(path, before, found)

    def _take_over(self, path: str, before: _Folder, found: _Folder) -> None:
        """Bring the maps from what a folder held to what it holds."""
        for name in sorted(set(before.folders).difference(found.folders)):
            self._remove(self.folders, key_of(name), _at(path, name))
            self._drop(_at(path, name))
        for name in set(before.files).difference(found.files):
            self._remove_file(path, name)
        for name in sorted(set(found.folders).difference(before.folders)):
            self._add(self.folders, key_of(name), _at(path, name))
            if found.depth < _DEEPEST and key_of(name) not in _NOT_ENTERED:
                self._queue(_at(path, name), found.depth + 1)
        for name in set(found.files).difference(before.files):
            self._add_file(path, name)

    def _drop(self, path: str) -> None:
        """Forget a folder that is gone, and all below it."""
        gone = self._read.pop(path, None)
        if gone is None:
            return
        for name in gone.files:
            self._remove_file(path, name)
        for name in gone.folders:
            self._remove(self.folders, key_of(name), _at(path, name))
            self._drop(_at(path, name))

    def _add_file(self, folder: str, name: str) -> None:
        key, path = key_of(name), _at(folder, name)
        self._add(self.files, key, path)
        self.named.add(path)
        stem, dot, _ = key.rpartition(".")
        for called in said_as(stem) if dot else ():
            self.stems.setdefault(called, set()).add(path)
            self.note_reach(called)

    def _remove_file(self, folder: str, name: str) -> None:
        key, path = key_of(name), _at(folder, name)
        self._remove(self.files, key, path)
        self.named.remove(path)
        stem, dot, _ = key.rpartition(".")
        for called in said_as(stem) if dot else ():
            _discard(self.stems, called, path)

    def _add(self, names: dict[str, set[str]], key: str, path: str) -> None:
        if key not in names:
            names[key] = set()
            self.note_reach(key)
        names[key].add(path)
        self._entries += 1
        self.version += 1

    def _remove(self, names: dict[str, set[str]], key: str, path: str) -> None:
        _discard(names, key, path)
        self._entries -= 1
        self.version += 1

    def note_reach(self, key: str) -> None:
        """Remember how long the longest name is that begins like ``key``; names that went may still count."""
        word = first_word(key)
        self.reach[word] = max(self.reach.get(word, 0), len(key))


def _copied(names: dict[str, set[str]]) -> dict[str, set[str]]:
    return {name: set(paths) for name, paths in names.items()}


def _sort_in(found: _Folder, entry: os.DirEntry[str]) -> None:
    try:
        if entry.is_dir(follow_symlinks=False):
            found.folders.append(entry.name)
        elif entry.is_file(follow_symlinks=False):
            found.files.append(entry.name)
    except OSError:
        return


def _at(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder != "/" else f"/{name}"


def _discard(names: dict[str, set[str]], key: str, path: str) -> None:
    paths = names.get(key, set())
    paths.discard(path)
    if not paths:
        names.pop(key, None)


def _stamp(path: str) -> _Stamp | None:
    """Return which folder is at ``path`` and when it last changed; None when there is none. A user cannot set it."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
