"""What a terminal shows, drawn with rich on standard error (tables of results on standard output).

No text from elsewhere is ever read as markup: everything goes through ``words.visible`` into Text objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.text import Text

from portal.cli.answers import written_rows
from portal.cli.phrases import phrase
from portal.cli.tables import drawn, show
from portal.cli.words import one_line, span, visible

TABLE_ROWS = 50
LONGEST_CELL = 500
PIPE_COLUMNS = 100_000  # lines for another program are not folded
_BREAKS = {ord("\n"): "\\x0a", ord("\t"): "\\x09"}  # a row of a list is one line

people = Console(stderr=True, highlight=False)


def note(text: str) -> None:
    """Say something on the side."""
    people.print(Text(visible(text), style="dim"))


def show_table(table: Mapping[str, Any], language: str) -> None:
    """Print a result table on standard output, the numbers of a column alike."""
    rows, numbers = written_rows(table, language)
    columns = [one_line(str(column), 60) for column in table.get("columns") or ()]
    cells = [[one_line(cell, LONGEST_CELL) for cell in row] for row in rows[:TABLE_ROWS]]
    console = Console(highlight=False)
    show(console, drawn(columns, cells, numbers, console.width, ruled=True))
    if len(rows) > TABLE_ROWS:
        note(phrase(language, "table.more", count=len(rows) - TABLE_ROWS))


def list_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a list on standard output, in columns."""
    cells = [[visible(str(cell)).translate(_BREAKS) for cell in row] for row in rows]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_COLUMNS)
    show(console, drawn(columns, cells, [False] * len(columns), console.width, ruled=False))


@contextmanager
def byte_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Draw one bar of bytes while inside; give what moves it: done, of how many."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Bars(*columns, console=people, transient=True) as bars:
        task = bars.add_task(title, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total or None)


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
                took = f"  {span(wall_s)}"
                self._finish(task, Text.assemble(("✔ ", "green"), self._title(task, len(took) + 2), (took, "dim")))
            case "task.skipped":
                self._finish(task, Text.assemble(("– ", "dim"), self._title(task)))
            case "task.failed":  # why is what the answer says
                self._finish(task, Text.assemble(("✘ ", "red"), self._title(task)))

    def wait(self, text: str) -> None:
        """Say what is waited for; a terminal that can shows for how long by now, until ``end``."""
        self.end()
        if people.is_dumb_terminal or not people.is_terminal:
            note(text)
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        self._bars = Bars(*columns, console=people, transient=True)
        self._bars.start()
        self._bars.add_task(one_line(text, max(people.width - 12, 20)), total=None)

    def turn(self, text: str) -> None:
        """Leave a line behind of what a model does that follows instructions; its words are anybody's."""
        self.end()
        note("  " + one_line(text, max(people.width - 2, 20)))

    def end(self) -> None:
        """Leave the terminal to others."""
        if self._bars is not None:
            self._bars.stop()
        self._bars = None
        self._ids.clear()

    def _title(self, task: str, beside: int = 2) -> str:
        """Return what the task is called, cut to stand on one line with ``beside`` cells more."""
        return one_line(self._titles.get(task, task), max(people.width - beside, 10))

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
