"""Who may propose next: proposers have shares by the gain that they brought a second, and none is left without any.

Gain is log time of the best before over after. Both fade, so that who was useful early is not favoured for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpu_skills.search.model import Share

_FLOOR, _FADE, _PRIOR = 0.04, 0.97, 4.0


@dataclass(slots=True)
class _Credit:
    proposals: int = 0
    bests: int = 0
    seconds: float = 0.0
    gain: float = 0.0
    faded_seconds: float = 0.0
    faded_gain: float = 0.0


class Bandit:
    """Shares of proposers. ``weights`` are how much each is trusted before anything is known."""

    def __init__(self, weights: dict[str, float]) -> None:
        self._weights = weights
        self._credits = {name: _Credit() for name in weights}

    def credit(self, name: str, gain: float, seconds: float) -> None:
        """Write down what a proposal came to; ``gain`` is 0 where it is no new best."""
        for one in self._credits.values():
            one.faded_seconds, one.faded_gain = one.faded_seconds * _FADE, one.faded_gain * _FADE
        one = self._credits[name]
        one.proposals, one.bests = one.proposals + 1, one.bests + (gain > 0)
        one.seconds, one.gain = one.seconds + seconds, one.gain + gain
        one.faded_seconds, one.faded_gain = one.faded_seconds + seconds, one.faded_gain + gain

    def shares(self, names: Sequence[str]) -> dict[str, float]:
        """Return how likely each of ``names`` is asked next: at least the floor, in all 1."""
        rates = np.array([self._rate(name) for name in names])
        free = 1.0 - _FLOOR * len(names)
        return dict(zip(names, (_FLOOR + free * rates / rates.sum()).tolist(), strict=True))

    def order(self, chance: np.random.Generator) -> list[str]:
        """Return all proposers in a drawn order: the first is asked, the next where it has nothing to say."""
        names, drawn = list(self._weights), []
        while names:
            shares = self.shares(names)
            weights = np.array([shares[one] for one in names])
            drawn.append(names.pop(int(chance.choice(len(names), p=weights / weights.sum()))))
        return drawn

    def told(self) -> dict[str, Share]:
        """Return what each had and gave."""
        return {name: Share(one.proposals, one.bests, one.seconds, one.gain) for name, one in self._credits.items()}

    def _rate(self, name: str) -> float:
        """Return a proposer's gain a second, drawn to its weight times the mean of all while little is known of it."""
        total = sum(one.faded_gain for one in self._credits.values())
        spent = sum(one.faded_seconds for one in self._credits.values())
        times = max(sum(one.proposals for one in self._credits.values()), 1)
        if spent <= 0:
            return self._weights[name]
        mean_gain, mean_seconds = max(total, 1e-3) / times, spent / times
        one, weight = self._credits[name], self._weights[name]
        return (one.faded_gain + _PRIOR * weight * mean_gain) / (one.faded_seconds + _PRIOR * mean_seconds)
