"""How telling a sequence is: log-lift x sqrt(support), and what is only a part of another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from memory.sequences.model import Items


def log_lift(support: float, parts: Iterable[float], sessions: float) -> float:
    """Return how much oftener items come together than they would by chance, as a natural logarithm.

    ``support`` sessions of ``sessions`` have all of them, and each of ``parts`` says how many have one.
    """
    if support <= 0 or sessions <= 0:
        return 0.0
    chance = sum(math.log(max(part, support) / sessions) for part in parts)
    return math.log(support / sessions) - chance


def weakened(items: Items, general: Mapping[str, str]) -> Iterator[Items]:
    """Yield what a sequence contains with one item less, or with one that is more general."""
    for place, item in enumerate(items):
        if len(items) > 2:  # of two one would be left, which is no sequence
            yield items[:place] + items[place + 1 :]
        if item in general:
            yield (*items[:place], general[item], *items[place + 1 :])


def near_closed(times: Mapping[Items, int], general: Mapping[str, str], closed: float) -> Iterator[Items]:
    """Yield the sequences of which no longer or more particular one has at least ``closed`` of the support."""
    parts = {
        part
        for items, count in times.items()
        for part in weakened(items, general)
        if part in times and count >= closed * times[part]
    }
    return (items for items in times if items not in parts)
