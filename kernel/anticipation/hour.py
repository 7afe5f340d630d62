"""The processor time of an hour that goes by: how much of it was spent unasked, and how much is left."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

HOUR_S = 3600.0


@dataclass(slots=True)
class Hour:
    """What was spent within the last hour. Times are seconds of a clock that never goes back."""

    spent: deque[tuple[float, float]] = field(default_factory=deque)

    def spend(self, cpu_s: float, now_s: float) -> None:
        """Count what was just spent."""
        self.spent.append((now_s, cpu_s))

    def left_s(self, most_s: float, now_s: float) -> float:
        """Return how many seconds of ``most_s`` are left."""
        while self.spent and now_s - self.spent[0][0] >= HOUR_S:
            self.spent.popleft()
        return max(0.0, most_s - sum(cpu_s for _, cpu_s in self.spent))
