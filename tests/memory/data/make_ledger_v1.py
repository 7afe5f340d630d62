"""Make ledger-v1: a small ledger of format 1 and what it says, kept so that every later version can read it.

Run once from the repository's root: python tests/memory/data/make_ledger_v1.py. Never run it again for a format that
was released: the keys are random, and the point is that the old bytes stay readable.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from itertools import count
from pathlib import Path

from memory import Draft, Ledger

FOLDER = Path(__file__).with_name("ledger-v1")


def main() -> None:
    ticks = count(1_767_225_600_000_000_000, 1_000_000_007)
    anna, ben = ("person:anna",), ("person:ben",)
    with Ledger.open(FOLDER, clock_ns=lambda: next(ticks)) as ledger:
        ledger.append(
            Draft("run.created", {"text": "Zähle die Dateien in ~/Größe", "cwd": "/home/anna"}, run="r1", label="user"),
            Draft("task.started", {"tool": "files.count"}, run="r1", task="t1", entities=anna),
            Draft("task.progress", {"fraction": 0.25, "text": ""}, run="r1", task="t1", durable=False),
        )
        ledger.append(
            Draft("task.done", {"answer": "wéird \udcff name", "n": 2**70, "none": None}, run="r1", task="t1")
        )
        ledger.append(Draft("fact", {"$int": "literal", "list": [1, -1.5, 1e300, True]}, entities=anna + ben))
        ledger.append(Draft("fact", {"$int": "literal"}, entities=ben), Draft("run.finished", {}, run="r1"))
        assert ledger.forget("person:anna") == 2  # type: ignore[arg-type]
    with Ledger.open(FOLDER, clock_ns=lambda: next(ticks)) as ledger:
        ledger.append(
            Draft("number", {"infinite": -math.inf, "small": 1e-7}, run="r2", label={"integrity": ["a", "b"]})
        )
        events = [asdict(event) for event in ledger.events()]
    FOLDER.with_name("ledger-v1.json").write_text(json.dumps(events, indent=1) + "\n")


if __name__ == "__main__":
    main()
