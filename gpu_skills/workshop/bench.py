"""The search's workshop for C++ kernels of one problem."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_skills.building import Machine, report
from gpu_skills.cpp import generate, space_of
from gpu_skills.errors import BuildFailed, CannotGenerate, NotLoadable
from gpu_skills.graph import structure_of
from gpu_skills.judge import Native, Race, Torch, Verdict
from gpu_skills.judge.model import Gate, Side
from gpu_skills.judge.racing import interval
from gpu_skills.model import Built, Candidate, Language, Problem
from gpu_skills.search import Duel, Proposal, Refusal
from gpu_skills.workshop.bays import Bay

_PAIRS = 31


class Bench:
    """Builds proposals, and keeps what was found of them: ``verdicts`` by candidate, ``races`` in order."""

    def __init__(
        self, problem: Problem, bay: Bay, machine: Machine, sides: Sequence[Torch] = (), *,
        floor_ns: float | None = None, threads: int = 1,
    ) -> None:  # fmt: skip
        """``sides`` are the baselines. Raises CannotGenerate where the family does not cover the problem."""
        self._problem, self._bay, self._machine, self._sides = problem, bay, machine, list(sides)
        self._threads, self._floor_ns = threads, floor_ns
        self._structure = structure_of(problem.program)
        self.space = space_of(problem.program, machine)
        self.verdicts: dict[str, Verdict] = {}
        self.races: list[Race] = []
        self.left_out: dict[str, str] = {}

    @property
    def floor_ns(self) -> float | None:
        """The time of one call at the machine's measured ceiling."""
        return self._floor_ns

    def build(self, proposal: Proposal) -> Built | Refusal:
        """Build a proposal, a genome or free source; what the compiler refuses is a Refusal."""
        try:
            source = proposal.source
            if source is None:
                source = generate(self._problem.program, proposal.genome, self._machine)
            return self._bay.build(Candidate(
                proposal.id, self._structure, Language.CPP, source, proposal.genome, proposal.made_by, proposal.parents
            ))  # fmt: skip
        except (CannotGenerate, BuildFailed) as error:
            return Refusal("build", error.message)

    def inspect(self, built: Built) -> Refusal | float | None:
        """Refuse a library that wants what no kernel may want; its file is read, not loaded."""
        try:
            found = report(built.library)
        except (OSError, NotLoadable) as error:
            return Refusal("symbols", str(error))
        said = ", ".join(found.forbidden[:5]) or "it runs code on being loaded"
        return None if found.allowed else Refusal("symbols", said)

    def measure(self, built: Built, samples: int) -> Sequence[float] | Refusal:
        """Return timed samples of one call, in nanoseconds; timed calls are checked, too."""
        found = self._bay.samples(built, samples)
        return Refusal(found.name, found.said) if isinstance(found, Gate) else found

    def judge(self, built: Built) -> Refusal | None:
        """Put a candidate through every gate; the verdict is kept."""
        verdict = self.verdicts[built.candidate.id] = self._bay.judge(built)
        failed = verdict.failed
        return None if failed is None else Refusal(failed.name, failed.said)

    def duel(self, first: Built, against: Built | None) -> Duel | Refusal:
        """Race a candidate against another one, or against all baselines at once; the fastest of them counts."""
        name = first.candidate.id
        others: list[Side] = [Native(against.candidate.id, against)] if against is not None else list(self._sides)
        while others:
            found = self._bay.race([Native(name, first), *others], _PAIRS)
            fallen = next((one for one in others if found.fell.startswith(f"{one.name}: ")), None)
            if fallen is None or isinstance(fallen, Native):
                return self._dueled(found, name)
            self.left_out[fallen.name] = found.fell  # a baseline that does not run is none
            self._sides.remove(fallen)
            others.remove(fallen)
        return Refusal("baseline", "there is nothing to race against")

    def _dueled(self, found: Race, name: str) -> Duel | Refusal:
        if found.fell:
            return Refusal("race", found.fell)
        self.races.append(found)
        if self._threads == 1:
            least = min(found.ratios, key=lambda one: one.median)
            return Duel(least.against, least.median, least.low, least.high)
        pairs = {side: [b / a for a, b in zip(found.wall_ns[name], found.wall_ns[side], strict=True)]
                 for side in found.sides[1:]}  # fmt: skip
        ratios = {side: interval(each) for side, each in pairs.items()}
        least_of = min(ratios, key=lambda one: ratios[one][0])
        return Duel(least_of, *ratios[least_of])
