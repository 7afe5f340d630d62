"""The nouns of the judge: gates, verdicts, sides of a race, what a race came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from gpu_skills.graph import Program
from gpu_skills.model import Built

Array = NDArray[Any]
Reference = Callable[[Program, Mapping[str, Array]], Mapping[str, Array]]
"""Gives the outputs of a program in float64 for its inputs and weights (bfloat16 as float32), whole."""


class GateName(StrEnum):
    """What a candidate must pass, in this order."""

    TASK = "task"
    SYMBOLS = "symbols"
    RUNS = "runs"
    POISON = "poison"
    GUARDS = "guards"
    INPUTS = "inputs"
    ERRORS = "errors"
    HELD_OUT = "held out"
    FAMILIES = "value families"
    DETERMINISM = "determinism"
    LEFT_BEHIND = "left behind"
    SANITIZER = "sanitizer"
    TIMING = "timing"


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate: whether it was passed, what was found in words, and the numbers behind that."""

    name: GateName
    passed: bool
    said: str
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Timing:
    """What one call costs, in nanoseconds, the order's own cost taken off: the least and the middle of the laps.

    CPU time is of all threads, by the kernel's account of the racer; wall time is by the judge's own clock.
    ``calls`` is how many a lap had, each on other buffers; ``verified`` how many timed calls were checked.
    """

    cpu_ns: float
    cpu_median_ns: float
    wall_ns: float
    laps: int
    calls: int
    sets: int
    order_cpu_ns: float
    verified: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge found. Gates after the first one that was not passed were not tried."""

    candidate: str
    passed: bool
    gates: tuple[Gate, ...]
    seed: int
    timing: Timing | None = None

    @property
    def failed(self) -> Gate | None:
        """Return the gate that was not passed, or None."""
        return next((one for one in self.gates if not one.passed), None)


@dataclass(frozen=True, slots=True)
class Native:
    """A side of a race: a built candidate, behind the wall."""

    name: str
    built: Built


@dataclass(frozen=True, slots=True)
class Torch:
    """A side of a race: a function of torch tensors, by file and name. It takes the program's inputs and weights in
    their order and returns its outputs. ``compiled`` puts it through ``torch.compile`` first.

    It is run as the user's own code, without the wall: a compiler must start and write files.
    """

    name: str
    file: Path
    entry: str
    compiled: bool = False


Side = Native | Torch


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times more one side takes than the first: the median over pairs, and its 95 % interval.

    The interval is sign-based: order statistics of the paired ratios, exact for any distribution (Conover 1999, 3.2).
    ``kept`` tells whether the lower bound lies above 1.02.
    """

    against: str
    median: float
    low: float
    high: float
    wall_median: float

    @property
    def kept(self) -> bool:
        """Tell whether the first side is faster beyond doubt and by more than 2 %."""
        return self.low > 1.02


@dataclass(frozen=True, slots=True)
class Race:
    """A race of the first side against each of the others. Samples are nanoseconds of one call, a list per side."""

    sides: tuple[str, ...]
    ratios: tuple[Ratio, ...]
    cpu_ns: Mapping[str, tuple[float, ...]]
    wall_ns: Mapping[str, tuple[float, ...]]
    pairs: int
    calls: int
    policy: str
    seed: int
    fell: str = ""
