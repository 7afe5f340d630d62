"""The time that grants end by: it never goes back.

What this stops: a grant that has ended being revived by a clock that was set back, while the daemon runs or between two
starts (the highest time seen is in the ledger).
What it does not: a clock that is set forward ends grants early; that is the safe side. What Steward has seen stays
seen, so that a time of day given by hand may count as past; a duration (``--for``) always counts from now.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

TOLERANCE_S = 1.0
"""A clock that is corrected by less was not set back."""


def _since_boot() -> float:
    """Return seconds that pass also while the machine sleeps and that nobody can set: clock_gettime(2)."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class SteadyClock:
    """Unix seconds from two clocks: the one of the wall, and the one that runs since the machine was started.

    ``seen_s`` is the highest time an earlier process saw; ``on_back`` is told it again each time the wall clock is
    found further behind, to be kept. Thread-safe.
    """

    def __init__(
        self,
        seen_s: float = 0.0,
        *,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = _since_boot,
        on_back: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._on_back = on_back
        self._highest = seen_s
        self._at = steady()
        self._behind = TOLERANCE_S
        self._lock = threading.Lock()

    def now_s(self) -> float:
        """Return the time, never less than before."""
        with self._lock:
            wall, at = self._wall(), self._steady()
            self._highest = max(self._highest + max(0.0, at - self._at), wall)
            self._at, now = at, self._highest
            behind = now - wall
            told = behind > self._behind + TOLERANCE_S
            self._behind = max(TOLERANCE_S, behind) if told or behind < self._behind else self._behind
        if told:
            self._on_back(now)
        return now
