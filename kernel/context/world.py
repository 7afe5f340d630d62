"""The person's places by name, read-only: which folders and files a spoken name may mean.

What this stops: guessing. A name is only ever a path that exists in the home, or it is said to be missing. Links are
not followed out of the home, no file is opened, and the walk is bounded in entries and in time.
What it does not: a home that changes while a request runs; whoever acts checks again with the file in hand.
"""

from __future__ import annotations

import os
import re
import stat
import time
import unicodedata
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

_NOT_ENTERED = frozenset({"node_modules", "__pycache__", "lost+found", "$recycle.bin", ".git"})
_WORD = re.compile(r"[^\W_]+")
_MOST_ENTRIES = 200_000
_LEAST_ENTRIES = 2_000  # so many are looked at on the busiest machine, too
_WALK_BUDGET_S = 0.5
_CHECK_EVERY_S = 0.2  # how long a walk is trusted without a look at the top folders
_WALK_AGAIN_S = 2.0  # a file that was not found is looked for again when the walk is older than this
_OLDEST_S = 120.0
_FEW = 8
_DEEPEST = 24


class World(Protocol):
    """What interpretation may know about the person's places. Every answer is an absolute path."""

    @property
    def home(self) -> str:
        """The person's home."""

    def folders(self, name: str) -> tuple[str, ...]:
        """Return the folders called ``name``; one directly below the home is meant alone."""

    def files(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` with its suffix, wherever they are."""

    def stems(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` without their suffix."""

    def reach(self, word: str) -> int:
        """Return how many characters the longest name has that begins with ``word``; 0 when none does."""

    def has_word(self, word: str) -> bool:
        """Tell whether some name has ``word`` in it, as a whole word."""

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the files whose name has the words of ``name`` in it, one after the other; the first few."""

    def exists(self, path: str) -> bool:
        """Tell whether something is at ``path``."""

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder is at ``path``."""


def key_of(name: str) -> str:
    """Return the form under which a name is compared: NFC, case-folded, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _first_word(key: str) -> str:
    match = _WORD.match(key)
    return match.group() if match else key[:1]


def _has_run(words: list[str], part: list[str]) -> bool:
    return any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))


@dataclass
class _Index:
    """One walk's findings: paths by key."""

    folders: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)
    stems: dict[str, list[str]] = field(default_factory=dict)
    top: dict[str, str] = field(default_factory=dict)
    reach: dict[str, int] = field(default_factory=dict)
    stamp: tuple[tuple[str, int], ...] = ()
    walked_at: float = 0.0
    checked_at: float = 0.0
    complete: bool = True
    entries: int = 0


class HomeWorld:
    """The places below ``home``, walked when first asked and again when a top folder changed.

    ``state`` names folders of Steward's own that are no place of the person. At most 200,000 entries and half a
    second are spent on a walk; ``complete`` is False when that was not enough.
    """

    def __init__(self, home: str, *, state: tuple[str, ...] = ()) -> None:
        self._home = os.path.abspath(home)
        self._real_home = os.path.realpath(self._home)
        self._state = frozenset(os.path.abspath(path) for path in state)
        self._index: _Index | None = None

    @property
    def home(self) -> str:
        """The person's home."""
        return self._home

    @property
    def complete(self) -> bool:
        """Tell whether the last walk saw everything it was meant to see."""
        return self._fresh().complete

    def folders(self, name: str) -> tuple[str, ...]:
        """Return the folders called ``name``; one directly below the home is meant alone."""
        index, key = self._fresh(), key_of(name)
        if key in index.top:
            return (index.top[key],)
        return tuple(path for path in index.folders.get(key, ()) if os.path.lexists(path))

    def files(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` with its suffix, wherever they are in the home."""
        index, key = self._fresh(), key_of(name)
        if key not in index.files and "." in key and time.monotonic() - index.walked_at > _WALK_AGAIN_S:
            index = self._walk()
        return tuple(path for path in index.files.get(key, ()) if os.path.lexists(path))

    def stems(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` without their suffix."""
        return tuple(path for path in self._fresh().stems.get(key_of(name), ()) if os.path.lexists(path))

    def file_like(self, suffix: str) -> str:
        """Return the file nearest to the home whose name ends with ``suffix`` and is the only one; "" when none is."""
        index, wanted = self._fresh(), suffix.casefold()
        return next((paths[0] for key, paths in index.files.items() if len(paths) == 1 and key.endswith(wanted)), "")

    def reach(self, word: str) -> int:
        """Return how many characters the longest name has that begins with ``word``; 0 when none does."""
        return self._fresh().reach.get(_first_word(key_of(word)), 0)

    def has_word(self, word: str) -> bool:
        """Tell whether some name has ``word`` in it, as a whole word. Looks at every name: meant for rare words."""
        index, key = self._fresh(), key_of(word)
        names = (name for known in (index.files, index.folders, index.top) for name in known if key in name)
        return any(key in _WORD.findall(name) for name in names)

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the files whose name has the words of ``name`` in it, one after the other; the first few."""
        index, words = self._fresh(), _WORD.findall(key_of(name))
        found: list[str] = []
        for stem, paths in index.stems.items() if words else ():
            if words[0] in stem and _has_run(_WORD.findall(stem), words):
                found += [path for path in paths if os.path.lexists(path)]
            if len(found) > _FEW:
                break
        return tuple(found)

    def exists(self, path: str) -> bool:
        """Tell whether something is at ``path``; what a link leads out of the home to does not count."""
        return self._mode(path) is not None

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder is at ``path``."""
        mode = self._mode(path)
        return mode is not None and stat.S_ISDIR(mode)

    def _mode(self, path: str) -> int | None:
        try:
            if self._leads_out(path):
                return None
            return os.stat(path).st_mode
        except (OSError, ValueError):
            return None

    def _leads_out(self, path: str) -> bool:
        plain = os.path.abspath(path)
        if not _is_below(plain, self._home):
            return False
        return not _is_below(os.path.realpath(plain), self._real_home)

    def refresh(self) -> None:
        """Forget what was seen: the home has changed, the next question walks again."""
        self._index = None

    def _fresh(self) -> _Index:
        now = time.monotonic()
        index = self._index
        if index is not None and now - index.checked_at < _CHECK_EVERY_S:
            return index
        if index is None or now - index.walked_at > _OLDEST_S or index.stamp != self._stamp():
            return self._walk()
        index.checked_at = now
        return index

    def _stamp(self) -> tuple[tuple[str, int], ...]:
        """The home's and its folders' times of change: cheap to read, and enough to see most changes."""
        found = [(self._home, _mtime(self._home))]
        found += [(entry.path, _mtime(entry.path)) for entry in _entries(self._home) if _is_real_folder(entry)]
        return tuple(found)

    def _walk(self) -> _Index:
        index = _Index(stamp=self._stamp())
        stop = time.monotonic() + _WALK_BUDGET_S
        waiting = deque([(self._home, 0)])
        while waiting:
            late = time.monotonic() > stop and index.entries >= _LEAST_ENTRIES
            if late or index.entries >= _MOST_ENTRIES:
                index.complete = False
                break
            folder, depth = waiting.popleft()
            for entry in _entries(folder):
                if self._is_seen(entry):
                    self._note(index, entry, depth, waiting)
        self._note_user_folders(index)
        index.walked_at = index.checked_at = time.monotonic()
        self._index = index
        return index

    def _is_seen(self, entry: os.DirEntry[str]) -> bool:
        return not (entry.name.startswith(".") or entry.path in self._state)

    def _note(self, index: _Index, entry: os.DirEntry[str], depth: int, waiting: deque[tuple[str, int]]) -> None:
        index.entries += 1
        key = key_of(entry.name)
        self._note_reach(index, key)
        if _is_real_folder(entry):
            index.folders.setdefault(key, []).append(entry.path)
            if depth == 0:
                index.top[key] = entry.path
            if depth < _DEEPEST and key not in _NOT_ENTERED:
                waiting.append((entry.path, depth + 1))
        elif _is_real_file(entry):
            index.files.setdefault(key, []).append(entry.path)
            stem, suffix = os.path.splitext(key)
            if suffix:
                index.stems.setdefault(stem, []).append(entry.path)

    @staticmethod
    def _note_reach(index: _Index, key: str) -> None:
        word = _first_word(key)
        index.reach[word] = max(index.reach.get(word, 0), len(key))

    def _note_user_folders(self, index: _Index) -> None:
        """Let the desktop's own folders answer to their English names and to what they are called here."""
        for name, path in user_folders(self._home).items():
            if _is_below(path, self._home) and path != self._home and self.is_folder(path):
                index.top.setdefault(key_of(name), path)
                self._note_reach(index, key_of(name))


def user_folders(home: str) -> dict[str, str]:
    """Return the freedesktop user folders by their plain English name, as ~/.config/user-dirs.dirs says.

    Source: freedesktop.org xdg-user-dirs; the file is a list of ``XDG_<NAME>_DIR="$HOME/..."``.
    """
    found: dict[str, str] = {}
    try:
        with open(os.path.join(home, ".config", "user-dirs.dirs"), encoding="utf-8", errors="replace") as lines:
            for line in lines.read(16_384).splitlines():
                name, mark, value = line.strip().partition("=")
                if mark and name.startswith("XDG_") and name.endswith("_DIR"):
                    path = value.strip().strip('"').replace("$HOME", home, 1)
                    found[_PLAIN.get(name[4:-4], name[4:-4].lower())] = os.path.normpath(path)
    except OSError:
        return {}
    return found


_PLAIN = {"DOWNLOAD": "downloads", "PUBLICSHARE": "public"}


def _mtime(path: str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            yield from sorted(found, key=lambda entry: entry.name)
    except OSError:
        return


def _is_real_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_real_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
