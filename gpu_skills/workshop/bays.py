"""Where candidates are really compiled and run. ``Here`` is this process; a skill's bay is cells of the kernel's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from gpu_skills.building import build
from gpu_skills.graph import evaluate
from gpu_skills.judge import Exam, Stand, Verdict, judge, race
from gpu_skills.judge.model import Gate, Race, Side
from gpu_skills.model import Built, Candidate, Problem


class Bay(Protocol):
    """Compiles and runs candidates of one problem. KernelsError is what the machine cannot do, never a verdict."""

    def build(self, candidate: Candidate) -> Built:
        """Compile. Raises BuildFailed, BuildTookTooLong, CompilerMissing."""

    def samples(self, built: Built, count: int) -> tuple[float, ...] | Gate:
        """Time: ``count`` samples of one call in nanoseconds, or the gate that it did not pass."""

    def judge(self, built: Built) -> Verdict:
        """Put a candidate through every gate."""

    def race(self, sides: Sequence[Side], pairs: int) -> Race:
        """Race the first side against the others."""


class Here:
    """Compiles into ``folder`` and judges with processes of this one's own. Close it to give its buffers back."""

    def __init__(self, problem: Problem, folder: Path, *, seed: int = 0, threads: int = 1) -> None:
        self._problem, self._folder, self._seed, self._threads = problem, folder, seed, threads
        self._exam = Exam(problem, evaluate, seed=seed)
        self._stand: Stand | None = None

    def build(self, candidate: Candidate) -> Built:
        """Compile in a process with limits and a deadline."""
        return build(candidate, self._folder)

    def samples(self, built: Built, count: int) -> tuple[float, ...] | Gate:
        """Time on a stand that all candidates share."""
        if self._stand is None:
            self._stand = Stand(self._exam, seed=self._seed, threads=self._threads)
        return self._stand.samples(built, count)

    def judge(self, built: Built) -> Verdict:
        """Judge with the exam that all candidates share."""
        return judge(built, self._problem, seed=self._seed, budget_s=3.0, exam=self._exam, threads=self._threads)

    def race(self, sides: Sequence[Side], pairs: int) -> Race:
        """Race with values of the same exam; the stand's buffers are given back first."""
        self.close()
        return race(sides, self._problem, pairs=pairs, seed=self._seed, threads=self._threads, exam=self._exam)

    def close(self) -> None:
        """Give the stand's memory back; it is made anew when it is needed."""
        if self._stand is not None:
            self._stand.close()
        self._stand = None
