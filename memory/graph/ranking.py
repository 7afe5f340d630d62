"""What comes first: activation of facts, and personalised PageRank over who is connected with whom.

Activation is the base level of ACT-R (Anderson and Schooler 1991) with an exponential in place of the power law: every
telling of a fact adds half as much for each half-life that has passed, times the predicate's prior and the confidence.
It orders; it never hides. PageRank (Page et al. 1999; personalised: Haveliwala 2002) is solved over arrays in
compressed rows (CSR). Oracle in the tests: networkx, and a dense solve to 1e-6.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from memory.graph.model import DAY_NS, Fact, Object, Predicate
from memory.graph.reading import Groups
from memory.model import EntityId

DAMPING = 0.85
TOLERANCE = 1e-6
MOST_PASSES = 200
_UNDECLARED_HALF_LIFE_DAYS = 365.0


def by_activation(facts: Sequence[Fact], predicates: Mapping[str, Predicate], now_ns: int) -> list[tuple[Fact, float]]:
    """The facts with their activation at ``now_ns``, strongest first; ties go to the newer one."""
    told: dict[tuple[str, str, Object], float] = defaultdict(float)
    for fact in facts:
        told[fact.subject, fact.predicate, fact.object] += _fresh(fact, predicates.get(fact.predicate), now_ns)
    scored = [(fact, told[fact.subject, fact.predicate, fact.object]) for fact in facts]
    return sorted(scored, key=lambda pair: (-pair[1], -pair[0].seq))


def _fresh(fact: Fact, predicate: Predicate | None, now_ns: int) -> float:
    half_life, prior = (predicate.half_life_days, predicate.prior) if predicate else (_UNDECLARED_HALF_LIFE_DAYS, 1.0)
    since = fact.recorded_from if fact.valid_from is None else max(fact.valid_from, fact.recorded_from)
    age_days = max(0, now_ns - since) / DAY_NS
    weight: float = prior * fact.confidence * 2 ** -(age_days / half_life)
    return weight


class Ranks:
    """The graph of entities as CSR arrays, undirected; every fact between two entities is an arc each way."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._ids: list[str] = []
        self._places: dict[str, int] = {}
        self._pairs = np.empty((0, 2), dtype=np.int32)
        self._fresh: list[int] = []
        self._rows: _Rows | None = None

    def add(self, pairs: Iterable[tuple[str, str]]) -> None:
        """More facts; the arrays are made again when they are next needed."""
        for pair in pairs:
            for id in map(self._groups.one, pair):
                place = self._places.setdefault(id, len(self._ids))
                if place == len(self._ids):
                    self._ids.append(id)
                self._fresh.append(place)

    def rank(self, seeds: Mapping[EntityId, float], *, limit: int | None = None) -> list[tuple[EntityId, float]]:
        """(entity, share of attention), greatest first; all shares sum to 1. Seeds without a fact count for nothing."""
        restart = np.zeros(len(self._ids))
        for id, weight in seeds.items():
            place = self._places.get(self._groups.one(id))
            if place is not None and weight > 0:
                restart[place] += weight
        if not restart.any():
            return []
        shares = self._arrays().settle(restart / restart.sum())
        return [(EntityId(self._ids[place]), float(shares[place])) for place in _greatest(shares, limit)]

    def _arrays(self) -> _Rows:
        if self._fresh or self._rows is None:
            self._pairs = np.concatenate([self._pairs, np.array(self._fresh, dtype=np.int32).reshape(-1, 2)])
            self._fresh = []
            self._rows = _Rows(self._pairs, len(self._ids))
        return self._rows


def _greatest(shares: np.ndarray, limit: int | None) -> np.ndarray:
    """The places of the greatest, greatest first; ties in the order of places."""
    places = np.arange(len(shares))
    if limit is not None and 0 < limit < len(shares):
        places = places[shares >= np.partition(shares, -limit)[-limit]]
    return places[np.argsort(-shares[places], kind="stable")][:limit]


class _Rows:
    """``ends[starts[n]:starts[n + 1]]`` are the neighbours of node n; every node has one. ``roots``: of degrees."""

    def __init__(self, pairs: np.ndarray, nodes: int) -> None:
        heads = np.concatenate([pairs[:, 0], pairs[:, 1]])
        tails = np.concatenate([pairs[:, 1], pairs[:, 0]])
        degrees = np.bincount(heads, minlength=nodes)
        self.roots = np.sqrt(degrees)
        self.starts = np.concatenate([[0], np.cumsum(degrees)])[:-1]
        self.ends = tails[np.argsort(heads, kind="stable")].astype(np.intp)

    def settle(self, restart: np.ndarray) -> np.ndarray:
        """Solve x = DAMPING * P x + (1 - DAMPING) * restart to an L1 error below TOLERANCE.

        Undirected arcs make P similar to a symmetric S: with x = roots * y, I - DAMPING * S is positive definite.
        Conjugate gradients (Hestenes and Stiefel 1952) leave 0.56 of the error a pass at worst, as Chebyshev's
        semi-iteration always does; where everybody is a few steps from everybody they need half as many passes.
        """
        coming = np.empty(len(self.ends))
        y = restart / self.roots
        left = (1 - DAMPING) * y - self._rest(y, coming)
        way, size = left, left @ left
        for _ in range(MOST_PASSES):
            if np.abs(self.roots * left).sum() < TOLERANCE * (1 - DAMPING):
                break  # the error is at most what is left / (1 - DAMPING)
            turned = self._rest(way, coming)
            step = size / (way @ turned)
            y, left = y + step * way, left - step * turned
            before, size = size, left @ left
            way = left + size / before * way
        return np.maximum(self.roots * y, 0.0)  # the last error may lie below

    def _rest(self, y: np.ndarray, coming: np.ndarray) -> np.ndarray:
        """(I - DAMPING * S) y; ``coming`` [arcs] is room to work in."""
        np.take(y / self.roots, self.ends, out=coming, mode="clip")  # "clip" alone writes without a copy
        gone: np.ndarray = y - np.add.reduceat(coming, self.starts) * (DAMPING / self.roots)
        return gone
