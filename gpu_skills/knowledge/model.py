"""The nouns of what is known: the features of a problem on a machine, a row, advice for a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from gpu_skills.model import Genome


class Device(StrEnum):
    """What a kernel runs on: rows of one never advise the other."""

    CPU = "cpu"
    GPU = "gpu"


@dataclass(frozen=True, slots=True)
class Features:
    """What a problem on a machine is like. Sizes are log2; so are those of ``hardware``, by name."""

    problem: str
    family: str
    device: Device
    dtype: str
    log_elements: float
    log_row: float
    """log2 of the folded axis' length; 0 without one."""
    intensity: float
    """log2 of operations per byte read or written."""
    row_in_cache: float
    """log2 of a row's bytes against the second cache's."""
    folds: int
    products: int
    transcendental: int
    hardware: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate as it was found: summary of its samples in ns, what its library says, the verdict, its lineage."""

    features: Features
    genome: Genome
    best_ns: float | None
    median_ns: float | None = None
    samples: int = 0
    statics: tuple[tuple[str, float], ...] = ()
    verdict: str = ""
    """Empty: accepted or not judged; otherwise why it was refused."""
    made_by: str = ""
    parents: tuple[str, ...] = ()
    compiler: str = ""
    generator: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """What past problems say for a new one: genomes to begin with, the nearest first, and a foreseen order.

    ``foresee`` gives for genomes their log time up to a constant; None where too little is known.
    """

    winners: tuple[Genome, ...] = ()
    foresee: Callable[[Sequence[Genome]], Sequence[float]] | None = field(default=None, compare=False)
