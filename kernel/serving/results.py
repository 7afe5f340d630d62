"""From a server's reply to a tool's result: its value in the declared type, its words as the server's, its pictures.

What this stops: a value in another shape than the tool declares; words of a server passing for Steward's own; a file
that is no picture being shown as one.
What it does not: trust any of it. It is labelled like every result of a tool.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from skills.mcp.mapping import value_of
from skills.mcp.texts import FAILED, FAILED_IN_GERMAN, SAID, SAID_IN_GERMAN, quoted
from skills.mcp.wire import Reply
from skills.model import CallResult, Tool

Keep = Callable[[Iterable[bytes]], Sequence[str]]
"""Keeps what really are pictures as files; returns their paths."""

_MOST_ANSWER = 20_000


def result_of_reply(tool: Tool, reply: Reply, declined: Sequence[str], keep: Keep, language: str) -> CallResult:
    """Return what a call comes to. Raises BadResult."""
    german = language == "de"
    if reply.error is not None:
        code, message = reply.error
        said = (FAILED_IN_GERMAN if german else FAILED).format(tool=tool.id) + message
        asked = _asked(declined, german)
        return CallResult(error={"code": code, "message": f"{said}{asked}", "hint": _hint(code, german)})
    value = value_of(tool, reply.text, reply.structured)
    files = tuple(keep(one.content for one in reply.pictures)) if reply.pictures else ()
    text = reply.text or ("" if value is None else json.dumps(value, ensure_ascii=False))
    source = (SAID_IN_GERMAN if german else SAID).format(skill=tool.skill)
    answer = "\n".join([text[:_MOST_ANSWER].rstrip(), *(f"[{note}]" for note in reply.notes), source])
    return CallResult(value, answer.strip() + _asked(declined, german), table=_table(value), files=files)


def _hint(code: str, german: bool) -> str:
    if code == "server.arguments":
        return "Sag die Werte anders." if german else "Say the values in another way."
    return "Frag anders, oder frag noch einmal." if german else "Ask in another way, or ask again."


def _asked(declined: Sequence[str], german: bool) -> str:
    if not declined:
        return ""
    first, last = ("„", "“") if german else ("“", "”")
    what = "; ".join(f"{first}{quoted(one, 200)}{last}" for one in declined[:3])
    return f"\nEr hat gefragt und keine Antwort bekommen: {what}" if german else f"\nIt asked and was not told: {what}"


def _table(value: Any) -> dict[str, Any] | None:
    """Return a list of like records as a table to be shown."""
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(one, dict) for one in value):
        return None
    columns = list(value[0])
    if not 0 < len(columns) <= 12 or any(list(one) != columns for one in value):
        return None
    return {"columns": columns, "rows": [[_cell(one[name]) for name in columns] for one in value[:500]]}


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else json.dumps(value)[:200]
