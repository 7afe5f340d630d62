"""Whose turn it is: tasks of a plan that touch the same place run one after the other, in the order of the plan.

What this stops: two tasks that look at one note at the same time and each write it with their own line only, and a task
that reads a place while another one changes it.
What it does not: order tasks that only read, or that are about different places.
"""

from __future__ import annotations

from collections.abc import Collection

from permissions import holds_path
from permissions.model import Action, Right

_CHANGES = frozenset({Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE})


def meets(one: Collection[Right], other: Collection[Right]) -> bool:
    """Tell whether one of two tasks with these rights changes what the other one touches."""
    mine, theirs = _places(one), _places(other)
    return any((a.action in _CHANGES or b.action in _CHANGES) and _same_place(a, b) for a in mine for b in theirs)


def _places(rights: Collection[Right]) -> list[Right]:
    return [right for right in rights if right.action.startswith("fs.")]


def _same_place(one: Right, other: Right) -> bool:
    """Tell whether some path lies in both."""
    return (
        one.scope == other.scope
        or (one.tree and holds_path(one.scope, other.scope))
        or (other.tree and holds_path(other.scope, one.scope))
    )
