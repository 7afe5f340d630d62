"""The chain against enumeration of all label sequences; the descent against a quadratic's known minimum."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from kernel.slots.chain import Chain, train, viterbi
from kernel.slots.descent import minimise
from kernel.slots.model import Floats

LABELS = 3


def _enumerate(scores: Floats, transitions: Floats) -> tuple[Floats, tuple[int, ...]]:
    """Marginals [T, L] and the best sequence, by looking at every sequence."""
    sequences = list(product(range(LABELS), repeat=len(scores)))
    totals = np.array(
        [
            sum(scores[at, label] for at, label in enumerate(labels))
            + transitions[LABELS, labels[0]]
            + sum(transitions[left, right] for left, right in pairwise(labels))
            for labels in sequences
        ]
    )
    shares = np.exp(totals - totals.max())
    shares /= shares.sum()
    marginals = np.zeros_like(scores)
    for labels, share in zip(sequences, shares, strict=True):
        marginals[range(len(labels)), labels] += share
    return marginals, sequences[int(totals.argmax())]


@pytest.mark.parametrize("length", [1, 2, 5])
def test_marginals_and_the_best_path_are_those_of_enumeration(length: int) -> None:
    random = np.random.default_rng(length)
    scores, transitions = random.normal(size=(length, LABELS)) * 3, random.normal(size=(LABELS + 1, LABELS))
    marginals, best = _enumerate(scores, transitions)
    chain = Chain(np.eye(LABELS), transitions)
    assert np.abs(chain.marginals(scores) - marginals).max() < 1e-8
    assert tuple(viterbi(scores, transitions)) == best


def test_training_learns_a_rule_that_only_the_neighbour_gives() -> None:
    """After a 1 comes a 2, whatever the features: only transitions can know."""
    random = np.random.default_rng(0)
    features, labels = [], []
    for _ in range(30):
        row = np.array([0, 1, 2, 0, 1, 2][: random.integers(3, 7)], dtype=np.intp)
        seen = np.zeros((len(row), 2))
        seen[row == 1, 0] = 1
        seen[:, 1] = random.normal(size=len(row))
        features.append(seen)
        labels.append(row)
    chain = train(features, labels, LABELS, ridge=0.01, smooth=0.01)
    path = viterbi(chain.emissions(features[0]), chain.transitions)
    assert list(path) == list(labels[0])


def test_descent_finds_the_minimum_of_a_quadratic() -> None:
    matrix = np.diag(np.arange(1.0, 21.0))
    target = np.linspace(-1, 1, 20)

    def objective(point: Floats) -> tuple[float, Floats]:
        off = point - target
        return float(off @ matrix @ off), 2 * matrix @ off

    assert np.abs(minimise(objective, np.zeros(20), tolerance=1e-8) - target).max() < 1e-6
