"""What each row came to last, and the page made of it: docs/results/bench-understanding.{json,md}.

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
TITLE = "Understanding without a model"
_MEASURED = ("kernel", "memory", "tests/benchmarks/understanding")


@dataclass(frozen=True, slots=True)
class Row:
    """What one row came to: figures with their bounds (at ``most``, at ``least``), or what it lacked."""

    name: str
    measured: str
    state: str
    machine: str
    seconds: int
    figures: Mapping[str, float] = field(default_factory=dict)
    most: Mapping[str, float] = field(default_factory=dict)
    least: Mapping[str, float] = field(default_factory=dict)
    missing: str = ""

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
def state() -> str:
    """The digest of what is measured, its first twelve letters."""
    digest = hashlib.sha256()
    for room in _MEASURED:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in {".py", ".toml", ".json"} and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def row(name: str, seconds: float, figures: Mapping[str, float], bounds: object) -> Row:
    """A row that was measured now, here; ``bounds`` is its module, with LIMITS, LEAST or both."""
    most, least = getattr(bounds, "LIMITS", {}), getattr(bounds, "LEAST", {})
    return Row(name, _today(), state(), machine(), round(seconds), figures, most, least)


def lacking(name: str, missing: str) -> Row:
    """A row that could not be measured."""
    return Row(name, _today(), state(), machine(), 0, missing=missing)


def _today() -> str:
    return time.strftime("%Y-%m-%d")


def read(folder: Path = RESULTS) -> dict[str, Row]:
    """Return what each row came to last; nothing where nothing was published."""
    try:
        kept = json.loads((folder / f"{NAME}.json").read_text())
    except FileNotFoundError:
        return {}
    return {name: Row(name=name, **one) for name, one in kept["rows"].items()}


def publish(new: Iterable[Row], order: Sequence[str], folder: Path = RESULTS) -> dict[str, Row]:
    """Put ``new`` rows in the places of what they were, write both files, and return all rows in ``order``."""
    known = read(folder) | {one.name: one for one in new}
    rows = {name: known[name] for name in order if name in known}
    folder.mkdir(parents=True, exist_ok=True)
    told = {name: {key: value for key, value in asdict(one).items() if key != "name"} for name, one in rows.items()}
    (folder / f"{NAME}.json").write_text(json.dumps({"rows": told}, indent=2) + "\n")
    (folder / f"{NAME}.md").write_text("\n".join(lines(rows, order)) + "\n")
    return rows


def is_whole(rows: Mapping[str, Row], order: Sequence[str]) -> bool:
    """Tell whether every row of ``order`` passed, all in the state that is here now."""
    return all(name in rows and rows[name].passed and rows[name].state == state() for name in order)


def lines(rows: Mapping[str, Row], order: Sequence[str]) -> list[str]:
    """The page: what each row came to, then its figures."""
    told = [
        f"# {TITLE}", "",
        f"Written by `make {NAME} DATA=folder`; a row that was measured alone (`--only`) takes its own place only.",
        "A state is a digest of the code that was measured. Intervals: paired bootstrap over items, 95 %.", "",
        f"The whole: {'pass' if is_whole(rows, order) else 'short'}.", "",
        "| row | came to | measured on | state | seconds | machine |", "|---|---|---|---|---|---|",
        *(_came_to(name, rows.get(name)) for name in order),
    ]  # fmt: skip
    for one in rows.values():
        if one.figures:
            told += ["", f"## {one.name}", "", "| figure | measured | goal |", "|---|---|---|", *_figures(one)]
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
