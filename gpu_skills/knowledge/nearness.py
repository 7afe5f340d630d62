"""How far one problem is from another, and what its rows then count.

Rows of another device, another family or another dtype-width never count. Of another processor only the order of its
genomes counts, not by how much one was faster (ranks carry over between processors, times do not).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist, median, pstdev

from gpu_skills.knowledge.model import Features, Row

_SCALES = {"log_elements": 4.0, "log_row": 3.0, "intensity": 1.5, "row_in_cache": 4.0, "folds": 1.0, "products": 0.5,
           "transcendental": 1.5}  # fmt: skip
"""How much of each feature is as far as one step."""
_HARDWARE_SCALE, _DTYPE_APART = 1.5, 1.0
_FAILED = 1.0


def distance(one: Features, other: Features) -> float | None:
    """Return how far two problems are apart; None where one says nothing of the other."""
    if (one.device, one.family) != (other.device, other.family):
        return None
    steps = [(getattr(one, name) - getattr(other, name)) / scale for name, scale in _SCALES.items()]
    here, there = dict(one.hardware), dict(other.hardware)
    steps += [(here.get(name, 0.0) - there.get(name, 0.0)) / _HARDWARE_SCALE for name in here.keys() | there.keys()]
    steps.append(_DTYPE_APART if one.dtype != other.dtype else 0.0)
    return sqrt(sum(step**2 for step in steps))


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another problem: how far it is, its rows, and what each of its genomes is worth (log time, 0 is its middle)."""

    distance: float
    rows: tuple[Row, ...]
    worth: tuple[float, ...]

    @property
    def winner(self) -> Row | None:
        """Return the fastest row that nothing refused."""
        fine = [one for one in self.rows if one.best_ns and not one.verdict]
        return min(fine, key=lambda one: one.best_ns or 0.0, default=None)


def neighbours(features: Features, rows: Iterable[Row]) -> list[Neighbour]:
    """Return the problems that say something of one, the nearest first."""
    groups: dict[Features, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.features].append(row)
    found = []
    for of, group in groups.items():
        apart = distance(features, of)
        if apart is not None:
            same = of.hardware == features.hardware
            found.append(Neighbour(apart, tuple(group), tuple(_worth(group, ranks=not same))))
    return sorted(found, key=lambda one: one.distance)


def _worth(rows: Sequence[Row], *, ranks: bool) -> list[float]:
    """Return log times against their median; with ``ranks`` as far apart as their order alone says."""
    logs = [log(one.best_ns) if one.best_ns and not one.verdict else None for one in rows]
    known = [one for one in logs if one is not None]
    if not known:
        return [_FAILED] * len(rows)
    middle = median(known)
    if not ranks:
        return [one - middle if one is not None else max(known) - middle for one in logs]
    ordered, spread = sorted(known), pstdev(known)
    scores = {one: spread * NormalDist().inv_cdf((index + 0.5) / len(ordered)) for index, one in enumerate(ordered)}
    return [scores[one] if one is not None else max(scores.values()) for one in logs]
