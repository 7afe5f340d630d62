"""What raw events of a folder come to: a file that came, was moved in, changed or went, once it has come to rest.

A program writes a file in pieces, under another name, beside it; an editor puts a new one in the place of the old.
Told is what a person would say: one change, when nothing has happened to the file for ``REST_S`` and its writer has
closed it.

What this stops: half a download that is taken for a file; one save that is told as gone, come and changed.
What it does not: know what is in a file, or who wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from kernel.routines.model import Change

REST_S = 0.3
UNCLOSED_S = 10.0
"""So long a new file that nobody closes has to lie unwritten: a link is never closed."""

UNFINISHED = (".part", ".partial", ".crdownload", ".download", ".tmp", ".swp", ".swx", "~")
"""Endings of files that are not what they will be."""


class Raw(Enum):
    """What the system says happened to a name in a folder."""

    MADE = auto()
    CLOSED = auto()  # after it was written to
    MOVED_HERE = auto()
    GONE = auto()


@dataclass(frozen=True, slots=True)
class Seen:
    """What happened to the file at ``path``; ``moved`` from somewhere else, where it came.

    ``known`` is where it lay before, where it was moved from a place that is watched, and was known there.
    """

    change: Change
    path: str
    moved: bool = False
    known: str = ""


@dataclass(slots=True)
class _Pending:
    was: bool  # a file was there before
    is_there: bool
    moved: bool
    open: bool  # made, and not closed yet
    since: float
    last: float
    known: str = ""  # where it lay before, and had come to rest


class Settling:
    """Takes in raw events and says what they came to. ``known`` are the files that are there. Times are monotonic."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = set(known)
        self._pending: dict[str, _Pending] = {}

    def know(self, paths: Iterable[str]) -> None:
        """Take note of files that were there when their folder began to be watched."""
        self._known.update(paths)

    def knows(self, path: str) -> bool:
        """Tell whether a file is known, or what happens to it is."""
        return path in self._known or path in self._pending

    def take_in(self, raw: Raw, path: str, now: float, *, renamed: bool = False, source: str = "") -> None:
        """Take in one event; ``renamed`` where it was moved within its folder, ``source`` where it lay before."""
        if is_unfinished(path):
            return
        one = self._pending.setdefault(path, _Pending(path in self._known, False, False, False, now, now))
        one.last = now
        one.is_there = raw is not Raw.GONE
        if raw is Raw.MADE:
            one.open = True
        elif raw is not Raw.GONE:
            one.open = False
        one.moved = raw is Raw.MOVED_HERE and not renamed
        one.known = source if source in self._known else one.known

    def settled(self, now: float, is_growing: Callable[[str], bool] = lambda _path: False) -> list[Seen]:
        """Return what has come to rest by ``now``, in the order in which it began. A new file that nobody has closed
        rests once it is not ``is_growing``.
        """
        for path, one in self._pending.items():
            if _at(one) <= now and _is_unclosed(one) and is_growing(path):
                one.last = now
        rested = [path for path, one in self._pending.items() if _at(one) <= now]
        told = [(one.since, seen) for path in rested if (seen := self._told(path, one := self._pending.pop(path)))]
        return [seen for _, seen in sorted(told, key=lambda pair: pair[0])]

    def next_at(self) -> float | None:
        """Return when something may next have come to rest; None where nothing is pending."""
        return min(map(_at, self._pending.values()), default=None)

    def _told(self, path: str, one: _Pending) -> Seen | None:
        if not one.is_there:
            self._known.discard(path)
            return Seen(Change.DELETED, path) if one.was else None
        self._known.add(path)
        return Seen(Change.CHANGED if one.was else Change.CREATED, path, one.moved and not one.was, one.known)


def is_unfinished(path: str) -> bool:
    """Tell whether a file is not what it will be, or is none of a person's: hidden, a lock, half a download."""
    name = path.rpartition("/")[2]
    return name.startswith((".", "~$", "#")) or name.lower().endswith(UNFINISHED)


def _is_unclosed(one: _Pending) -> bool:
    return one.open and one.is_there


def _at(one: _Pending) -> float:
    return one.last + (UNCLOSED_S if _is_unclosed(one) else REST_S)
