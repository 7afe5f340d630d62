"""Which run changed a file: so that a routine is not set off by itself, and a circle of routines is named.

What this stops: a rule that runs without end, alone or with others, and one that a person's undo sets off again.
What it does not: know changes by programs outside of Steward; what these pass on is stopped by how often a routine may
run.
"""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from permissions.model import Change

KEPT_S = 30.0
"""So long after a run changed a file what is seen of the file is its doing, while the file stays as it was."""

MOST = 50_000


class Causes:
    """One event loop only. Times are monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed: OrderedDict[str, _Doing] = OrderedDict()
        self._chains: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, made: Callable[[], None]) -> Callable[[], None]:
        """Have ``made`` called after changes of runs have been made or taken back; return what ends that."""
        self._watchers.append(made)
        return partial(self._watchers.remove, made)

    def made(self) -> None:
        """Take note that changes which were noted have been made now."""
        for told in self._watchers:
            told()

    def note(self, run: str, changes: Iterable[Change]) -> None:
        """Take note that ``run`` makes these changes now, or that they are taken back."""
        now = self._clock()
        for path in (place for one in changes for place in (one.path, one.source) if place):
            self._changed.pop(path, None)
            self._changed[path] = _Doing(now, run)
        while len(self._changed) > MOST:
            self._changed.popitem(last=False)

    def fired(self, run: str, routine: str, chain: tuple[str, ...]) -> None:
        """Take note that ``run`` is of ``routine``, set off by what ``chain`` did."""
        self._chains[run] = (*chain, routine)
        while len(self._chains) > MOST:
            self._chains.popitem(last=False)

    def chain(self, run: str) -> tuple[str, ...]:
        """Return the routines that led to ``run``, its own the last; none where it is of no routine."""
        return self._chains.get(run, ())

    def of(self, path: str) -> tuple[str, ...]:
        """Return the routines that led to what was seen of ``path``, the last one being that which did it; none where
        a person did, or another program.
        """
        doing = self._changed.get(path)
        if doing is None:
            return ()
        if self._clock() - doing.at > KEPT_S or not doing.is_all_that_happened(path):
            del self._changed[path]
            return ()
        return self._chains.get(doing.run, ())


@dataclass(slots=True)
class _Doing:
    """What a run did to a file, and how the file was when that was seen first: one change may be seen twice."""

    at: float
    run: str
    left: tuple[int, ...] | None = None

    def is_all_that_happened(self, path: str) -> bool:
        """Tell whether the file is as it was when this was seen first; that is now, the first time."""
        is_now = _shape(path)
        if self.left is None:
            self.left = is_now
        return self.left == is_now


def _shape(path: str) -> tuple[int, ...]:
    """What changes with every change of a file; empty where there is none."""
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
