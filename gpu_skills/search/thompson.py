"""Thompson sampling: draw one of the landscapes that what was seen allows, and go to its lowest place.

W. R. Thompson 1933; the landscapes are those of a Gaussian process over choices of knobs and their pairs
(``likeness``). A failed genome counts as a slow one, so that what fails together is left together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_skills.search.grid import Rows
from gpu_skills.search.likeness import Fit, Floats, Likeness, fitted
from gpu_skills.search.model import Proposal
from gpu_skills.search.standing import Seen, Standing

_FEWEST, _MOST, _POOL, _AROUND, _REFIT = 4, 120, 128, 4, 1.25
_TALL = 1.5


class Thompson:
    """Proposes the best genome of a drawn landscape."""

    name = "thompson"

    def __init__(self) -> None:
        self._likeness: Likeness | None = None
        self._fitted_at = 0

    def propose(self, standing: Standing, chance: np.random.Generator) -> Proposal | None:
        """Return a genome that was not tried; None before four were measured."""
        seen = standing.seen()
        if len(seen.logs) < _FEWEST:
            return None
        pool = candidates(standing, chance)
        if not len(pool):
            return None
        fit = self._fitted(standing, seen)
        mean, covariance = fit.predicted(pool)
        drawn = mean + _root(covariance) @ chance.standard_normal(len(pool))
        return Proposal(standing.grid.genome(pool[int(np.argmin(drawn))]), made_by=self.name)

    def _fitted(self, standing: Standing, seen: Seen) -> Fit:
        """Fit to what was seen; which knobs matter is learned anew when a quarter more is known."""
        known = len(seen.logs) + len(seen.failed)
        learn = self._likeness is None or known >= _REFIT * self._fitted_at
        fit = fitted(standing.grid, *_learned(seen), self._likeness, learn=learn)
        self._likeness, self._fitted_at = fit.likeness, known if learn else self._fitted_at
        return fit


def candidates(standing: Standing, chance: np.random.Generator) -> Rows:
    """Return genomes that were not tried: some by chance, and those beside the best."""
    near = [standing.grid.beside(one.row) for one in standing.alive()[:_AROUND] if one.row is not None]
    return standing.fresh(np.concatenate([standing.grid.drawn(chance, _POOL), *near]))


def _learned(seen: Seen) -> tuple[Rows, Floats, NDArray[np.int64]]:
    """Return rows, log times cut off far above the best, and sample counts: the fastest, and some of the rest."""
    least, middle = float(seen.logs.min()), float(np.median(seen.logs))
    top = middle + _TALL * max(middle - least, 0.1)
    rows = np.concatenate([seen.rows, seen.failed])
    logs = np.concatenate([np.minimum(seen.logs, top), np.full(len(seen.failed), top)])
    counts = np.concatenate([seen.counts, np.ones(len(seen.failed), dtype=np.int64)])
    if len(rows) <= _MOST:
        return rows, logs, counts
    order = np.argsort(logs, kind="stable")
    rest = order[_MOST // 2 :]
    kept = np.sort(np.concatenate([order[: _MOST // 2], rest[:: -(-len(rest) // (_MOST // 2))]]))
    return rows[kept], logs[kept], counts[kept]


def _root(covariance: Floats) -> Floats:
    """Return a square root of a covariance that rounding may have made a little less than positive."""
    size = float(np.trace(covariance)) / len(covariance)
    return np.asarray(np.linalg.cholesky(covariance + (1e-6 * size + 1e-12) * np.eye(len(covariance))))
