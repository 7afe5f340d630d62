"""The nouns of a search: what is proposed, who builds and measures it, what happens on the way, what is found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from gpu_skills.model import Built, Genome, Space


@dataclass(frozen=True)
class Proposal:
    """Something to build: a genome of the space, or free source (then the genome is empty). ``parents`` are ids."""

    genome: Genome = field(default_factory=dict)
    source: str | None = None
    made_by: str = ""
    parents: tuple[str, ...] = ()

    @cached_property
    def id(self) -> str:
        """The same for the same genome or source, whoever proposed it: 16 hexadecimal digits."""
        told = [self.source] if self.source is not None else sorted(self.genome.items())
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not a candidate (any more): ``why`` is a stable word (a gate's name, ``build``), then words."""

    why: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Duel:
    """How many times longer ``against`` takes than the first side, with the 95 % interval of that ratio."""

    against: str
    ratio: float
    low: float
    high: float


class Workshop(Protocol):
    """Who makes candidates and holds them to the clock. The search asks for one thing at a time.

    A candidate that cannot be built, falls, hangs or is wrong is a Refusal, never an exception: what is raised ends
    the search (its journal is kept, and a later search goes on).
    """

    @property
    def floor_ns(self) -> float | None:
        """The time of one call at the machine's measured ceiling; None where it is not known."""

    def build(self, proposal: Proposal) -> Built | Refusal:
        """Build a proposal. The candidate's id is the proposal's; the library stays where it is said to lie."""

    def inspect(self, built: Built) -> Refusal | float | None:
        """Look at a library without running it: refuse it, foresee its time (ns), or say nothing (None)."""

    def measure(self, built: Built, samples: int) -> Sequence[float] | Refusal:
        """Return ``samples`` timed samples of one call, in nanoseconds."""

    def judge(self, built: Built) -> Refusal | None:
        """Put it through every gate: None is accepted, ``why`` of a Refusal is the gate that it did not pass."""

    def duel(self, first: Built, against: Built | None) -> Duel | Refusal:
        """Race the first, paired and interleaved, against another, or (None) against the fastest baseline."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may take: seconds in all (those of an earlier, interrupted run count) and builds.

    It ends before that at ``ceiling`` of what the machine can do at most, or when ``patience`` rounds of eight
    proposals have not made the best 1 % faster.
    """

    seconds: float = 60.0
    builds: int = 60
    ceiling: float = 0.9
    patience: int = 3


class Event(StrEnum):
    """What happens in a search."""

    PROPOSED = "proposed"
    BUILT = "built"
    REJECTED = "rejected"
    MEASURED = "measured"
    JUDGED = "judged"
    BEST = "best so far"
    DUEL = "duel"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Progress:
    """One thing that happened, for a live display. ``said`` is why, for REJECTED and STOPPED; ``best_ns`` the best."""

    event: Event
    at_s: float
    id: str = ""
    made_by: str = ""
    said: str = ""
    ns: float | None = None
    samples: int = 0
    best_ns: float | None = None
    genome: Genome = field(default_factory=dict)


class Author(Protocol):
    """Who thinks of candidates that no rule of ours would: a language model, a person. What it says is validated."""

    name: str

    def propose(self, brief: Brief) -> Sequence[Genome | str]:
        """Return genomes of the space, or whole source files; best first, few."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is known of one proposal: its samples in ns, and why it is out (None: it is not)."""

    proposal: Proposal
    samples: tuple[float, ...] = ()
    refusal: Refusal | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Brief:
    """What an author is told: the space, and what was tried, the fastest first."""

    space: Space
    tried: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """What a proposer had and gave: proposals, those that made a new best, seconds, gain in log time."""

    proposals: int
    bests: int
    seconds: float
    gain: float


@dataclass(frozen=True, slots=True)
class Found:
    """The end of a search. ``best`` is accepted by the judge, or None where nothing was; ``beats`` is its duel against
    the fastest baseline. Whether the library is kept is the caller's decision."""

    best: Built | None
    best_ns: float | None
    beats: Duel | None
    trials: tuple[Trial, ...]
    stopped: str
    shares: Mapping[str, Share]
    seconds: float
