"""Multinomial logistic regression with a ridge, by L-BFGS."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.slots.descent import Vector, minimise
from kernel.slots.model import Floats


@dataclass(frozen=True, slots=True)
class Softmax:
    """Weights [D, L] and biases [L]."""

    weights: Floats
    biases: Floats

    def logs(self, features: Floats) -> Floats:
        """Log probabilities [n, L] of rows [n, D]."""
        return log_softmax(features @ self.weights + self.biases)


def train(features: Floats, labels: npt.NDArray[np.intp], count: int, *, ridge: float, steps: int = 60) -> Softmax:
    """Fit rows [n, D] with labels [n] in 0..count-1; ``ridge`` is half the inverse prior variance of a weight."""
    width = features.shape[1]
    wanted = np.eye(count)[labels]
    rows = features.astype(np.float32)  # products at half the cost; sums stay in float64
    turned = np.ascontiguousarray(rows.T)

    def objective(point: Vector) -> tuple[float, Vector]:
        weights, biases = point[: width * count].reshape(width, count), point[width * count :]
        logs = log_softmax((rows @ weights.astype(np.float32)).astype(np.float64) + biases)
        value = -float((logs * wanted).sum()) + ridge * float((weights * weights).sum())
        off = np.exp(logs) - wanted
        slope = (turned @ off.astype(np.float32)).astype(np.float64)
        return value, np.concatenate([(slope + 2 * ridge * weights).ravel(), off.sum(axis=0)])

    point = minimise(objective, np.zeros(width * count + count), steps=steps)
    return Softmax(point[: width * count].reshape(width, count), point[width * count :])


def log_softmax(scores: Floats) -> Floats:
    """Log of the softmax of each row, or of one row [n] alone."""
    lifted = scores - scores.max(axis=-1, keepdims=True)
    result: Floats = lifted - np.log(np.exp(lifted).sum(axis=-1, keepdims=True))
    return result
