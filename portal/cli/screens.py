"""What a terminal shows, drawn with rich on standard error (tables of results on standard output).

No text from elsewhere is ever read as markup: everything goes through ``words.visible`` into Text objects.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from portal.cli.words import change_line, concern_line, one_line, span, visible

CARD_LONGEST = 10_000
DIFF_LINES = 60
TABLE_ROWS = 50
PIPE_COLUMNS = 250

people = Console(stderr=True, highlight=False)
_LEVELS = {"L3": "own file system, no network", "L2": "shared view of the system, confined", "L1": "limits only"}
_FROM_TASK = re.compile(r"← (?P<task>[^.\[]+)(?:\[(?P<item>-?\d+)\])?(?:\.(?P<field>.+))?$")
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def note(text: str) -> None:
    """Say something on the side."""
    people.print(Text(visible(text), style="dim"))


def show_plan(plan: Mapping[str, Any]) -> None:
    """Draw the plan: one branch for each task, with its values and what it waits for."""
    tree = Tree(Text("Plan", style="bold"))
    tasks = plan.get("tasks", ())
    numbers = {task["id"]: str(number) for number, task in enumerate(tasks, 1)}
    for task in tasks:
        tree.add(_task_text(task, numbers))
    people.print(tree)


def _task_text(task: Mapping[str, Any], numbers: Mapping[str, str]) -> Text:
    title = Text.assemble((f"{numbers[task['id']]} ", "dim"), (one_line(str(task.get("title", "")), 100), "bold"))
    title.append(f"  {one_line(str(task.get('tool', '')), 60)}", "dim")
    after = [numbers.get(other, "?") for other in task.get("after", ())]
    if after:
        title.append(f"  after {', '.join(after)}", "dim")
    for name, value in (task.get("arguments") or {}).items():
        title.append(f"\n{one_line(name, 40)}: ", "cyan").append(one_line(_value(str(value), numbers), 160))
    return title


def _value(text: str, numbers: Mapping[str, str]) -> str:
    """Say a value; ``← t1[2].name`` is the name of item 2 of the result of that task."""
    found = _FROM_TASK.match(text)
    if found is None or found["task"] not in numbers:
        return text
    field = f"{found['field']} of " if found["field"] else ""
    item = f"item {found['item']} of " if found["item"] else ""
    return f"{field}{item}the result of {numbers[found['task']]}"


def show_card(card: Mapping[str, Any], stage: str) -> None:
    """Draw the card: the rights in words with their reasons, or why a change set needs an answer."""
    lines = [*_right_lines(card.get("rights") or ()), *_concern_lines(card.get("concerns") or ())]
    lines += [Text(change_line(change)) for change in card.get("changes") or ()]
    if level := card.get("level"):
        lines.append(Text(f"\nRuns at {level}: {_LEVELS.get(str(level), '')}", "dim"))
    if level_note := card.get("level_note"):
        lines.append(Text(visible(str(level_note)), "yellow"))
    body = Text("\n").join(lines)
    body.truncate(CARD_LONGEST)
    title = "Steward needs your permission" if stage == "plan" else "These changes need a second look"
    people.print(Panel(body, title=Text(title, "bold yellow"), title_align="left", border_style="yellow"))


def _right_lines(rights: Iterable[Mapping[str, Any]]) -> list[Text]:
    lines = []
    for right in rights:
        asked = right.get("verdict") == "ask"
        line = Text.assemble(("? ", "bold yellow") if asked else ("✓ ", "green"))
        line.append(one_line(str(right.get("skill", "")), 60), "bold").append(" wants to ").append(
            visible(str(right.get("words") or right.get("scope") or ""), longest=400)
        )
        if not asked:
            line.append("  (allowed already)", "dim")
        if right.get("reason"):
            line.append(f"\n    {one_line(str(right['reason']))}", "dim")
        lines.append(line)
    return lines


def _concern_lines(concerns: Iterable[Mapping[str, Any]]) -> list[Text]:
    return [Text(f"! {concern_line(concern)}", "yellow") for concern in concerns]


def show_diff(diffs: Sequence[Mapping[str, Any]]) -> None:
    """Draw what a change set would do, cut to DIFF_LINES lines a file."""
    for diff in diffs:
        people.print(Text(one_line(f"{diff.get('kind', '')} {diff.get('path', '')}", 300), "bold"))
        lines = str(diff.get("text") or "").splitlines()
        for line in lines[:DIFF_LINES]:
            people.print(Text("  " + visible(line, longest=300), _DIFF_STYLES.get(line[:1], "")))
        if not lines:
            people.print(Text(f"  {visible(str(diff.get('summary', '')))}", "dim"))
        if len(lines) > DIFF_LINES or diff.get("truncated"):
            people.print(Text("  … more; the page shows all of it", "dim"))


def show_table(table: Mapping[str, Any]) -> None:
    """Print a result table on standard output."""
    drawn = Table(show_edge=False, header_style="bold")
    for column in table.get("columns") or ():
        drawn.add_column(Text(one_line(str(column), 60)))
    rows = list(table.get("rows") or ())
    for row in rows[:TABLE_ROWS]:
        drawn.add_row(*(Text(one_line("" if cell is None else str(cell), 120)) for cell in row))
    Console(highlight=False).print(drawn)
    if len(rows) > TABLE_ROWS:
        note(f"… and {len(rows) - TABLE_ROWS} more rows")


def list_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a list on standard output, in columns."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(visible(str(cell))) for cell in row))
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
            case "task.failed":
                message = one_line(str(body.get("message", "")))
                self._finish(task, Text.assemble(("✘ ", "red"), self._title(task), (f"  {message}", "red")))

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
