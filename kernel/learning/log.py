"""The log of what was confirmed: runs read back from the ledger, folded into examples and explained phrases.

What this stops: learning from what was done unasked, refused or taken back; from private requests; from anything but
the person's own sentence.
What it does not: know tools. An example of one that is gone, or whose parameters changed, is left out later on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from kernel.learning.hearing import Explains, hear
from kernel.learning.marking import clauses_of
from kernel.learning.model import TAUGHT, UNLEARNT, UNTAUGHT, Clause, Taught
from kernel.learning.templates import Done
from kernel.model import Plan
from kernel.planning.plan_json import plan_from_json
from kernel.remembering.bulk import kept_in
from memory.model import Event

FORGOTTEN = "ledger.forgotten"
KINDS = (
    "run.created", "run.asked", "run.planned", "run.finished", "run.undone", TAUGHT, UNTAUGHT, UNLEARNT, FORGOTTEN
)  # fmt: skip
MOST_RUNS = 2_000
"""So many of the latest runs are looked at."""

_CONFIRMED, _DONE = "confirmed", frozenset(("executed", "confirmed"))
_REFUSED = "approval.refused"


@dataclass(slots=True)
class _Run:
    text: str = ""
    at: datetime | None = None
    answers: str = ""
    plan: Plan | None = None
    asked: Plan | None = None  # the draft of its question, until that is answered
    resolution: str = ""
    refused: bool = False
    undone: bool = False
    clauses: tuple[Clause, ...] = ()
    taught: list[Taught] = field(default_factory=list)

    @property
    def stands(self) -> bool:
        """Confirmed by a card, or completed by an answer, and not taken back."""
        return self.is_confirmed and not self.undone

    @property
    def is_done(self) -> bool:
        """It did what it said, and that was not taken back."""
        return self.resolution in _DONE and not self.undone

    @property
    def is_confirmed(self) -> bool:
        return self.resolution == _CONFIRMED or (bool(self.answers) and self.resolution in _DONE)


class ConfirmedLog:
    """Folds events, oldest first. Not thread-safe; what it returns is immutable."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}
        self._teaching: dict[str, _Run] = {}  # those that explained phrases: however long ago
        self.seq = 0

    @property
    def waits(self) -> bool:
        """Tell whether a run that explains a phrase has not ended yet."""
        return any(run.taught and not run.resolution for run in self._teaching.values())

    def take(self, events: Iterable[Event]) -> bool:
        """Take in events; whether some may have changed what was learnt. ``seq`` is 0 when all is to be read anew."""
        changed = False
        for event in events:
            self.seq = event.seq
            if event.kind == FORGOTTEN:
                self._runs, self._teaching, self.seq = {}, {}, 0
                return True
            if event.run is not None and event.body is not None:
                changed |= self._note(event.run, event.kind, event.body)
            if len(self._runs) > 2 * MOST_RUNS:
                self._runs = dict(self._latest())
        return changed

    def _latest(self) -> list[tuple[str, _Run]]:
        return list(self._runs.items())[-MOST_RUNS:]

    def _note(self, name: str, kind: str, body: Mapping[str, Any]) -> bool:
        if kind == "run.created" and not body.get("private") and not body.get("client"):
            self._runs[name] = _Run(str(body.get("text") or ""), _moment(body.get("now")))
        run = self._runs.get(name) or self._teaching.get(name)
        if run is None:
            return False
        match kind:
            case "run.planned":
                run.plan, run.answers = _plan(kept_in(body, "frozen")), str(body.get("answers") or run.answers)
            case "run.asked":
                question = kept_in(body, "draft")
                run.asked = _plan(question.get("draft")) if question else None
                run.answers = str(body.get("answers") or run.answers)
            case "run.finished":
                return self._finish(run, body)
            case "run.undone":
                run.undone = True
                return True
            case "example.forgotten":
                run.clauses, run.plan, run.taught = (), None, []
                return True
        return self._note_phrase(run, name, kind, body)

    def _finish(self, run: _Run, body: Mapping[str, Any]) -> bool:
        """Keep what the run teaches, and of its plan no more than that."""
        run.resolution = str(body.get("resolution") or "")
        run.refused = (body.get("error") or {}).get("code") == _REFUSED
        if run.plan is None or not (run.is_confirmed or run.refused):
            run.plan = None
            return bool(run.taught)
        asked = self._runs.get(run.answers)
        heard = hear(run.text)
        if not run.taught and (
            not isinstance(heard, Explains) or heard.bare
        ):  # its lesson is the phrase; the meaning was understood as it is
            run.clauses = clauses_of(run.plan, self._said(run), asked.asked if asked is not None else None)
        if asked is not None:
            asked.asked = None
        return True

    def _note_phrase(self, run: _Run, name: str, kind: str, body: Mapping[str, Any]) -> bool:
        if kind == TAUGHT:
            self._teaching[name] = run
            run.taught.append(Taught.from_json(name, body))
        elif kind == UNTAUGHT:
            gone = str(body.get("phrase") or "").casefold()
            for one in self._teaching.values():
                one.taught = [taught for taught in one.taught if taught.phrase.casefold() != gone]
        return kind in (TAUGHT, UNTAUGHT)

    def confirmed(self) -> tuple[tuple[str, tuple[Clause, ...]], ...]:
        """Return the clauses of every run that stands, by run, oldest first.

        What a refusal or an undo came to is no example any more, whoever said it before.
        """
        found: dict[str, tuple[Clause, ...]] = {}
        for name, run in self._latest():
            if run.stands:
                found[name] = run.clauses
            elif run.clauses:
                against = {_shape(one) for one in run.clauses}
                found = {one: tuple(c for c in said if _shape(c) not in against) for one, said in found.items()}
        return tuple((name, clauses) for name, clauses in found.items() if clauses)

    def taught(self) -> tuple[Taught, ...]:
        """Return the phrases that were explained, the latest of each, oldest first.

        One whose meaning was refused, cancelled, not done or taken back was not explained.
        """
        latest: dict[str, Taught] = {}
        for run in self._teaching.values():
            for one in run.taught if run.is_done else ():
                latest.pop(one.phrase.casefold(), None)
                latest[one.phrase.casefold()] = one
        return tuple(latest.values())

    def plans(self) -> Iterator[Done]:
        """Yield the plans that stand, oldest first."""
        for name, run in self._latest():
            if run.stands and run.plan is not None and run.at is not None:
                yield Done(name, run.at, run.plan)

    def _said(self, run: _Run) -> str:
        """The sentence that a run, or the chain of answers that it ends, began with."""
        seen = 0
        while run.answers in self._runs and seen < len(self._runs):
            run, seen = self._runs[run.answers], seen + 1
        return run.text


def _plan(frozen: Mapping[str, Any] | None) -> Plan | None:
    """Return a plan that was written down; None where it cannot be read.

    None of a model's or a macro's too: their words teach nothing.
    """
    try:
        plan = plan_from_json(frozen) if frozen else None
    except (KeyError, TypeError, ValueError):
        return None
    return None if plan is None or plan.maker or plan.macro or plan.steps else plan


def _moment(now: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(now))
    except ValueError:
        return None


def _shape(clause: Clause) -> tuple[object, ...]:
    """A clause without the values that stood in it."""
    text, at, parts = clause.example.text, 0, []
    for slot in clause.example.slots:
        parts += [text[at : slot.start].casefold(), slot.parameter]
        at = slot.end
    return (clause.tool, clause.example.language, *parts, text[at:].casefold())
