"""What the ledger has of a run: what was said and when, its plans, what came of each call, and how it ended. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from kernel.errors import NotNow, UnknownRun
from kernel.model import ConversationId, Plan, RunId, Shown, ShownAs, Utterance
from kernel.planning.plan_json import plan_from_json
from kernel.remember import TRIAL
from kernel.remembering.bulk import kept_in
from kernel.replaying.model import Standing
from memory import Ledger
from memory.model import Event
from permissions.naming import shown

_BEGUN = ("run.created", TRIAL)

_STOPPED = frozenset({"run.cancelled", "run.deadline", "run.interrupted"})
_OF_MEMORY = ("memory", "fact", "entity", "predicate")

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a plan, and the events of its run from there to the next one."""

    plan: Plan
    skills: Mapping[str, Mapping[str, str]]
    events: tuple[Event, ...]

    def bodies(self, *kinds: str) -> Iterator[tuple[Event, Body]]:
        """Yield its events of these kinds with what they say."""
        return ((event, event.body) for event in self.events if event.kind in kinds and event.body is not None)

    @property
    def was_begun(self) -> bool:
        """Whether any of its calls was begun: it was allowed."""
        return any(event.kind.startswith("task.") for event in self.events)


@dataclass(frozen=True, slots=True)
class Recording:
    """All events of one run that has ended, in order. ``begun`` is the first of them."""

    run: RunId
    events: tuple[Event, ...]
    begun: Event

    @property
    def standing(self) -> Standing:
        """Whether its words are there."""
        if any((event.body or {}).get("private") is True for event in self.events):
            return Standing.PRIVATE
        if any(event.body is None for event in self.events):
            return Standing.FORGOTTEN
        return Standing.UNREAD if self._never_came_so_far else Standing.COMPARED

    @property
    def _never_came_so_far(self) -> bool:
        """Whether it was stopped before it had a plan or asked for one to be kept, or failed with one it came with."""
        if any(event.kind in ("run.planned", "approval.requested") for event in self.events):
            return False
        ready = self.begun.kind == TRIAL or self.said.get("channel") == "routine"
        return ready or (self.ended.get("error") or {}).get("code") in _STOPPED

    @property
    def said(self) -> Body:
        """What its first event says."""
        return self.begun.body or {}

    def first(self, kind: str) -> Body | None:
        """Return what its first event of a kind says."""
        return next((event.body for event in self.events if event.kind == kind), None)

    def last(self, kind: str) -> Body | None:
        """Return what its last event of a kind says."""
        return next((event.body for event in reversed(self.events) if event.kind == kind), None)

    @property
    def ended(self) -> Body:
        """What its end says."""
        return self.last("run.finished") or {}

    @property
    def language(self) -> str:
        """The language that it ended in."""
        return str(self.ended.get("language") or "en")

    @property
    def came_with_its_plan(self) -> bool:
        """Whether no sentence was read for it: a routine, a macro or a call of a client's has its plan already."""
        called = self.first("macro.called") or {}
        unread = self.first("run.interpreted") is None or called.get("by") == "name"
        return unread and self.first("run.planned") is not None

    @property
    def changed(self) -> bool:
        """Whether it changed something, or took something back."""
        result = self.ended.get("result")
        return bool(self.ended.get("effects") or (isinstance(result, Mapping) and result.get("undone")))

    def acted(self, what: str, ledger: Ledger) -> bool:
        """Tell whether it did, or asked to be allowed, ``what``: as ``then.Acts`` names what the code would do now."""
        kind, _, stage = what.partition(": ")
        if kind == "approval.requested":
            asked = (event.body or {} for event in self.events if event.kind == kind)
            return any(one.get("stage") == stage for one in asked) or (stage == "commit" and self.changed)
        if kind.startswith("transactions."):
            return self.changed
        if kind.partition(".")[0] in _OF_MEMORY and self.first("facts.told") is not None:
            return True
        last = max(event.seq for event in self.events if event.kind == "run.finished")
        return any(event.seq < last for event in ledger.events(after=self.begun.seq, kinds=(kind,), limit=1))

    def utterance(self, home: str, now: datetime) -> Utterance:
        """Return what was said, with the circumstances that were recorded with it."""
        said = self.said
        texts = tuple(Shown(ShownAs(str(one["kind"])), 0, 0, str(one["text"])) for one in said.get("shown") or ())
        return Utterance(
            str(said.get("text") or ""), ConversationId(str(said.get("conversation") or "")),
            str(said.get("cwd") or ""), home, now, str(said.get("client") or ""), texts,
        )  # fmt: skip

    def now(self, zone: tzinfo | None) -> datetime:
        """Return the clock of then. An offset is recorded, which knows no summer time: ``zone`` where it fits."""
        now = datetime.fromisoformat(str(self.said.get("now")))
        there = now.astimezone(zone)
        return there if there.utcoffset() == now.utcoffset() else now

    def versions(self) -> tuple[Version, ...]:
        """Return the versions of its plan, in order."""
        starts = [at for at, event in enumerate(self.events) if event.kind == "run.planned"]
        ends = [*starts[1:], len(self.events)]
        return tuple(
            _version(self.events[start], self.events[start + 1 : end]) for start, end in zip(starts, ends, strict=False)
        )


def _version(planned: Event, rest: Sequence[Event]) -> Version:
    body = planned.body or {}
    skills: Any = body.get("skills") or {}
    return Version(plan_from_json(kept_in(body, "frozen")), skills, tuple(rest))


def recording_of(ledger: Ledger, run: str) -> Recording:
    """Return what ``ledger`` has of ``run``. Raises UnknownRun, and NotNow where it is not over."""
    events = tuple(ledger.events(run=run))
    begun = next((event for event in events if event.kind in _BEGUN), None)
    if begun is None:
        raise UnknownRun("run.unknown", f"There is no run {shown(run)}.", subject=shown(run),
                         hint="./steward runs lists them.")  # fmt: skip
    if not any(event.kind == "run.finished" for event in events):
        raise NotNow("run.state", f"The run {run} is not over yet.", subject=run,
                     hint="./steward runs shows what it waits for.")  # fmt: skip
    return Recording(RunId(run), events, begun)
