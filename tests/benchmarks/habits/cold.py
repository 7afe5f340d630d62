"""The cost of mining: a session folded in after a year, and a million events of the ledger mined from cold.

The year of one person is written seventeen times, one after another, into one ledger (a million events), and read and
mined by a new process on one core with 1 GB of address space. ``fold_session_ms`` is the 99th of a hundred sessions of
the last year, each with all that collecting garbage costs meanwhile.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kernel.habits import Habits
from kernel.opening import BUILTIN
from memory import Draft, Ledger
from memory.sequences import Entry, Miner
from skills import Registry
from tests.benchmarks.habits.year.ledger import write
from tests.benchmarks.habits.year.people import FIRST, PEOPLE
from tests.benchmarks.machine import quantile

LIMITS = {"fold_session_ms": 10.0, "cold_s": 60.0, "cold_peak_mb": 1024.0}
LEAST = {"cold_events": 1_000_000}

SEED = 31
EVENTS = 1_000_000
_TOGETHER = 2_000
_YEAR_NS = 365 * 86_400 * 10**9
_ROOM_BYTES = 1 << 30


def measure(data: Path | None = None, events: int = EVENTS, days: int = 365) -> Mapping[str, float]:
    """Return what a session costs, and mining so many events; ``days`` are written again and again."""
    del data  # the ledger is written here
    with tempfile.TemporaryDirectory() as folder:
        year, long = Path(folder) / "year", Path(folder) / "long"
        write(year, next(iter(PEOPLE)), SEED, Registry([BUILTIN]), last=FIRST + timedelta(days - 1))
        count = _lengthened(year, long, events)
        told = subprocess.run(
            [sys.executable, "-P", "-m", "tests.benchmarks.habits.cold", str(long)],
            capture_output=True, check=True, text=True, env={**os.environ, "PYTHONPATH": "."},
        )  # fmt: skip
        figures: dict[str, float] = json.loads(told.stdout)
    return {**figures, "cold_events": count}


def _lengthened(year: Path, long: Path, events: int) -> int:
    """Write the year again and again, each time a year later, until there are so many events; return how many."""
    with Ledger.open(year) as source:
        known = list(source.events())
    count, now = 0, 0
    with Ledger.open(long, clock_ns=lambda: now, checkpoint_after_s=1e6) as ledger:
        while count < events:
            after_ns = count // len(known) * _YEAR_NS
            for at in range(0, len(known), _TOGETHER):
                some = known[at : at + _TOGETHER]
                now = some[-1].at_ns + after_ns
                ledger.append(
                    *(
                        Draft(one.kind, _later(one.body, after_ns), run=one.run and f"{one.run}-{count}", task=one.task)
                        for one in some
                    )
                )
            count += len(known)
    return count


def _later(body: Mapping[str, Any] | None, after_ns: int) -> Mapping[str, Any]:
    """Return what an event says, asked so much later."""
    if body is None or "now" not in body:
        return body or {}
    now = datetime.fromisoformat(str(body["now"])) + timedelta(seconds=after_ns / 1e9)
    return {**body, "now": now.isoformat()}


def mine(folder: Path) -> dict[str, float]:
    """Mine the ledger in ``folder`` from cold, and then fold its last sessions in once more."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    resource.setrlimit(resource.RLIMIT_DATA, (_ROOM_BYTES, _ROOM_BYTES))
    registry = Registry([BUILTIN])
    ledger = Ledger.open(folder, read_only=True)
    began = time.perf_counter()
    habits = Habits(ledger, registry)
    habits.catch_up()
    cold_s = time.perf_counter() - began
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cold_s": cold_s, "cold_peak_mb": peak_mb, "fold_session_ms": _fold_ms(habits.miner)}


def _fold_ms(miner: Miner) -> float:
    last = list(miner.sessions.values())[-100:]
    later_s = last[-1][-1].at - last[0][0].at + 86_400.0
    spent = []
    for session in last:
        entries = [Entry(one.items, one.at + later_s, one.group) for one in session]
        began = time.perf_counter()
        miner.fold(entries)
        spent.append(1000 * (time.perf_counter() - began))
    return quantile(spent, 0.99)


if __name__ == "__main__":
    print(json.dumps(mine(Path(sys.argv[1]))))
