"""Recall: whether the turns that hold an answer are found, and what that costs among 100,000 memories.

Evidence recall on LoCoMo: of the turns that a question's answer stands in, the share among the first ten (turn R@10),
and of their sessions the share among the first ten sessions (session R@10); no model, no judge. The weights were
fitted on conversations 1-5; 6-10 were not looked at. Baselines are run again on the same questions: BM25 over stems,
the encoder alone, their ranks fused (RRF), their scores fused in equal parts, and that with 0.4 of a neighbour.
Intervals: paired bootstrap over questions, 95 %. Latency is that of the whole path (encode, vectors, words, PageRank on
as many facts, ranking); resident memory that of a process with encoder, graph and memories after 200 questions.

    python -m tests.benchmarks.recall [--data PATH] [--only ROW] [--memories N] [--no-publish]

Two rows, ``found`` (needs LoCoMo) and ``speed``; each takes its own place on the page, with its day and the state of
the code. Without DATA what was found before stays, and the whole passes only where both rows passed in one state.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from tests.benchmarks import recall_found
from tests.benchmarks.machine import ROOT
from tests.benchmarks.recall_found import found
from tests.benchmarks.recall_found import rows as rows_of
from tests.benchmarks.understanding import page

ROWS = ("found", "speed")
BOOK = page.Book(
    "bench-recall",
    "What recall finds and costs",
    ("Written by `make bench-recall DATA=locomo10.json`.", "", *(__doc__ or "").strip().splitlines()[2:8]),
    ("memory", "tests/benchmarks/recall.py", "tests/benchmarks/recall_child.py", "tests/benchmarks/recall_found.py",
     "tests/benchmarks/locomo.py"),
)  # fmt: skip
SPEED = {"p95_ms": 60.0, "resident_mb": 400.0}


def measured(memories: int) -> dict[str, float]:
    """Latency and resident memory, in a process of their own."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH")) as scratch:
        for part in ("build", "ask"):
            command = [sys.executable, "-P", "-m", "tests.benchmarks.recall_child", part, scratch, str(memories)]
            environ = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, check=True)
        return {name: float(value) for name, value in json.loads(done.stdout).items()}


def main() -> int:
    """Measure, publish each row as soon as it is measured, and close with one RESULT line."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--data", type=Path, default=os.environ.get("DATA") or None)
    asked.add_argument("--only", choices=ROWS, help="one row; the other stays as it is")
    asked.add_argument("--memories", type=int, default=100_000)
    asked.add_argument("--no-publish", action="store_true")
    options = asked.parse_args()
    order = (options.only,) if options.only else ROWS
    rows: dict[str, page.Row] = {}
    page.state(BOOK)  # of the code as this run begins
    for name in order:
        rows[name] = _found(options.data) if name == "found" else _speed(options.memories)
        if not options.no_publish:
            page.publish([rows[name]], ROWS, book=BOOK)
    return _result(rows if options.no_publish else page.read(book=BOOK), order if options.no_publish else ROWS)


def _found(data: Path | None) -> page.Row:
    if data is None:
        print("LoCoMo was left out; give its path: make bench-recall DATA=/path/to/locomo10.json", file=sys.stderr)
        return page.lacking("found", "locomo10.json", BOOK)
    began = time.perf_counter()
    answers = found(Path(data))
    return _row("found", began, answers.figures(), recall_found, rows_of(answers))


def _speed(memories: int) -> page.Row:
    began = time.perf_counter()
    return _row("speed", began, measured(memories), SimpleNamespace(LIMITS=SPEED))


def _row(name: str, began: float, figures: Mapping[str, float], bounds: object, notes: Sequence[str] = ()) -> page.Row:
    rounded = {key: float(np.round(value, 4)) for key, value in figures.items()}
    return page.row(name, time.perf_counter() - began, rounded, bounds, notes=notes, book=BOOK)


def _result(rows: Mapping[str, page.Row], order: Sequence[str]) -> int:
    whole = page.is_whole(rows, order, BOOK)
    pairs = [f"{key}={value:g}" for name in order if name in rows for key, value in rows[name].figures.items()]
    print(" ".join([f"RESULT {BOOK.name}", "pass" if whole else "short", *pairs]))
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
