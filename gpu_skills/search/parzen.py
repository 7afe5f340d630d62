"""Tree-structured Parzen estimator: what the good ones have in common and the others do not.

J. Bergstra et al., "Algorithms for Hyper-Parameter Optimization", 2011; kernels over whole genomes as in
S. Falkner et al., "BOHB", 2018: a choice stays with its partners. Categorical knobs take J. Aitchison and C. Aitken's
kernel (1976), ordered ones a discrete Laplace kernel.
"""

from __future__ import annotations

import numpy as np

from gpu_skills.search.grid import Grid, Rows
from gpu_skills.search.likeness import Floats
from gpu_skills.search.model import Proposal
from gpu_skills.search.standing import Standing

_FEWEST, _SHARE, _MOST_GOOD, _DRAWS = 6, 0.2, 12, 48
_STAY = 0.75


class Parzen:
    """Proposes a genome like the good ones and unlike the rest."""

    name = "tpe"

    def propose(self, standing: Standing, chance: np.random.Generator) -> Proposal | None:
        """Return a genome that was not tried; None before six were measured, or where it draws nothing new."""
        seen = standing.seen()
        if len(seen.logs) < _FEWEST:
            return None
        order = np.argsort(seen.logs, kind="stable")
        split = min(max(2, int(np.ceil(_SHARE * len(order)))), _MOST_GOOD)
        good, bad = seen.rows[order[:split]], np.concatenate([seen.rows[order[split:]], seen.failed])
        pool = standing.fresh(_drawn(standing.grid, good, chance))
        if not len(pool):
            return None
        gain = _density(standing.grid, good, pool) - _density(standing.grid, bad, pool)
        return Proposal(standing.grid.genome(pool[int(np.argmax(gain))]), made_by=self.name)


def _kernels(grid: Grid) -> list[Floats]:
    """Return for each knob how likely a choice (column) is beside another (row)."""
    made = []
    for size, ordered in zip(grid.sizes, grid.ordered, strict=True):
        apart = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
        weight = np.where(apart == 0, _STAY, (1 - _STAY) * (2.0**-apart if ordered else 1.0 / max(size - 1, 1)))
        made.append(weight / weight.sum(axis=1, keepdims=True))
    return made


def _drawn(grid: Grid, good: Rows, chance: np.random.Generator) -> Rows:
    """Draw genomes from the density of the good ones."""
    centres = good[chance.integers(0, len(good), _DRAWS)]
    rows = np.empty_like(centres)
    for knob, kernel in enumerate(_kernels(grid)):
        steps = kernel[centres[:, knob]].cumsum(axis=1)
        rows[:, knob] = np.minimum((chance.random((_DRAWS, 1)) > steps).sum(axis=1), grid.sizes[knob] - 1)
    return rows[grid.allowed(rows)]


def _density(grid: Grid, centres: Rows, rows: Rows) -> Floats:
    """Return the log density of rows around centres, and around none of them as one centre more."""
    even = float(-np.log(grid.sizes.astype(float)).sum())
    logs = np.full((len(rows), len(centres) + 1), even)
    logs[:, : len(centres)] = 0.0
    for knob, kernel in enumerate(_kernels(grid)):
        logs[:, : len(centres)] += np.log(kernel[centres[:, knob]][:, rows[:, knob]].T)
    top = logs.max(axis=1)
    return np.asarray(top + np.log(np.exp(logs - top[:, None]).mean(axis=1)))
