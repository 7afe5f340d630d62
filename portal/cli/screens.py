"""What a terminal shows, drawn with rich on standard error (tables of results on standard output).

No text from elsewhere is ever read as markup: everything goes through ``words.visible`` into Text objects.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from portal.cli.answers import written_rows
from portal.cli.phrases import phrase
from portal.cli.words import one_line, span, visible

TABLE_ROWS = 50
PIPE_COLUMNS = 250
_BREAKS = {ord("\n"): "\\x0a", ord("\t"): "\\x09"}  # a row of a list is one line

people = Console(stderr=True, highlight=False)


def note(text: str) -> None:
    """Say something on the side."""
    people.print(Text(visible(text), style="dim"))


def show_table(table: Mapping[str, Any], language: str) -> None:
    """Print a result table on standard output, the numbers of a column alike."""
    drawn = Table(show_edge=False, header_style="bold")
    rows, numbers = written_rows(table, language)
    for column, number in zip(table.get("columns") or (), numbers, strict=True):
        drawn.add_column(Text(one_line(str(column), 60)), justify="right" if number else "left")
    for row in rows[:TABLE_ROWS]:
        drawn.add_row(*(Text(one_line(cell, 120)) for cell in row))
    Console(highlight=False).print(drawn)
    if len(rows) > TABLE_ROWS:
        note(phrase(language, "table.more", count=len(rows) - TABLE_ROWS))


def list_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a list on standard output, in columns."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(visible(str(cell)).translate(_BREAKS)) for cell in row))
    _listing().print(drawn)


def _listing() -> Console:
    """Return a console for standard output; lines for another program are not folded."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_COLUMNS)


class Progress:
    """Live lines of the tasks under way; a finished task leaves one line behind."""

    def __init__(self) -> None:
        self._bars: Bars | None = None
        self._ids: dict[str, TaskID] = {}
        self._titles: dict[str, str] = {}

    def plan(self, plan: Mapping[str, Any]) -> None:
        """Note what the tasks are called."""
        self._titles = {task["id"]: one_line(str(task.get("title", "")), 60) for task in plan.get("tasks", ())}

    def update(self, kind: str, task: str, body: Mapping[str, Any]) -> None:
        """Draw one event of a task."""
        match kind:
            case "task.started":
                self._start(task)
            case "task.progress" if self._bars is not None and task in self._ids:
                self._advance(self._bars, self._ids[task], body)
            case "task.done":
                wall_s = float(body.get("wall_ms") or 0) / 1000
                self._finish(task, Text.assemble(("✔ ", "green"), self._title(task), (f"  {span(wall_s)}", "dim")))
            case "task.failed":  # why is what the answer says
                self._finish(task, Text.assemble(("✘ ", "red"), self._title(task)))

    def end(self) -> None:
        """Leave the terminal to others."""
        if self._bars is not None:
            self._bars.stop()
        self._bars = None
        self._ids.clear()

    def _title(self, task: str) -> str:
        return self._titles.get(task, task)

    def _start(self, task: str) -> None:
        if self._bars is None:
            columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(bar_width=20))
            self._bars = Bars(*columns, console=people, transient=True)
            self._bars.start()
        self._ids[task] = self._bars.add_task(self._title(task), total=None)

    def _advance(self, bars: Bars, shown: TaskID, body: Mapping[str, Any]) -> None:
        fraction = body.get("fraction")
        text = one_line(str(body.get("text") or ""), 60)
        bars.update(shown, total=None if fraction is None else 1.0, completed=float(fraction or 0))
        if text:
            bars.update(shown, description=text)

    def _finish(self, task: str, line: Text) -> None:
        shown = self._ids.pop(task, None)
        if self._bars is not None and shown is not None:
            self._bars.remove_task(shown)
        people.print(line)
        if not self._ids:
            self.end()
