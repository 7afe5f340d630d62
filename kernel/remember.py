"""Remember: every step of a run becomes an event of the ledger, and everything shown is read back from there.

A run is written by one ``RunLog``; a run's view, the approvals that wait and the list of runs are folds over events
and hold no state of their own, so they can always be rebuilt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import partial
from typing import Any

from kernel.model import Resolution, RunId
from memory import Ledger
from memory.model import Draft, Event
from permissions.labels import KERNEL_SAID, Label
from permissions.policy import CLIENT

TRIAL = "trial.created"
"""How a dry run begins (``kernel.trying``): its body is that of ``run.created``, with what it tries out."""

SOURCES = frozenset({"run.planned", "task.done"})
"""The kinds of events that facts are read from: who writes these down asks for their numbers."""


REFUSED = "approval.refused"
"""A person said no to a card."""

CLOSED = "run.closed"
"""Says of a private run how it ended, and no word more: that stays."""


class RunLog:
    """Writes the events of one run, in order."""

    def __init__(self, ledger: Ledger, run: RunId, *, private: bool = False) -> None:
        """``private``: the ledger has every event, and no word of what it says."""
        self._ledger = ledger
        self._run = run
        self.private = private
        self.ledger_s = 0.0
        self._sources: dict[tuple[str, str | None], Future[tuple[Event, ...]]] = {}

    async def say(
        self, kind: str, task: str | None, body: Mapping[str, Any], durable: bool = True, label: Label = KERNEL_SAID
    ) -> None:
        """Write one event. A durable one is on disk when this returns; others follow soon, in order."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        future = self._ledger.submit(
            Draft(
                kind=kind, body=body, run=self._run, task=task, label=label.to_json(), durable=durable,
                volatile=self.private and kind != CLOSED,
            )
        )  # fmt: skip
        if kind in SOURCES:
            self._sources[kind, task] = future
        if durable:
            await asyncio.wrap_future(future)
            self.ledger_s += loop.time() - began

    async def number_of(self, kind: str, task: str | None = None) -> int:
        """Return the seq of the run's last event of a kind in ``SOURCES``, once it is written; 0 where there is none.

        What an earlier daemon wrote is found as well. Raises StoreError.
        """
        said = self._sources.get((kind, task))
        if said is not None:
            return (await asyncio.wrap_future(said))[-1].seq
        before = self._ledger.events(run=self._run, kinds=(kind,))
        return max((event.seq for event in before if event.task == task), default=0)


def event_json(event: Event) -> dict[str, Any]:
    """Return an event in the form that leaves the kernel."""
    at = datetime.fromtimestamp(event.at_ns / 1e9, UTC).isoformat()
    return {"seq": event.seq, "at": at, "kind": event.kind, "run": event.run, "task": event.task, "body": event.body}


def run_view(events: Iterable[Event]) -> dict[str, Any]:
    """Fold the events of one run into what a client sees of it (the command line contract's object).

    ``forgotten`` says that its words were destroyed, ``private`` that they were never written and have been let go of,
    ``client`` which program asked (empty: the person). ``terms`` are those it was asked under, ``cost`` what models
    took of each currency, in millionths, ``review`` is the last one of its result, ``turns`` are what a model has done
    that follows instructions, in words. ``macro`` is the one that it came of, ``trial`` what it tries out as a dry run.
    """
    view: dict[str, Any] = {
        "run": "", "conversation": "", "resolution": str(Resolution.PENDING), "answer": "", "text": "",
        "language": "", "started_at": "", "answers": "", "request": "",
        "result": None, "question": None, "plan": None, "effects": [], "error": None, "card": None, "stage": None,
        "marks": [], "expires_at": None, "seal": None, "diff": [], "undone": False, "timings": None,
        "half_done": None, "calls": [], "events": [], "private": False, "forgotten": False, "client": "", "shown": [],
        "level": "", "terms": {}, "cost": {}, "review": None, "turns": [], "macro": "", "trial": {},
    }  # fmt: skip
    closed: Mapping[str, Any] = {}
    for event in events:
        fold = _FOLDS.get(event.kind)
        if fold is not None and event.body is not None:
            fold(view, event.body)
        if event.kind in _BEGUN:
            view["run"], view["started_at"] = event.run, event_json(event)["at"]
            view["forgotten"], view["private"] = event.body is None, bool((event.body or {}).get("private"))
        if event.kind == "worker.turn" and event.body is not None and event.body.get("text"):
            view["turns"].append({"task": event.task, "turn": event.body["turn"], "text": event.body["text"]})
        if event.body is not None and event.task is None and event.body.get("answers"):
            view["answers"] = event.body["answers"]
        if event.kind == CLOSED:
            closed = event.body or {}
        if event.kind == "run.finished" and "resolution" not in (event.body or {}):
            # its end was forgotten or let go of; that it ended was not, nor how a private one did
            view["resolution"] = closed.get("resolution") or str(Resolution.EXECUTED)
            view["error"] = {"code": REFUSED, "message": "", "hint": ""} if closed.get("refused") else None
        view["events"].append({"seq": event.seq, "kind": event.kind, "task": event.task})
    return view


def run_line(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run as one line of a list: what was asked, how it ended, its tools, and how much it changed.

    ``refused`` says that a person's no ended it, ``half_done`` that its changes wait for their disk. ``request`` is
    ``text``, of a run that answered a question with the sentence that it answered before it.
    ``effects`` is the number of changes, ``changed`` the first of them.
    """
    names = ("run", "text", "request", "language", "conversation", "resolution", "started_at", "stage", "undone",
             "private", "forgotten", "client", "trial")  # fmt: skip
    effects = view["effects"]
    first, count = (effects["first"], effects["count"]) if isinstance(effects, Mapping) else (effects, len(effects))
    tools = [task["tool"] for task in (view["plan"] or {}).get("tasks", ())]
    line = {name: view[name] for name in names}
    refused = (view["error"] or {}).get("code") == REFUSED
    line["half_done"] = view["half_done"] is not None
    return line | {"tools": tools, "refused": refused, "effects": count, "changed": list(first[:FEW])}


FEW = 3
"""So many changes stand on the line of a run."""


def _created(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    said = str(body.get("text") or "")
    view.update(text=said, request=said, conversation=str(body.get("conversation") or ""))
    view["terms"], view["trial"] = body.get("terms") or {}, body.get("trial") or {}
    view["client"] = str(body.get("client") or "").removeprefix(CLIENT)


def _replied(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    usage = body.get("usage") or {}
    if usage.get("money"):
        cost = view["cost"]
        cost[usage["currency"]] = cost.get(usage["currency"], 0) + usage["money"]


def _reviewed(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    first = view["review"]
    view["review"] = dict(body) | ({"first": first} if first else {})


def _interpreted(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    view["language"] = body.get("language") or view["language"]
    view["macro"] = str((body.get("macro") or {}).get("name") or view["macro"])
    view["shown"] = body.get("shown") or view["shown"]


def _planned(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    view["plan"], view["turns"] = body.get("plan"), []
    _interpreted(view, body)


def _requested(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    view.update({name: body.get(name) for name in ("card", "stage", "expires_at", "seal")}, diff=body.get("diff") or [])


def _resolved(view: dict[str, Any], _body: Mapping[str, Any]) -> None:
    view.update(card=None, stage=None, expires_at=None)


def _finished(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    if "resolution" not in body:  # of a private run whose words were let go: that it ended is all there is
        _resolved(view, body)
        return
    view.update({name: body.get(name) for name in ("resolution", "answer", "result", "question", "error", "timings")})
    view["effects"], view["marks"] = body.get("effects") or [], body.get("marks") or []
    _interpreted(view, body)
    _resolved(view, body)


def _called(view: dict[str, Any], body: Mapping[str, Any], state: str) -> None:
    """Take in what became of a call that a tool asked for: one entry a call, in the order of asking."""
    names = ("call", "by", "tool", "depth", "wall_ms", "peak_bytes", "code", "message")
    known = {name: body[name] for name in names if name in body}
    entry = next((one for one in reversed(view["calls"]) if one["call"] == body.get("call")), None)
    if entry is None:
        view["calls"].append(known | {"state": state})
    else:
        entry.update(known, state=state)


def _undone(view: dict[str, Any], _body: Mapping[str, Any]) -> None:
    view["undone"] = True


def _ran(view: dict[str, Any], body: Mapping[str, Any]) -> None:
    """Keep the lowest level at which a call of the run ran."""
    levels = [level for level in (view["level"], str(body.get("level") or "")) if level]
    view["level"] = min(levels, default="")


_BEGUN = frozenset({"run.created", TRIAL})

_FOLDS: Mapping[str, Callable[[dict[str, Any], Mapping[str, Any]], None]] = {
    "run.created": _created,
    TRIAL: _created,
    "model.replied": _replied,
    "run.reviewed": _reviewed,
    "run.interpreted": _interpreted,
    "run.planned": _planned,
    "approval.requested": _requested,
    "approval.resolved": _resolved,
    "run.finished": _finished,
    "run.undone": _undone,
    "task.done": _ran,
    "call.started": partial(_called, state="running"),
    "call.done": partial(_called, state="done"),
    "call.failed": partial(_called, state="failed"),
}
