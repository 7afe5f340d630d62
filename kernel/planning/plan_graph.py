"""A plan as a graph in the notation of Mermaid (https://mermaid.js.org/syntax/flowchart.html)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_LONGEST = 60
_FROM = re.compile(r"^← (?P<task>[^.\[]+)")


def mermaid(plan: Mapping[str, Any], language: str) -> str:
    """Return the flowchart of a plan as a client sees it: a node a task, an arrow for what one takes of another.

    XX
    """
    lines = ["flowchart TD"]
    for task in plan["tasks"]:
        lines.append(f'  {task["id"]}["{_label(task)}"]')
    for task in plan["tasks"]:
        data = {found["task"] for value in task["arguments"].values() if (found := _FROM.match(str(value)))}
        for other in task["after"]:
            lines.append(f"  {other} {_arrow(task, other, other in data, language)} {task['id']}")
    return "\n".join(lines) + "\n"


def _label(task: Mapping[str, Any]) -> str:
    parts = [str(task["title"]), str(task["tool"]), *(str(task[name]) for name in ("each", "only") if task.get(name))]
    return "<br/>".join(_text(part) for part in parts)


def _text(text: str) -> str:
    """Text as Mermaid shows it whatever it holds: entity codes for what would be notation."""
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return "".join(one if one.isalnum() or one in " .,:-_/~…" else f"#{ord(one)};" for one in short)


def _arrow(task: Mapping[str, Any], other: str, data: bool, language: str) -> str:
    if task.get("over") == other:
        return "== je ==>" if language == "de" else "== each ==>"
    if other in task.get("if", ()) and not data:
        return "-. wenn .->" if language == "de" else "-. if .->"
    return "-->"
