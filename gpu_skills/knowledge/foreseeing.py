"""A small cost model: what a choice, and a pair of choices, was worth on problems like this one.

Ridge regression of log time (against the middle of its problem) on choices and pairs of choices; rows count less the
further their problem is. It is there to order proposals, and says how well it does: its rank correlation (C. Spearman
1904) on problems that it was not fitted to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import exp, isnan
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from gpu_skills.knowledge.model import Features, Row
from gpu_skills.knowledge.nearness import Neighbour, neighbours
from gpu_skills.model import Genome

Floats = NDArray[np.float64]
Choice = tuple[str, str]
Term = tuple[Choice, ...]
FEWEST_ROWS = 12
_RIDGE, _PAIR_RIDGE, _REACH, _MOST_ROWS = 1.0, 4.0, 2.0, 1500


class Foresight:
    """A fitted cost model."""

    def __init__(self, near: Sequence[Neighbour]) -> None:
        rows, worth, weights = _flat(near)
        self._terms = {
            term: index for index, term in enumerate(dict.fromkeys(one for row in rows for one in _terms(row)))
        }
        matrix = self._matrix(rows)
        ridge = np.array([_RIDGE if len(term) == 1 else _PAIR_RIDGE for term in self._terms])
        heavy = matrix * weights[:, None]
        self._effects = np.linalg.solve(matrix.T @ heavy + np.diag(ridge), heavy.T @ worth)

    def __call__(self, genomes: Sequence[Genome]) -> list[float]:
        """Return the log time of genomes, against the middle of the problem's; a choice never seen is worth 0."""
        return [float(one) for one in self._matrix(genomes) @ self._effects]

    def _matrix(self, genomes: Sequence[Genome]) -> Floats:
        matrix = np.zeros((len(genomes), len(self._terms)))
        for index, genome in enumerate(genomes):
            for term in _terms(genome):
                if term in self._terms:
                    matrix[index, self._terms[term]] = 1.0
        return matrix


def foresight(features: Features, rows: Iterable[Row]) -> Foresight | None:
    """Return a cost model for a problem, of the rows of others; None where there are too few."""
    near = neighbours(features, rows)
    return Foresight(near) if sum(len(one.rows) for one in near) >= FEWEST_ROWS else None


def rank_correlation(rows: Sequence[Row]) -> float | None:
    """Return how well problems are ordered by a model of all others: the mean over problems; None where none can be."""
    found = []
    for of in dict.fromkeys(row.features for row in rows):
        mine = [one for one in rows if one.features == of and one.best_ns and not one.verdict]
        model = foresight(of, [one for one in rows if one.features != of])
        if model is not None and len(mine) >= FEWEST_ROWS:
            found.append(spearman(model([one.genome for one in mine]), [one.best_ns or 0.0 for one in mine]))
    found = [one for one in found if not isnan(one)]
    return fmean(found) if found else None


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the rank correlation of two lists; NaN where one of them is constant."""
    ranks = [_ranks(np.asarray(each, dtype=np.float64)) for each in (one, other)]
    if any(float(each.std()) == 0 for each in ranks):
        return float("nan")
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(values: Floats) -> Floats:
    """Return ranks; equal values share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2.0)[inverse], dtype=np.float64)


def _flat(near: Sequence[Neighbour]) -> tuple[list[Genome], Floats, Floats]:
    genomes: list[Genome] = []
    worth: list[float] = []
    weights: list[float] = []
    for one in near:
        if len(genomes) >= _MOST_ROWS:
            break
        weight = max(exp(-((one.distance / _REACH) ** 2)), 1e-3)
        genomes += [row.genome for row in one.rows]
        worth += one.worth
        weights += [weight] * len(one.rows)
    return genomes, np.array(worth), np.array(weights)


def _terms(genome: Genome) -> list[Term]:
    choices = [(name, repr(value)) for name, value in sorted(genome.items())]
    return [(one,) for one in choices] + list(combinations(choices, 2))
