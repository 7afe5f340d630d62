"""Runs as turns: what a person said, what was answered, and what was changed, told from a run's events.

What this stops: that words of a private run are kept, and that what recall answered is found as if it had been said
anew. What it does not: leave out what a tool read to the person; it is theirs, and bears the label of what was read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from kernel.paths import short
from memory.model import Event
from memory.recall import Turn
from permissions.labels import FOR_THE_PERSON, KERNEL_SAID, USER_SAID, Label, join

RECALLED = "recalled"
_MEMORYS = frozenset({RECALLED, "facts", "whom", "which_run"})
"""What results and questions of memory's own have in them."""
"""The part of a run's result that says that it was answered from memory."""

SAID, ANSWERED, DONE = "said", "answered", "done"
CONVERSATION, CHANGES = "conversation", "changes"
"""Where a turn was read from: what was spoken, or what was done to files."""

USER, STEWARD = "user", "steward"
_MOST_NAMED = 20
_LONGEST = 2_000


def turn_id(run: str, part: str) -> str:
    """Return the id of a turn, the same whenever it is told."""
    return f"turn:{run}:{part}"


def run_of(id: str) -> str:
    """Return the run that a turn is of; "" for a fact."""
    kind, _, rest = id.partition(":")
    return rest.rpartition(":")[0] if kind == "turn" else ""


def turns_of(run: str, events: Iterable[Event], home: str) -> list[Turn]:
    """Return the turns of a run that is over; none of one that is private, forgotten, a client's, or from memory."""
    told = {event.kind: event for event in events if event.task is None and event.body is not None}
    created, finished = told.get("run.created"), told.get("run.finished")
    if created is None or finished is None:
        return []
    said, ended = dict[str, Any](created.body or {}), dict[str, Any](finished.body or {})
    asked = told.get("run.asked")
    if (
        said.get("private")
        or said.get("client")
        or "text" not in said
        or _is_from_memory(ended, (asked.body or {}) if asked else {})
    ):
        return []
    at_ns = int(datetime.fromisoformat(str(said["now"])).timestamp() * 1e9)
    talk, about = (
        str(said.get("conversation") or ""),
        tuple(dict.fromkeys(one for e in told.values() for one in e.entities)),
    )
    parts = [
        (SAID, str(said["text"]), USER, CONVERSATION, created.seq, USER_SAID),
        (ANSWERED, str(ended.get("answer") or ""), STEWARD, CONVERSATION, finished.seq, answered_with(events)),
        (DONE, done_words(ended.get("effects") or [], home), STEWARD, CHANGES, finished.seq, KERNEL_SAID),
    ]
    return [
        Turn(turn_id(run, part), text[:_LONGEST], at_ns + step, talk, who, origin, seq, label.to_json(), about)
        for step, (part, text, who, origin, seq, label) in enumerate(parts)
        if text.strip()
    ]


def _is_from_memory(ended: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    """What memory itself answered, or asked back, says once more what it was told before."""
    return not _MEMORYS.isdisjoint(ended.get("result") or {}) or not _MEMORYS.isdisjoint(asked)


def answered_with(events: Iterable[Event]) -> Label:
    """Return the label of a run's answer: that of all that its tasks found; without any it is for the person alone.

    For then Steward says something itself, and that may repeat anything that the person was told before.
    """
    labels = [Label.from_json((event.body or {}).get("label")) for event in events if event.kind == "task.done"]  # type: ignore[arg-type]
    return join(labels) if labels else FOR_THE_PERSON


def done_words(changes: Sequence[Mapping[str, Any]] | Mapping[str, Any], home: str) -> str:
    """Return in words what was changed: kinds and places."""
    many = isinstance(changes, Mapping)
    first: Sequence[Mapping[str, Any]] = changes["first"] if isinstance(changes, Mapping) else changes
    count = int(changes["count"]) if isinstance(changes, Mapping) else len(first)
    home = os.path.realpath(home)
    said = [_change(one, home) for one in first[:_MOST_NAMED]]
    if many and isinstance(changes, Mapping):
        said += [short(str(one["folder"]), home) for one in changes.get("folders", ())]
    more = [f"+{count - len(first)}"] if count > len(first) else []
    return "; ".join([*said, *more])


def _change(change: Mapping[str, Any], home: str) -> str:
    place, source = short(str(change["path"]), home), change.get("source")
    return f"{change['kind']} {short(str(source), home)} → {place}" if source else f"{change['kind']} {place}"
