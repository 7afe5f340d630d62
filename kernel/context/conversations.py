"""Conversations: what was said and found before, read back from the ledger so that it survives a restart."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kernel.context.dialogue import Dialogue, LastRun
from kernel.model import Outcome, Plan, Question, Resolution, TaskId
from kernel.planning.plan_json import plan_from_json, question_from_json
from kernel.remember import TRIAL
from kernel.remembering.bulk import kept_in
from memory import Ledger
from memory.model import Event
from permissions.labels import Label

_RECENT = 4
_SAID = ("run.interpreted", "run.planned", "run.finished")
_DONE = (Resolution.EXECUTED, Resolution.CONFIRMED)
_NOTHING = (Resolution.DECLINED, Resolution.FAILED, Resolution.BLOCKED, Resolution.CLARIFY)


@dataclass(slots=True)
class _Runs:
    """The runs there are, oldest first: all, those of each conversation, and in whose name those of programs run."""

    every: dict[str, None] = field(default_factory=dict)
    of: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    clients: dict[str, tuple[str, str]] = field(default_factory=dict)

    def note(self, conversation: str, run: str, client: str, key: str) -> None:
        self.every[run] = None
        if client:
            self.clients[run] = client, key
        if conversation:
            self.of[conversation].append(run)


class Conversations:
    """The runs of every conversation, in order; bodies stay in the ledger until they are asked for.

    Those of earlier starts are read once one of them is asked for, or before that by ``read``: no start waits for it.
    """

    def __init__(self, ledger: Ledger, home: str) -> None:
        self._ledger = ledger
        self._home = home
        self._before = ledger.head()[0]
        self._known: _Runs | None = None
        self._reading = threading.Lock()

    def read(self) -> None:
        """Read which runs there were before; returns when that is done."""
        self._all()

    def _all(self) -> _Runs:
        with self._reading:
            if self._known is None:
                known = _Runs()
                for event in self._ledger.events(kinds=("run.created", TRIAL)):
                    if event.seq > self._before:
                        break
                    said = _body(event)
                    if event.run is not None and not said.get("aside"):
                        client, key = str(said.get("client") or ""), str(said.get("client_key") or "")
                        tried = event.kind == TRIAL  # no sentence refers to a dry run
                        known.note("" if tried else str(said.get("conversation") or ""), event.run, client, key)
                self._known = known
            return self._known

    def note(self, conversation: str, run: str, client: str = "", key: str = "") -> None:
        """Remember that ``run`` belongs to ``conversation``, and in whose name it runs where that is a program's.

        ``key`` tells the program from a namesake.
        """
        self._all().note(conversation, run, client, key)

    def client(self, run: str) -> str:
        """Return the program in whose name ``run`` runs (``mcp:NAME``); empty where it is the person's."""
        return self.whose(run)[0]

    def whose(self, run: str) -> tuple[str, str]:
        """Return in whose name ``run`` runs, and the key of that program or routine; empty where it is the person's."""
        return self._all().clients.get(run, ("", ""))

    def is_of(self, run: str, client: str, key: str) -> bool:
        """Tell whether ``run`` runs in the name of this program, and not of an earlier one that was called so."""
        return self._all().clients.get(run) == (client, key)

    def knows(self, run: str) -> bool:
        """Tell whether there is such a run, be its words forgotten or not."""
        return run in self._all().every

    def every(self) -> tuple[str, ...]:
        """Return the runs of all conversations, oldest first."""
        return tuple(self._all().every)

    def runs(self, conversation: str) -> tuple[str, ...]:
        """Return the runs of ``conversation``, oldest first."""
        return tuple(self._all().of.get(conversation, ()))

    def dialogue(self, conversation: str, before: str) -> Dialogue:
        """Return what the sentence of run ``before`` may refer to: the last results and an open question."""
        earlier = [run for run in self.runs(conversation) if run != before]
        recent: list[LastRun] = []
        pending: Question | None = None
        unsettled = ""
        for position, run in enumerate(reversed(earlier[-2 * _RECENT :])):
            events = {event.kind: event for event in self._events(run) if event.task is None}
            if position == 0:
                pending = _open_question(events)
                unsettled = self._unsettled(run, events)
            last = self._last_run(run, events)
            if last is not None:
                recent.append(last)
        return Dialogue(
            last=recent[0] if recent else None, pending=pending, recent=tuple(recent[:_RECENT]), home=self._home,
            unsettled=unsettled,
        )  # fmt: skip

    def language(self, conversation: str, before: str) -> str:
        """Return the language of what was said last in ``conversation`` before run ``before``; "" at its beginning."""
        earlier = [run for run in self.runs(conversation) if run != before]
        for run in earlier[-1:]:
            said = [_body(event).get("language") for event in self._ledger.events(run=run, kinds=_SAID)]
            return str(next((one for one in reversed(said) if one), ""))
        return ""

    def _unsettled(self, run: str, events: Mapping[str, Event]) -> str:
        """The words of the run when it came to nothing."""
        if _body(events.get("run.finished")).get("resolution") not in _NOTHING:
            return ""
        created = next(iter(self._ledger.events(run=run, kinds=("run.created",))), None)
        return str(_body(created).get("text") or "")

    def is_open(self, run: str) -> bool:
        """Tell whether ``run`` has asked back and waits for an answer."""
        kinds = {event.kind for event in self._events(run)}
        return "run.asked" in kinds and "run.dropped" not in kinds

    def _last_run(self, run: str, events: Mapping[str, Event]) -> LastRun | None:
        finished, planned = _body(events.get("run.finished")), _body(events.get("run.planned"))
        if finished.get("resolution") not in _DONE or "frozen" not in planned:
            return None
        private = bool(_body(events.get("run.created")).get("private"))
        return LastRun(plan_from_json(kept_in(planned, "frozen")), self.outcomes(run), private)

    def outcomes(self, run: str) -> dict[TaskId, Outcome]:
        """Return the outcomes of the tasks of the latest plan of ``run`` that were done, or were not to be done."""
        found: dict[TaskId, Outcome] = {}
        for event in self._ledger.events(run=run, kinds=("run.planned", "task.done", "task.skipped")):
            if event.kind == "run.planned":
                found.clear()  # of a version that is not carried out
            elif event.task is not None and event.body is not None:
                task, skipped = TaskId(event.task), event.kind == "task.skipped"
                found[task] = outcome_from(task, event.body, skipped=skipped)
        return found

    def values(self, run: str) -> dict[str, Any]:
        """Return the values of the tasks of ``run`` that were done, in order."""
        return {str(task): outcome.value for task, outcome in self.outcomes(run).items() if not outcome.skipped}

    def plan(self, run: str) -> Plan | None:
        """Return the latest frozen plan of ``run``, if it got that far."""
        planned = list(self._ledger.events(run=run, kinds=("run.planned",)))
        return plan_from_json(kept_in(_body(planned[-1]), "frozen")) if planned else None

    def _events(self, run: str) -> tuple[Event, ...]:
        kinds = ("run.created", "run.planned", "run.asked", "run.finished", "run.dropped")
        return tuple(self._ledger.events(run=run, kinds=kinds))


def _body(event: Event | None) -> dict[str, Any]:
    return dict(event.body) if event is not None and event.body is not None else {}


def _open_question(events: Mapping[str, Event]) -> Question | None:
    if "run.dropped" in events:
        return None
    draft = kept_in(_body(events.get("run.asked")), "draft")
    return question_from_json(draft) if draft else None


def outcome_from(task: TaskId, body: Mapping[str, Any], *, skipped: bool) -> Outcome:
    """Return the outcome of a task from its last event, ``task.done`` or ``task.skipped``."""
    return Outcome(
        task, True, kept_in(body, "value"), str(body.get("answer") or ""), Label.from_json(body.get("label")),
        table=body.get("table"), files=tuple(body.get("files") or ()), level=str(body.get("level") or ""),
        skipped=skipped or bool(body.get("skipped")),
    )  # fmt: skip
