"""A run without its GPU: Triton's interpreter, this processor's clock, sizes 256 times smaller.

TRITON_INTERPRET=1 python -m tests.benchmarks.gpu.rehearsal ROW ...

It goes the way of a run, from inputs over genomes and checks to the race, so that the minutes on a GPU are spent on
measuring. What it says of time means nothing; nothing is written. It prints one line of JSON for each row.
"""

from __future__ import annotations

import importlib
import json
import os
import statistics
import sys
import time
from typing import Any

from gpu_skills.tiles import TARGETS
from gpu_skills.tiles.child import mend_interpreter
from tests.benchmarks.gpu.check import Check, run
from tests.benchmarks.gpu.rows import rows
from tests.benchmarks.gpu.sides import plain
from tests.benchmarks.gpu.timing import Call, Clock


class ThisClock(Clock):
    """The clock of this processor."""

    def __init__(self) -> None:
        """There are no caches to flush."""

    def sample(self, call: Call, which: int) -> float:
        """Return the microseconds of a call."""
        began = time.perf_counter()
        call(which)
        return (time.perf_counter() - began) * 1e6

    def quick(self, call: Call, count: int = 1) -> float:
        """Return the median of a few samples."""
        return statistics.median(self.sample(call, at) for at in range(count))


def main() -> int:
    """Rehearse the named rows."""
    if os.environ.get("TRITON_INTERPRET") != "1":
        raise SystemExit("TRITON_INTERPRET=1 is missing: this is about Triton's interpreter.")
    mend_interpreter()
    torch: Any = importlib.import_module("torch")
    check = Check(ThisClock(), TARGETS[90], plain, minutes=9, device="cpu")
    check.rounds, check.tries = 6, 3
    for one in run(check, torch, [row for row in rows(torch, scale=256) if row.name in sys.argv[1:]]):
        told = {"row": one.row.name, "tried": one.tried, "errors": one.errors, "failed": one.failed,
                "samples": {name: len(samples) for name, samples in one.samples.items()}}  # fmt: skip
        print("ROW " + json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
