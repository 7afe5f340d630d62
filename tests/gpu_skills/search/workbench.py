"""A workshop for the C++ family: it builds with g++, times in this process, judges and races as the judge does."""

from __future__ import annotations

import time
from pathlib import Path

from gpu_skills.building import build, load, report, this_machine
from gpu_skills.cpp import generate, space_of
from gpu_skills.errors import BuildFailed, CannotGenerate
from gpu_skills.graph import structure_of
from gpu_skills.judge import Exam, Native, judge, race
from gpu_skills.model import Built, Candidate, Language, Problem
from gpu_skills.search import Duel, Proposal, Refusal
from tests.gpu_skills.running import Tensors, values_of

SEED = 5


class Workbench:
    """Makes kernels for one problem. The baseline of a duel is the default of the space."""

    def __init__(self, problem: Problem, folder: Path) -> None:
        self.problem, self.machine, self._folder = problem, this_machine(), folder
        self.space = space_of(problem.program, self.machine)
        self._exam = Exam(problem, seed=SEED)
        self._tensors = Tensors(problem.program, values_of(problem))

    @property
    def floor_ns(self) -> float | None:
        return None

    def build(self, proposal: Proposal) -> Built | Refusal:
        try:
            source = proposal.source or generate(self.problem.program, proposal.genome, self.machine)
            structure = structure_of(self.problem.program)
            candidate = Candidate(proposal.id, structure, Language.CPP, source, proposal.genome, proposal.made_by)
            return build(candidate, self._folder)
        except (CannotGenerate, BuildFailed) as error:
            return Refusal("build", error.message)

    def inspect(self, built: Built) -> Refusal | float | None:
        found = report(built.library)
        return None if found.allowed else Refusal("symbols", ", ".join(found.forbidden))

    def measure(self, built: Built, samples: int) -> list[float] | Refusal:
        kernel = load(built)
        found = []
        for _ in range(samples + 1):
            began = time.thread_time_ns()
            if kernel(self.problem.program, self._tensors.arrays, 1):
                return Refusal("runs", "it says that it was not made for these numbers")
            found.append(float(max(time.thread_time_ns() - began, 1)))
        return found[1:]

    def judge(self, built: Built) -> Refusal | None:
        verdict = judge(built, self.problem, seed=SEED, budget_s=0.3, exam=self._exam)
        return Refusal(verdict.failed.name, verdict.failed.said) if verdict.failed else None

    def duel(self, first: Built, against: Built | None) -> Duel | Refusal:
        other = against or self.build(Proposal(self.space.default))
        if isinstance(other, Refusal):
            return other
        found = race(
            [Native("first", first), Native("other", other)], self.problem, pairs=10, seed=SEED, exam=self._exam
        )
        if found.fell:
            return Refusal("race", found.fell)
        one = found.ratios[0]
        return Duel(against.candidate.id if against else "default", one.median, one.low, one.high)
