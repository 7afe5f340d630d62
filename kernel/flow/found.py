"""Files and folders that Steward's own tools have found before in a conversation: things, and no text of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kernel.context.dialogue import LastRun
from kernel.paths import paths_of
from skills.model import ToolId


def found_in(runs: Iterable[LastRun | None], shipped: Callable[[ToolId], bool]) -> frozenset[str]:
    """Return the paths of everything that tools which are ``shipped`` have found in ``runs``."""
    return frozenset(
        path
        for run in runs
        if run is not None
        for task in run.plan.tasks
        if shipped(task.tool) and (outcome := run.outcomes.get(task.id)) is not None and outcome.ok
        for path in paths_of(outcome.value)
    )


def are_found(value: Any, found: frozenset[str]) -> bool:
    """Tell whether ``value`` names things, and all of them were found."""
    paths = list(paths_of(value))
    count = len(value) if isinstance(value, list) else 1
    return bool(paths) and len(paths) == count and found.issuperset(paths)
