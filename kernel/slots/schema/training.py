"""Fitting the ranker: weights of slots on all lessons, those of calls and of the confidence on what was held out.

A weight of a call is worth something only if it was learned on calls that the slots' weights had not seen. So the
lessons are cut into folds by their sentence, and each fold is filled by what the others teach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kernel.slots.schema.calls import Call
from kernel.slots.schema.features import Table
from kernel.slots.schema.ranker import Family, Ranker, by_sum, train, train_whole
from kernel.slots.schema.trust import Chosen, Trust, signs, train_arguments, train_calls

FOLDS = 5
Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A sentence, the tables of a function's slots, and which guesses of each are right.

    ``possible`` is False where a right call takes a value that no slot stands for.
    """

    text: str
    tables: Sequence[Table]
    right: Sequence[Marks]
    possible: bool = True

    def marks(self, call: Call) -> list[bool]:
        """Which arguments of a call are right."""
        return [bool(own[at]) for own, at in zip(self.right, call.chosen, strict=True)]

    def is_right(self, call: Call) -> bool:
        """Tell whether a call is right as a whole."""
        return self.possible and all(self.marks(call))


@dataclass(frozen=True, slots=True)
class Held:
    """A lesson as it was filled by what the other folds teach."""

    lesson: Lesson
    fold: int
    best: Chosen


def fit(lessons: Sequence[Lesson]) -> Ranker:
    """Return the ranker that ``lessons`` teach."""
    folds = _folds(lessons)
    parts = [
        Ranker(_slots([one for one, fold in zip(lessons, folds, strict=True) if fold != own]), by_sum(), Trust.none())
        for own in range(FOLDS)
    ]
    found = [parts[fold].calls(one.tables) for one, fold in zip(lessons, folds, strict=True)]
    called = [(own, np.array([one.is_right(call) for call in own])) for one, own in zip(lessons, found, strict=True)]
    full = [
        replace(part, whole=train_whole([pair for pair, fold in zip(called, folds, strict=True) if fold != own]))
        for own, part in enumerate(parts)
    ]
    held = [Held(one, fold, full[fold].choose(one.tables)) for one, fold in zip(lessons, folds, strict=True)]
    return Ranker(_slots(lessons), train_whole(called), fit_trust(held))


def fit_trust(held: Sequence[Held]) -> Trust:
    """Return the confidence that lessons teach which were filled without having been seen."""
    apart = [_arguments([one for one in held if one.fold != own]) for own in range(FOLDS)]
    rows = [
        signs(replace(Trust.none(), argument=apart[one.fold]).arguments(one.best.figures), one.best) for one in held
    ]
    right = [one.lesson.is_right(one.best.call) for one in held]
    return Trust(_arguments(held), train_calls(np.array(rows), np.array(right)))


def _folds(lessons: Sequence[Lesson]) -> list[int]:
    """The fold of each lesson; those of one sentence are in one."""
    fold = {text: at % FOLDS for at, text in enumerate(sorted({one.text for one in lessons}))}
    return [fold[one.text] for one in lessons]


def _slots(lessons: Sequence[Lesson]) -> dict[Family, npt.NDArray[np.float64]]:
    return train([pair for one in lessons for pair in zip(one.tables, one.right, strict=True)])


def _arguments(held: Sequence[Held]) -> npt.NDArray[np.float64]:
    marks = [mark for one in held for mark in one.lesson.marks(one.best.call)]
    return train_arguments(np.concatenate([one.best.figures for one in held]), np.array(marks))
