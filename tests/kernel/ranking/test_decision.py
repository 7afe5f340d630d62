"""The decision: probable enough to act, else ask, else decline; bounds hold on what it was fitted to."""

from __future__ import annotations

import numpy as np
import pytest

from kernel.ranking import Decider, Ranked
from kernel.ranking.decision import EVIDENCE, evidence, fitted, refitted
from kernel.ranking.model import Choice
from kernel.ranking.weights import Thresholds


def _ranked(first: float, second: float, cosine: float = 0.5) -> list[Ranked]:
    return [Ranked("a", 2.0, first, {"cosine": cosine, "dense": 1.0}), Ranked("b", 1.0, second, {"cosine": 0.2})]


def test_a_clear_lead_acts_a_narrow_one_asks_and_none_declines() -> None:
    decider = Decider(Thresholds(act=0.8, ask=0.3, bias=-2.0, values={"lead": 5.0}))
    assert decider.decide(_ranked(0.95, 0.05)).choice is Choice.ACT
    asked = decider.decide(_ranked(0.7, 0.3))
    assert asked.choice is Choice.ASK
    assert 0.3 <= asked.probability < 0.8
    assert asked.reasons["lead"] == pytest.approx(0.4)
    assert decider.decide(_ranked(0.5, 0.5)).choice is Choice.DECLINE
    assert decider.decide([]).choice is Choice.DECLINE


def test_evidence_is_complete_and_finite() -> None:
    for ranked in (_ranked(0.9, 0.1), _ranked(1.0, 0.0)[:1]):
        told = evidence(ranked)
        assert set(told) == set(EVIDENCE)
        assert all(np.isfinite(value) for value in told.values())


def _seen(count: int, seed: int) -> list[tuple[dict[str, float], bool, bool]]:
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        lead, there = float(random.random()), bool(random.random() < 0.8)
        right = there and bool(random.random() < lead**0.3)
        found.append((dict.fromkeys(EVIDENCE, 0.0) | {"lead": lead if there else lead * 0.5}, right, there))
    return found


def test_fitted_bounds_hold_on_other_requests() -> None:
    decider = fitted(_seen(4_000, 1), precision=0.95, wrong_acts=0.05, ask=0.3)
    acted = [(right, there) for one, right, there in _seen(4_000, 2) if _chance(decider, one) >= decider.thresholds.act]
    assert np.mean([right for right, there in acted if there]) >= 0.93
    assert len([1 for _, there in acted if not there]) / 800 <= 0.07


def test_bounds_that_hold_nowhere_never_act() -> None:
    never = fitted([(dict.fromkeys(EVIDENCE, 1.0), False, True)] * 20, precision=0.9, wrong_acts=0.0, ask=0.3)
    assert never.thresholds.act > 1.0
    with pytest.raises(ValueError, match="at least one"):
        fitted([], precision=0.9, wrong_acts=0.1, ask=0.3)


def test_an_own_log_never_lowers_what_is_shipped() -> None:
    sure = [(dict.fromkeys(EVIDENCE, 1.0), True, True)] * 200
    assert refitted(Decider(), sure, precision=0.9).thresholds.act >= Decider().thresholds.act
    assert refitted(Decider(), sure[:10], precision=0.9) == Decider()


def _chance(decider: Decider, told: dict[str, float]) -> float:
    known = decider.thresholds
    return float(1 / (1 + np.exp(-(known.bias + sum(known.values[name] * value for name, value in told.items())))))
