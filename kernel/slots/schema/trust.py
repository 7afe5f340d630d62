"""How sure it is that every argument of a call is right.

The ranker only says which guess is better than the others of its slot; where none of them is right it is as sure as
ever. So each chosen argument is judged once more by itself, by a logistic curve over what is known of it, and the call
by another one over these and what it leaves unread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.slots.descent import Vector, minimise
from kernel.slots.schema.calls import WHOLE, Call
from kernel.slots.schema.columns import SINGLE
from kernel.slots.schema.features import Table
from kernel.slots.schema.model import Wanted

Floats = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]

_KINDS = tuple(Wanted)
ARGUMENT = SINGLE + len(_KINDS) + 4
"""How many figures there are of an argument."""
_OWN = "numbers_left names_left quotes_left words_left turned turned_twins missed".split()
_KEPT = [WHOLE.index(name) for name in _OWN]
CALL = len(_OWN) + 4
"""How many figures there are of a call."""
_ARGUMENT_RIDGE, _CALL_RIDGE = 100.0, 10.0
_MOST, _FAR = 5.0, 20.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """The best call, its log probability among the others found, and the figures of its arguments [slots, ARGUMENT]."""

    call: Call
    share: float
    figures: Floats


@dataclass(frozen=True, slots=True)
class Trust:
    """The weights of an argument [1 + ARGUMENT] and of a call [1 + CALL]; the first of each is the bias."""

    argument: Floats
    call: Floats

    def arguments(self, figures: Floats) -> Floats:
        """The probability [n] of each argument with ``figures`` [n, ARGUMENT]."""
        return _share(self.argument[0] + figures @ self.argument[1:])

    def confidence(self, arguments: Floats, best: Chosen) -> float:
        """The probability that all ``arguments`` of the ``best`` call are right."""
        return float(_share(self.call[0] + signs(arguments, best) @ self.call[1:]))

    @staticmethod
    def none() -> Trust:
        """Nothing learned: every argument and every call as likely right as wrong."""
        return Trust(np.zeros(1 + ARGUMENT), np.zeros(1 + CALL))


def about(table: Table, chosen: int, score: float, log: float) -> Floats:
    """The figures [ARGUMENT] of a chosen guess, whose ``score`` by the ranker is the ``log`` probability ``log``."""
    kind = [float(table.slot.wanted is one) for one in _KINDS]
    return np.array([*table.rows[chosen, :SINGLE], *kind, log, np.exp(log), score, table.slot.required])


def signs(arguments: Floats, best: Chosen) -> Floats:
    """The figures [CALL] of the ``best`` call, from the probabilities of its arguments."""
    logs = np.log(np.maximum(arguments, 1e-9)) if len(arguments) else np.zeros(1)
    kept = np.clip(best.call.figures[_KEPT], -_MOST, _MOST)
    return np.array([logs.sum(), logs.min(), logs.mean(), best.share, *kept])


def train_arguments(figures: Floats, right: Marks) -> Floats:
    """Fit the weights of an argument to which of those with ``figures`` [n, ARGUMENT] were ``right`` [n]."""
    return _fit(figures, right, _ARGUMENT_RIDGE)


def train_calls(figures: Floats, right: Marks) -> Floats:
    """Fit the weights of a call to which of those with ``figures`` [n, CALL] were ``right`` [n]."""
    return _fit(figures, right, _CALL_RIDGE)


def _share(scores: Floats) -> Floats:
    shares: Floats = 1 / (1 + np.exp(-np.clip(scores, -_FAR, _FAR)))
    return shares


def _fit(figures: Floats, right: Marks, ridge: float) -> Floats:
    """A logistic curve; the ridge is on weights of figures that are scaled to one spread."""
    spread = figures.std(axis=0)
    spread[spread < 1e-3] = 1.0
    rows = np.column_stack([np.ones(len(figures)), figures / spread])

    def objective(point: Vector) -> tuple[float, Vector]:
        shares = _share(rows @ point)
        value = -float(np.log(np.where(right, shares, 1 - shares) + 1e-12).sum())
        slope = rows.T @ (shares - right)
        slope[1:] += 2 * ridge * point[1:]
        return value + ridge * float(point[1:] @ point[1:]), slope

    point = minimise(objective, np.zeros(rows.shape[1]), steps=200)
    point[1:] /= spread
    return point
