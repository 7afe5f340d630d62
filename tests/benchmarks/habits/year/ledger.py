"""The simulated year as a real ledger: through memory's own door, in bulk, at the times when things were asked.

A person has a ledger of their own. A year of about 7,300 runs is some 60,000 events; so many at a time share one
commit, and the clock that the ledger is opened with says when each of them was.

PYTHONPATH=. python -P -m tests.benchmarks.habits.year.ledger FOLDER [SEED]: write the three years below FOLDER.
"""

from __future__ import annotations

import heapq
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from itertools import count
from pathlib import Path

from kernel.opening import BUILTIN
from memory import Ledger
from memory.model import Draft
from skills import Registry
from tests.benchmarks.habits.year.drafts import Drafter, Timed, ns
from tests.benchmarks.habits.year.people import FIRST, LAST, PEOPLE
from tests.benchmarks.habits.year.requests import Request, requests

TOGETHER = 2000
"""So many events share one commit. Fewer than the writer puts together itself would wait for company."""
PATIENCE_S = 86_400.0
"""The head is signed on the way and at the end; a timer in between would ask the clock out of turn."""


class _Times:
    """The clock of a ledger that is written afterwards: the times of what is about to be written, then the last one."""

    def __init__(self, first: int) -> None:
        self._ahead: deque[int] = deque()
        self._last = first

    def load(self, times: Iterable[int]) -> None:
        self._ahead.extend(times)

    def __call__(self) -> int:
        if self._ahead:
            self._last = self._ahead.popleft()
        return self._last


def write(
    folder: Path, person: str, seed: int, registry: Registry, first: date = FIRST, last: date = LAST
) -> tuple[int, int]:
    """Write what ``person`` asked from ``first`` to ``last`` into a new ledger; return how many runs and events."""
    who = PEOPLE[person]
    begin = datetime.combine(first, time(0), who.zone_on(first))
    times, drafter, runs, events = _Times(ns(begin)), Drafter(who, registry, seed), count(), 0
    asked = (one for one in requests(person, seed, first, last) if next(runs) >= 0)
    with Ledger.open(folder, clock_ns=times, checkpoint_after_s=PATIENCE_S) as ledger:
        for batch in _batches(_in_order(drafter, begin, asked)):
            times.load(at for at, _ in batch)
            events += len(ledger.append(*(draft for _, draft in batch)))
    return next(runs), events


def _in_order(drafter: Drafter, begin: datetime, asked: Iterable[Request]) -> Iterator[Timed]:
    """Yield every event when its time has come: what was taken back later stands among later runs."""
    turn = count()
    waiting: list[tuple[int, int, Draft]] = []
    yield from drafter.opening(begin)
    for request in asked:
        while waiting and waiting[0][0] < ns(request.at):
            at, _, draft = heapq.heappop(waiting)
            yield at, draft
        for at, draft in drafter.run(request):
            heapq.heappush(waiting, (at, next(turn), draft))
    while waiting:
        at, _, draft = heapq.heappop(waiting)
        yield at, draft


def _batches(events: Iterable[Timed]) -> Iterator[Sequence[Timed]]:
    batch: list[Timed] = []
    for one in events:
        batch.append(one)
        if len(batch) >= TOGETHER:
            yield batch
            batch = []
    if batch:
        yield batch


def main(folder: Path, seed: int) -> None:
    """Write the years of all three, and say how many runs and events each has."""
    registry = Registry([BUILTIN])
    for person in PEOPLE:
        runs, events = write(folder / person, person, seed, registry)
        print(f"{person}: {runs} runs, {events} events")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
