"""How often a sequence came: how many sessions had it, the same after decay, and where it was lately."""

from __future__ import annotations

from collections import deque

from memory.sequences.model import Limits, Occurrence


class Row:
    """A count that halves with time. ``latest`` has the last places, one a session."""

    __slots__ = ("last", "latest", "times", "weight")

    def __init__(self, latest: int) -> None:
        self.times, self.weight, self.last = 0, 0.0, 0.0
        self.latest: deque[Occurrence] = deque(maxlen=latest)

    def add(self, seen: Occurrence, limits: Limits) -> None:
        """Count one more; a session counts once."""
        if self.latest and self.latest[-1].session == seen.session:
            return
        self.weight = self.at(seen.at, limits) + 1.0
        self.times += 1
        self.last = max(self.last, seen.at)
        self.latest.append(seen)

    def at(self, now: float, limits: Limits) -> float:
        """Return the count as it is worth at ``now`` (seconds)."""
        return self.weight * 2.0 ** (-max(0.0, now - self.last) / limits.half_life_s) if self.weight else 0.0
