"""A log-linear ranker of guesses, one set of weights for each kind of slot, and one of whole calls.

P(guess | slot) is a softmax over the guesses of the slot, "left out" among them. The likeliest calls by these
(``calls.py``) are weighed once more as a whole, by a softmax over their figures; how sure that is says ``trust.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kernel.slots.descent import Vector, minimise
from kernel.slots.schema.calls import WHOLE, Call, calls
from kernel.slots.schema.columns import WIDTH
from kernel.slots.schema.features import Table
from kernel.slots.schema.model import Argument, Filled, Wanted
from kernel.slots.schema.trust import ARGUMENT, Chosen, Trust, about
from kernel.slots.softmax import log_softmax

Floats = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]

RIDGE, _WHOLE_RIDGE = 1.0, 1.0


class Family(StrEnum):
    """Kinds of slots that share weights."""

    NUMBER = "number"
    TEXT = "text"
    TRUTH = "truth"
    CHOICE = "choice"
    SEVERAL = "several"


FAMILIES = {
    Wanted.WHOLE: Family.NUMBER,
    Wanted.NUMBER: Family.NUMBER,
    Wanted.TEXT: Family.TEXT,
    Wanted.TRUTH: Family.TRUTH,
    Wanted.CHOICE: Family.CHOICE,
    Wanted.SEVERAL: Family.SEVERAL,
}


@dataclass(frozen=True, slots=True)
class Ranker:
    """Weights [WIDTH] by family, of whole calls [len(WHOLE)], and those of the confidence."""

    weights: Mapping[Family, Floats]
    whole: Floats
    trust: Trust

    def fill(self, tables: Sequence[Table]) -> Filled:
        """Choose a value, or to leave it out, for every slot of a call."""
        best = self.choose(tables)
        sure = self.trust.arguments(best.figures)
        arguments = tuple(
            Argument(table.slot.name, guess.value, float(one), guess.first, guess.last)
            for table, at, one in zip(tables, best.call.chosen, sure, strict=True)
            for guess in [table.guesses[at]]
            if guess.source != "none"
        )
        return Filled(arguments, self.trust.confidence(sure, best))

    def choose(self, tables: Sequence[Table]) -> Chosen:
        """The best call, with what its confidence is made of."""
        scores, logs = self._logs(tables)
        found = calls(tables, logs)
        shares = log_softmax(np.array([one.figures for one in found]) @ self.whole)
        best = found[int(np.argmax(shares))]
        figures = [
            about(table, at, float(score[at]), float(log[at]))
            for table, at, score, log in zip(tables, best.chosen, scores, logs, strict=True)
        ]
        return Chosen(best, float(shares.max()), np.array(figures).reshape(len(tables), ARGUMENT))

    def calls(self, tables: Sequence[Table]) -> list[Call]:
        """The likeliest calls by the weights of the slots alone."""
        return calls(tables, self._logs(tables)[1])

    def _logs(self, tables: Sequence[Table]) -> tuple[list[Floats], list[Floats]]:
        """The scores of each slot's guesses, and their log probabilities."""
        scores = [table.rows @ self.weights[FAMILIES[table.slot.wanted]] for table in tables]
        return scores, [log_softmax(one) for one in scores]


def train(examples: Sequence[tuple[Table, Marks]]) -> dict[Family, Floats]:
    """Fit the weights to slots whose right guesses, one or more, are marked; slots without any are left out."""
    weights = {}
    for family in Family:
        own = [
            (table.rows, right) for table, right in examples if FAMILIES[table.slot.wanted] is family and right.any()
        ]
        weights[family] = _fit(own, WIDTH, RIDGE) if own else np.zeros(WIDTH)
    return weights


def train_whole(examples: Sequence[tuple[Sequence[Call], Marks]]) -> Floats:
    """Fit the weights of whole calls to sentences whose right calls are marked; sentences without any are left out."""
    own = [(np.array([one.figures for one in found]), right) for found, right in examples if right.any()]
    return _fit(own, len(WHOLE), _WHOLE_RIDGE) if own else by_sum()


def by_sum() -> Floats:
    """Weights of whole calls that keep them in the order of their sums."""
    weights = np.zeros(len(WHOLE))
    weights[WHOLE.index("sum")] = 1.0
    return weights


def _fit(own: Sequence[tuple[Floats, Marks]], width: int, ridge: float) -> Floats:
    def objective(point: Vector) -> tuple[float, Vector]:
        value, slope = ridge * float(point @ point), 2 * ridge * point
        for rows, right in own:
            log = log_softmax(rows @ point)
            shares = np.exp(log)
            mass = float(shares[right].sum())
            value -= np.log(max(mass, 1e-300))
            slope = slope + rows.T @ (shares - np.where(right, shares, 0.0) / max(mass, 1e-300))
        return value, slope

    return minimise(objective, np.zeros(width), steps=150)
