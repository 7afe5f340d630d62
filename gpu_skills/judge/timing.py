"""What a call costs: laps over rotating buffers, measured from outside, the cost of the order itself taken off.

The order's cost is that of the same laps with a racer that calls a function of the C library which does nothing, in the
same run. Small kernels are called many times a lap, each on buffers of its own, so that little is taken off.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.judge.exam import Exam
from gpu_skills.judge.leash import Asked, Fell, Lap, Leash, Wish, idle
from gpu_skills.judge.model import Gate, GateName, Timing
from gpu_skills.judge.rotation import Rotation

_LAP_NS = 5e6
_FEWEST_LAPS, _MOST_LAPS = 4, 40
_VERIFY_EVERY = 3
_CALIBRATIONS = 7


@dataclass(frozen=True, slots=True)
class Cost:
    """What one order of so many calls costs without a kernel: processor and wall time in nanoseconds."""

    cpu_ns: float
    wall_ns: float


def timed(library: Path, exam: Exam, *, seed: int, budget_s: float, threads: int = 1) -> tuple[Gate, Timing | None]:
    """Time a library on its problem, and check calls that were timed."""
    rotation = Rotation(exam, seed)
    try:
        with Leash(Wish(library, threads), rotation.arena) as leash:
            return Laps(leash, rotation, threads).run(budget_s)
    except Fell as fell:
        return Gate(GateName.TIMING, False, f"while it was timed {fell}"), None
    finally:
        rotation.close()


def order_cost(rotation: Rotation, calls: int, wish: Wish) -> Cost:
    """Measure what an order of ``calls`` calls costs when nothing is computed: the least of some."""
    with Leash(idle(wish), rotation.arena) as leash:
        asked = [Asked(rotation.program, rotation.sets[one % len(rotation.sets)]) for one in range(calls)]
        first = leash.define(asked)
        laps = [leash.run(first, calls) for _ in range(_CALIBRATIONS)]
    return Cost(min(one.cpu_ns for one in laps), min(one.wall_ns for one in laps))


class Laps:
    """Laps of one racer; ``wrong`` and ``left`` are how many elements of the last checked call were so."""

    def __init__(self, leash: Leash, rotation: Rotation, threads: int) -> None:
        self._leash, self._rotation, self._threads = leash, rotation, threads
        leash.define([Asked(rotation.program, one, threads) for one in rotation.sets])
        self._checked = 0
        self.wrong = self.left = 0
        self._worst = 0.0

    def run(self, budget_s: float) -> tuple[Gate, Timing | None]:
        """Run laps until the budget is spent."""
        until = time.monotonic() + budget_s
        calls = self.calls()
        laps: list[Lap] = []
        while len(laps) < _FEWEST_LAPS or (time.monotonic() < until and len(laps) < _MOST_LAPS):
            laps.append(self.lap(calls, verify=len(laps) % _VERIFY_EVERY == 0))
            if self.wrong or self.left or laps[-1].declined:
                return self.refused(laps[-1]), None
        cost = order_cost(self._rotation, calls, Wish(None, self._threads))
        timing = self._timing(laps, calls, cost)
        figures = {"cpu_ns": timing.cpu_ns, "wall_ns": timing.wall_ns, "laps": len(laps), "calls": calls,
                   "verified": self._checked, "worst": self._worst}  # fmt: skip
        said = f"{timing.cpu_ns / 1e3:.1f} µs of processor time a call, {self._checked} timed calls checked"
        return Gate(GateName.TIMING, True, said, figures), timing

    def lap(self, calls: int, *, verify: bool) -> Lap:
        """Run a lap on the next sets, with new values in them."""
        chosen = self._rotation.take(calls)
        lap = self._leash.run(chosen.start, calls)
        if verify:
            found, left = self._rotation.checked(self._rotation.drawn(chosen))
            self._checked += 1
            self.wrong, self.left, self._worst = found.wrong, left, max(self._worst, found.worst)
        return lap

    def calls(self) -> int:
        """Choose how many calls a lap has: enough that the order costs little beside them."""
        least = min(self.lap(1, verify=index == 0).cpu_ns for index in range(3))
        return max(1, min(len(self._rotation.sets), int(_LAP_NS // max(least, 1))))

    def refused(self, lap: Lap) -> Gate:
        """Return why the last lap ended the timing."""
        if lap.declined:
            return Gate(GateName.TIMING, False, "it says that it was not made for the numbers of its own problem")
        said = f"of a timed call with new values {self.left} elements were not written and {self.wrong} are wrong"
        return Gate(GateName.TIMING, False, said, {"left": self.left, "wrong": self.wrong})

    def _timing(self, laps: list[Lap], calls: int, cost: Cost) -> Timing:
        cpu = [max(one.cpu_ns - cost.cpu_ns, 0.0) / calls for one in laps]
        wall = [max(one.wall_ns - cost.wall_ns, 0.0) / calls for one in laps]
        return Timing(min(cpu), statistics.median(cpu), min(wall), len(laps), calls, len(self._rotation.sets),
                      cost.cpu_ns / calls, self._checked)  # fmt: skip
