"""How often a sequence came: how many sessions had it, the same after decay, and where it was lately.

There are many rows, and the garbage collector passes over plain tuples of plain values: so a row is one.
"""

from __future__ import annotations

from memory.sequences.model import Limits, Occurrence

Seen = tuple[int, tuple[int, ...], float]
"""An occurrence as it is kept."""
Row = tuple[int, float, float, tuple[Seen, ...]]
"""``times``, the ``weight`` of it when it came last, when that was, and the ``latest`` places, one a session."""

NEVER: Row = (0, 0.0, 0.0, ())


def counted(row: Row, seen: Seen, limits: Limits) -> Row:
    """Return ``row`` with one time more; a session counts once."""
    times, _, last, latest = row
    if latest and latest[-1][0] == seen[0]:
        return row
    kept = latest if len(latest) < limits.latest else latest[1:]
    return times + 1, worth(row, seen[2], limits) + 1.0, max(last, seen[2]), (*kept, seen)


def worth(row: Row, now: float, limits: Limits) -> float:
    """Return the count of ``row`` as it is worth at ``now`` (seconds)."""
    _, weight, last, _ = row
    return weight * 2.0 ** ((last - now) / limits.half_life_s) if now > last else weight


def occurrences(row: Row) -> tuple[Occurrence, ...]:
    """Return where it was lately, oldest first."""
    return tuple(Occurrence(*one) for one in row[3])
