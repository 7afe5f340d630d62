"""The evidence of a run: what its steps have found and what it is about to change, each under a handle."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kernel.approval.card import change_view
from kernel.model import Constant, Outcome, Plan, TaskId
from kernel.models.model import ALWAYS_SEEN, Seen
from kernel.reviewing.model import Exhibit
from permissions.labels import Integrity
from permissions.model import Action, Change
from permissions.transactions import FileDiff
from skills.model import Tool, ToolId

MOST_CHANGES = 40
LONGEST = 200_000
"""Characters of one result that are looked at; it is far more than a model is shown."""

_FILES = frozenset({Action.FS_READ, Action.SKILL_CALL})
_FACTS = frozenset({Action.GRAPH_READ, Action.GRAPH_WRITE, Action.SKILL_CALL})
ToolOf = Callable[[ToolId], Tool]


def evidence_of(
    plan: Plan,
    outcomes: Mapping[TaskId, Outcome],
    changes: Sequence[Change],
    home: str,
    lines: Sequence[FileDiff] = (),
) -> tuple[Exhibit, ...]:
    """Return the results of the steps as ``r1``, ``r2`` ..., and the first ``MOST_CHANGES`` changes as ``c1`` ...

    A change of which ``lines`` tell is shown with them. What a worker says is no evidence for itself.
    It takes as long as the results are large: not on the event loop.
    """
    found = []
    drawn = {one.path: _lines(one) for one in lines}
    for number, task in enumerate(plan.tasks, 1):
        outcome = outcomes.get(task.id)
        if outcome is None or not outcome.ok:
            continue
        value = "This step was not made." if outcome.skipped else _without_own_words(plan, outcome.value)
        found.append(Exhibit(f"r{number}", str(task.tool), _text(value, home), frozenset(_counts(value))))
    for number, change in enumerate(changes[:MOST_CHANGES], 1):
        view = change_view(change) | drawn.get(change.path, {})
        found.append(Exhibit(f"c{number}", "change", _text(view, home)))
    return tuple(found)


def _without_own_words(plan: Plan, value: Any) -> Any:
    if not plan.worker or not isinstance(value, Mapping):
        return value
    return {name: one for name, one in value.items() if name != "text"}


def _lines(diff: FileDiff) -> dict[str, Any]:
    """Return what a change adds and takes away, as far as it is shown."""
    return {"lines": diff.text, **({"cut": True} if diff.truncated else {})} if diff.text else {}


def seen_in(plan: Plan, tool: ToolOf) -> frozenset[Seen]:
    """Return the classes of data that the evidence of ``plan`` may hold.

    A step that may read files, or call a tool that may, can repeat their words, and so can one that is given what an
    earlier request has found.
    """
    seen = set(ALWAYS_SEEN) | {Seen.RESULTS}
    if plan.worker:
        seen.add(Seen.FILES)  # lines of what it changes
    for task in plan.tasks:
        actions = {Action(right.action) for right in tool(task.tool).rights}
        given = [one for one in task.arguments.values() if isinstance(one, Constant)]
        if actions & _FILES or any(one.label.integrity is Integrity.UNTRUSTED for one in given):
            seen.add(Seen.FILES)
        if actions & _FACTS:
            seen.add(Seen.FACTS)
    return frozenset(seen)


def _text(value: Any, home: str) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)[:LONGEST].replace(home, "~")


def _counts(value: Any) -> Iterator[int]:
    """Yield the length of every list in a value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | tuple):
            yield len(one)
        waiting.extend(_inside(one))


def _inside(one: Any) -> Iterable[Any]:
    if isinstance(one, Mapping):
        return list(one.values())
    return one if isinstance(one, list | tuple) else ()
