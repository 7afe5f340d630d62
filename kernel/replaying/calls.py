"""The calls of a plan as they were made: each is given what it would be given now, and comes to what it came to then.

What this stops: a call being made. What it does not: look at what a tool would do today (``again`` does, for those that
only read).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kernel.calling import Floor
from kernel.calling.aside import Nothing
from kernel.context.conversations import outcome_from
from kernel.dispatching.giving import given_to
from kernel.dispatching.perform import Work
from kernel.errors import TaskFailed
from kernel.model import Outcome, TaskId
from kernel.remembering.bulk import kept_in, lean_list
from kernel.replaying.recording import Body, Version

UNRECORDED = "task.unrecorded"
_REFUSED = "Refused: "


class Staged(Nothing):
    """A staging area that holds the marks of what was staged then; nothing comes in."""

    def __init__(self) -> None:
        self.marks: list[Mapping[str, Any]] = []

    def view(self) -> tuple[Mapping[str, Any], ...]:
        """Return them."""
        return tuple(self.marks)


@dataclass(slots=True)
class Calls:
    """The calls of one version of a plan. ``given`` is what each is given now, by its name."""

    version: Version
    given: dict[str, Any] = field(default_factory=dict)
    staged: Staged = field(default_factory=Staged)
    started: dict[str, Any] = field(default_factory=dict)  # what each was given then, by its name
    followed: frozenset[str] = frozenset()  # the tasks in which a model worked
    _ends: dict[str, Outcome] = field(default_factory=dict)
    _acts: dict[tuple[str, int], Body] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for event, body in self.version.bodies("task.started"):
            self.started[str(body.get("call") or event.task)] = {"tool": body.get("tool"),
                                                                 "arguments": body.get("arguments")}  # fmt: skip
        for event, body in self.version.bodies("task.done", "task.failed", "task.skipped"):
            self._ends[str(event.task)] = _end(TaskId(str(event.task)), event.kind, body)
        for event, body in self.version.bodies("worker.acted"):
            self._acts[str(event.task), int(body["turn"])] = body
        self.followed = frozenset(str(event.task) for event, _ in self.version.bodies("worker.turn"))

    def ended(self, task: str) -> str:
        """Return how a task ended then: ``done``, ``skipped`` or the code of its error; empty where it did not."""
        return ended(self._ends.get(task))

    def gave(self, task: str) -> str:
        """Return the digest of what a task gave then that a model worked in; empty for any other."""
        return gave(self._ends.get(task)) if task in self.followed else ""

    async def make(self, work: Work, floor: Floor) -> Outcome:
        """Return what the call of ``work`` came to. Raises TaskFailed where that is not recorded."""
        task = str(work.task.id)
        whole = self._ends.get(task)
        self._give(work, floor, known=whole is not None)
        if whole is None:
            raise _unrecorded(task)
        return whole if work.name == task else self._item(work.name, whole)

    async def act(self, work: Work, floor: Floor) -> Outcome:
        """Return what an action of a model that follows instructions came to. Raises TaskFailed, as it did then."""
        body = self._acts.get((str(work.task.id), int(work.name.rpartition("-")[2])))
        self._give(work, floor, known=body is not None)
        if body is None:
            raise _unrecorded(work.name)
        text = str(kept_in(body, "text"))
        self.staged.marks += kept_in(body, "staged") or []
        if body["ok"]:
            return Outcome(work.task.id, True, text)
        if text.startswith(_REFUSED):
            raise TaskFailed("task.then", text.removeprefix(_REFUSED), subject=work.name)
        return Outcome(work.task.id, False, error={"code": "task.then", "message": text, "hint": ""})

    def _give(self, work: Work, floor: Floor, *, known: bool) -> None:
        """Take note of what a call is given; not of one that is ``known`` to have been refused before it began."""
        values = given_to(work.task, work.outcomes, floor).values
        if work.name in self.started or not known:
            self.given[work.name] = plain({"tool": work.task.tool, "arguments": lean_list(values)})

    def _item(self, name: str, whole: Outcome) -> Outcome:
        """Return what came of one item of a list: only the whole is recorded, in the order of the items."""
        made = sorted((one for one in self.started if one.startswith(f"{whole.task}-")), key=_number)
        values = whole.value if isinstance(whole.value, list) else []
        if not whole.ok and name in made[-1:]:
            return whole
        if len(values) != len(made) or name not in made:
            raise _unrecorded(name)
        return Outcome(whole.task, True, values[made.index(name)], label=whole.label)


def ended(outcome: Outcome | None) -> str:
    """Return how a call ended, as ``Calls.ended`` says it."""
    if outcome is None:
        return ""
    code = str((outcome.error or {}).get("code", ""))
    return ("" if code == UNRECORDED else code) if not outcome.ok else "skipped" if outcome.skipped else "done"


def gave(outcome: Outcome | None) -> str:
    """Return the SHA-256 of what a call gave; empty where it gave nothing."""
    return digest_of(outcome.value) if outcome is not None and outcome.ok else ""


def digest_of(value: Any) -> str:
    """Return the SHA-256 of a value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=dict).encode()).hexdigest()


def plain(value: Any) -> Any:
    """Return a value as the ledger would give it back."""
    return json.loads(json.dumps(value, default=dict))


def _number(name: str) -> int:
    return int(name.rpartition("-")[2])


def _end(task: TaskId, kind: str, body: Body) -> Outcome:
    if kind == "task.failed":
        error = {str(name): str(value) for name, value in body.items() if name != "retryable"}  # nothing is tried again
        return Outcome(task, False, error=error)
    return outcome_from(task, body, skipped=kind == "task.skipped")


def _unrecorded(name: str) -> TaskFailed:
    return TaskFailed(UNRECORDED, f"What came of {name} is not recorded.", subject=name,
                      de=f"Was aus {name} wurde, ist nicht aufgeschrieben.")  # fmt: skip
