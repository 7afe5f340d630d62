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


def near_closed(times: Mapping[Items, int], general: Mapping[str, str], closed: float) -> list[Items]:
    """Return the sequences of which no longer or more particular one has at least ``closed`` of the support.

    Step by step first, which leaves few of very many; what is left is held against each other, since a step between two
    of them need not be counted.
    """
    parts = {
        part
        for items, count in times.items()
        for part in weakened(items, general)
        if part in times and count >= closed * times[part]
    }
    left = [items for items in times if items not in parts]
    holding: dict[str, list[Items]] = {}
    for items in left:
        for item in set().union(*(_widths(item, general) for item in items)):
            holding.setdefault(item, []).append(items)
    return [
        items
        for items in left
        if not any(
            whole is not items and times[whole] >= closed * times[items] and holds(whole, items, general)
            for whole in min((holding[item] for item in items), key=len)
        )
    ]


def holds(whole: Items, part: Items, general: Mapping[str, str]) -> bool:
    """Tell whether ``whole`` is ``part`` with more items, or with more particular ones."""
    rest = iter(whole)
    return len(whole) >= len(part) and all(any(item in _widths(one, general) for one in rest) for item in part)


def _widths(item: str, general: Mapping[str, str]) -> Iterator[str]:
    """Yield an item and what is more general, the most particular first."""
    yield item
    while item in general:
        item = general[item]
        yield item
