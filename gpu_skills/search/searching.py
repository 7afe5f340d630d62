"""The search itself: who proposes, what becomes of it, when it is enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import Protocol

import numpy as np

from gpu_skills.knowledge import Advice
from gpu_skills.model import Space
from gpu_skills.search.answers import Answers
from gpu_skills.search.authoring import Written
from gpu_skills.search.bandit import Bandit
from gpu_skills.search.closing import closed
from gpu_skills.search.evolution import Evolution
from gpu_skills.search.grid import Grid
from gpu_skills.search.journal import Journal
from gpu_skills.search.model import Author, Budget, Event, Found, Progress, Proposal, Workshop
from gpu_skills.search.parzen import Parzen
from gpu_skills.search.standing import SURE, Entry, Standing
from gpu_skills.search.starting import Even, Known
from gpu_skills.search.steps import Steps
from gpu_skills.search.thompson import Thompson

_WEIGHTS = {"sobol": 0.15, "thompson": 1.0, "tpe": 0.5, "evolution": 0.5, "knowledge": 0.3}
_AUTHOR_WEIGHT = 1.0
_START, _FEWEST_START, _START_SHARE = 8, 4, 5
_CLOSING_SHARE = 0.15
_ROUND, _GAIN = 8, 0.01


class Proposer(Protocol):
    """Proposes genomes by a rule; ``name`` is what it is credited under."""

    name: str

    def propose(self, standing: Standing, chance: np.random.Generator) -> Proposal | None:
        """Return something that was not tried; None where it has nothing to say now."""


def search(
    space: Space, workshop: Workshop, folder: Path, *, budget: Budget, seed: int, advice: Advice | None = None,
    authors: Sequence[Author] = (), watch: Callable[[Progress], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Found:  # fmt: skip
    """Find the fastest candidate of ``space`` that the judge accepts, and write every step into ``folder``.

    A search that is started with the folder of an earlier one of the same space goes on where that one was; then the
    earlier seed counts. Raises SearchElsewhere where the folder holds the search of another space, or one that runs.
    """
    journal = Journal(folder, space, seed)
    try:
        steps = Steps(Answers(workshop, journal, clock), Standing(Grid(space)), watch or _unwatched)
        return _Search(steps, budget, journal.seed, advice or Advice(), authors).run()
    finally:
        journal.close()


def _unwatched(_: Progress) -> None:
    """Watch nothing."""


class _Search:
    def __init__(self, steps: Steps, budget: Budget, seed: int, advice: Advice, authors: Sequence[Author]) -> None:
        self._steps, self._standing, self._answers = steps, steps.standing, steps.answers
        self._budget, self._chance = budget, np.random.default_rng([seed, 5])
        self._known, self._even = Known(advice), Even()
        rules: list[Proposer] = [self._even, Thompson(), Parzen(), Evolution(), self._known]
        rules += [Written(one, steps) for one in authors]
        self._proposers = {one.name: one for one in rules}
        self._bandit = Bandit({name: _WEIGHTS.get(name, _AUTHOR_WEIGHT) for name in self._proposers})
        self._start = min(_START, max(_FEWEST_START, budget.builds // _START_SHARE))
        self._rounds: list[float] = []
        self._adopted = False
        self._thought = 0.0

    def run(self) -> Found:
        """Propose and measure until it is enough; judge, duel, and say what was found."""
        why = ""
        while not why:
            proposal = self._next()
            if proposal is None:
                why = "nothing is left to propose"
                break
            self._try(proposal)
            why = self._enough()
        self._steps.tell(Event.STOPPED, said=why)
        winner, beats = closed(self._steps, self._budget.seconds)
        trials = tuple(one.trial() for one in self._standing.entries.values())
        return Found(winner.built if winner else None, winner.ns if winner else None, beats, trials, why,
                     self._bandit.told(), self._answers.elapsed)  # fmt: skip

    def _next(self) -> Proposal | None:
        """Return the next proposal: the default, what won before, an even start, then from who has earned it."""
        self._thought = 0.0
        if not self._standing.entries:
            return self._even.propose(self._standing, self._chance)
        if self._known.eager and (known := self._known.propose(self._standing, self._chance)):
            return known
        if len(self._standing.entries) < self._start:
            return self._even.propose(self._standing, self._chance)
        for name in self._bandit.order(self._chance):
            spent = self._steps.seconds
            proposal = self._proposers[name].propose(self._standing, self._chance)
            thought = self._steps.seconds - spent
            if proposal is not None:
                self._thought = thought
                return proposal
            if thought:
                self._bandit.credit(name, 0.0, thought)
        return None

    def _try(self, proposal: Proposal) -> None:
        before, spent = self._best_log(), self._steps.seconds
        starting = len(self._standing.entries) < self._start
        entry = self._steps.take_up(proposal)
        if not starting:
            after = self._best_log()
            gain = before - after if self._standing.best is entry and before > after else 0.0
            self._bandit.credit(proposal.made_by, gain, self._steps.seconds - spent + self._thought)
        if len(self._standing.entries) % _ROUND == 0:
            self._rounds.append(self._best_log())
        if self._answers.live and not self._adopted:
            self._adopted = True
            for kept in self._answers.left_over():
                self._steps.adopt(kept)

    def _enough(self) -> str:
        """Return why the search is over, or nothing."""
        if len(self._standing.entries) >= self._budget.builds:
            return f"{self._budget.builds} builds"
        if self._answers.elapsed >= self._budget.seconds * (1 - _CLOSING_SHARE):
            return f"{self._budget.seconds:g} seconds"
        if self._standing.exhausted:
            return "every genome was tried"
        if self._at_ceiling():
            return f"{self._budget.ceiling:.0%} of the machine's ceiling"
        if self._is_stale():
            return f"no gain of {_GAIN:.0%} in {self._budget.patience} rounds"
        return ""

    def _at_ceiling(self) -> bool:
        """Tell whether the best is near the ceiling; then it must be measured well, and accepted."""
        best, floor = self._standing.best, self._answers.floor_ns
        if floor is None or best is None or best.ns is None or len(best.samples) < SURE:
            return False
        return floor >= self._budget.ceiling * best.ns and self._steps.judged(best)

    def _is_stale(self) -> bool:
        rounds = self._rounds[-self._budget.patience - 1 :]
        return len(rounds) > self._budget.patience and rounds[0] - rounds[-1] < log(1 + _GAIN)

    def _best_log(self) -> float:
        """Return the log of the best time, of a day before anything was measured."""
        best: Entry | None = self._standing.best
        return log(best.ns) if best is not None and best.ns else log(8.64e13)
