"""A linear-chain conditional random field over dense features (Lafferty et al. 2001), trained with L-BFGS.

Scores of a sentence of T tokens and L labels: emissions features @ weights [T, L] plus transitions [L + 1, L], whose
last row is the start. Sentences of one batch are padded to the longest one; padding counts for nothing. Oracle:
enumeration of all label sequences (``tests/kernel/slots/test_chain.py``), tolerance 1e-8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernel.slots.descent import Vector, minimise

Floats = npt.NDArray[np.float64]
Labels = Sequence[npt.NDArray[np.intp]]


@dataclass(frozen=True, slots=True)
class Chain:
    """Trained weights [D, L] and transitions [L + 1, L]."""

    weights: Floats
    transitions: Floats

    def emissions(self, features: Floats) -> Floats:
        """Scores [T, L] of the tokens with ``features`` [T, D]."""
        scores: Floats = features @ self.weights
        return scores

    def marginals(self, features: Floats) -> Floats:
        """Probabilities [T, L] of each label at each token, given the whole sentence."""
        batch = _Batch([features], None)
        single: Floats = batch.posteriors(self.emissions(features)[None], self.transitions)[1][0]
        return single


def train(
    features: Sequence[Floats], labels: Labels, count: int, *, ridge: float | Floats, smooth: float, steps: int = 80
) -> Chain:
    """Fit sentences of ``features`` [T, D] with ``labels`` [T] in 0..count-1.

    ``ridge`` is half the inverse prior variance of a weight, one number or one per feature [D]; ``smooth`` the same
    of a transition.
    """
    width = features[0].shape[1]
    batch = _Batch(features, labels)
    penalty = np.broadcast_to(np.asarray(ridge, dtype=np.float64), (width,))[:, None]
    observed = batch.observed(count)
    gold = batch.flat.T @ batch.one_hot(count)

    def objective(point: Vector) -> tuple[float, Vector]:
        weights = point[: width * count].reshape(width, count)
        transitions = point[width * count :].reshape(count + 1, count)
        emissions = batch.padded(batch.flat @ weights)
        total, single, pairs = batch.posteriors(emissions, transitions)
        reached = total - float((weights * gold).sum()) - float((transitions * observed).sum())
        slope = batch.flat.T @ single[batch.mask] - gold
        reached += float((penalty * weights * weights).sum()) + smooth * float((transitions * transitions).sum())
        edges = pairs - observed + 2 * smooth * transitions
        return reached, np.concatenate([(slope + 2 * penalty * weights).ravel(), edges.ravel()])

    point = minimise(objective, np.zeros(width * count + (count + 1) * count), steps=steps)
    return Chain(point[: width * count].reshape(width, count), point[width * count :].reshape(count + 1, count))


def viterbi(emissions: Floats, transitions: Floats) -> npt.NDArray[np.intp]:
    """The best label sequence [T] (Viterbi 1967)."""
    length, count = emissions.shape
    best = emissions[0] + transitions[count]
    back = np.zeros((length, count), dtype=np.intp)
    for at in range(1, length):
        scores = best[:, None] + transitions[:count]
        back[at] = scores.argmax(axis=0)
        best = scores.max(axis=0) + emissions[at]
    path = [int(best.argmax())]
    for at in range(length - 1, 0, -1):
        path.append(int(back[at, path[-1]]))
    return np.asarray(path[::-1], dtype=np.intp)


class _Batch:
    """Sentences laid side by side, [N, T], with a mask of the tokens that there are."""

    def __init__(self, features: Sequence[Floats], labels: Labels | None) -> None:
        lengths = np.asarray([len(sentence) for sentence in features])
        self.flat = np.concatenate(features).astype(np.float64)
        self.mask = np.arange(lengths.max())[None, :] < lengths[:, None]
        self._last = lengths - 1
        self._labels = labels

    def padded(self, rows: Floats) -> Floats:
        """Rows [tokens, L] as [N, T, L], zero where no token is."""
        result = np.zeros((*self.mask.shape, rows.shape[1]))
        result[self.mask] = rows
        return result

    def one_hot(self, count: int) -> Floats:
        """The labels as [tokens, L]."""
        assert self._labels is not None
        rows: Floats = np.eye(count)[np.concatenate(self._labels)]
        return rows

    def observed(self, count: int) -> Floats:
        """How often each label followed each other, [L + 1, L]."""
        assert self._labels is not None
        counts = np.zeros((count + 1, count))
        for sentence in self._labels:
            counts[count, sentence[0]] += 1
            np.add.at(counts, (sentence[:-1], sentence[1:]), 1)
        return counts

    def posteriors(self, emissions: Floats, transitions: Floats) -> tuple[float, Floats, Floats]:
        """Sum of log partition functions, label marginals [N, T, L], expected transitions [L + 1, L]."""
        number, length, count = emissions.shape
        forward, backward = np.zeros_like(emissions), np.zeros_like(emissions)
        forward[:, 0] = emissions[:, 0] + transitions[count]
        inner = transitions[:count]
        peak = inner.max()
        lift = np.exp(inner - peak)
        for at in range(1, length):
            reached = _through(forward[:, at - 1], lift) + peak + emissions[:, at]
            forward[:, at] = np.where(self.mask[:, at, None], reached, forward[:, at - 1])
        for at in range(length - 2, -1, -1):
            reached = _through(backward[:, at + 1] + emissions[:, at + 1], lift.T) + peak
            backward[:, at] = np.where(self.mask[:, at + 1, None], reached, 0.0)
        totals = _log_sum(forward[np.arange(number), self._last])
        single = np.exp(forward + backward - totals[:, None, None]) * self.mask[:, :, None]
        pairs = np.zeros((count + 1, count))
        pairs[count] = single[:, 0].sum(axis=0)
        if length > 1:
            before = np.exp(forward[:, :-1] - totals[:, None, None] / 2 - _shift(forward, totals))
            after = backward[:, 1:] + emissions[:, 1:] - totals[:, None, None] / 2 + _shift(forward, totals)
            later = np.exp(after) * self.mask[:, 1:, None]
            pairs[:count] = np.tensordot(before, later, axes=([0, 1], [0, 1])) * np.exp(inner)
        return float(totals.sum()), single, pairs


def _shift(forward: Floats, totals: Floats) -> Floats:
    """Splits log P between what lies before an edge and after it, so that neither factor overflows."""
    result: Floats = forward[:, :-1].max(axis=2, keepdims=True) - totals[:, None, None] / 2
    return result


def _through(scores: Floats, lift: Floats) -> Floats:
    """log(exp(scores) @ lift), row by row."""
    peak = scores.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        result: Floats = np.log(np.exp(scores - peak) @ lift) + peak
    return result


def _log_sum(scores: Floats) -> Floats:
    peak = scores.max(axis=1)
    result: Floats = np.log(np.exp(scores - peak[:, None]).sum(axis=1)) + peak
    return result
