"""How many samples the search of kernels needs, against random search: python -m tests.proofs.searches [SEEDS] [OUT]

Landscapes with everything known (tests/gpu_skills/search/landscapes.py); each seed is another landscape of a shape. A
search has found it when what it calls its best is, in truth, within 5 % of the fastest genome there is. Random search
takes one sample a genome and never the same genome twice. Ratios are of the geometric means, with bootstrap intervals.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from gpu_skills.search import Budget, search
from gpu_skills.search.model import Event, Progress
from tests.gpu_skills.search.landscapes import GRID, SHAPES, Bench, Landscape, Ticks, genome_ns, space

MOST = 600
NEAR = 1.05


def searched(landscape: Landscape, seed: int, most: int = MOST) -> tuple[int, int]:
    """Return samples and builds until the search is within 5 %; ``most`` builds where it is not."""
    found: list[tuple[int, int]] = []

    def watch(progress: Progress) -> None:
        if progress.event is Event.BEST and genome_ns(landscape, progress.genome) <= NEAR * landscape.best_ns:
            found.append((bench.samples, len(bench.built)))
            raise _Enough

    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        bench = Bench(landscape, Path(folder), seed)
        budget = Budget(seconds=1e9, builds=most, patience=10**6)
        try:
            search(space(), bench, Path(folder) / "search", budget=budget, seed=seed, watch=watch, clock=Ticks())
        except _Enough:
            return found[0]
    return bench.samples, most


class _Enough(Exception):
    """It is found."""


def at_random(landscape: Landscape, seed: int) -> int:
    """Return the samples until random search is within 5 %."""
    chance = np.random.default_rng([seed, 9])
    assert GRID.listed is not None
    least = np.inf
    for count, row in enumerate(chance.permutation(GRID.listed).tolist(), start=1):
        if tuple(row) not in landscape.times:
            continue
        sample = landscape.sample(tuple(row), chance)
        if sample < least:
            least = sample
            if landscape.times[tuple(row)] <= NEAR * landscape.best_ns:
                return count
    return len(GRID.listed)


def ratio(random: list[int], ours: list[int]) -> tuple[float, float, float]:
    """Return how many times more samples random search needs: of the geometric means, with its 95 % interval."""
    logs = np.log(np.array(random)) - np.log(np.array(ours))
    chance = np.random.default_rng(1)
    means = logs[chance.integers(0, len(logs), (2000, len(logs)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(np.exp(logs.mean())), float(np.exp(low)), float(np.exp(high))


def _told(of: tuple[float, float, float]) -> str:
    return f"{of[0]:.2f} ({of[1]:.2f} to {of[2]:.2f})"


def main(seeds: int, out: Path | None) -> None:
    """Print a line a shape."""
    table = {}
    for shape in SHAPES:
        both = [(searched(Landscape(shape, one), one), at_random(Landscape(shape, one), one)) for one in range(seeds)]
        ours, builds = [one[0][0] for one in both], [one[0][1] for one in both]
        random = [one[1] for one in both]
        by_samples, by_builds = ratio(random, ours), ratio(random, builds)
        missed = sum(one >= MOST for one in builds)
        table[shape] = {"seeds": seeds, "ours": ours, "builds": builds, "random": random, "by_samples": by_samples,
                        "by_builds": by_builds, "missed": missed}  # fmt: skip
        print(f"{shape}: {missed} not found; samples {np.median(ours):.0f}, random {np.median(random):.0f}", end=", ")
        print(f"fewer by {_told(by_samples)}; builds {np.median(builds):.0f}, fewer by {_told(by_builds)}", flush=True)
    if out is not None:
        out.write_text(json.dumps(table, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
