"""Lines that differ, as a unified diff; of what is too large to be compared line by line, all between two like ends."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from itertools import takewhile

_MOST_PAIRS = 25_000_000


def differences(old: Sequence[str], new: Sequence[str], before: str, name: str) -> Iterator[str]:
    """Yield the lines of a unified diff."""
    if len(old) * len(new) <= _MOST_PAIRS:
        yield from difflib.unified_diff(old, new, before, name, lineterm="")
        return
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
    if gone or come:
        yield from (f"--- {before}", f"+++ {name}")
        yield f"@@ -{head + 1},{len(gone)} +{head + 1},{len(come)} @@"
        yield from (f"-{line}" for line in gone)
        yield from (f"+{line}" for line in come)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines are the same from the beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
