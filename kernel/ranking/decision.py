"""The decision: act, ask or decline, by how probable it is that the first tool is the one that is meant.

A logistic regression over what tells a sure choice from an unsure one: the first tool's share of the probability and
its lead, how spread the rest is, how near the request is to anything known (the tool's description, an accepted
request, the middle of the tool's requests). The cosine alone is no gate: it hardly tells whether the tool is there.
Where to act and where to ask are thresholds, as data, and all of it can be fitted to a person's own log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kernel.ranking.fitting import Doubles, fit_logistic
from kernel.ranking.model import Choice, Ranked, Verdict
from kernel.ranking.ranker import COSINE
from kernel.ranking.weights import Thresholds, shipped_thresholds

EVIDENCE = (
    "share", "lead", "spread", "cosine", "cosine_lead", "near", "near_lead", "centroid", "learnt", "example", "agreed",
    "unlogged",
)  # fmt: skip
_MEANT = ("text", "grams", "dense", "sentence", "near", "centroid", "learnt")


@dataclass(frozen=True, slots=True)
class Decider:
    """Decides by its thresholds. Immutable; ``decide`` is pure."""

    thresholds: Thresholds = field(default_factory=shipped_thresholds)

    def decide(self, ranked: Sequence[Ranked]) -> Verdict:
        """Return what to do about a request whose candidates are ``ranked``, best first; at least the best five."""
        if not ranked:
            return Verdict(Choice.DECLINE, 0.0, {})
        reasons = evidence(ranked)
        known = self.thresholds
        logit = known.bias + sum(known.values.get(name, 0.0) * value for name, value in reasons.items())
        probability = float(1.0 / (1.0 + np.exp(-np.clip(logit, -40.0, 40.0))))
        if probability >= known.act:
            return Verdict(Choice.ACT, probability, reasons)
        return Verdict(Choice.ASK if probability >= known.ask else Choice.DECLINE, probability, reasons)


def evidence(ranked: Sequence[Ranked]) -> dict[str, float]:
    """Return what tells how sure the first of ``ranked`` is, each about 0..1."""
    first = ranked[0]
    second = ranked[1] if len(ranked) > 1 else None
    shares = np.array([one.probability for one in ranked])
    spread = float(-(shares * np.log(np.maximum(shares, 1e-9))).sum())
    best = {name: max(one.reasons.get(name, 0.0) for one in ranked) for name in _MEANT}
    agreed = [first.reasons.get(name, 0.0) >= best[name] for name in _MEANT if best[name] > 0]
    return {
        "share": first.probability,
        "lead": first.probability - (second.probability if second else 0.0),
        "spread": spread,
        "cosine": first.reasons.get(COSINE, 0.0),
        "cosine_lead": _lead(first, ranked, COSINE),
        "near": first.reasons.get("near", 0.0),
        "near_lead": _lead(first, ranked, "near"),
        "centroid": first.reasons.get("centroid", 0.0),
        "learnt": first.reasons.get("learnt", 0.0),
        "example": first.reasons.get("example", 0.0),
        "agreed": sum(agreed) / len(agreed) if agreed else 0.0,
        "unlogged": float(best["near"] <= 0.0),
    }


def _lead(first: Ranked, ranked: Sequence[Ranked], name: str) -> float:
    return first.reasons.get(name, 0.0) - max((one.reasons.get(name, 0.0) for one in ranked[1:]), default=0.0)


def fitted(
    seen: Sequence[tuple[Mapping[str, float], bool, bool]], *, precision: float, wrong_acts: float, ask: float
) -> Decider:
    """Return a decider fitted to ``seen``: the evidence, whether the first tool was right, and whether the right one
    was there to be chosen.

    Acting begins where, among those whose tool was there, at least ``precision`` of the acts are right, and where it
    was not, at most ``wrong_acts`` of the requests are acted on. Raises ValueError when ``seen`` is empty.
    """
    if not seen:
        raise ValueError("a decision is fitted to at least one request")
    rows: Doubles = np.array([[one[name] for name in EVIDENCE] for one, _, _ in seen])
    right = np.array([ok for _, ok, _ in seen], float)
    there = np.array([is_there for _, _, is_there in seen], bool)
    bias, *values = fit_logistic(rows, right).tolist()
    logits = bias + rows @ np.array(values)
    chances = 1.0 / (1.0 + np.exp(-logits))
    act = _threshold(chances, right, there, precision, wrong_acts)
    return Decider(Thresholds(act, min(ask, act), bias, dict(zip(EVIDENCE, values, strict=True))))


def _threshold(chances: Doubles, right: Doubles, there: np.ndarray, precision: float, wrong_acts: float) -> float:
    """The lowest probability from which on both bounds hold; above 1 when they hold nowhere."""
    order = np.argsort(-chances, kind="stable")
    acts = np.cumsum(there[order])
    good = np.cumsum(right[order] * there[order])
    astray = np.cumsum(~there[order])
    absent = max(1, int((~there).sum()))
    fine = (good >= precision * np.maximum(acts, 1)) & (astray <= wrong_acts * absent)
    held = np.flatnonzero(fine)
    return float(chances[order[held[-1]]]) if len(held) else 1.01


def refitted(
    decider: Decider, own: Sequence[tuple[Mapping[str, float], bool, bool]], *, precision: float, fewest: int = 100
) -> Decider:
    """Return ``decider`` with the threshold for acting moved to where the person's own log has ``precision``.

    It never falls below what is shipped: a log holds only what was done, so it says little about what should not be.
    """
    if len(own) < fewest:
        return decider
    known = decider.thresholds
    rows = np.array([[one[name] for name in EVIDENCE] for one, _, _ in own])
    logits = known.bias + rows @ np.array([known.values.get(name, 0.0) for name in EVIDENCE])
    right = np.array([ok for _, ok, _ in own], float)
    act = _threshold(1.0 / (1.0 + np.exp(-logits)), right, np.ones(len(own), bool), precision, 1.0)
    return Decider(replace(known, act=max(act, shipped_thresholds().act)))
