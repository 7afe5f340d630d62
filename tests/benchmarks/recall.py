"""Recall: whether the turns that hold an answer are found, and what that costs among 100,000 memories.

Evidence recall on LoCoMo: of the turns that a question's answer stands in, the share among the first ten (turn R@10),
and of their sessions the share among the first ten sessions (session R@10); no model, no judge. The weights were
fitted on conversations 1-5; 6-10 were not looked at. Baselines are run again on the same questions: BM25 over stems,
the encoder alone, their ranks fused (RRF), their scores fused in equal parts, and that with 0.4 of a neighbour.
Intervals: paired bootstrap over questions, 95 %. Latency is that of the whole path (encode, vectors, words, PageRank on
as many facts, ranking); resident memory that of a process with encoder, graph and memories after 200 questions.

python -m tests.benchmarks.recall [--data PATH] [--memories N] [--no-publish]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.benchmarks.machine import ROOT, publish, result
from tests.benchmarks.recall_found import LIMITS, found, rows

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
    """Measure, publish, and close with one RESULT line."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--data", type=Path, default=os.environ.get("DATA") or None)
    asked.add_argument("--memories", type=int, default=100_000)
    asked.add_argument("--no-publish", action="store_true")
    options = asked.parse_args()
    figures = measured(options.memories)
    limits = dict(SPEED)
    text = [*(__doc__ or "").strip().splitlines()[2:10], "", f"{options.memories:,} memories.", ""]
    if options.data:
        answers = found(Path(options.data))
        text += rows(answers)
        figures |= answers.figures()
    else:
        print("LoCoMo was left out; give its path: make bench-recall DATA=/path/to/locomo10.json", file=sys.stderr)
        figures["without_data"] = 1.0
    limits |= LIMITS if options.data else {"without_data": 0.0}
    figures = {name: float(np.round(value, 4)) for name, value in figures.items()}
    text += ["", "| | |", "|---|---|", *(f"| {name} | {value:g} |" for name, value in figures.items())]
    if not options.no_publish:
        publish("bench-recall", "What recall finds and costs", text, figures)
    return result("bench-recall", figures, limits)


if __name__ == "__main__":
    sys.exit(main())
