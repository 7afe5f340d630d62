"""A race: sides run in turn, each in a fresh process, on the same buffers with the same values, in random order.

A pair is one lap of each side, a moment apart, so what a neighbour does to this machine hits both. The ratio of each
pair is kept, and the interval of their median is that of the sign test: two order statistics, whatever the
distribution. Nothing is left out as an outlier.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import comb

import numpy as np

from gpu_skills.errors import JudgeUnavailable
from gpu_skills.judge import torch_racer
from gpu_skills.judge.exam import Exam
from gpu_skills.judge.leash import Asked, Fell, Leash, Wish
from gpu_skills.judge.model import Native, Race, Ratio, Side, Torch
from gpu_skills.judge.rotation import Rotation
from gpu_skills.judge.timing import Cost, order_cost
from gpu_skills.model import Problem

POLICY = (
    "every process: glibc keeps its pages (no mmap, no trimming), one arena; torch allocates the outputs of each call "
    "from them and keeps those of a lap; a built kernel writes into outputs of its caller, one set a call, touched "
    "before; inputs rotate through the same buffers for all, with new values; the cost of an order is taken off all"
)
_LAP_NS = 5e6
_COMPILE_S = 300.0
_WARM_LAPS = 3
_VERIFY_EVERY = 5
_DOUBT = 0.025


@dataclass(slots=True)
class _Runner:
    side: Side
    leash: Leash
    cpu_ns: list[float] = field(default_factory=list)
    wall_ns: list[float] = field(default_factory=list)


def race(
    sides: Sequence[Side], problem: Problem, *, pairs: int = 30, seed: int, threads: int = 1, exam: Exam | None = None
) -> Race:
    """Race the first side against each of the others over ``pairs`` laps each.

    Outputs of laps drawn at random are checked on every side. A side that falls, or comes out wrong, ends the race:
    then ``fell`` says who and how, and there are no ratios. Raises JudgeUnavailable, and ValueError for less than two
    sides or less than six pairs, which give no interval.
    """
    if len(sides) < 2 or pairs < 6:
        raise ValueError("a race takes two sides and six pairs at least")
    rotation = Rotation(exam or Exam(problem, seed=seed), seed)
    try:
        with ExitStack() as stack:
            return _Field(rotation, sides, threads, seed, stack).run(pairs)
    finally:
        rotation.close()


class _Field:
    def __init__(self, rotation: Rotation, sides: Sequence[Side], threads: int, seed: int, stack: ExitStack) -> None:
        self._rotation, self._threads, self._seed = rotation, threads, seed
        self._sides, self._stack = sides, stack
        self._chance = np.random.default_rng([seed, 11])
        self._runners: list[_Runner] = []
        self._calls, self._cost = 1, Cost(0.0, 0.0)

    def run(self, pairs: int) -> Race:
        """Start all sides, warm them, run the pairs."""
        at = ""
        try:
            for side in self._sides:
                at = side.name
                self._runners.append(self._started(side))
            at = "all"
            self._prepare()
            for index in range(pairs):
                for runner in self._chance.permutation(np.array(self._runners, dtype=object)):
                    at = runner.side.name
                    self._lap(runner, verify=index % _VERIFY_EVERY == 0)
        except Fell as fell:
            return self._race(pairs, f"{at}: {fell}")
        except JudgeUnavailable as error:
            if at and self._runners and isinstance(self._sides[len(self._runners) % len(self._sides)], Torch):
                return self._race(pairs, f"{at}: {error.message}")
            raise
        return self._race(pairs, "")

    def _started(self, side: Side) -> _Runner:
        wish = _wish(side, self._rotation, self._threads)
        runner = _Runner(side, self._stack.enter_context(Leash(wish, self._rotation.arena)))
        runner.leash.define([Asked(self._rotation.program, one, self._threads) for one in self._rotation.sets])
        return runner

    def _prepare(self) -> None:
        least = []
        for runner in self._runners:
            laps = [self._run(runner, 1)[1] for _ in range(_WARM_LAPS)]
            least.append(min(laps))
        self._calls = max(1, min(len(self._rotation.sets), int(_LAP_NS // max(min(least), 1))))
        self._cost = order_cost(self._rotation, self._calls, Wish(None, self._threads))
        for runner in self._runners:
            for _ in range(_WARM_LAPS - 1):
                self._lap(runner, verify=True)
            runner.cpu_ns.clear()
            runner.wall_ns.clear()

    def _run(self, runner: _Runner, calls: int) -> tuple[range, float, float]:
        chosen = self._rotation.take(calls)
        lap = runner.leash.run(chosen.start, calls)
        if lap.declined:
            raise Fell("it says that it was not made for the numbers of its own problem")
        return chosen, lap.cpu_ns, lap.wall_ns

    def _lap(self, runner: _Runner, *, verify: bool) -> None:
        chosen, cpu_ns, wall_ns = self._run(runner, self._calls)
        runner.cpu_ns.append(max(cpu_ns - self._cost.cpu_ns, 1.0) / self._calls)
        runner.wall_ns.append(max(wall_ns - self._cost.wall_ns, 1.0) / self._calls)
        if verify:
            index = self._rotation.drawn(chosen)
            if isinstance(runner.side, Torch):
                runner.leash.hand_over(index)
            found, left = self._rotation.checked(index)
            if found.wrong or left:
                raise Fell(f"{found.wrong} elements of a timed call are wrong, {left} were not written")

    def _race(self, pairs: int, fell: str) -> Race:
        ratios = () if fell else tuple(_ratio(self._runners[0], one) for one in self._runners[1:])
        cpu = {one.side.name: tuple(one.cpu_ns) for one in self._runners}
        wall = {one.side.name: tuple(one.wall_ns) for one in self._runners}
        names = tuple(one.name for one in self._sides)
        return Race(names, ratios, cpu, wall, pairs, self._calls, POLICY, self._seed, fell)


def interval(samples: Sequence[float]) -> tuple[float, float, float]:
    """Return median, and the bounds of its 95 % interval by the sign test (at least six samples)."""
    ordered, count = sorted(samples), len(samples)
    below, rank = 0.0, 0
    while (below := below + comb(count, rank) / 2**count) <= _DOUBT:
        rank += 1
    return statistics.median(ordered), ordered[max(rank - 1, 0)], ordered[min(count - rank, count - 1)]


def _ratio(first: _Runner, other: _Runner) -> Ratio:
    pairs = [theirs / ours for ours, theirs in zip(first.cpu_ns, other.cpu_ns, strict=True)]
    wall = statistics.median(theirs / ours for ours, theirs in zip(first.wall_ns, other.wall_ns, strict=True))
    return Ratio(other.side.name, *interval(pairs), wall)


def _wish(side: Side, rotation: Rotation, threads: int) -> Wish:
    if isinstance(side, Native):
        return Wish(side.built.library, threads, cpu_s=1200)
    tensors = [(one.role, one.dtype, one.shape) for one in rotation.program.tensors]
    words: Mapping[str, object] = {
        "torch": {"file": str(side.file), "entry": side.entry, "compiled": side.compiled, "tensors": tensors}
    }
    return Wish(
        None, threads, patience_s=_COMPILE_S, environment=_own_environment(), module=torch_racer.__name__, words=words,
        walled=False,
    )  # fmt: skip


def _own_environment() -> dict[str, str]:
    kept = ("HOME", "TMPDIR", "TORCHINDUCTOR_CACHE_DIR", "TORCHINDUCTOR_COMPILE_THREADS", "CXX", "PATH")
    return {name: os.environ[name] for name in kept if name in os.environ}
