"""The nouns that every stage of an optimization shares: a problem, a candidate, what was built of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from gpu_skills.graph import Program


class Language(StrEnum):
    """What a candidate is written in."""

    CPP = "c++"
    TRITON = "triton"


class Filling(StrEnum):
    """What an input holds by nature: any numbers, those above 0, or numbers of places below ``Fill.below``."""

    ANY = "any"
    POSITIVE = "positive"
    INDEX = "index"
    TRUTH = "truth"


@dataclass(frozen=True, slots=True)
class Fill:
    """How an input may be filled when values are made up: ``scale`` times a standard normal, or whole numbers."""

    filling: Filling = Filling.ANY
    scale: float = 1.0
    below: int = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a problem comes from: a Python file and the name in it; a problem that is only a program has none.

    ``inputs`` and ``weights`` are pairs: what the file calls a tensor, and what the program calls it.
    """

    file: Path
    entry: str
    inputs: tuple[tuple[str, str], ...] = ()
    weights: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be made faster, and what a candidate for it must get right.

    ``held_out`` are programs of the same structure with other numbers and parameters: a candidate never sees them
    before it is judged on them. ``fills`` says how tensors are filled; one without an entry holds any numbers.
    """

    name: str
    program: Program
    held_out: tuple[Program, ...] = ()
    fills: Mapping[str, Fill] = field(default_factory=dict)
    origin: Origin | None = None


Genome = Mapping[str, int | str | bool]
"""A choice for every knob of a family: the name of the knob, and what was chosen."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Source that claims to compute a program's structure. ``made_by`` is its proposer; ``parents`` are ids.

    A C++ candidate exports ``int steward_kernel(void *const *tensors, const int64_t *numbers, const double
    *parameters, int threads)``: tensors in the program's order, numbers as ``numbers_of`` and parameters as
    ``parameters_of`` order them. It returns 0 when it is done and 1, with nothing written, for numbers that it was
    not made for. Tensors begin at multiples of 64 bytes; it may use up to ``threads`` threads.
    """

    id: str
    structure: str
    language: Language
    source: str
    genome: Genome = field(default_factory=dict)
    made_by: str = ""
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Built:
    """A candidate as a library on disk: its hash, the command that made it, how long that took."""

    candidate: Candidate
    library: Path
    sha256: str
    command: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Knob:
    """One decision that a family leaves open: its choices, the one to begin with, and what it decides, in words.

    A knob is ``structural`` where another choice makes another kernel (one pass or two), not the same one with another
    number (how far a loop is unrolled).
    """

    name: str
    choices: tuple[int | str | bool, ...]
    default: int | str | bool
    decides: str
    structural: bool = False


@dataclass(frozen=True, slots=True)
class Space:
    """Every kernel that a family can make for a program on this machine.

    ``excluded`` are combinations that make no kernel, each a part of a genome.
    """

    family: str
    knobs: tuple[Knob, ...]
    excluded: tuple[Genome, ...] = ()

    @property
    def default(self) -> Genome:
        """Return the genome to begin with."""
        return {one.name: one.default for one in self.knobs}

    def has(self, genome: Genome) -> bool:
        """Tell whether a genome makes a choice for every knob, of those there are, in no excluded combination."""
        if genome.keys() != {one.name for one in self.knobs}:
            return False
        chosen = all(genome[one.name] in one.choices for one in self.knobs)
        return chosen and not any(all(genome[key] == value for key, value in part.items()) for part in self.excluded)
