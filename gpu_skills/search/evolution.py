"""Evolution with an archive: the best of every kind has children, not the best alone.

J.-B. Mouret, J. Clune, "Illuminating search spaces by mapping elites", 2015. A cell is a choice of every structural
knob and a size class: how much one turn of the loops does.
"""

from __future__ import annotations

import numpy as np

from gpu_skills.search.grid import Grid, Rows
from gpu_skills.search.model import Proposal
from gpu_skills.search.standing import Entry, Standing

_CLASSES, _TRIES, _CROSSED, _FADES = 3, 24, 0.35, 0.7
Cell = tuple[int, ...]


class Evolution:
    """Proposes children of the elites."""

    name = "evolution"

    def propose(self, standing: Standing, chance: np.random.Generator) -> Proposal | None:
        """Return a genome that was not tried; None before anything was measured, or where it finds nothing new."""
        elites = list(archive(standing).values())
        if not elites:
            return None
        for _ in range(_TRIES):
            parents = [_chosen(elites, chance)]
            if len(elites) > 1 and chance.random() < _CROSSED:
                parents.append(_chosen(elites, chance))
            child = _changed(standing.grid, _crossed(parents, chance), chance)
            if standing.grid.allowed(child[None, :])[0] and standing.is_new(child):
                names = tuple(dict.fromkeys(one.proposal.id for one in parents))
                return Proposal(standing.grid.genome(child), made_by=self.name, parents=names)
        return None


def archive(standing: Standing) -> dict[Cell, Entry]:
    """Return the fastest of every cell, the fastest cell first."""
    elites: dict[Cell, Entry] = {}
    for one in standing.alive():
        if one.row is not None:
            elites.setdefault(cell_of(standing.grid, one.row), one)
    return elites


def cell_of(grid: Grid, row: Rows) -> Cell:
    """Return the cell of a genome: its structural choices, and a size class of its ordered numbers."""
    numbers = grid.ordered & ~grid.structural
    share = float((row[numbers] / (grid.sizes[numbers] - 1)).mean()) if numbers.any() else 0.0
    return (*(int(one) for one in row[grid.structural]), min(int(share * _CLASSES), _CLASSES - 1))


def _chosen(elites: list[Entry], chance: np.random.Generator) -> Entry:
    """Choose an elite: each less likely than the one before it."""
    weights = _FADES ** np.arange(len(elites))
    return elites[int(chance.choice(len(elites), p=weights / weights.sum()))]


def _crossed(parents: list[Entry], chance: np.random.Generator) -> Rows:
    rows = [one.row for one in parents if one.row is not None]
    if len(rows) == 1:
        return rows[0].copy()
    return np.where(chance.random(len(rows[0])) < 0.5, rows[0], rows[1])


def _changed(grid: Grid, row: Rows, chance: np.random.Generator) -> Rows:
    """Change one knob, sometimes more; an ordered one mostly to a neighbour."""
    row, several = row.copy(), 1 + int(chance.geometric(0.6)) - 1
    open_knobs = np.flatnonzero(grid.sizes > 1)
    if not len(open_knobs):
        return row
    for knob in chance.choice(open_knobs, min(max(several, 1), len(open_knobs)), replace=False):
        size, here = int(grid.sizes[knob]), int(row[knob])
        near = [one for one in (here - 1, here + 1) if 0 <= one < size]
        far = [one for one in range(size) if one != here]
        row[knob] = chance.choice(near if grid.ordered[knob] and chance.random() < 0.7 else far)
    return row
