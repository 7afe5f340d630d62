"""Minimise a smooth function of many numbers: limited-memory BFGS (Nocedal and Wright 2006, algorithm 7.5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Objective = Callable[[Vector], tuple[float, Vector]]

_KEPT = 8
_SUFFICIENT, _SHRINK, _MOST_HALVINGS = 1e-4, 0.5, 25


def minimise(objective: Objective, start: Vector, *, steps: int = 100, tolerance: float = 1e-4) -> Vector:
    """Return a point near the minimum of ``objective``, which gives a value and its gradient [n] at a point [n].

    Stops after ``steps`` steps, when the gradient is ``tolerance`` of its first length, or when no step goes down.
    """
    point = start.astype(np.float64)
    value, gradient = objective(point)
    enough = tolerance * max(float(np.linalg.norm(gradient)), 1e-12)
    pairs: deque[tuple[Vector, Vector, float]] = deque(maxlen=_KEPT)
    for _ in range(steps):
        if np.linalg.norm(gradient) <= enough:
            break
        direction = -_scaled(gradient, pairs)
        found = _search(objective, point, value, gradient, direction, first=not pairs)
        if found is None:
            break
        step, value, following = found
        change = following - gradient
        curvature = float(step @ change)
        if curvature > 1e-12:
            pairs.append((step, change, curvature))
        point, gradient = point + step, following
    return point


def _scaled(gradient: Vector, pairs: deque[tuple[Vector, Vector, float]]) -> Vector:
    """The gradient multiplied by the inverse of the curvature seen so far (two-loop recursion, algorithm 7.4)."""
    result = gradient.copy()
    shares = []
    for step, change, curvature in reversed(pairs):
        shares.append(float(step @ result) / curvature)
        result -= shares[-1] * change
    if pairs:
        _, change, curvature = pairs[-1]
        result *= curvature / float(change @ change)
    for (step, change, curvature), share in zip(pairs, reversed(shares), strict=True):
        result += (share - float(change @ result) / curvature) * step
    return result


def _search(
    objective: Objective, point: Vector, value: float, gradient: Vector, direction: Vector, *, first: bool
) -> tuple[Vector, float, Vector] | None:
    """The first of ever shorter steps that goes down enough (Armijo), its value and gradient; None when none does."""
    slope = float(gradient @ direction)
    if slope >= 0:
        direction, slope = -gradient, -float(gradient @ gradient)
    length = 1.0 / max(float(np.linalg.norm(gradient)), 1.0) if first else 1.0
    for _ in range(_MOST_HALVINGS):
        step = length * direction
        reached, following = objective(point + step)
        if np.isfinite(reached) and reached <= value + _SUFFICIENT * length * slope:
            return step, reached, following
        length *= _SHRINK
    return None
