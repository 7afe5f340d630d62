"""Runs the rows of a benchmark, prints what each came to, and writes each into its page as soon as it is measured.

A row is a module of the benchmark's package with ``measure(data) -> figures`` and bounds: LIMITS (at most) and, where
it has some, LEAST. It may have ``notes(figures)``: lines of Markdown that stand below its figures.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.benchmarks.understanding import page


def parser(package: str, rows: Sequence[str]) -> argparse.ArgumentParser:
    """Return what reads the command: the folder of the data, the rows, and whether to publish."""
    made = argparse.ArgumentParser(prog=f"python -m {package}")
    made.add_argument("--data", type=Path, required=True, help="folder of the public sets, see the package")

    def names(text: str) -> tuple[str, ...]:
        return _names(text, rows)

    made.add_argument("--only", type=names, default=tuple(rows), help="rows, separated by commas; others stay")
    made.add_argument("--no-publish", action="store_true", help="do not write docs/results/")
    return made


def _names(text: str, rows: Sequence[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name for name in text.split(",") if name))
    unknown = sorted(set(names) - set(rows))
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"no row {', '.join(unknown) or 'named'}; there are {', '.join(rows)}")
    return names


def run(package: str, order: Sequence[str], given: argparse.Namespace, book: page.Book) -> int:
    """Measure, print, publish; return 0 where all of it passed."""
    rows: dict[str, page.Row] = {}
    page.state(book)  # of the code as this run begins
    for name in given.only:
        rows[name] = _run(package, name, given.data, book)
        if not given.no_publish:
            page.publish([rows[name]], order, book=book)
    whole = given.only if given.no_publish else order
    return _result(rows if given.no_publish else page.read(book=book), whole, book)


def _run(package: str, name: str, data: Path, book: page.Book) -> page.Row:
    module = import_module(f"{package}.{name}")
    began = time.perf_counter()
    try:
        figures = module.measure(data)
    except FileNotFoundError as error:
        print(f"{name}: short missing={error.filename}", flush=True)
        return page.lacking(name, _within(error.filename, data), book)
    notes = module.notes(figures) if hasattr(module, "notes") else ()
    found = page.row(name, time.perf_counter() - began, figures, module, notes=notes, book=book)
    print(f"{name}: {'pass' if found.passed else 'short'} {_pairs(found)} seconds={found.seconds}", flush=True)
    return found


def _within(path: str, data: Path) -> str:
    """The path as it is named below the data folder."""
    return str(Path(path).relative_to(data)) if Path(path).is_relative_to(data) else Path(path).name


def _pairs(row: page.Row) -> str:
    return " ".join(f"{key}={value:.4g}" for key, value in row.figures.items())


def _result(rows: dict[str, page.Row], order: Sequence[str], book: page.Book) -> int:
    """Say what the whole of ``order`` came to."""
    whole = page.is_whole(rows, order, book)
    told = " ".join(filter(None, (_pairs(rows[name]) for name in order if name in rows)))
    print(f"RESULT {book.name} {'pass' if whole else 'short'} {told}")
    return 0 if whole else 1
