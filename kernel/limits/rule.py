"""The rule by which the memory of a tool's next call is learned from that of its last ones. Pure.

Nearly all of the last calls would have fitted into what the next one begins with (``QUANTILE``, with ``MARGIN``), so
would each of the latest few; a call that was killed for lack of memory counts as one that needed twice its limit.
The idea is AgentCgroup's (arXiv 2602.09345): a peak is remembered by tool and by the shape of its arguments, as the
same tool needs ten times more for one file than for another. The shape here is the size of the files that it reads.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

FLOOR_BYTES = 64 << 20
FIRST_BYTES = 256 << 20
"""What a call of a tool that nobody knows yet begins with, if it asks for as much."""

MARGIN = 1.25
QUANTILE = 0.95
KEPT = 20
LATEST = 5
_LOOKED_AT = 64
_WIDEST = 2


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory that a call needed; of one that was ``killed`` for lack of it, its limit."""

    size_bytes: int
    killed: bool = False

    def wanted(self) -> float:
        """Return what a call like this one should have."""
        return self.size_bytes * (2 if self.killed else MARGIN)


@dataclass(frozen=True, slots=True)
class Learned:
    """What a call begins with, and the most that it may have before anybody narrows it."""

    reserve_bytes: int
    most_bytes: int


def learn(peaks: Sequence[Peak], asked_bytes: int, machine_bytes: int) -> Learned:
    """Learn from ``peaks``, the oldest first, for a tool that asks for ``asked_bytes`` at most.

    Only a call that was killed lets the next one have more than its tool asks for: twice as much, never more than half
    of the machine.
    """
    doubled = max((2 * peak.size_bytes for peak in peaks if peak.killed), default=0)
    most = max(asked_bytes, min(doubled, machine_bytes // 2))
    if not peaks:
        return Learned(min(FIRST_BYTES, most), most)
    wanted = [peak.wanted() for peak in peaks]
    needed = max(_quantile(wanted, QUANTILE), *wanted[-LATEST:])
    return Learned(min(most, max(FLOOR_BYTES, stepped(int(needed)))), most)


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def stepped(size_bytes: int) -> int:
    """Round up to one of four steps between a power of two and the next, of 16 MiB at least: small news is no news."""
    step = 1 << max(24, size_bytes.bit_length() - 3)
    return -(-size_bytes // step) * step


def shape_of(paths: Iterable[str]) -> int:
    """Return the size class of the files among ``paths``: 0 up to 1 MiB (or none), then one more for each doubling."""
    total = 0
    for path in islice(paths, _LOOKED_AT):
        with suppress(OSError):
            found = os.stat(path)
            total += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return (total >> 20).bit_length()


def like(shape: int, known: Iterable[int]) -> tuple[int, int]:
    """Return the known shape that is nearest to ``shape``, and how many times more memory ``shape`` may need."""
    nearest = min(known, key=lambda one: (abs(one - shape), -one))
    return nearest, 1 << max(0, min(shape - nearest, _WIDEST))
