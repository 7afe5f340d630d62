"""When something comes: the weekdays and the time of day that it keeps to, where it keeps to some."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

NEARLY = 0.85
_NEAR_H = 1.5
_MOST_WEEKDAYS = 5
_DAY_H = 24.0


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The weekdays (0 is Monday) and the hour that something keeps to; empty and None where it does not."""

    weekdays: tuple[int, ...] = ()
    hour: float | None = None

    def fits(self, at: datetime) -> bool:
        """Tell whether ``at`` is one of its times."""
        if self.weekdays and at.weekday() not in self.weekdays:
            return False
        return self.hour is None or _apart(_hour(at), self.hour) <= _NEAR_H


def rhythm_of(times: Sequence[datetime]) -> Rhythm:
    """Return what ``times`` keep to."""
    return Rhythm(_weekdays(times), _kept_hour(times))


def _weekdays(times: Sequence[datetime]) -> tuple[int, ...]:
    counts = Counter(at.weekday() for at in times)
    usual = sorted(day for day, count in counts.items() if count >= len(times) / 12)
    kept = sum(counts[day] for day in usual)
    few = len(usual) <= min(_MOST_WEEKDAYS, max(1, len(times) // 3))
    return tuple(usual) if few and kept >= NEARLY * len(times) else ()


def _kept_hour(times: Sequence[datetime]) -> float | None:
    turns = [2 * math.pi * _hour(at) / _DAY_H for at in times]
    middle = math.atan2(sum(map(math.sin, turns)), sum(map(math.cos, turns))) * _DAY_H / (2 * math.pi) % _DAY_H
    near = sum(_apart(_hour(at), middle) <= _NEAR_H for at in times)
    return round(middle, 2) if near >= NEARLY * len(times) else None


def _hour(at: datetime) -> float:
    return at.hour + at.minute / 60


def _apart(one: float, other: float) -> float:
    apart = abs(one - other) % _DAY_H
    return min(apart, _DAY_H - apart)
