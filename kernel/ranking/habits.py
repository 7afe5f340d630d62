"""What is usual: how often and at what time of day a tool is used, what follows what, and whether it works.

Each is a plain count over the requests of the past, newer ones counting more, so that a person can be told it: "used
14 times, last yesterday, mostly in the morning, after files.find in 6 of 9 cases, failed once".
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from kernel.ranking.model import Moment, Request

HALF_LIFE_S = 30 * 86_400.0
ORDER = 3
_HOURS = 2.0  # how far two times of day may be apart to be nearly the same
_HELD_BACK = 1.0  # per different follower, what an order of the chain leaves to the next lower one
_GOOD, _BAD = 4.0, 1.0  # calls that a new tool is thought to have had (Beta prior)


class Habits:
    """Counts over requests of the past, oldest first. Immutable after it is made."""

    def __init__(self, requests: Iterable[Request]) -> None:
        self._uses: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._follows: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self._good: Counter[str] = Counter()
        self._bad: Counter[str] = Counter()
        lines: dict[str, list[str]] = defaultdict(list)
        for request in requests:
            self._bad.update(request.failed)
            if not request.accepted:
                self._bad.update(tool for tool in request.tools if tool not in request.failed)
                continue
            line = lines[request.conversation]
            for tool in request.tools:
                self._good[tool] += 1
                self._uses[tool].append((request.at_s, request.hour))
                for order in range(min(ORDER, len(line)) + 1):
                    self._follows[tuple(line[len(line) - order :])][tool] += 1
                line.append(tool)
        self._places = {tool: place for place, tool in enumerate(self._uses)}
        self._owners = np.repeat(
            np.arange(len(self._uses)), np.array([len(own) for own in self._uses.values()], np.intp)
        )
        self._times = np.array([at for own in self._uses.values() for at, _ in own], np.float64)

    def prior(self, tools: Sequence[str], now_s: float) -> list[float]:
        """Return how usual each tool is, 0..1: uses that halve with every 30 days, on a logarithmic scale."""
        ages = np.maximum(0.0, now_s - self._times) / HALF_LIFE_S
        fresh = np.log1p(np.bincount(self._owners, np.exp2(-ages), len(self._uses)))
        shares = (fresh / (fresh.max(initial=0.0) or 1.0)).tolist()
        return [shares[self._places[tool]] if tool in self._places else 0.0 for tool in tools]

    def hour(self, tools: Sequence[str], hour: float) -> list[float]:
        """Return how much of each tool's use is at this time of day, 0..1; unknown tools and times give 0."""
        return [self._at(tool, hour) for tool in tools]

    def _at(self, tool: str, hour: float) -> float:
        known = [one for _, one in self._uses.get(tool, ()) if one >= 0]
        if hour < 0 or not known:
            return 0.0
        near = sum(math.exp(-0.5 * (_apart(hour, one) / _HOURS) ** 2) for one in known)
        return near / (len(known) + 1.0)

    def follows(self, tools: Sequence[str], before: Sequence[str]) -> list[float]:
        """Return the probability of each tool after ``before``, orders 3..0 interpolated (Witten and Bell 1991)."""
        known = len(self._good) or 1
        chances = [1.0 / known if tool in self._good else 0.0 for tool in tools]
        for order in range(min(ORDER, len(before)) + 1):
            counts = self._follows.get(tuple(before[len(before) - order :]))
            if counts:
                total, kinds = sum(counts.values()), len(counts) * _HELD_BACK
                chances = [
                    (counts[tool] + kinds * chance) / (total + kinds)
                    for tool, chance in zip(tools, chances, strict=True)
                ]
        return chances

    def reliable(self, tools: Sequence[str]) -> list[float]:
        """Return how much more (or less) often each tool did what was meant than a new one is thought to, -1..1."""
        usual = _GOOD / (_GOOD + _BAD)
        return [
            (self._good[tool] + _GOOD) / (self._good[tool] + self._bad[tool] + _GOOD + _BAD) - usual for tool in tools
        ]

    def columns(self, tools: Sequence[str], moment: Moment) -> dict[str, list[float]]:
        """Return a column per habit for ``tools``."""
        return {
            "prior": self.prior(tools, moment.now_s),
            "hour": self.hour(tools, moment.hour),
            "next": self.follows(tools, moment.before),
            "reliable": self.reliable(tools),
        }


def _apart(one: float, other: float) -> float:
    apart = abs(one - other) % 24.0
    return min(apart, 24.0 - apart)
