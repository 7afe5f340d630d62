"""Fitting: the minimiser against closed forms, the choice and the logistic regression against what made the data."""

from __future__ import annotations

import numpy as np

from kernel.ranking.fitting import fit_choice, fit_classes, fit_logistic, minimise


def test_a_quadratic_is_minimised_where_its_solve_says() -> None:
    random = np.random.default_rng(1)
    root = random.normal(size=(12, 12))
    matrix, vector = root @ root.T + np.eye(12), random.normal(size=12)
    found = minimise(lambda at: (float(0.5 * at @ matrix @ at - vector @ at), matrix @ at - vector), np.zeros(12))
    assert np.allclose(found, np.linalg.solve(matrix, vector), atol=1e-3)


def test_a_choice_finds_the_reason_that_decides() -> None:
    random = np.random.default_rng(2)
    groups = []
    for _ in range(300):
        rows = random.random((5, 3))
        groups.append((rows, int(np.argmax(3.0 * rows[:, 1] + 0.3 * random.gumbel(size=5)))))
    found = fit_choice(groups, np.array([1.0, 1.0, 1.0]), pull=1e-3, floor=np.zeros(3))
    assert found[1] > 4 * max(found[0], found[2])
    assert (found >= 0).all()
    held = fit_choice(groups, np.array([1.0, 1.0, 1.0]), pull=1e3)
    assert np.allclose(held, 1.0, atol=0.01)
    assert np.array_equal(fit_choice([], np.ones(2), pull=1.0), np.ones(2))


def test_a_probability_is_calibrated() -> None:
    random = np.random.default_rng(3)
    rows = random.normal(size=(4_000, 2))
    chance = 1 / (1 + np.exp(-(0.5 + 2.0 * rows[:, 0])))
    found = fit_logistic(rows, (random.random(4_000) < chance).astype(float))
    assert np.allclose(found, [0.5, 2.0, 0.0], atol=0.2)


def test_classes_are_told_apart() -> None:
    random = np.random.default_rng(4)
    middles = np.eye(6, 20)
    classes = np.repeat(np.arange(6), 10)
    rows = (middles[classes] + 0.2 * random.normal(size=(60, 20))).astype(np.float32)
    weights = fit_classes(rows, classes, pull=1e-3)
    assert ((rows @ weights[:-1] + weights[-1]).argmax(axis=1) == classes).mean() > 0.97
