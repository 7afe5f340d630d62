"""Landscapes: what genomes take, as functions of them with everything known, and a workshop that measures on them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_skills.model import Built, Candidate, Knob, Language, Space
from gpu_skills.search import Duel, Proposal, Refusal
from gpu_skills.search.grid import Grid

Floats = NDArray[np.float64]
SHAPES = ("separable", "interacting", "deceptive", "noisy", "failing", "unstructured")
BASE_NS = 1e6


def space() -> Space:
    """Return a space like those of the C++ family: 15552 genomes that are not excluded."""
    knobs = (
        Knob("lanes", (4, 8, 16), 8, "", structural=True), Knob("unroll", (1, 2, 4, 8), 2, ""),
        Knob("rows", (1, 2, 4), 1, ""), Knob("stores", ("plain", "streaming"), "plain", ""),
        Knob("prefetch", (0, 128, 256, 512, 1024, 2048), 0, ""), Knob("threads", (False, True), False, ""),
        Knob("passes", ("several", "online"), "several", "", structural=True),
        Knob("keep", ("none", "costly", "all"), "none", "", structural=True),
        Knob("functions", ("fast", "precise"), "fast", ""), Knob("division", ("reciprocal", "exact"), "exact", ""),
    )  # fmt: skip
    excluded = tuple({"rows": rows, "unroll": unroll} for rows, unroll in ((4, 4), (2, 8), (4, 8)))
    return Space("landscape", knobs, excluded)


GRID = Grid(space())


@dataclass(frozen=True)
class Landscape:
    """A landscape by its shape and number; another number is another landscape of that shape."""

    shape: str
    number: int

    @cached_property
    def times(self) -> Mapping[tuple[int, ...], float]:
        """What every genome that works takes, in ns, without noise."""
        rows = GRID.listed
        assert rows is not None
        logs, fine = self._logs(rows), self._works(rows)
        return {
            tuple(row): BASE_NS * float(np.exp(log))
            for row, log, ok in zip(rows.tolist(), logs, fine, strict=True)
            if ok
        }

    @cached_property
    def best_ns(self) -> float:
        """What the fastest takes."""
        return min(self.times.values())

    @cached_property
    def near(self) -> float:
        """Which share of all genomes comes within 5 % of the fastest."""
        assert GRID.listed is not None
        return sum(one <= 1.05 * self.best_ns for one in self.times.values()) / len(GRID.listed)

    def sample(self, row: tuple[int, ...], chance: np.random.Generator) -> float:
        """Return one noisy sample; noise only ever adds, and on the noisy shape it has a heavy tail."""
        time = self.times[row]
        if self.shape != "noisy":
            return float(time * (1 + 0.01 * abs(chance.standard_normal())))
        burst = (1 + chance.pareto(1.5)) if chance.random() < 0.15 else 1.0
        return float(time * (1 + 0.05 * abs(chance.standard_normal())) * burst)

    def _chance(self) -> np.random.Generator:
        return np.random.default_rng([self.number, SHAPES.index(self.shape), 77])

    def _logs(self, rows: NDArray[np.int64]) -> Floats:
        chance = self._chance()
        if self.shape == "unstructured":
            return 0.8 * chance.random(len(rows)) ** 0.5
        logs = _effects(rows, chance, 0.20)
        if self.shape != "separable":
            logs += _pairs(rows, chance, 0.10)
        return _trapped(rows, logs, chance) if self.shape == "deceptive" else logs

    def _works(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Three in ten fail on the failing shape, by what three knobs come to together."""
        if self.shape != "failing":
            return np.ones(len(rows), dtype=bool)
        chance = np.random.default_rng([self.number, 78])
        knobs = chance.choice(len(GRID.sizes), 3, replace=False)
        table = chance.random(tuple(GRID.sizes[knobs]))
        return table[tuple(rows[:, knobs].T)] >= np.quantile(table, 0.3)


def _effects(rows: NDArray[np.int64], chance: np.random.Generator, scale: float) -> Floats:
    """Return the sum of an effect of every choice; of ordered knobs a valley somewhere."""
    logs = np.zeros(len(rows))
    for knob, size in enumerate(GRID.sizes):
        size_of_effect = scale * chance.gamma(1.0)
        if GRID.ordered[knob]:
            valley = chance.uniform(-0.3, size - 0.7)
            table = size_of_effect * (np.abs(np.arange(size) - valley) / max(size - 1, 1)) * 2
        else:
            table = size_of_effect * chance.standard_normal(int(size))
        logs += table[rows[:, knob]]
    return logs


def _pairs(rows: NDArray[np.int64], chance: np.random.Generator, scale: float) -> Floats:
    """Return effects of a dozen pairs of knobs."""
    logs = np.zeros(len(rows))
    for _ in range(12):
        one, other = chance.choice(len(GRID.sizes), 2, replace=False)
        table = scale * chance.gamma(1.0) * chance.standard_normal((GRID.sizes[one], GRID.sizes[other]))
        logs += table[rows[:, one], rows[:, other]]
    return logs


def _trapped(rows: NDArray[np.int64], logs: Floats, chance: np.random.Generator) -> Floats:
    """Make one structure slow but for a corner of its other knobs, where it is the fastest of all."""
    structure = rows[chance.integers(len(rows))][GRID.structural]
    trap = (rows[:, GRID.structural] == structure).all(axis=1)
    valley = rows[trap][chance.integers(int(trap.sum()))]
    apart = (rows != valley)[:, ~GRID.structural & (GRID.sizes > 2)].sum(axis=1)
    inside = float(logs.min()) - 0.25 + 0.12 * apart + 0.3 * (apart > 1)
    return np.where(trap, inside + 0.15 * (logs - logs.min()), logs)


class Bench:
    """A workshop over a landscape: libraries are files that hold a genome's id, samples are drawn in order."""

    def __init__(self, landscape: Landscape, folder: Path, seed: int, *, floor_ns: float | None = None) -> None:
        self.landscape, self._folder, self._floor = landscape, folder, floor_ns
        self._chance = np.random.default_rng([seed, 4])
        self.built: list[str] = []
        self.samples = 0
        self.judged: list[str] = []

    @property
    def floor_ns(self) -> float | None:
        return self._floor

    def build(self, proposal: Proposal) -> Built | Refusal:
        self.built.append(proposal.id)
        if tuple(GRID.row(proposal.genome).tolist()) not in self.landscape.times:
            return Refusal("build", "the compiler refused it")
        library = self._folder / f"{proposal.id}.so"
        library.write_text(proposal.id)
        candidate = Candidate(proposal.id, "s", Language.CPP, "", proposal.genome, proposal.made_by, proposal.parents)
        return Built(candidate, library, hashlib.sha256(proposal.id.encode()).hexdigest(), (), 0.0)

    def inspect(self, built: Built) -> Refusal | float | None:
        return None

    def measure(self, built: Built, samples: int) -> list[float] | Refusal:
        row = tuple(GRID.row(built.candidate.genome).tolist())
        self.samples += samples
        return [self.landscape.sample(row, self._chance) for _ in range(samples)]

    def judge(self, built: Built) -> Refusal | None:
        self.judged.append(built.candidate.id)
        return None

    def duel(self, first: Built, against: Built | None) -> Duel | Refusal:
        base = (
            self.landscape.times[tuple(GRID.row(space().default).tolist())] if against is None else self.true(against)
        )
        ratio = base / self.true(first)
        return Duel(against.candidate.id if against else "default", ratio, ratio * 0.99, ratio * 1.01)

    def true(self, built: Built) -> float:
        """Return what a candidate really takes."""
        return self.landscape.times[tuple(GRID.row(built.candidate.genome).tolist())]


class Ticks:
    """A clock that goes on by a hundredth of a second each time it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


def genome_ns(landscape: Landscape, genome: Mapping[str, Any]) -> float:
    """Return what a genome really takes."""
    return landscape.times[tuple(GRID.row(genome).tolist())]
