"""The person's places by name, read-only: which folders and files a spoken name may mean.

What this stops: guessing. A name is only ever a path that exists in the home, or it is said to be missing. Links are
not followed out of the home, no file is opened, and the walk is bounded in entries and in time.
What it does not: a home that changes while a request runs; whoever acts checks again with the file in hand.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Protocol

from kernel.context.naming import Wanted, key_of, plain, split_name, without_umlauts
from kernel.context.walk import Walk, first_word, nearness, words_in
from skills import one_import

_FEW = 8
_LONGEST_ENDING, _LEAST_STEM = 2, 4  # letters
_MANY = 64
_NEARLY = 3


class World(Protocol):
    """What interpretation may know about the person's places. Every answer is an absolute path."""

    @property
    def home(self) -> str:
        """The person's home."""

    def folders(self, name: str) -> tuple[str, ...]:
        """Return the folders called ``name``; one directly below the home is meant alone."""

    def files(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` with its suffix, wherever they are."""

    def inside(self, folder: str, name: str) -> tuple[str, ...]:
        """Return what lies directly in ``folder`` and is called ``name`` but for capitals: folders, then files."""

    def stems(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` without their suffix."""

    def reach(self, word: str) -> int:
        """Return how many characters the longest name has that begins with ``word``; 0 when none does."""

    def has_word(self, word: str) -> bool:
        """Tell whether some name has ``word`` in it, as a whole word."""

    def has_part(self, word: str) -> bool:
        """Tell whether some name has ``word`` in it, also as a part of a word, in another form, or with a slip."""

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the files whose name has the words of ``name`` in it, one after the other; the first few."""

    def has_such(self, wanted: Wanted) -> bool:
        """Tell whether some file has the words of ``wanted`` in its name and fits what else was said of it."""

    def such(self, wanted: Wanted) -> tuple[str, ...]:
        """Return the files that have the words of ``wanted`` in their names and fit what else was said of them."""

    def alike(self, path: str, *, folder: bool) -> tuple[str, ...]:
        """Return what is there under nearly the same name as the missing ``path``: folders, or files; the first few."""

    def exists(self, path: str) -> bool:
        """Tell whether something is at ``path``."""

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder is at ``path``."""

    def facts(self, path: str) -> tuple[float, int] | None:
        """Return when what is at ``path`` was changed (seconds since 1970) and its size in bytes; None without it."""


def _has_run(words: list[str], part: list[str]) -> bool:
    return any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))


@dataclass(frozen=True, slots=True)
class _Names:
    """All names of one state of the home as one text, to be searched; and by suffix the nearest that is alone."""

    version: int = -1
    text: str = ""
    alone: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, walk: Walk) -> _Names:
        alone: dict[str, str] = {}
        for path in sorted((path for paths in walk.files.values() if len(paths) == 1 for path in paths), key=nearness):
            alone.setdefault(os.path.splitext(path)[1].casefold(), path)
        return cls(walk.version, "\n".join(["", *walk.files, *walk.folders, ""]), alone)

    def holding(self, *parts: str) -> Iterator[str]:
        """Yield the names that have every one of ``parts`` somewhere in them, each once."""
        longest = max(parts, key=len)
        at = self.text.find(longest) if longest else -1
        while at >= 0:
            first, last = self.text.rfind("\n", 0, at) + 1, self.text.find("\n", at)
            name = self.text[first:last]
            if all(part in name for part in parts):
                yield name
            at = self.text.find(longest, last)


class HomeWorld:
    """The places below ``home``, as they were at the last look. Safe to use from several threads.

    ``state`` names folders of Steward's own that are no place of the person. ``complete`` is False when the home has
    more than one look sees; the next looks go on where it stopped.
    """

    def __init__(self, home: str, *, state: tuple[str, ...] = ()) -> None:
        self._home = os.path.abspath(home)
        self._real_home = os.path.realpath(self._home)
        self._walk = Walk(self._home, frozenset(os.path.abspath(path) for path in state))
        self._lock = threading.RLock()
        self._called: dict[str, str] = {}  # the desktop's own folders by their English name
        self._names = _Names()
        self._looked = False
        self._expected: frozenset[str] = frozenset()

    def expecting(self, path: str) -> HomeWorld:
        """Return these places with one file more, which is not there yet: known by its name and its path."""
        other = copy(self)
        other._expected = self._expected | {path}
        return other

    @property
    def home(self) -> str:
        """The person's home."""
        return self._home

    @property
    def complete(self) -> bool:
        """Tell whether everything in the home was seen."""
        with self._lock:
            return self._seen().complete

    def look(self) -> None:
        """Look at the home again: to be called when a request begins, so that it sees what is there then."""
        with self._lock:
            self._walk.look()
            self._called = {key_of(name): path for name, path in user_folders(self._home).items() if self._is_own(path)}
            for key in self._called:
                self._walk.note_reach(key)
            self._looked = True

    def folders(self, name: str) -> tuple[str, ...]:
        """Return the folders called ``name``; one directly below the home is meant alone."""
        with self._lock:
            key = key_of(name)
            found = self._there(self._seen().folders.get(key, ()))
            top = [path for path in found if os.path.dirname(path) == self._home]
            if not top and key in self._called:
                top = [self._called[key]]
            return tuple(top[:1]) or found

    def files(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` with its suffix, wherever they are in the home."""
        expected = tuple(path for path in self._expected if os.path.basename(path) == name)
        with self._lock:
            return expected or self._there(self._seen().files.get(key_of(name)) or self._respelt(name))

    def _respelt(self, name: str) -> list[str]:
        """The files that are called ``name`` but for umlauts: "Kaesekuchen.jpg" for ``Käsekuchen.jpg``."""
        stem, suffix = split_name(name)
        words = frozenset(words_in(plain(stem)))
        found = self._walk.named.fitting(Wanted(words, frozenset({suffix})))
        return [path for path in found if plain(path.rpartition("/")[2]) == plain(name)]

    def inside(self, folder: str, name: str) -> tuple[str, ...]:
        """Return what lies directly in ``folder`` and is called ``name`` but for capitals: folders, then files."""
        with self._lock:
            walk, key = self._seen(), key_of(name)
            called = (*walk.folders.get(key, ()), *walk.files.get(key, ()))
            return tuple(path for path in called if os.path.dirname(path) == folder and self._lies_there(path))

    def all_paths(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return every folder and every file that was seen."""
        with self._lock:
            walk = self._seen()
            return tuple(chain.from_iterable(walk.folders.values())), tuple(chain.from_iterable(walk.files.values()))

    def stems(self, name: str) -> tuple[str, ...]:
        """Return the files called ``name`` without their suffix."""
        with self._lock:
            return self._there(self._seen().stems.get(key_of(name), ()))

    def file_like(self, suffix: str) -> str:
        """Return the file nearest to the home whose name ends with ``suffix`` and is the only one; "" when none is."""
        with self._lock:
            return self._listed().alone.get(suffix.casefold(), "")

    def reach(self, word: str) -> int:
        """Return how many characters the longest name has that begins with ``word``; 0 when none does."""
        with self._lock:
            return self._seen().reach.get(first_word(key_of(word)), 0)

    def has_word(self, word: str) -> bool:
        """Tell whether some name has ``word`` in it, as a whole word."""
        with self._lock:
            key = key_of(word)
            return any(key in words_in(name) for name in self._listed().holding(key))

    def has_part(self, word: str) -> bool:
        """Tell whether some name has ``word`` in it, also as a part of a word, in another form, or with a slip.

        True also where the home has more names than were looked at.
        """
        with self._lock:
            key, shorter = key_of(word), max(len(word) - _LONGEST_ENDING, _LEAST_STEM)
            stems = {key, without_umlauts(key), *(key[:end] for end in range(shorter, len(key)))}
            if not self._seen().complete or any(True for stem in stems for _ in self._listed().holding(stem)):
                return True
            return self._seen().named.has_near(key)

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the files whose name has the words of ``name`` in it, one after the other; the first few."""
        words = words_in(key_of(name))
        found: list[str] = []
        with self._lock:
            for key in self._listed().holding(*words) if words else ():
                stem, suffix = os.path.splitext(key)
                if suffix and _has_run(words_in(stem), words):
                    found += self._there(self._walk.files.get(key, ()))
                if len(found) > _FEW:
                    break
        return tuple(found)

    def has_such(self, wanted: Wanted) -> bool:
        """Tell whether some file has the words of ``wanted`` in its name and fits what else was said of it."""
        with self._lock:
            return any(True for _ in self._seen().named.fitting(wanted))

    def such(self, wanted: Wanted) -> tuple[str, ...]:
        """Return the files that have the words of ``wanted`` in their names and fit what else was said of them."""
        with self._lock:
            found = list(islice(self._seen().named.fitting(wanted), _MANY + 1))
        return tuple(found) if len(found) <= _MANY else ()

    def alike(self, path: str, *, folder: bool) -> tuple[str, ...]:
        """Return what is there under nearly the same name as the missing ``path``: folders, or files; the first few.

        A name directly below the home may mean a place anywhere in it; one in a folder means what that folder holds.
        A folder on the way that is missing itself is read as the one that is nearly called so.
        """
        parent, name = os.path.split(path)
        if not _is_below(parent, self._home):
            return ()
        with one_import:  # with a library of distances: no start waits for it
            from kernel.context.slips import is_slip

        if not self.exists(parent):
            found = [os.path.join(one, name) for one in self.alike(parent, folder=True)]
            return tuple(one for one in found if folder or self.exists(one))
        with self._lock:
            names = self._seen().folders if folder else self._walk.files
            near = [path for key in names if is_slip(key_of(name), key) for path in names[key]]
        beside = [path for path in near if os.path.dirname(path) == parent]
        return self._there(beside or (near if parent == self._home else ()))[:_NEARLY]

    def _there(self, paths: Collection[str]) -> tuple[str, ...]:
        return tuple(path for path in sorted(paths, key=nearness) if self._lies_there(path))

    def _lies_there(self, path: str) -> bool:
        return os.path.lexists(path)

    def _seen(self) -> Walk:
        if not self._looked:
            self.look()
        return self._walk

    def _listed(self) -> _Names:
        walk = self._seen()
        if self._names.version != walk.version:
            self._names = _Names.of(walk)
        return self._names

    def _is_own(self, path: str) -> bool:
        return _is_below(path, self._home) and path != self._home and self.is_folder(path)

    def exists(self, path: str) -> bool:
        """Tell whether something is at ``path``; what a link leads out of the home to does not count."""
        return self._mode(path) is not None

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder is at ``path``."""
        mode = self._mode(path)
        return mode is not None and stat.S_ISDIR(mode)

    def facts(self, path: str) -> tuple[float, int] | None:
        """Return when what is at ``path`` was changed (seconds since 1970) and its size in bytes; None without it."""
        found = self._stat(path)
        return None if found is None else (found.st_mtime, found.st_size)

    def _mode(self, path: str) -> int | None:
        found = self._stat(path)
        return None if found is None else found.st_mode

    def _stat(self, path: str) -> os.stat_result | None:
        if path in self._expected:
            return os.stat_result((stat.S_IFREG, 0, 0, 1, 0, 0, 0, 0, 0, 0))
        try:
            return None if self._leads_out(path) else os.stat(path)
        except (OSError, ValueError):
            return None

    def _leads_out(self, path: str) -> bool:
        plain = os.path.abspath(path)
        if not _is_below(plain, self._home):
            return False
        return not _is_below(os.path.realpath(plain), self._real_home)


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


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
