"""One run on a GPU: every side of a row is made, held against float64 and raced; then the next row, until time is up.

Ours is chosen among a few dozen genomes, knob by knob, with about half of the time of its row.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpu_skills.model import Genome
from gpu_skills.tiles import TARGETS, Target, space_of
from tests.benchmarks.gpu.page import BOUND, publish
from tests.benchmarks.gpu.rows import Row, rows
from tests.benchmarks.gpu.sides import Call, Inputs, Ours, Theirs, autokernel, choices, error_of, references, torchs
from tests.benchmarks.gpu.timing import Clock, ceilings, within

ROUNDS, SETS, TRIES = 200, 3, 200
GAIN = 0.99


@dataclass(slots=True)
class Result:
    """What a row came to: samples in microseconds and errors of each side, and the genome of ours."""

    row: Row
    genome: Genome
    tried: int
    samples: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def here(torch: Any) -> Target:
    """Return this GPU as a target."""
    major = torch.cuda.get_device_capability()[0] * 10
    about = torch.cuda.get_device_properties(0)
    near = TARGETS.get(major, TARGETS[80])
    shared = int(getattr(about, "shared_memory_per_block_optin", near.shared_bytes))
    return Target(torch.cuda.get_device_name(0), near.capability, about.multi_processor_count, shared)


Sides = Callable[[Inputs], dict[str, Call]]
"""What ours is held against, for the inputs of a row."""


class Check:
    """One run: the clock, the target, what ours is held against, what is left of the time."""

    def __init__(self, clock: Clock, target: Target, sides: Sides, minutes: float, device: str = "cuda") -> None:
        self.clock, self.target, self.device = clock, target, device
        self._sides, self._end = sides, time.monotonic() + minutes * 60
        self.rounds, self.tries = ROUNDS, TRIES

    def left_s(self) -> float:
        """Return the seconds that are left."""
        return self._end - time.monotonic()

    def row(self, torch: Any, row: Row, share_s: float, folder: Path) -> Result:
        """Measure one row in about ``share_s`` seconds."""
        began = time.monotonic()
        inputs = Inputs(torch, row, SETS, self.device)
        with within(self.left_s()):
            wanted = references(inputs)
        others = self._right(inputs, wanted)
        spent = time.monotonic() - began
        result, ours = self._best(inputs, wanted, folder, until=time.monotonic() + max(0.5 * (share_s - spent), 10.0))
        sides = ({"ours": ours} if ours is not None else {}) | others.sides
        result.errors |= others.errors
        result.failed |= others.failed
        with within(self.left_s()):
            result.samples = self.clock.race(sides, self.rounds, SETS, lambda: time.monotonic() > began + share_s)
            if ours is not None:
                self._again(result, ours, torch, wanted)
            _untouched(result, inputs, sides)
        return result

    def _again(self, result: Result, ours: Ours, torch: Any, wanted: list[Any]) -> None:
        """Look at what was raced once more, on every set: a side that is wrong there has won nothing."""
        ours.poison = True
        result.errors["ours"] = max(error_of(torch, ours(at), one) for at, one in enumerate(wanted))
        if result.errors["ours"] > BOUND:
            result.failed["ours"] = f"off by {result.errors['ours']:.1e} of the norm after the race"
            del result.samples["ours"]

    def _right(self, inputs: Inputs, wanted: list[Any]) -> _Sides:
        """Keep the other sides that run and are right."""
        found = _Sides()
        for name, call in self._sides(inputs).items():
            try:
                with within(0.5 * self.left_s()):
                    found.errors[name] = error_of(inputs.torch, call(0), wanted[0])
            except Exception as error:  # another's code, whatever it says: the row goes on without it
                found.failed[name] = f"{type(error).__name__}: {error}"[:300]
                continue
            if found.errors[name] <= BOUND:
                found.sides[name] = call
            else:
                found.failed[name] = f"off by {found.errors[name]:.1e} of the norm"
        return found

    def _best(self, inputs: Inputs, wanted: list[Any], folder: Path, *, until: float) -> tuple[Result, Ours | None]:
        """Go through the knobs one by one, and keep what is faster, until the time is up."""
        space = space_of(inputs.row.problem.program, self.target)
        result = Result(inputs.row, dict(space.default), 0)
        best, least = None, float("inf")
        steps = [
            (name, value)
            for name, values in choices({one.name: one.choices for one in space.knobs})
            for value in values
        ]
        for step in [None, *steps]:
            genome = result.genome if step is None else {**result.genome, step[0]: step[1]}
            if step is not None and (genome == result.genome or not space.has(genome) or self._enough(result, until)):
                continue
            result.tried += 1
            found = self._tried(inputs, genome, wanted[0], folder)
            if isinstance(found, str):
                if step is None:
                    result.failed["ours, by default"] = found
                continue
            with within(self.left_s()):
                took = self.clock.quick(found)
            if took < GAIN * least:
                best, least, result.genome = found, took, genome
        return result, best

    def _enough(self, result: Result, until: float) -> bool:
        return result.tried >= self.tries or time.monotonic() > until

    def _tried(self, inputs: Inputs, genome: Genome, wanted: Any, folder: Path) -> Ours | str:
        """Return a kernel that is right, or why there is none."""
        try:
            with within(0.5 * self.left_s()):
                call = Ours(inputs, genome, self.target, folder)
                call.poison = True
                off = error_of(inputs.torch, call(0), wanted)
        except Exception as error:  # a genome that does not compile or does not fit: the next one may
            return f"{type(error).__name__}: {error}"[:300]
        call.poison = False
        return call if off <= BOUND else f"off by {off:.1e} of the norm"


def _untouched(result: Result, inputs: Inputs, sides: dict[str, Call]) -> None:
    """Take back what was won by writing into inputs."""
    for name, call in sides.items():
        if isinstance(call, Theirs) and call.changed():
            result.failed[name] = "it wrote into its inputs"
            del result.samples[name]
    if inputs.changed():
        result.failed["ours"] = "something wrote into the inputs"
        result.samples.clear()


@dataclass(slots=True)
class _Sides:
    sides: dict[str, Call] = field(default_factory=dict)
    errors: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def measure(torch: Any, *, minutes: float, checkout: Path | None, only: Sequence[str]) -> list[Result]:
    """Measure the rows that are wanted, and where none is named all, which are published after each."""
    clock, target = Clock(torch), here(torch)
    check = Check(clock, target, lambda inputs: torchs(inputs) | autokernel(checkout, inputs), minutes)
    peaks = ceilings(torch, clock)
    wanted = [row for row in rows(torch) if not only or row.name in only]
    return run(check, torch, wanted, lambda results: None if only else publish(torch, target, peaks, results))


def run(
    check: Check, torch: Any, wanted: Sequence[Row], done: Callable[[list[Result]], None] = lambda results: None
) -> list[Result]:
    """Measure rows one after the other, each in its share of the time that is left; ``done`` is told after each."""
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="steward-gpu-check-") as folder:
        for at, row in enumerate(wanted):
            share_s = (check.left_s() - 10) / (len(wanted) - at)
            if share_s < 8:
                print(f"{row.name}: not measured, the time is up", flush=True)
                continue
            try:
                results.append(check.row(torch, row, share_s, Path(folder)))
            except Exception as error:  # one row that does not come to its end is no reason to lose the others
                print(f"{row.name}: {type(error).__name__}: {error}", flush=True)
                continue
            finally:
                torch.cuda.empty_cache()
            done(results)
            best = ", ".join(f"{name} {min(one):.1f} us" for name, one in results[-1].samples.items())
            print(f"{row.name}: {best}", flush=True)
    return results
