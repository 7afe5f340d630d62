"""A stand for timing many candidates of one problem: the same buffers for all, a fresh process for each."""

from __future__ import annotations

from types import TracebackType

from gpu_skills.judge.exam import Exam
from gpu_skills.judge.leash import Fell, Leash, Wish
from gpu_skills.judge.model import Gate, GateName
from gpu_skills.judge.rotation import Rotation
from gpu_skills.judge.timing import Cost, Laps, order_cost
from gpu_skills.model import Built


class Stand:
    """Times candidates. One sample is one lap, on buffers and with values that no lap before had; some are checked."""

    def __init__(self, exam: Exam, *, seed: int, threads: int = 1) -> None:
        self._rotation, self._threads = Rotation(exam, seed), threads
        self._costs: dict[int, Cost] = {}

    def samples(self, built: Built, count: int) -> tuple[float, ...] | Gate:
        """Return ``count`` samples of one call in nanoseconds, or the gate that it did not pass.

        Processor time of all threads where it may use one, else wall time.
        """
        try:
            with Leash(Wish(built.library, self._threads), self._rotation.arena) as leash:
                return self._taken(Laps(leash, self._rotation, self._threads), count)
        except Fell as fell:
            return Gate(GateName.TIMING, False, f"while it was timed {fell}")

    def _taken(self, laps: Laps, count: int) -> tuple[float, ...] | Gate:
        laps.lap(len(self._rotation.sets), verify=False)  # linux shows a process each page at its first touch
        calls = laps.calls()
        found = []
        for index in range(count):
            lap = laps.lap(calls, verify=index == 0)
            if laps.wrong or laps.left or lap.declined:
                return laps.refused(lap)
            found.append(lap)
        if calls not in self._costs:
            self._costs[calls] = order_cost(self._rotation, calls, Wish(None, self._threads))
        cost = self._costs[calls]
        if self._threads == 1:
            return tuple(max(one.cpu_ns - cost.cpu_ns, 1.0) / calls for one in found)
        return tuple(max(one.wall_ns - cost.wall_ns, 1.0) / calls for one in found)

    def close(self) -> None:
        """Give the memory back."""
        self._rotation.close()

    def __enter__(self) -> Stand:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
