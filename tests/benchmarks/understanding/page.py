"""What each row of a benchmark came to last, and the page made of it: docs/results/NAME.{json,md}.

A row is measured alone and takes only its own place; the others keep their figures and the day these were taken. A
state is a digest of the code that is measured and of the rows: only where every row passed in this very state does the
whole pass.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from tests.benchmarks.machine import RESULTS, ROOT, machine

NAME = "bench-understanding"


@dataclass(frozen=True, slots=True)
class Book:
    """A page: the name of its files, its title, what is said at its head, and the rooms whose code it measures."""

    name: str
    title: str
    head: tuple[str, ...]
    measured: tuple[str, ...]


UNDERSTANDING = Book(
    NAME,
    "Understanding without a model",
    (
        f"Written by `make {NAME} DATA=folder`; a row that was measured alone (`--only`) takes its own place only.",
        "A state is a digest of the code that was measured. Intervals: paired bootstrap over items, 95 %.",
        "Weights that are shipped were fitted on other items of two of these sets: half of MetaTool's queries; of BFCL",
        "the even-numbered items of simple and multiple, live_simple and a quarter of live_multiple.",
    ),
    ("kernel", "memory", "tests/benchmarks/understanding"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """What one row came to: figures with their bounds (at ``most``, at ``least``), or what it lacked.

    ``notes`` are lines of Markdown that stand below its figures, such as a table of baselines.
    """

    name: str
    measured: str
    state: str
    machine: str
    seconds: int
    figures: Mapping[str, float] = field(default_factory=dict)
    most: Mapping[str, float] = field(default_factory=dict)
    least: Mapping[str, float] = field(default_factory=dict)
    missing: str = ""
    notes: Sequence[str] = ()

    @property
    def short(self) -> list[str]:
        """The figures that do not reach their bounds."""
        above = [name for name, bound in self.most.items() if self.figures[name] > bound]
        return above + [name for name, bound in self.least.items() if self.figures[name] < bound]

    @property
    def passed(self) -> bool:
        """Whether it was measured and every bound holds."""
        return not self.missing and not self.short

    def goal(self, figure: str) -> str:
        """What a figure is held to, in words."""
        if figure in self.most:
            return f"at most {self.most[figure]:g}"
        return f"at least {self.least[figure]:g}" if figure in self.least else ""


@cache
def state(book: Book = UNDERSTANDING) -> str:
    """The digest of what is measured, its first twelve letters."""
    digest = hashlib.sha256()
    for room in book.measured:
        for path in sorted((ROOT / room).rglob("*")) if (ROOT / room).is_dir() else [ROOT / room]:
            if path.suffix in {".py", ".toml", ".json"} and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def row(
    name: str, seconds: float, figures: Mapping[str, float], bounds: object, *, notes: Sequence[str] = (),
    book: Book = UNDERSTANDING,
) -> Row:  # fmt: skip
    """A row that was measured now, here; ``bounds`` is its module, with LIMITS, LEAST or both."""
    most, least = getattr(bounds, "LIMITS", {}), getattr(bounds, "LEAST", {})
    return Row(name, _today(), state(book), machine(), round(seconds), figures, most, least, notes=tuple(notes))


def lacking(name: str, missing: str, book: Book = UNDERSTANDING) -> Row:
    """A row that could not be measured."""
    return Row(name, _today(), state(book), machine(), 0, missing=missing)


def _today() -> str:
    return time.strftime("%Y-%m-%d")


def read(folder: Path = RESULTS, book: Book = UNDERSTANDING) -> dict[str, Row]:
    """Return what each row came to last; nothing where nothing was published."""
    try:
        kept = json.loads((folder / f"{book.name}.json").read_text())
    except FileNotFoundError:
        return {}
    rows = kept.get("rows", {}).items()
    return {name: Row(name=name, **{**one, "notes": tuple(one.get("notes", ()))}) for name, one in rows}


def publish(
    new: Iterable[Row], order: Sequence[str], folder: Path = RESULTS, book: Book = UNDERSTANDING
) -> dict[str, Row]:
    """Put ``new`` rows in the places of what they were, write both files, and return all rows in ``order``.

    A row that lacked its set leaves what was measured of it before.
    """
    before = read(folder, book)
    known = before | {one.name: one for one in new if not (one.missing and one.name in before)}
    rows = {name: known[name] for name in order if name in known}
    folder.mkdir(parents=True, exist_ok=True)
    told = {name: {key: value for key, value in asdict(one).items() if key != "name"} for name, one in rows.items()}
    (folder / f"{book.name}.json").write_text(json.dumps({"rows": told}, indent=2) + "\n")
    (folder / f"{book.name}.md").write_text("\n".join(lines(rows, order, book)) + "\n")
    return rows


def is_whole(rows: Mapping[str, Row], order: Sequence[str], book: Book = UNDERSTANDING) -> bool:
    """Tell whether every row of ``order`` passed, all in the state that is here now."""
    return all(name in rows and rows[name].passed and rows[name].state == state(book) for name in order)


def lines(rows: Mapping[str, Row], order: Sequence[str], book: Book = UNDERSTANDING) -> list[str]:
    """The page: what each row came to, then its figures."""
    told = [
        f"# {book.title}", "", *book.head, "",
        f"The whole: {'pass' if is_whole(rows, order, book) else 'short'}.", "",
        "| row | came to | measured on | state | seconds | machine |", "|---|---|---|---|---|---|",
        *(_came_to(name, rows.get(name)) for name in order),
    ]  # fmt: skip
    for one in rows.values():
        if one.figures:
            told += ["", f"## {one.name}", "", "| figure | measured | goal |", "|---|---|---|", *_figures(one)]
            told += list(one.notes)
    return told


def _came_to(name: str, one: Row | None) -> str:
    if one is None:
        return f"| {name} | never measured | | | | |"
    if one.missing:
        return f"| {name} | not run: {one.missing} is missing | {one.measured} | {one.state} | | |"
    came = "pass" if one.passed else f"short: {', '.join(one.short)}"
    return f"| {name} | {came} | {one.measured} | {one.state} | {one.seconds} | {one.machine} |"


def _figures(one: Row) -> list[str]:
    return [f"| {key} | {value:.4g} | {one.goal(key)} |" for key, value in one.figures.items()]
