"""How alike genomes are: what holds for one holds for another as far as they share choices, and pairs of choices.

The covariance of an additive Gaussian process of first and second order plus a product of all knobs (D. Duvenaud,
H. Nickisch, C. E. Rasmussen, "Additive Gaussian Processes", 2011). Which knobs matter is learned from the marginal
likelihood, knob by knob.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_skills.search.grid import Grid, Rows

Floats = NDArray[np.float64]
_WEIGHTS = (0.25, 1.0, 4.0)
_NOISE = (1e-4, 1e-2, 6e-2)
_MIXES = ((0.85, 0.15, 0.0), (0.5, 0.4, 0.1), (0.3, 0.3, 0.4))


@dataclass(frozen=True, slots=True)
class Likeness:
    """Weights of knobs, shape (knobs,), of the three parts, and the noise's variance (of standardised values)."""

    grid: Grid
    weights: Floats
    mix: tuple[float, float, float]
    noise: float

    def between(self, one: Rows, other: Rows) -> Floats:
        """Return the covariance of two lists of genomes, shape (len(one), len(other)); 1 with itself."""
        return _mixed(_by_knob(self.grid, one, other), self.weights, self.mix)


@dataclass(frozen=True, slots=True)
class Fit:
    """A likeness and what was seen through it."""

    likeness: Likeness
    rows: Rows
    lower: Floats
    weighed: Floats
    mean: float
    scale: float

    def predicted(self, rows: Rows) -> tuple[Floats, Floats]:
        """Return mean, shape (n,), and covariance, shape (n, n), of the values of genomes."""
        cross = self.likeness.between(self.rows, rows)
        inner = np.linalg.solve(self.lower, cross)
        covariance = self.likeness.between(rows, rows) - inner.T @ inner
        return self.mean + self.scale * (cross.T @ self.weighed), self.scale**2 * covariance


def fitted(
    grid: Grid,
    rows: Rows,
    values: Floats,
    counts: NDArray[np.int64],
    before: Likeness | None = None,
    *,
    learn: bool = True,
) -> Fit:
    """Fit to values of genomes (any unit), each of ``counts`` samples; with ``learn`` the likeness, knob after knob."""
    mean, scale = float(values.mean()), float(values.std()) or 1.0
    target = (values - mean) / scale
    parts = _by_knob(grid, rows, rows)
    share = 1.0 / np.minimum(counts, 5)
    best = before or Likeness(grid, np.ones(len(grid.sizes)), _MIXES[1], _NOISE[1])
    if learn:
        best = _learned(best, parts, share, target)
    lower = _factor(parts, best, share)
    weighed = np.linalg.solve(lower.T, np.linalg.solve(lower, target))
    return Fit(best, rows, lower, weighed, mean, scale)


def _learned(best: Likeness, parts: Floats, share: Floats, target: Floats) -> Likeness:
    score = _evidence(parts, best, share, target)
    for change in _others(best):
        other = change(best)
        tried = _evidence(parts, other, share, target)
        if tried > score:
            best, score = other, tried
    return best


def _others(start: Likeness) -> Sequence[_Change]:
    knobs = [_Change(knob=knob, weight=weight) for knob in range(len(start.weights)) for weight in _WEIGHTS]
    return [_Change(noise=one) for one in _NOISE] + [_Change(mix=one) for one in _MIXES] + knobs


@dataclass(frozen=True, slots=True)
class _Change:
    """One step of the fit: another noise, another mix, or another weight of one knob."""

    knob: int = -1
    weight: float = 1.0
    noise: float | None = None
    mix: tuple[float, float, float] | None = None

    def __call__(self, one: Likeness) -> Likeness:
        weights = one.weights.copy()
        if self.knob >= 0:
            weights[self.knob] = self.weight
        return Likeness(one.grid, weights, self.mix or one.mix, self.noise or one.noise)


def _by_knob(grid: Grid, one: Rows, other: Rows) -> Floats:
    """Return how alike two lists are in each knob, shape (knobs, len(one), len(other))."""
    found = np.empty((len(grid.sizes), len(one), len(other)))
    for knob, (size, ordered) in enumerate(zip(grid.sizes, grid.ordered, strict=True)):
        apart = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
        alike = np.exp(-apart / max(size / 3.0, 1.0)) if ordered else (apart == 0).astype(float)
        found[knob] = alike[one[:, knob]][:, other[:, knob]]
    return found


def _mixed(parts: Floats, weights: Floats, mix: tuple[float, float, float]) -> Floats:
    share = weights / weights.sum()
    first = np.tensordot(share, parts, 1)
    pairs = 1.0 - float((share**2).sum())
    second = (first**2 - np.tensordot(share**2, parts**2, 1)) / pairs if pairs > 1e-9 else first
    apart = np.tensordot(np.minimum(weights, 1.0), 1.0 - parts, 1)
    return np.asarray(mix[0] * first + mix[1] * second + mix[2] * np.exp(-apart))


def _factor(parts: Floats, one: Likeness, share: Floats) -> Floats:
    covariance = _mixed(parts, one.weights, one.mix)
    covariance[np.diag_indices(len(share))] += one.noise * share + 1e-6
    return np.asarray(np.linalg.cholesky(covariance))


def _evidence(parts: Floats, one: Likeness, share: Floats, target: Floats) -> float:
    """Return the log of the marginal likelihood, and a pull of the weights towards 1."""
    lower = _factor(parts, one, share)
    inner = np.linalg.solve(lower, target)
    pull = 0.25 * float((np.log(one.weights) ** 2).sum())
    return -0.5 * float(inner @ inner) - float(np.log(np.diag(lower)).sum()) - pull
