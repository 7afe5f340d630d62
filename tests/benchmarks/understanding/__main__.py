"""Runs the rows, prints what each came to, and writes docs/results/bench-understanding.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from tests.benchmarks.machine import publish

ROWS = (
    "metatool",
    "livemcp",
    "clinc",
    "german",
    "scale",
    "snips",
    "bfcl",
    "values",
)
"""A row is a module with ``measure(data) -> figures`` and bounds: LIMITS (at most) and, where it has some, LEAST."""
NAME = "bench-understanding"


def main() -> int:
    """Measure, print, publish."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.understanding")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets, see the package")
    parser.add_argument("--only", default=",".join(ROWS), help="rows, separated by commas")
    parser.add_argument("--no-publish", action="store_true", help="do not write docs/results/")
    given = parser.parse_args()
    names = [name for name in given.only.split(",") if name]
    unknown = sorted(set(names) - set(ROWS))
    if unknown:
        parser.error(f"no row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    good, text, figures = True, ["| figure | measured | goal |", "|---|---|---|"], {}
    for name in names:
        fine, found, lines = _run(name, given.data)
        good &= fine
        text += lines
        figures |= found
    if not given.no_publish and names == list(ROWS):
        publish(NAME, "Understanding without a model", text, figures)
    pairs = " ".join(f"{key}={value:.4g}" for key, value in figures.items())
    print(f"RESULT {NAME} {'pass' if good else 'short'} {pairs}")
    return 0 if good else 1


def _run(name: str, data: Path) -> tuple[bool, dict[str, float], list[str]]:
    row = import_module(f"tests.benchmarks.understanding.{name}")
    most: Mapping[str, float] = getattr(row, "LIMITS", {})
    least: Mapping[str, float] = getattr(row, "LEAST", {})
    began = time.perf_counter()
    try:
        figures = row.measure(data)
    except FileNotFoundError as error:
        print(f"{name}: short missing={error.filename}")
        return False, {}, [f"| {name} | not run: {error.filename} is missing | |"]
    fine = all(figures[key] <= bound for key, bound in most.items())
    fine &= all(figures[key] >= bound for key, bound in least.items())
    pairs = " ".join(f"{key}={value:.4g}" for key, value in figures.items())
    print(f"{name}: {'pass' if fine else 'short'} {pairs} seconds={time.perf_counter() - began:.0f}", flush=True)
    bounds = {key: f"at most {bound:g}" for key, bound in most.items()}
    bounds |= {key: f"at least {bound:g}" for key, bound in least.items()}
    lines = [f"| {key} | {value:.4g} | {bounds.get(key, '')} |" for key, value in figures.items()]
    return fine, figures, lines


if __name__ == "__main__":
    sys.exit(main())
