"""Fitting: weights of a linear choice among candidates, a logistic regression, and the minimiser under both.

``fit_choice`` is the conditional logit (McFadden 1974): each request is a choice among its candidates, and the weights
stay near where they began unless the log says otherwise. ``fit_logistic`` gives a calibrated probability (Platt 1999).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Loss = Callable[[Doubles], tuple[float, Doubles]]

_MEMORY = 10
_TRIALS = 20


def minimise(loss: Loss, start: Doubles, *, rounds: int = 100, tolerance: float = 1e-6) -> Doubles:
    """Return where ``loss`` (value and gradient) is least, by L-BFGS (Liu and Nocedal 1989) with halved steps."""
    at = start.astype(np.float64)
    value, slope = loss(at)
    pairs: deque[tuple[Doubles, Doubles]] = deque(maxlen=_MEMORY)
    for _ in range(rounds):
        if float(np.abs(slope).max(initial=0.0)) < tolerance:
            break
        way = _direction(slope, pairs)
        step = 1.0 if pairs else min(1.0, 1.0 / max(float(np.abs(slope).sum()), 1e-12))
        for _ in range(_TRIALS):
            there = at + step * way
            found, its_slope = loss(there)
            if found <= value + 1e-4 * step * float(slope @ way):
                break
            step *= 0.5
        else:
            break
        moved, bent = there - at, its_slope - slope
        if float(moved @ bent) > 1e-12:
            pairs.append((moved, bent))
        at, slope = there, its_slope
        if value - found < tolerance * max(1.0, abs(value)) * 1e-3:
            break
        value = found
    return at


def _direction(slope: Doubles, pairs: deque[tuple[Doubles, Doubles]]) -> Doubles:
    way = -slope
    shares = []
    for moved, bent in reversed(pairs):
        share = float(moved @ way) / float(moved @ bent)
        shares.append(share)
        way = way - share * bent
    if pairs:
        moved, bent = pairs[-1]
        way = way * (float(moved @ bent) / float(bent @ bent))
    for (moved, bent), share in zip(pairs, reversed(shares), strict=True):
        way = way + moved * (share - float(bent @ way) / float(moved @ bent))
    return way


def fit_choice(
    groups: Sequence[tuple[Doubles, int]], start: Doubles, *, pull: float, floor: Doubles | None = None
) -> Doubles:
    """Return weights under which the candidate that was meant is most probable among its own.

    ``groups`` holds for each request its candidates' reasons [candidates, reasons] and the place of the one meant;
    ``pull`` is how strongly the weights are held to ``start``; none falls below ``floor``.
    """
    if not groups:
        return start
    rows = np.concatenate([features for features, _ in groups])
    counts = np.array([len(features) for features, _ in groups])
    first = np.cumsum(counts) - counts
    meant = first + np.array([place for _, place in groups])

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        scores = rows @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, first), counts)
        grown = np.exp(scores)
        sums = np.add.reduceat(grown, first)
        shares = grown / np.repeat(sums, counts)
        apart = weights - start
        value = float((np.log(sums) - scores[meant]).sum()) / len(groups) + 0.5 * pull * float(apart @ apart)
        slope = (rows * shares[:, None]).sum(axis=0) - rows[meant].sum(axis=0)
        return value, slope / len(groups) + pull * apart

    found = minimise(loss, start)
    return found if floor is None else np.maximum(found, floor)


def fit_logistic(features: Doubles, right: Doubles, *, pull: float = 1e-3) -> Doubles:
    """Return [bias, weights...] of a logistic regression of ``right`` (0 or 1) [n] on ``features`` [n, k]."""
    rows = np.column_stack([np.ones(len(features)), features])

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        scores = rows @ weights
        value = float(np.logaddexp(0.0, scores).mean() - (scores * right).mean())
        chance = 1.0 / (1.0 + np.exp(-np.clip(scores, -40, 40)))
        own = np.append(0.0, weights[1:])
        return value + 0.5 * pull * float(own @ own), rows.T @ (chance - right) / len(rows) + pull * own

    return minimise(loss, np.zeros(rows.shape[1]))


def fit_classes(
    rows: npt.NDArray[np.float32], classes: npt.NDArray[np.intp], *, pull: float
) -> npt.NDArray[np.float32]:
    """Return the weights [features + 1, classes] of a multinomial logistic regression; the last row is the bias."""
    count = int(classes.max()) + 1
    wide = np.column_stack([rows, np.ones(len(rows), np.float32)]).astype(np.float32)
    held = np.append(np.ones(rows.shape[1], np.float32), np.float32(0.01))[:, None]

    def loss(flat: Doubles) -> tuple[float, Doubles]:
        weights = flat.reshape(wide.shape[1], count).astype(np.float32)
        scores = wide @ weights
        scores -= scores.max(axis=1, keepdims=True)
        grown = np.exp(scores)
        sums = grown.sum(axis=1)
        picked = np.arange(len(rows)), classes
        value = float((np.log(sums) - scores[picked]).mean()) + 0.5 * pull * float((held * weights * weights).sum())
        shares = grown / sums[:, None]
        shares[picked] -= 1.0
        slope = wide.T @ shares / len(rows) + pull * held * weights
        return value, slope.ravel().astype(np.float64)

    found = minimise(loss, np.zeros(wide.shape[1] * count), rounds=80, tolerance=1e-5)
    return found.reshape(wide.shape[1], count).astype(np.float32)
