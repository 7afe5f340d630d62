"""Directions in which tokens of different labels differ most against how much those of one label differ.

Fisher's linear discriminant (1936) of many classes, with a ridge on the spread within. Learned on other skills, it
tells a new tagger which differences between words matter, before it has seen ten sentences of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.slots.model import Floats

WIDTH = 96
_RIDGE = 0.3  # of the mean variance within a class
_SCALE = 0.25  # so that a row is about as long as a projected vector with its neighbours


@dataclass(frozen=True, slots=True)
class Discriminant:
    """Where the tokens lie on average [D], and the scaled directions [D, WIDTH or fewer]."""

    center: Floats
    directions: Floats

    @classmethod
    def fit(cls, rows: Floats, labels: npt.NDArray[np.intp]) -> Discriminant:
        """Fit rows [n, D] with labels [n]; the strongest directions first, weak ones shortened."""
        width = rows.shape[1]
        center = rows.mean(axis=0)
        within, between = np.zeros((width, width)), np.zeros((width, width))
        for label in np.unique(labels):
            own = rows[labels == label]
            mean = own.mean(axis=0)
            within += (own - mean).T @ (own - mean)
            between += len(own) * np.outer(mean - center, mean - center)
        within = within / len(rows)
        within += np.eye(width) * (_RIDGE * np.trace(within) / width + 1e-9)
        spread, axes = np.linalg.eigh(within)
        whitened = axes / np.sqrt(spread)
        strength, turned = np.linalg.eigh(whitened.T @ (between / len(rows)) @ whitened)
        strength = np.clip(strength[::-1][:WIDTH], 0.0, None)
        directions = whitened @ turned[:, ::-1][:, :WIDTH]
        return cls(center, directions * (_SCALE * np.sqrt(strength / (1 + strength))))

    def rows(self, rows: Floats) -> Floats:
        """Rows [n, D] in those directions [n, WIDTH or fewer]."""
        result: Floats = (rows - self.center) @ self.directions
        return result
