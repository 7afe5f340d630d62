"""Finding vectors by their direction: a flat matrix, exact cosine, no approximation.

Measured elsewhere in this project: 0.12 ms a search in 10,000 vectors, 12-20 ms in 100,000.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memory.errors import EncoderMismatch

Vector = npt.NDArray[np.float32]


class VectorIndex:
    """Unit vectors with an id, in groups, all from the one encoder whose digest is ``encoder``. Thread-safe."""

    def __init__(self, encoder: str, dimensions: int = 384) -> None:
        self.encoder = encoder
        self.dimensions = dimensions
        self._lock = threading.Lock()
        self._matrix = np.zeros((16, dimensions), dtype=np.float32)
        self._parts = np.zeros(16, dtype=np.int32)
        self._ids: list[str] = []
        self._places: dict[str, int] = {}
        self._part_numbers: dict[str, int] = {}

    def add(self, id: str, vector: Vector, group: str = "", *, encoder: str | None = None) -> None:
        """Add a vector (float32 [dimensions]; brought to unit length), or put it in the place of the one with that id.

        Raises EncoderMismatch when ``encoder`` is given and is not the index's; ValueError for another shape, a zero
        vector or one that is not finite.
        """
        self._same(encoder)
        unit = self._unit(vector)
        with self._lock:
            place = self._places.get(id, len(self._ids))
            if place == len(self._ids):
                self._ids.append(id)
                self._places[id] = place
                self._grow()
            self._matrix[place] = unit
            self._parts[place] = self._part_numbers.setdefault(group, len(self._part_numbers))

    def _grow(self) -> None:
        size = len(self._matrix)
        if len(self._ids) > size:
            self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
            self._parts = np.concatenate([self._parts, np.zeros_like(self._parts)])

    def remove(self, id: str) -> bool:
        """Remove a vector; whether it was there. The last one takes its place."""
        with self._lock:
            place = self._places.pop(id, None)
            if place is None:
                return False
            last = len(self._ids) - 1
            moved = self._ids.pop()
            if place != last:
                self._ids[place] = moved
                self._places[moved] = place
                self._matrix[place] = self._matrix[last]
                self._parts[place] = self._parts[last]
            self._matrix[last] = 0
            return True

    def search(
        self, vector: Vector, limit: int = 10, group: str | None = None, *, encoder: str | None = None
    ) -> list[tuple[str, float]]:
        """The nearest (id, cosine in -1..1), nearest first; ties go by id. Raises as ``add`` does."""
        self._same(encoder)
        unit = self._unit(vector)
        with self._lock:
            places = self._within(group)
            if limit < 1 or not len(places):
                return []
            cosines = self._matrix[: len(self._ids)] @ unit
            scores = cosines[places]
            best = _highest(scores, limit)
            found = [(self._ids[places[at]], float(np.clip(scores[at], -1.0, 1.0))) for at in best]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def _within(self, group: str | None) -> Sequence[int] | npt.NDArray[np.intp]:
        if group is None:
            return np.arange(len(self._ids))
        return np.flatnonzero(self._parts[: len(self._ids)] == self._part_numbers.get(group, -1))

    def _unit(self, vector: Vector) -> Vector:
        row = np.asarray(vector, dtype=np.float32)
        length = float(np.linalg.norm(row))
        if row.shape != (self.dimensions,) or not np.isfinite(length) or length == 0.0:
            raise ValueError(f"a vector must be finite, not zero, and of shape ({self.dimensions},), not {row.shape}")
        return row / np.float32(length)

    def _same(self, encoder: str | None) -> None:
        if encoder is not None and encoder != self.encoder:
            raise EncoderMismatch(
                "encoder.mismatch",
                f"A vector of encoder {encoder[:12]} was given to an index of encoder {self.encoder[:12]}.",
                subject=encoder,
                hint="Build the index again with the encoder in use; vectors of two encoders cannot be compared.",
            )

    def __len__(self) -> int:
        return len(self._ids)


def _highest(scores: Vector, limit: int) -> npt.NDArray[np.intp]:
    """Places of the ``limit`` highest scores and of all that tie with the last of them."""
    if limit >= len(scores):
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    return np.flatnonzero(scores >= least)
