"""A circuit breaker for each endpoint: one that is down is left alone for a while, then tried by one caller alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

FAILURES = 3
"""So many in a row mean that it is down."""

FIRST_REST_S = 30.0
LONGEST_REST_S = 600.0


@dataclass(slots=True)
class _State:
    failures: int = 0
    rest_s: float = 0.0
    until: float = 0.0
    probing: bool = False


@dataclass(slots=True)
class Breakers:
    """How endpoints did, by their names. One event loop only; ``clock`` is monotonic."""

    clock: Callable[[], float] = time.monotonic
    _states: dict[str, _State] = field(default_factory=dict)

    def rests_s(self, name: str) -> float:
        """Return how long ``name`` is left alone from now on; 0 where it may be asked, and then this one may ask."""
        state = self._states.get(name)
        if state is None or state.rest_s == 0:
            return 0.0
        left = state.until - self.clock()
        if left > 0:
            return left
        if state.probing:
            return state.rest_s
        state.probing = True
        return 0.0

    def well(self, name: str) -> None:
        """``name`` has answered: whatever was before is forgotten."""
        self._states.pop(name, None)

    def down(self, name: str) -> None:
        """``name`` does not work. The third time in a row it is left alone; each time after, twice as long."""
        state = self._states.setdefault(name, _State())
        state.failures += 1
        state.probing = False
        if state.failures >= FAILURES:
            state.rest_s = min(max(FIRST_REST_S, state.rest_s * 2), LONGEST_REST_S)
            state.until = self.clock() + state.rest_s

    def neither(self, name: str) -> None:
        """Whether ``name`` works was not found out (whoever asked has gone): the next one may try."""
        if name in self._states:
            self._states[name].probing = False
