"""Refit: the weights move towards what the person chose, or stay: a refit that loses on held-back requests is dropped.

The log is cut in time, not at random: weights are fitted on the older three quarters and tried on the newest quarter,
against the weights in use. They are kept when they place more of the held-back requests first, or as many and are surer
of them. Every trial is written down, kept or not (after EvolveMem's guarded tuning; here only numbers move).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernel.ranking.fitting import Doubles, fit_choice
from kernel.ranking.log import Shown
from kernel.ranking.weights import Weights
from memory.model import Json

FEWEST = 40
"""Choices that a refit needs."""
EVERY = 20
"""New ones since the last refit that make another worth while."""
HELD_BACK = 0.25
PULL = 0.02
_UNIT = 1.0  # a probability's temperature while fitting: scores of candidates lie a few units apart


@dataclass(frozen=True, slots=True)
class Trial:
    """What a refit came to: ``before`` and ``after`` are shares of held-back requests whose tool came first."""

    kept: bool
    before: float
    after: float
    surer: float
    requests: int
    weights: Weights

    def to_json(self) -> dict[str, Json]:
        """Return the body of its event."""
        return {
            "kept": self.kept, "before": round(self.before, 4), "after": round(self.after, 4),
            "surer": round(self.surer, 4), "requests": self.requests,
            "weights": {name: round(value, 4) for name, value in self.weights.values.items()} if self.kept else {},
        }  # fmt: skip


def refit(choices: Sequence[Shown], weights: Weights) -> Trial | None:
    """Try weights fitted on the older ``choices`` on the newest; None when there are too few to say anything.

    No weight changes its sign: a reason that speaks for a tool is never turned into one against it.
    """
    telling = [one for one in choices if len(one.reasons) > 1]
    if len(telling) < FEWEST:
        return None
    names = list(weights.values)
    start = np.array([weights.values[name] for name in names])
    groups = [(_rows(one.reasons, names), one.meant) for one in telling]
    cut = int(len(groups) * (1 - HELD_BACK))
    sign = np.where(start < 0, -1.0, 1.0)
    turned = [(rows * sign, meant) for rows, meant in groups[:cut]]
    fitted = fit_choice(turned, start * sign, pull=PULL, floor=np.zeros(len(names))) * sign
    before, sure_before = _measure(groups[cut:], start)
    after, sure_after = _measure(groups[cut:], fitted)
    kept = after > before or (after == before and sure_after > sure_before)
    better = weights.with_values(dict(zip(names, fitted.tolist(), strict=True))) if kept else weights
    return Trial(kept, before, after, sure_after - sure_before, len(choices), better)


def _rows(reasons: Sequence[Mapping[str, float]], names: Sequence[str]) -> Doubles:
    return np.array([[float(one.get(name, 0.0)) for name in names] for one in reasons])


def _measure(groups: Sequence[tuple[Doubles, int]], weights: Doubles) -> tuple[float, float]:
    """How many came first, and the mean log-probability of what was meant."""
    first = sure = 0.0
    for rows, meant in groups:
        scores = rows @ weights / _UNIT
        first += float(scores[meant] >= scores.max() and (scores == scores.max()).sum() == 1)
        sure += float(scores[meant] - scores.max() - np.log(np.exp(scores - scores.max()).sum()))
    return first / len(groups), sure / len(groups)
