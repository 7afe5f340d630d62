"""The examples of all tools side by side: how much of which tool's best example a stretch of a sentence holds.

Compressed rows (CSR) from a word to the examples that have it, so that a question touches only those; one pass over
arrays serves all tools. Everything here is small beside the examples themselves: some 12 bytes for each of their words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
import numpy.typing as npt

from kernel.composition.profiles.skeletons import Skeleton
from kernel.composition.scene import HARD
from skills.model import ToolId, ValueKind

_KINDS = tuple(sorted(HARD))
_HARD_SLOT, _FREE_SLOT = 0.6, 0.25
_UNSAID = 0.35  # of what the stretch says and the example does not
_LEAST = 0.3

Ints = npt.NDArray[np.int32]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """The skeletons of one language, those of one tool together; ``starts`` and ``places`` are the rows of words."""

    rows: Mapping[str, int]
    starts: Ints
    places: Ints
    weights: Doubles  # of each row
    owners: Ints  # of each skeleton the place of its tool
    tools: Mapping[ToolId, int]
    words: Doubles  # of each skeleton, what its words weigh together
    kinds: npt.NDArray[np.bool_]  # of each skeleton, which hard kinds its slots take
    slots: Doubles  # of each skeleton, what its slots weigh together

    @classmethod
    def of(cls, skeletons: Mapping[ToolId, Sequence[Skeleton]], idf: Mapping[str, float]) -> Examples:
        """Index the ``skeletons`` of tools; ``idf`` is the weight of every feature."""
        every = [one for own in skeletons.values() for one in own]
        found: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(every):
            for feature in one.features:
                if " " not in feature:
                    found[feature].append(place)
        counts = [len(own) for own in skeletons.values()]
        kinds = np.array([[kind in one.kinds for kind in _KINDS] for one in every], np.bool_).reshape(-1, len(_KINDS))
        free = np.array([sum(kind not in HARD for kind in one.kinds) for one in every], np.float64)
        return cls(
            {feature: row for row, feature in enumerate(found)},
            np.cumsum([0, *map(len, found.values())], dtype=np.int32),
            np.array([place for own in found.values() for place in own], np.int32),
            np.array([idf[feature] for feature in found], np.float64),
            np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            {tool: place for place, tool in enumerate(skeletons)},
            np.array([fsum(idf[word] for word in _words(one)) for one in every], np.float64),
            kinds,
            kinds.sum(axis=1) * _HARD_SLOT + free * _FREE_SLOT,
        )

    def nearest(
        self, ids: Sequence[str], keys: Collection[str], mass: float, kinds: Collection[ValueKind]
    ) -> list[float]:
        """Return for each tool of ``ids`` how well its best example fits: words shared with ``keys``, slots filled.

        ``mass`` is what the words of the stretch weigh together. A soft alignment without order: Tversky overlap, slots
        as typed wildcards that only take values of their kind. 0 where no example shares a word.
        """
        held = [row for key in sorted(keys) if (row := self.rows.get(key)) is not None]
        if not held:
            return [0.0] * len(ids)
        parts = [self.places[self.starts[row] : self.starts[row + 1]] for row in held]
        weights = np.repeat(self.weights[held], [len(part) for part in parts])
        shared: Doubles = np.bincount(np.concatenate(parts), weights, len(self.owners)).astype(np.float64)
        some = np.flatnonzero(shared)
        best = np.zeros(len(self.tools))
        np.maximum.at(best, self.owners[some], self._overlaps(some, shared[some], mass, kinds))
        return [float(best[self.tools[ToolId(one)]]) for one in ids]

    def _overlaps(
        self, some: npt.NDArray[np.intp], shared: Doubles, mass: float, kinds: Collection[ValueKind]
    ) -> Doubles:
        missing = np.array([kind not in kinds for kind in _KINDS])
        filled = self.slots[some] - _HARD_SLOT * (self.kinds[some] & missing).sum(axis=1)
        unsaid = _UNSAID * np.maximum(0.0, mass - shared)
        found: Doubles = (shared + filled) / np.maximum(self.words[some] + self.slots[some] + unsaid, _LEAST)
        return found


def _words(skeleton: Skeleton) -> set[str]:
    return {element for element in skeleton.elements if not element.startswith("<")}
