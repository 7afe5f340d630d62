"""A space as numbers: a genome is a row of the indices of its choices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_skills.model import Genome, Knob, Space

Rows = NDArray[np.int64]
"""Genomes as indices of choices, shape (count, knobs)."""
_LISTED = 1 << 16
_TRIES = 64


class Grid:
    """The genomes of a space as rows of indices, without those that are excluded."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.sizes = np.array([len(one.choices) for one in space.knobs], dtype=np.int64)
        self.ordered = np.array([_is_ordered(one) for one in space.knobs], dtype=bool)
        self.structural = np.array([one.structural for one in space.knobs], dtype=bool)
        self._places = [{_key(choice): index for index, choice in enumerate(one.choices)} for one in space.knobs]
        self._excluded = [self._part(one) for one in space.excluded]

    def row(self, genome: Genome) -> Rows:
        """Return a genome's row, shape (knobs,). Raises KeyError where a choice is none of the space."""
        names = [one.name for one in self.space.knobs]
        return np.array([at[_key(genome[name])] for name, at in zip(names, self._places, strict=True)], dtype=np.int64)

    def genome(self, row: Rows) -> Genome:
        """Return the genome of a row."""
        return {one.name: one.choices[int(index)] for one, index in zip(self.space.knobs, row, strict=True)}

    def allowed(self, rows: Rows) -> NDArray[np.bool_]:
        """Tell for each row whether it is in no excluded combination."""
        fine = np.ones(len(rows), dtype=bool)
        for columns, values in self._excluded:
            fine &= ~(rows[:, columns] == values).all(axis=1)
        return fine

    @cached_property
    def listed(self) -> Rows | None:
        """Every genome there is, or None where there are too many to list."""
        total = float(np.prod(self.sizes.astype(float)))
        if total > _LISTED:
            return None
        rows = np.stack(np.unravel_index(np.arange(int(total)), tuple(self.sizes)), axis=1).astype(np.int64)
        return rows[self.allowed(rows)]

    def drawn(self, chance: np.random.Generator, count: int) -> Rows:
        """Return up to ``count`` genomes by chance, each as likely as another; fewer where nearly all are excluded."""
        if self.listed is not None:
            return self.listed[chance.integers(0, len(self.listed), count)]
        found = np.empty((0, len(self.sizes)), dtype=np.int64)
        for _ in range(_TRIES):
            rows = chance.integers(0, self.sizes, (count, len(self.sizes)))
            found = np.concatenate([found, rows[self.allowed(rows)]])
            if len(found) >= count:
                break
        return found[:count]

    def beside(self, row: Rows) -> Rows:
        """Return the genomes that differ from ``row`` in one knob."""
        found = []
        for knob, size in enumerate(self.sizes):
            others = np.repeat(row[None, :], size, axis=0)
            others[:, knob] = np.arange(size)
            found.append(others[others[:, knob] != row[knob]])
        rows = np.concatenate(found) if found else np.empty((0, 0), dtype=np.int64)
        return rows[self.allowed(rows)]

    def at(self, units: NDArray[np.float64]) -> Rows:
        """Return the genomes at points of the unit cube, shape (count, knobs); excluded ones are left out."""
        rows = np.minimum((units * self.sizes).astype(np.int64), self.sizes - 1)
        return rows[self.allowed(rows)]

    def _part(self, part: Mapping[str, int | str | bool]) -> tuple[list[int], Rows]:
        columns = [index for index, one in enumerate(self.space.knobs) if one.name in part]
        values = [self._places[one].get(_key(part[self.space.knobs[one].name]), -1) for one in columns]
        return columns, np.array(values, dtype=np.int64)


def _key(choice: int | str | bool) -> tuple[str, int | str | bool]:
    """Return what tells 1 from True."""
    return type(choice).__name__, choice


def _is_ordered(knob: Knob) -> bool:
    """Tell whether a knob's choices are numbers in their order: neighbours are then alike."""
    numbers = [one for one in knob.choices if isinstance(one, int) and not isinstance(one, bool)]
    return len(numbers) == len(knob.choices) > 2 and numbers in (sorted(numbers), sorted(numbers, reverse=True))
