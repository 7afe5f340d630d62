"""Proposers that need nothing to be measured: the default and Sobol points, and what is known from before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gpu_skills.knowledge import Advice
from gpu_skills.model import Genome
from gpu_skills.search.grid import Rows
from gpu_skills.search.model import Proposal
from gpu_skills.search.sobol import sobol
from gpu_skills.search.standing import Standing

_POINTS, _POOL = 64, 192


class Even:
    """Proposes the default of the space, then Sobol points, then genomes by chance: it never looks at a time."""

    name = "sobol"

    def __init__(self) -> None:
        self._left: Iterator[Rows] | None = None

    def propose(self, standing: Standing, chance: np.random.Generator) -> Proposal | None:
        """Return a genome that was not tried; None where there is none."""
        if self._left is None:
            grid = standing.grid
            rows = grid.at(sobol(_POINTS, len(grid.sizes), chance))
            self._left = iter(np.concatenate([grid.row(grid.space.default)[None, :], rows]))
        for row in self._left:
            if standing.is_new(row):
                return Proposal(standing.grid.genome(row), made_by=self.name)
        for row in standing.fresh(standing.grid.drawn(chance, _POOL)):
            return Proposal(standing.grid.genome(row), made_by=self.name)
        listed = standing.grid.listed
        left = standing.fresh(listed) if listed is not None else np.empty((0, 0), dtype=np.int64)
        return (
            Proposal(standing.grid.genome(left[chance.integers(len(left))]), made_by=self.name) if len(left) else None
        )


class Known:
    """Proposes what won before on problems like this one, and then what the cost model says is fastest."""

    name = "knowledge"

    def __init__(self, advice: Advice) -> None:
        self._advice = advice
        self._winners = list(advice.winners)

    def propose(self, standing: Standing, chance: np.random.Generator) -> Proposal | None:
        """Return a genome that was not tried; None where nothing is known."""
        while self._winners:
            genome = self._winners.pop(0)
            if standing.grid.space.has(genome) and standing.is_new(standing.grid.row(genome)):
                return Proposal(dict(genome), made_by=self.name)
        if self._advice.foresee is None:
            return None
        genomes = self._pool(standing, chance)
        foreseen = self._advice.foresee(genomes) if genomes else ()
        return Proposal(genomes[int(np.argmin(foreseen))], made_by=self.name) if genomes else None

    @property
    def eager(self) -> bool:
        """Tell whether there are winners that it has not proposed."""
        return bool(self._winners)

    def _pool(self, standing: Standing, chance: np.random.Generator) -> list[Genome]:
        best = standing.best
        near = [standing.grid.beside(best.row)] if best is not None and best.row is not None else []
        rows = standing.fresh(np.concatenate([standing.grid.drawn(chance, _POOL), *near]))
        return [standing.grid.genome(one) for one in rows]
