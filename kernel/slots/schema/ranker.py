"""A log-linear ranker of guesses, one set of weights for each kind of slot, and the choice of a whole call.

P(guess | slot) is a softmax over the guesses of the slot, "left out" among them. Slots of one call are filled together:
a beam over the slots, the surest first, no two values from the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kernel.slots.descent import Vector, minimise
from kernel.slots.schema.features import WIDTH, Table
from kernel.slots.schema.model import Argument, Filled, Wanted

Floats = npt.NDArray[np.float64]

BEAM, MOST_GUESSES = 12, 12
MISSED = 8.0
"""What a call loses for a required slot that nothing in the sentence can fill."""
RIDGE = 1.0
SIGNS = 6
_SALIENT = frozenset({"number", "percent", "quoted", "name", "bracket", "date"})


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
    """Weights [WIDTH] by family, and those of the confidence: bias and one per figure of ``_signs``."""

    weights: Mapping[Family, Floats]
    trust: Floats

    def fill(self, tables: Sequence[Table]) -> Filled:
        """Choose a value, or to leave it out, for every slot of a call."""
        logs = [_log_softmax(table.rows @ self.weights[FAMILIES[table.slot.wanted]]) for table in tables]
        chosen, signs = _choose(tables, logs)
        arguments = tuple(
            Argument(table.slot.name, guess.value, float(np.exp(log[at])), guess.first, guess.last)
            for table, log, at in zip(tables, logs, chosen, strict=True)
            for guess in [table.guesses[at]]
            if guess.source != "none"
        )
        return Filled(arguments, float(1 / (1 + np.exp(-(self.trust[0] + signs @ self.trust[1:])))))

    def signs(self, tables: Sequence[Table]) -> Floats:
        """The figures that the confidence is made of."""
        logs = [_log_softmax(table.rows @ self.weights[FAMILIES[table.slot.wanted]]) for table in tables]
        return _choose(tables, logs)[1]


def train(examples: Sequence[tuple[Table, npt.NDArray[np.bool_]]]) -> dict[Family, Floats]:
    """Fit the weights to slots whose right guesses, one or more, are marked; slots without any are left out."""
    weights = {}
    for family in Family:
        own = [
            (table.rows, right) for table, right in examples if FAMILIES[table.slot.wanted] is family and right.any()
        ]
        weights[family] = _fit(own) if own else np.zeros(WIDTH)
    return weights


def train_trust(signs: Floats, right: npt.NDArray[np.bool_]) -> Floats:
    """Fit the confidence, a logistic curve over ``signs`` [n, SIGNS], to which calls were ``right`` [n]."""
    rows = np.column_stack([np.ones(len(signs)), signs])

    def objective(point: Vector) -> tuple[float, Vector]:
        scores = np.clip(rows @ point, -30, 30)
        shares = 1 / (1 + np.exp(-scores))
        value = -float(np.log(np.where(right, shares, 1 - shares) + 1e-12).sum()) + 0.05 * float(point[1:] @ point[1:])
        slope = rows.T @ (shares - right)
        slope[1:] += 0.1 * point[1:]
        return value, slope

    return minimise(objective, np.zeros(rows.shape[1]), steps=200)


def _fit(own: Sequence[tuple[Floats, npt.NDArray[np.bool_]]]) -> Floats:
    def objective(point: Vector) -> tuple[float, Vector]:
        value, slope = RIDGE * float(point @ point), 2 * RIDGE * point
        for rows, right in own:
            log = _log_softmax(rows @ point)
            shares = np.exp(log)
            mass = float(shares[right].sum())
            value -= np.log(max(mass, 1e-300))
            slope = slope + rows.T @ (shares - np.where(right, shares, 0.0) / max(mass, 1e-300))
        return value, slope

    return minimise(objective, np.zeros(WIDTH), steps=150)


def _choose(tables: Sequence[Table], logs: Sequence[Floats]) -> tuple[list[int], Floats]:
    """The likeliest guesses that share no word, and the signs of how sure that is."""
    order = sorted(range(len(tables)), key=lambda at: -float(logs[at].max()))
    beams: list[tuple[float, tuple[int, ...], frozenset[int]]] = [(0.0, (), frozenset())]
    for at in order:
        grown = []
        best = np.argsort(-logs[at])[:MOST_GUESSES]
        best = best[best > 0] if tables[at].slot.required else best
        for score, path, used in beams:
            for choice in {*map(int, best), *([] if tables[at].slot.required else [0])}:
                guess = tables[at].guesses[choice]
                words = frozenset(range(guess.first, guess.last))
                if not words & used:
                    grown.append((score + float(logs[at][choice]), (*path, choice), used | words))
        grown = grown or [(score - MISSED, (*path, 0), used) for score, path, used in beams]
        beams = sorted(grown, key=lambda beam: -beam[0])[:BEAM]
    chosen = [0] * len(tables)
    for at, choice in zip(order, beams[0][1], strict=True):
        chosen[at] = choice
    own = [float(logs[at][chosen[at]]) for at in range(len(tables))] or [0.0]
    lead = beams[0][0] - beams[1][0] if len(beams) > 1 else 5.0
    return chosen, np.array(
        [sum(own), min(own), min(lead, 5.0), len(tables), _left_over(tables, chosen), _free(tables)]
    )


def _left_over(tables: Sequence[Table], chosen: Sequence[int]) -> float:
    """How many words of numbers, names and quotations nothing was read from: what was said and is not in the call."""
    taken = [table.guesses[at] for table, at in zip(tables, chosen, strict=True)]
    used = {word for guess in taken for word in range(guess.first, guess.last)}
    said = {
        word
        for table in tables
        for guess in table.guesses
        if guess.source in _SALIENT and guess.first
        for word in range(guess.first, guess.last)
    }
    return float(min(len(said - used), 5))


def _free(tables: Sequence[Table]) -> float:
    """How many required slots take any words at all."""
    return float(sum(table.slot.required and table.slot.wanted in {Wanted.TEXT, Wanted.SEVERAL} for table in tables))


def _log_softmax(scores: Floats) -> Floats:
    scores = scores - scores.max()
    result: Floats = scores - np.log(np.exp(scores).sum())
    return result
