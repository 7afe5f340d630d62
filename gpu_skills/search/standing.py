"""Where a search stands: what was tried, what is known of it, which is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray

from gpu_skills.model import Built
from gpu_skills.search.grid import Grid, Rows
from gpu_skills.search.model import Proposal, Refusal, Trial

SURE = 5
"""From so many samples on a candidate may be called the best."""
_QUANTILE = 0.25


@dataclass(slots=True)
class Entry:
    """One proposal as far as it got. ``twin`` is the id of one whose library is the same, byte for byte."""

    proposal: Proposal
    row: Rows | None
    built: Built | None = None
    samples: list[float] = field(default_factory=list)
    refusal: Refusal | None = None
    accepted: bool = False
    foreseen_ns: float | None = None
    twin: str = ""
    _known: tuple[int, float] = (0, 0.0)

    @property
    def ns(self) -> float | None:
        """What a call takes: the lower quartile of the samples, for noise only ever adds; None before any."""
        if len(self.samples) != self._known[0]:
            self._known = len(self.samples), quantile(self.samples, _QUANTILE)
        return self._known[1] if self.samples else None

    @property
    def alive(self) -> bool:
        """Tell whether it was measured and is not out."""
        return self.refusal is None and bool(self.samples) and not self.twin

    def trial(self) -> Trial:
        """Return what is known of it."""
        return Trial(self.proposal, tuple(self.samples), self.refusal, self.accepted)


@dataclass(frozen=True, slots=True)
class Seen:
    """What models learn from: rows of genomes, their log times (ns), how many samples that is; and rows that failed."""

    rows: Rows
    logs: NDArray[np.float64]
    counts: NDArray[np.int64]
    failed: Rows


class Standing:
    """Everything that was tried, by id."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.entries: dict[str, Entry] = {}
        self._rows: set[tuple[int, ...]] = set()

    def add(self, proposal: Proposal) -> Entry:
        """Take in a proposal that was not there before."""
        row = None if proposal.source is not None else self.grid.row(proposal.genome)
        entry = self.entries[proposal.id] = Entry(proposal, row)
        if row is not None:
            self._rows.add(tuple(row.tolist()))
        return entry

    def is_new(self, row: Rows) -> bool:
        """Tell whether a genome was not tried."""
        return tuple(row.tolist()) not in self._rows

    def fresh(self, rows: Rows) -> Rows:
        """Return the rows that were not tried, each once, in order."""
        kept = {tuple(one): None for one in rows.tolist() if tuple(one) not in self._rows}
        return np.array(list(kept), dtype=np.int64).reshape(-1, len(self.grid.sizes))

    @property
    def exhausted(self) -> bool:
        """Tell whether every genome was tried."""
        return self.grid.listed is not None and len(self._rows) >= len(self.grid.listed)

    def alive(self) -> list[Entry]:
        """Return what is measured and not out, the fastest first."""
        return sorted((one for one in self.entries.values() if one.alive), key=lambda one: one.ns or 0.0)

    @property
    def best(self) -> Entry | None:
        """Return the fastest of those that were measured often enough; of all, where none was."""
        alive = self.alive()
        sure = [one for one in alive if len(one.samples) >= SURE]
        return next(iter(sure or alive), None)

    @property
    def noise(self) -> float:
        """Return how far samples of one candidate lie apart, as a spread of log time: the median over candidates."""
        spreads = [_spread(one.samples) for one in self.entries.values() if len(one.samples) >= SURE]
        return float(np.median(spreads)) if spreads else 0.03

    def seen(self) -> Seen:
        """Return what models learn from."""
        here = [one for one in self.entries.values() if one.row is not None]
        timed = [one for one in here if one.samples and one.refusal is None]
        failed = [one for one in here if one.refusal is not None]
        return Seen(self._stack(timed), np.array([log(max(one.ns or 1.0, 1e-3)) for one in timed]),
                    np.array([len(one.samples) for one in timed], dtype=np.int64), self._stack(failed))  # fmt: skip

    def _stack(self, entries: list[Entry]) -> Rows:
        rows = [one.row for one in entries if one.row is not None]
        return np.array(rows, dtype=np.int64).reshape(-1, len(self.grid.sizes))


def _spread(samples: list[float]) -> float:
    """Return a robust spread of log samples: the distance between quartiles over that of a normal."""
    return max((log(quantile(samples, 0.75)) - log(quantile(samples, 0.25))) / 1.349, 1e-4)


def quantile(samples: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of the samples lie, between two of them on a line."""
    ordered = sorted(samples)
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])
