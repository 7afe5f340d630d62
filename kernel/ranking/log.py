"""The log: requests read back from the ledger, and the choices that a refit learns from.

A run that was carried out and stands is an example of its tools; one that was refused or taken back speaks against
them; every other run says nothing. What was shown as candidates (``run.recommended``) and what the run came to is a
choice among reasons. Only the person's own words are read here, never what a tool returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from kernel.ranking.model import Request
from kernel.ranking.past import MOST
from memory.model import Event

REFITTED = "ranking.refitted"
FORGOTTEN = "ledger.forgotten"
KINDS = (
    "run.created", "run.recommended", "run.planned", "run.finished", "run.undone", "task.failed", REFITTED, FORGOTTEN
)  # fmt: skip
_DONE = frozenset(("executed", "confirmed"))


@dataclass(frozen=True, slots=True)
class Shown:
    """What one request had to choose from: the reasons for each candidate, and the place of the one it came to.

    ``seq`` is the event that ended it.
    """

    reasons: tuple[Mapping[str, float], ...]
    meant: int
    seq: int = 0


@dataclass(slots=True)
class _Run:
    text: str = ""
    conversation: str = ""
    at_s: float = 0.0
    hour: float = -1.0
    steps: tuple[tuple[str, str, str], ...] = ()  # task, tool, words
    candidates: tuple[tuple[str, Mapping[str, float]], ...] = ()
    failed: set[str] = field(default_factory=set)
    done: bool = False
    refused: bool = False
    undone: bool = False
    client: bool = False  # a program asked: what it wants says nothing of the person
    ended: int = 0

    @property
    def accepted(self) -> bool:
        return self.done and not self.undone and not self.client

    @property
    def tells(self) -> bool:
        return bool(self.steps) and not self.client and (self.done or self.refused or self.undone)


class RequestLog:
    """Folds events, oldest first. Not thread-safe; what it returns is immutable."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}
        self.seq = 0
        self.weights: dict[str, float] = {}
        self.fitted_at = 0  # the event up to which a refit has learnt from choices

    def take(self, events: Iterable[Event]) -> bool:
        """Take in events; whether some may have changed what was learnt."""
        changed = False
        for event in events:
            self.seq = event.seq
            if event.kind == FORGOTTEN:
                return self._begin_again()
            if event.kind == REFITTED and event.body is not None:
                self._refitted(event.seq, event.body)
            elif event.run is not None and event.body is not None:
                changed |= self._note(event.run, event)
            self._forget_oldest()
        return changed

    def _begin_again(self) -> bool:
        """Something was forgotten: everything is to be read anew, from the first event."""
        self._runs, self.weights, self.fitted_at, self.seq = {}, {}, 0, 0
        return True

    def _forget_oldest(self) -> None:
        """Keep what a start would read anyway short: the latest runs say what is usual."""
        if len(self._runs) > 2 * MOST:
            self._runs = dict(list(self._runs.items())[-MOST:])

    def _refitted(self, seq: int, body: Mapping[str, Any]) -> None:
        self.fitted_at = seq
        if body.get("kept"):
            self.weights = {str(name): float(value) for name, value in dict(body.get("weights") or {}).items()}

    def _note(self, name: str, event: Event) -> bool:
        body: Mapping[str, Any] = event.body or {}
        run = self._runs.setdefault(name, _Run())
        match event.kind:
            case "run.created":
                run.text, run.conversation = str(body.get("text") or ""), str(body.get("conversation") or "")
                run.at_s, run.hour = event.at_ns / 1e9, _hour(body.get("now"))
                run.client = bool(body.get("client"))
            case "run.recommended":
                run.candidates = tuple((str(one["tool"]), dict(one["reasons"])) for one in body.get("candidates") or ())
            case "run.planned":
                run.client |= bool(body.get("macro") or body.get("trial"))  # its words were not understood
                tasks = (body.get("plan") or {}).get("tasks") or ()
                run.steps = tuple((str(one["id"]), str(one["tool"]), str(one.get("text") or "")) for one in tasks)
            case "task.failed":
                run.failed.update(tool for task, tool, _ in run.steps if task == event.task)
            case "run.finished":
                run.ended = event.seq
                run.done = body.get("resolution") in _DONE
                run.refused = (body.get("error") or {}).get("code") == "approval.refused"
                return run.tells
            case "run.undone":
                run.undone = True
                return run.tells
        return False

    def requests(self) -> tuple[Request, ...]:
        """Return a request for every step of a run that tells something, oldest first."""
        return tuple(
            Request(
                words or run.text, (tool,), run.at_s, run.hour, run.accepted, (tool,) if tool in run.failed else (),
                run.conversation,
            )
            for run in self._runs.values() if run.tells for _, tool, words in run.steps
        )  # fmt: skip

    def together(self) -> tuple[frozenset[str], ...]:
        """Return the sets of tools that worked together in one run that stands."""
        return tuple(frozenset(tool for _, tool, _ in run.steps) for run in self._runs.values() if run.accepted)

    def choices(self) -> tuple[Shown, ...]:
        """Return what was chosen among the candidates shown, of runs of one step that stand, oldest first."""
        found = []
        for run in self._runs.values():
            tools = [tool for tool, _ in run.candidates]
            if run.accepted and len(run.steps) == 1 and run.steps[0][1] in tools and len(set(tools)) == len(tools):
                reasons = tuple(reasons for _, reasons in run.candidates)
                found.append(Shown(reasons, tools.index(run.steps[0][1]), run.ended))
        return tuple(found)


def _hour(now: object) -> float:
    """The local time of day of an ISO date and time, -1 where it is none."""
    try:
        at = datetime.fromisoformat(str(now))
    except ValueError:
        return -1.0
    return at.hour + at.minute / 60
