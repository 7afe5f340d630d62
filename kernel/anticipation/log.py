"""The log of wishes: what a person asked for and got, read back from the ledger.

What this stops: learning from what a program or a routine asked, from a private request, from what was refused, failed
or taken back, from a plan of a model, from a run in which a value of others decided something, and from a sentence in
which something of others was shown.
What it does not: know tools. What is offered is a sentence of the person's own, as it was said.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from kernel.anticipation import surroundings
from kernel.anticipation.model import AHEAD_SWITCHED, DISMISSED, SHOWN, SWITCHED, Wish
from kernel.approval.vouching import STAGE
from kernel.model import Constant, Plan
from kernel.planning.plan_json import plan_from_json
from kernel.remembering.bulk import kept_in
from memory.model import Event

FORGOTTEN, TOLD = "ledger.forgotten", "reminder.told"
KINDS = (
    "run.created", surroundings.AROUND, "approval.requested", "run.planned", "run.finished", "run.undone", TOLD,
    SHOWN, DISMISSED, SWITCHED, AHEAD_SWITCHED, FORGOTTEN,
)  # fmt: skip
MOST = 2_000
"""So many of the latest runs are looked at."""

TOGETHER = timedelta(hours=1)
"""So long after a request the next one of its conversation still follows it; so long a reminder is fresh."""

_DONE = frozenset(("executed", "confirmed"))
_KIND_OF_FILE = re.compile(r"\.[a-z0-9]{1,8}")


@dataclass(slots=True)
class _Run:
    conversation: str
    at: datetime
    text: str
    language: str = ""
    answers: str = ""
    frozen: Mapping[str, Any] | None = None
    made: tuple[str, ...] = ()
    done: bool = False
    tainted: bool = False
    told: str = ""
    around: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Record:
    """What was shown of offers: which were put away, how often each was passed over since it was taken up last.

    No offer is made of the sources that are ``off``, and nothing is made ahead for those of ``not_ahead``.
    """

    dismissed: set[str] = field(default_factory=set)
    passed: Counter[str] = field(default_factory=Counter)
    open: tuple[str, ...] = ()  # shown, and the person has not asked for anything since
    off: set[str] = field(default_factory=set)
    not_ahead: set[str] = field(default_factory=set)


class WishLog:
    """Folds events, oldest first. Not thread-safe."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}
        self._told: tuple[datetime, str] | None = None
        self.record = Record()
        self.seq = 0

    def take(self, events: Iterable[Event]) -> bool:
        """Take in events; whether wishes may have changed. ``seq`` is 0 where all is to be read anew."""
        changed = False
        for event in events:
            self.seq = event.seq
            if event.kind == FORGOTTEN:
                self.seq = 0
                return True
            if event.body is None:
                continue
            if event.run is not None:
                changed |= self._note(event.run, event)
            else:
                self._note_own(event.kind, event.body, event)
        if len(self._runs) > 2 * MOST:
            self._runs = dict(list(self._runs.items())[-MOST:])
        return changed

    def _note(self, name: str, event: Event) -> bool:
        body: Mapping[str, Any] = event.body or {}
        if event.kind == "run.created":
            self._begin(name, body)
            return False
        run = self._runs.get(name)
        if run is None:
            return False
        match event.kind:
            case surroundings.AROUND:
                run.around = surroundings.told(body)
            case "approval.requested":
                run.tainted |= body.get("stage") == STAGE
            case "run.planned":
                run.frozen, run.language = kept_in(body, "frozen"), str(body.get("language") or "")
                run.answers = str(body.get("answers") or run.answers)
            case "run.finished":
                run.answers = str(body.get("answers") or run.answers)
                run.done, run.made = body.get("resolution") in _DONE, _kinds_of(body.get("effects"))
                self._answer_offers(run)
                return run.done
            case "run.undone":
                run.done = False
                return True
        return False

    def _begin(self, name: str, body: Mapping[str, Any]) -> None:
        at = _moment(body.get("now"))
        if at is None or body.get("private") or body.get("client"):
            return
        fresh = self._told is not None and abs(at - self._told[0]) <= TOGETHER
        told = self._told[1] if self._told is not None and fresh else ""
        run = _Run(str(body.get("conversation") or ""), at, str(body.get("text") or ""), told=told)
        run.tainted = bool(body.get("shown"))
        self._runs[name] = run

    def _note_own(self, kind: str, body: Mapping[str, Any], event: Event) -> None:
        if kind == TOLD and body.get("skill"):
            self._told = datetime.fromtimestamp(event.at_ns / 1e9).astimezone(), str(body["skill"])
        elif kind == SHOWN:
            self._pass_over(())
            self.record.open = tuple(str(one) for one in body.get("keys") or ())
        elif kind == DISMISSED:
            self.record.dismissed.add(str(body.get("key")))
        elif kind in (SWITCHED, AHEAD_SWITCHED):
            off = self.record.off if kind == SWITCHED else self.record.not_ahead
            change = off.discard if body.get("on") else off.add
            change(str(body.get("source")))

    def _answer_offers(self, run: _Run) -> None:
        """The person has asked for something: what was offered and is not that was passed over."""
        if not self.record.open and not self.record.dismissed:
            return  # most runs come after no offer: their plans are not read
        wish = self._wish("", run)
        self._pass_over((wish.key,) if wish is not None else ())

    def _pass_over(self, taken: tuple[str, ...]) -> None:
        for key in self.record.open:
            self.record.passed[key] = 0 if key in taken else self.record.passed[key] + 1
        self.record.open = ()
        for key in taken:
            self.record.dismissed.discard(key)

    def told(self, now: datetime) -> str:
        """Return the skill whose clock has told something just before ``now``."""
        return self._told[1] if self._told is not None and abs(now - self._told[0]) <= TOGETHER else ""

    def wishes(self) -> list[Wish]:
        """Return what a person asked for and got, oldest first, each with what was the case before it."""
        found: list[Wish] = []
        last: dict[str, Wish] = {}
        for name, run in list(self._runs.items())[-MOST:]:
            wish = self._wish(name, run) if run.done and not run.tainted else None
            if wish is None:
                continue
            before = last.get(wish.conversation)
            if before is not None and wish.at - before.at > TOGETHER:
                before = None
            wish = replace(wish, around={**around(wish.at, run.told, before), **run.around})
            found.append(wish)
            last[wish.conversation] = wish
        return found

    def _wish(self, name: str, run: _Run) -> Wish | None:
        """Return the wish of a run; None where its plan cannot be read, or is a model's."""
        plan = _plan(run.frozen)
        if plan is None or not plan.tasks:
            return None
        text, seen = run.text, 0
        answered = self._runs.get(run.answers)
        while answered is not None and seen < len(self._runs):
            text, seen, answered = answered.text, seen + 1, self._runs.get(answered.answers)
        tools = [str(task.tool) for task in plan.tasks]
        said = [
            [str(task.tool), {key: one.value for key, one in task.arguments.items() if isinstance(one, Constant)}]
            for task in plan.tasks
        ]
        key = hashlib.blake2b(json.dumps(said, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()
        group = tools[-1].partition(".")[0]
        return Wish(
            name, run.conversation, run.at, text, run.language, " ".join(tools), group, key, run.made
        )  # fmt: skip


def around(now: datetime, told: str, before: Wish | None) -> dict[str, str]:
    """Return what is the case at a moment: the time of day in parts of two hours, the weekday, and what just came."""
    found = {"hour": str(now.hour // 2), "weekday": str(now.weekday())}
    if told:
        found["told"] = told
    if before is not None and before.made:
        found["made"] = " ".join(before.made)
    return found


def _kinds_of(effects: object) -> tuple[str, ...]:
    """Return the kinds of files that a run made; of a kind that is no plain one nothing is kept."""
    listed = effects.get("first") if isinstance(effects, Mapping) else effects
    made = [one for one in listed or () if one.get("kind") == "created"] if isinstance(listed, list | tuple) else []
    kinds = {PurePosixPath(str(one.get("path") or "")).suffix.lower() for one in made}
    return tuple(sorted(kind for kind in kinds if _KIND_OF_FILE.fullmatch(kind)))


def _plan(frozen: Mapping[str, Any] | None) -> Plan | None:
    try:
        plan = plan_from_json(frozen) if frozen else None
    except (KeyError, TypeError, ValueError):
        return None
    return None if plan is None or plan.maker else plan


def _moment(now: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(now))
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.astimezone()
