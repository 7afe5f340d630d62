"""A fingerprint of what lies at some places: the same only while every name, version and content there is.

What this stops: a change that keeps a file's time, or its size, or both; one that puts another file in its place; a
name that comes or goes below a folder; a write through a mapping, of which no time tells: contents are read, too.
What it does not: say of what is no file, folder or inner link, of what is too much, or what may not be read. Then there
is no fingerprint, and nobody can tell whether anything has changed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterable

from permissions.transactions.model import Version

MOST_ENTRIES = 5_000
MOST_BYTES = 256 << 20

_PIECE_BYTES = 1 << 20


class _Unknown(Exception):
    """What lies there cannot be known in full."""


def fingerprint(
    places: Iterable[str], hidden: Iterable[str] = (), *, ended: Callable[[], bool] = lambda: False
) -> str | None:  # fmt: skip
    """Return what lies at ``places`` (real paths) and below, but for what is ``hidden`` there; None where it cannot be
    known in full, or ``ended`` says that nobody wants to know any more.
    """
    look = _Look(tuple(dict.fromkeys(places)), frozenset(hidden), ended)
    try:
        return look.taken()
    except (_Unknown, OSError):
        return None


class _Look:
    """One look at some places."""

    def __init__(self, places: tuple[str, ...], hidden: frozenset[str], ended: Callable[[], bool]) -> None:
        self._places = places
        self._hidden = hidden
        self._ended = ended
        self._digest = hashlib.blake2b(digest_size=32)
        self._entries = 0
        self._bytes = 0

    def taken(self) -> str:
        for place in self._places:
            self._take(place)
        return self._digest.hexdigest()

    def _take(self, top: str) -> None:
        waiting = [top]
        while waiting:
            path = waiting.pop()
            if path in self._hidden:
                continue
            info = os.lstat(path)
            self._note(path, info)
            if stat.S_ISDIR(info.st_mode):
                waiting += [f"{path.rstrip('/')}/{name}" for name in sorted(os.listdir(path), reverse=True)]
            elif stat.S_ISLNK(info.st_mode):
                self._must_stay_inside(path)
            elif stat.S_ISREG(info.st_mode):
                self._read(path, Version.of(info))
            else:
                raise _Unknown

    def _note(self, path: str, info: os.stat_result) -> None:
        self._entries += 1
        if self._entries > MOST_ENTRIES or self._ended():
            raise _Unknown
        row = [os.fsencode(path).hex(), info.st_mode, info.st_nlink, info.st_uid, *Version.of(info).row()]
        self._digest.update(f"{row}\n".encode())

    def _must_stay_inside(self, link: str) -> None:
        """A link is followed by nobody here; where it leads has to be looked at, too."""
        self._digest.update(os.fsencode(os.readlink(link)) + b"\0")
        end = os.path.realpath(link)
        if not any(end == place or end.startswith(f"{place.rstrip('/')}/") for place in self._places):
            raise _Unknown

    def _read(self, path: str, seen: Version) -> None:
        """Add the content of a file, if it is still the one that was seen."""
        self._bytes += seen.size
        if self._bytes > MOST_BYTES:
            raise _Unknown
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            left = seen.size
            while piece := os.read(file, _PIECE_BYTES):
                left -= len(piece)
                if left < 0 or self._ended():
                    raise _Unknown
                self._digest.update(piece)
            if left or Version.of(os.fstat(file)) != seen:
                raise OSError(errno.EAGAIN, "it changes while it is read", path)
        finally:
            os.close(file)
