"""Runs the rows, prints what each came to, and writes it into docs/results/bench-understanding.{json,md}."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.benchmarks.understanding import kept, page

ROWS = (
    "values",
    "german",
    "livemcp",
    "metatool",
    "clinc",
    "snips",
    "bfcl",
    "scale",
)
"""A row is a module with ``measure(data) -> figures`` and bounds: LIMITS (at most) and, where it has some, LEAST."""


def main() -> int:
    """Measure, print, publish; each row is written down as soon as it is measured."""
    given = _given()
    if given.cache is not None:
        os.environ[kept.FOLDER] = str(given.cache)
    rows: dict[str, page.Row] = {}
    page.state()  # of the code as this run begins
    for name in given.only:
        rows[name] = _run(name, given.data)
        if not given.no_publish:
            page.publish([rows[name]], ROWS)
    return _result(rows if given.no_publish else page.read(), given.only if given.no_publish else ROWS)


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.understanding")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets, see the package")
    parser.add_argument("--only", type=_names, default=ROWS, help="rows, separated by commas; others stay as they are")
    parser.add_argument("--cache", type=Path, help="folder for encodings; among the user's caches where none is named")
    parser.add_argument("--no-publish", action="store_true", help="do not write docs/results/")
    return parser.parse_args()


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name for name in text.split(",") if name))
    unknown = sorted(set(names) - set(ROWS))
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"no row {', '.join(unknown) or 'named'}; there are {', '.join(ROWS)}")
    return names


def _run(name: str, data: Path) -> page.Row:
    module = import_module(f"tests.benchmarks.understanding.{name}")
    began = time.perf_counter()
    try:
        figures = module.measure(data)
    except FileNotFoundError as error:
        print(f"{name}: short missing={error.filename}", flush=True)
        return page.lacking(name, _within(error.filename, data))
    found = page.row(name, time.perf_counter() - began, figures, module)
    print(f"{name}: {'pass' if found.passed else 'short'} {_pairs(found)} seconds={found.seconds}", flush=True)
    return found


def _within(path: str, data: Path) -> str:
    """The path as it is named below the data folder."""
    return str(Path(path).relative_to(data)) if Path(path).is_relative_to(data) else Path(path).name


def _pairs(row: page.Row) -> str:
    return " ".join(f"{key}={value:.4g}" for key, value in row.figures.items())


def _result(rows: dict[str, page.Row], order: Sequence[str]) -> int:
    """Say what the whole of ``order`` came to."""
    whole = page.is_whole(rows, order)
    told = " ".join(filter(None, (_pairs(rows[name]) for name in order if name in rows)))
    print(f"RESULT {page.NAME} {'pass' if whole else 'short'} {told}")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
