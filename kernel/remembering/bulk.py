"""Bulk: how a run with thousands of changes or values is written into the ledger, and read back whole.

Everything large is kept once: all changes of a run in its transaction, the value of a task in its ``task.done`` event
(packed). Everywhere else stands a summary: the count, the first few, and a count for each folder.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

FEW = 50
"""So many changes are written out; of more, a summary."""

FIRST = 10
"""So many changes a summary shows."""

_MOST_FOLDERS = 100
_LARGE_BYTES = 32 << 10

View = dict[str, Any]


def lean_changes(changes: Sequence[Mapping[str, Any]], few: int = FEW) -> list[Mapping[str, Any]] | View:
    """Return ``changes`` as they are, or a summary of many: ``count``, the ``first`` ones, counts by ``folders``."""
    if len(changes) <= few:
        return list(changes)
    kinds: dict[str, Counter[str]] = {}
    for change in changes:
        kinds.setdefault(str(change["path"]).rpartition("/")[0], Counter())[str(change["kind"])] += 1
    fullest = sorted(kinds, key=lambda folder: (-kinds[folder].total(), folder))[:_MOST_FOLDERS]
    folders = [{"folder": one, "count": kinds[one].total(), "kinds": dict(kinds[one])} for one in fullest]
    return {"count": len(changes), "first": list(changes[:FIRST]), "folders": folders}


def lean_list(values: Mapping[str, Any]) -> View:
    """Return arguments with every long list cut to its count and its first items."""
    return {
        name: {"count": len(value), "first": value[:FIRST]} if isinstance(value, list) and len(value) > FEW else value
        for name, value in values.items()
    }


def kept(name: str, value: Any) -> View:
    """Return the part of an event that keeps ``value`` under ``name``: as it is, or packed when it is large."""
    text = json.dumps(value, separators=(",", ":"), default=dict).encode()
    if len(text) <= _LARGE_BYTES:
        return {name: value}
    return {name: None, f"{name}_packed": base64.b64encode(zlib.compress(text)).decode()}


def kept_in(body: Mapping[str, Any], name: str) -> Any:
    """Return what ``kept`` put into an event under ``name``."""
    packed = body.get(f"{name}_packed")
    return body.get(name) if packed is None else json.loads(zlib.decompress(base64.b64decode(packed)))


def lean_result(values: Mapping[str, Any], **more: Any) -> View:
    """Return the result of a run from the values of its tasks, in order; large ones stay with their tasks."""
    large = [task for task, value in values.items() if "value_packed" in kept("value", value)]
    tasks = {task: None if task in large else value for task, value in values.items()}
    return {"value": _last(tasks), "tasks": tasks, **more} | ({"kept": large} if large else {})


def _last(tasks: Mapping[str, Any]) -> Any:
    return tasks[next(reversed(list(tasks)))] if tasks else None


class AllChanges(Protocol):
    """Returns all changes that a run made or waits to make; with ``back``, what taking them back changed."""

    def __call__(self, run: str, *, back: bool) -> list[View]:
        """Empty when they are no longer known."""


def whole(view: View, values: Callable[[], Mapping[str, Any]], changes: AllChanges) -> View:
    """Return the view of a run with everything that its events only summarise.

    ``values()`` are those of its tasks. Where the changes are no longer known, the first of them stay.
    """
    result = view["result"]
    if isinstance(result, dict) and result.get("kept"):
        large = {task: found for task, found in values().items() if task in result["kept"]}
        tasks = {**result["tasks"], **large}
        rest = {name: part for name, part in result.items() if name != "kept"}
        view["result"] = {**rest, "tasks": tasks, "value": _last(tasks)}
    if isinstance(view["effects"], dict):
        undone = result.get("undone") if isinstance(result, dict) else None
        view["effects"] = changes(undone or view["run"], back=undone is not None) or view["effects"]["first"]
    card = view["card"]
    if card and isinstance(card.get("changes"), dict):
        undone = (card.get("undo") or {}).get("run")  # the question whether another run shall be taken back
        found = changes(undone or view["run"], back=undone is not None)
        view["card"] = {**card, "changes": found or card["changes"]["first"]}
    return view
