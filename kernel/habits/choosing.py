"""Which of the sequences that were found are habits: each deed counts for one of them, the most telling first.

So a part of a habit is none, nor is a wider form of one. A sequence in which something was refused, failed, was taken
back or was decided by others takes its deeds with it, and is never returned.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from kernel.habits.deeds import FindTool
from kernel.habits.items import AGAINST
from kernel.habits.kin import are_kin
from kernel.habits.model import Deed, Pattern, Seen
from kernel.habits.rhythm import Rhythm, rhythm_of
from kernel.habits.slots import steps_of
from memory.sequences import Found, Miner

LEAST_TIMES = 3
"""So often, and on so many days, something was seen before it is a habit."""
LEAST_SCORE = 4.0
LEAST_SURPRISE = 11.0
"""What would come about by chance once in e^11 (likelihood ratio of a Poisson count): many sequences are looked at."""
LEAST_HELD = 0.5
MOST = 100
"""So many patterns are returned, the most telling ones."""
_BASED_ON = 24
"""So many of the last times say how an argument generalises."""
_TAKEN_BACK = 0.34
"""Where so many of the times were taken back it is no habit."""
_RUNS = 8

Instance = tuple[Deed, ...]


@dataclass(slots=True)
class Choosing:
    """Chooses once. ``deeds`` are those of a session by its number; ``undone`` the runs that were taken back."""

    miner: Miner
    deeds: Mapping[int, tuple[Deed, ...]]
    undone: frozenset[str]
    tool: FindTool
    taken: set[tuple[str, int]] = field(default_factory=set)

    def choose(self, found: Sequence[Found]) -> tuple[Pattern, ...]:
        """Return the habits among ``found``, which has the most telling one first."""
        chosen: list[Pattern] = []
        for one in found:
            if one.score < LEAST_SCORE or len(chosen) >= MOST:
                break
            free = [deeds for deeds in self._instances(one) if not self._is_taken(deeds)]
            good = [deeds for deeds in free if not self._is_against(deeds)]
            if len(free) - len(good) > _TAKEN_BACK * len(free):
                self._take(free)
                continue
            pattern = self._pattern(one, good)
            if pattern is None:
                continue
            self._take(free)
            if not any(are_kin(pattern, other) for other in chosen):
                chosen.append(pattern)
        return tuple(chosen)

    def _instances(self, one: Found) -> Iterator[Instance]:
        for seen in one.occurrences:
            known = self.deeds.get(seen.session)
            if known is not None:
                yield tuple(known[place] for place in seen.places)

    def _is_taken(self, deeds: Instance) -> bool:
        return any((one.run, one.step) in self.taken for one in deeds)

    def _is_against(self, deeds: Instance) -> bool:
        return any(one.against or one.run in self.undone for one in deeds)

    def _take(self, instances: Sequence[Instance]) -> None:
        self.taken.update((one.run, one.step) for deeds in instances for one in deeds)

    def _pattern(self, one: Found, good: Sequence[Instance]) -> Pattern | None:
        days = {deeds[0].at.date() for deeds in good}
        if len(days) < LEAST_TIMES or any(self.tool(deed.tool) is None for deed in good[-1]):
            return None
        if any(item.startswith(AGAINST) for item in one.items):
            return None
        support = one.support * len(days) / len(one.occurrences)  # a day counts once
        score = one.lift * math.sqrt(support)
        if score < LEAST_SCORE or surprise(support, one.lift) < LEAST_SURPRISE:
            return None
        rhythm = rhythm_of([deeds[0].at for deeds in good])
        followed, chances = self.miner.held(one.items, _fits(rhythm, good[-1][0].at))
        held = followed / chances if chances else 0.0
        if held < LEAST_HELD:
            return None
        seen = Seen(
            times=len(good), first=good[0][0].at, last=good[-1][0].at, days=len(days), held=round(held, 3),
            score=round(score, 3), saves=len({deed.run for deed in good[-1]}),
            runs=tuple(dict.fromkeys(deed.run for deeds in good[-_RUNS:] for deed in deeds)),
            weekdays=rhythm.weekdays, hour=rhythm.hour,
        )  # fmt: skip
        return Pattern(key_of(one.items), steps_of(good[-_BASED_ON:], self.tool), seen)


def surprise(support: float, lift: float) -> float:
    """Return how unlikely ``support`` times are by chance, as a logarithm; ``lift`` is that of how many more."""
    return support * lift - support + support * math.exp(-lift)


def key_of(items: Sequence[str]) -> str:
    """Return what tells a pattern from every other, over restarts."""
    return hashlib.sha256("\n".join(items).encode()).hexdigest()[:16]


def _fits(rhythm: Rhythm, last: datetime) -> Callable[[float], bool]:
    """Return what tells whether a time in seconds is one at which the pattern comes, on the clock of its last time."""
    return lambda at_s: rhythm.fits(datetime.fromtimestamp(at_s, last.tzinfo))
