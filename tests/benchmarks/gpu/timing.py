"""What a call costs on a GPU: events around it, caches flushed before, sides in turn and in another order each round.

Before the first event the GPU is kept waiting, so that the time of the host, which prepares the call, is not measured;
each round takes another set of inputs, at other places and with other values.
"""

from __future__ import annotations

import random
import signal
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from gpu_skills.judge.racing import interval

_FLUSH_BYTES = 512 << 20
_WAITING_CYCLES = 400_000

Call = Callable[[int], Any]
"""A side: called with the number of a set of inputs."""


class OutOfTime(Exception):
    """What was done took longer than there was time."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in what is done meanwhile when it takes longer, again every five seconds while it holds on.

    Of the main thread, and not nested. Code that does not come back to Python is not reached: see ``__main__``.
    """

    def late(number: int, frame: FrameType | None) -> None:
        raise OutOfTime(f"it did not end within {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.01), 5.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


class Clock:
    """Samples of calls, in microseconds."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._flushed = torch.empty(_FLUSH_BYTES, dtype=torch.uint8, device="cuda")

    def sample(self, call: Call, which: int) -> float:
        """Return what one call takes."""
        event = self._torch.cuda.Event
        begin, end = event(enable_timing=True), event(enable_timing=True)
        self._flushed.zero_()
        self._torch.cuda._sleep(_WAITING_CYCLES)
        begin.record()
        call(which)
        end.record()
        self._torch.cuda.synchronize()
        return float(begin.elapsed_time(end)) * 1e3

    def quick(self, call: Call, count: int = 7) -> float:
        """Return the median of a few samples, after two that do not count."""
        return statistics.median([self.sample(call, at) for at in range(count + 2)][2:])

    def race(
        self, sides: Mapping[str, Call], rounds: int, sets: int, until: Callable[[], bool]
    ) -> dict[str, list[float]]:
        """Return the samples of each side, round by round; fewer where ``until`` says so, never less than six."""
        found: dict[str, list[float]] = {name: [] for name in sides}
        chance = random.Random(1)
        for at in range(rounds):
            order = list(sides)
            chance.shuffle(order)
            for name in order:
                found[name].append(self.sample(sides[name], at % sets))
            if at >= 5 and until():
                break
        return found


def ratio(other: Sequence[float], ours: Sequence[float]) -> tuple[float, float, float]:
    """Return how many times longer the other side took, pair by pair."""
    return interval([one / mine for one, mine in zip(other, ours, strict=True)])


def ceilings(torch: Any, clock: Clock) -> dict[str, float]:
    """Measure copying (bytes read and written) and multiplying in bf16, of random numbers."""
    source = torch.randn(1 << 29, device="cuda").to(torch.bfloat16)
    target = torch.empty_like(source)
    copied = min(clock.sample(lambda _, to=target, of=source: to.copy_(of), at) for at in range(12))
    found = {"copy_gb_s": 2 * source.nbytes / copied / 1e3, "matmul_tflop_s": 0.0}
    del source, target
    for side in (4096, 8192):
        a, b = (torch.randn(side, side, device="cuda").to(torch.bfloat16) for _ in range(2))
        multiplied = min(clock.sample(lambda _, a=a, b=b: a @ b, at) for at in range(12))
        found["matmul_tflop_s"] = max(found["matmul_tflop_s"], 2 * side**3 / multiplied / 1e6)
    return found
