"""Files and folders that Steward's own tools have found: things, and no text of others.

What this stops: a path that only stands in a text ("/home/u/thesis.pdf" in a letter) passing for a file that was
found. What counts is what the tool says its result is, never what it looks like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kernel.context.dialogue import LastRun
from kernel.paths import paths_of
from skills.model import Tool, ToolId, ValueKind, ValueType

THINGS = frozenset({ValueKind.FILE, ValueKind.FOLDER})


def is_thing(result: ValueType, field: str) -> bool:
    """Tell whether a result of this type, or its ``field``, is a file or a folder."""
    of = result.fields.get(field) if field else result
    return of is not None and of.kind in THINGS


def things_in(value: Any, result: ValueType) -> Iterator[str]:
    """Yield the paths of the files and folders in a value of this type."""
    if isinstance(value, list):
        for item in value:
            yield from things_in(item, result)
        return
    if result.kind in THINGS:
        yield from paths_of(value)
    inner = value.get("fields", value) if isinstance(value, Mapping) else {}
    for name, kind in result.fields.items():
        if kind.kind in THINGS and isinstance(inner, Mapping):
            yield from paths_of(inner.get(name))


def found_in(
    runs: Iterable[LastRun | None], tool: Callable[[ToolId], Tool], shipped: Callable[[ToolId], bool]
) -> frozenset[str]:
    """Return the paths of everything that tools which are ``shipped`` have found in ``runs``."""
    return frozenset(
        path
        for run in runs
        if run is not None
        for task in run.plan.tasks
        if (outcome := run.outcomes.get(task.id)) is not None and outcome.ok and shipped(task.tool)
        for path in things_in(outcome.value, tool(task.tool).result)
    )


def are_found(value: Any, found: frozenset[str]) -> bool:
    """Tell whether ``value`` names things, and all of them were found."""
    paths = list(paths_of(value))
    count = len(value) if isinstance(value, list) else 1
    return bool(paths) and len(paths) == count and found.issuperset(paths)
