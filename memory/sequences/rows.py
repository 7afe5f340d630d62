"""How often a sequence came: how many sessions had it, the same after decay, and where it was lately."""

from __future__ import annotations

from memory.sequences.model import Limits, Occurrence

Seen = tuple[int, tuple[int, ...], float]
"""An occurrence as it is kept. There are many, and the garbage collector passes over plain tuples of plain values."""


class Row:
    """A count that halves with time. ``latest`` has the last places, ``most`` of them, one a session."""

    __slots__ = ("_most", "last", "latest", "times", "weight")

    def __init__(self, most: int) -> None:
        self.times, self.weight, self.last = 0, 0.0, 0.0
        self.latest: tuple[Seen, ...] = ()
        self._most = most

    def add(self, session: int, places: tuple[int, ...], at: float, limits: Limits) -> None:
        """Count one more; a session counts once."""
        latest = self.latest
        if latest and latest[-1][0] == session:
            return
        self.weight = self.at(at, limits) + 1.0
        self.times += 1
        self.last = max(self.last, at)
        if self._most:
            kept = latest if len(latest) < self._most else latest[1:]
            self.latest = (*kept, (session, places, at))

    def occurrences(self) -> tuple[Occurrence, ...]:
        """Return where it was lately, oldest first."""
        return tuple(Occurrence(*one) for one in self.latest)

    def at(self, now: float, limits: Limits) -> float:
        """Return the count as it is worth at ``now`` (seconds)."""
        return self.weight * 2.0 ** (-max(0.0, now - self.last) / limits.half_life_s) if self.weight else 0.0
