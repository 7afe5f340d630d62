"""One run as a kernel writes it down: the same kinds, bodies and labels, made by the kernel's own functions.

The plan is authorized by the real policy with the manifests of the built-in skills; its frame, its card and its end
are those of ``kernel``. Made up are the numbers (milliseconds, bytes, scores) and what the tools came to.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from kernel.approval.card import card_view
from kernel.approval.plan_words import plan_view
from kernel.authorize import Circumstances, asked, authorize
from kernel.dispatching.binding import label_of
from kernel.dispatching.gathering import done_body
from kernel.itself.undoing import event_of, run_undone
from kernel.model import Authorization, Constant, Outcome, Plan, Resolution, Task
from kernel.planning.plan_json import plan_to_json
from kernel.remembering.bulk import kept, lean_changes, lean_list
from memory.model import Draft
from permissions import default_policy, new_grant, private_places
from permissions.labels import KERNEL_SAID, Label
from permissions.model import Action, GrantMode, Principal, Right, Verdict
from skills import Registry
from skills.model import EffectClass, SkillId
from tests.benchmarks.habits.year.people import Person
from tests.benchmarks.habits.year.plans import end_of, error_of, plan_of, taken_back, values_of
from tests.benchmarks.habits.year.requests import Call, Ending, Request
from tests.benchmarks.habits.year.results import OWN

Timed = tuple[int, Draft]
"""An event and when it happens, in nanoseconds since 1970."""
Said = tuple[str, Mapping[str, Any], str | None]
"""Kind, body and task of an event."""
_LETTERS = frozenset({"mail.send", "mail.forward", "mail.reply"})
_STANDING = (Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE)


class Drafter:
    """Writes down what one person asks. Each has let the skills into their home once, and lets a host in once."""

    def __init__(self, person: Person, registry: Registry, seed: int) -> None:
        self._registry = registry
        self._home = person.home
        self._rng = random.Random(f"{seed}/{person.id}/ledger")
        own = f"{person.home}/{OWN}"
        self._policy = default_policy(person.home, private_places(person.home, []), own)

    def opening(self, at: datetime) -> Iterator[Timed]:
        """Yield the standing grants that the year begins with."""
        for skill in self._registry.skills():
            deletes = (Action.FS_DELETE,) if skill.id == "files" else ()
            for action in (*_STANDING, *deletes):
                body = self._granted(skill.id, Right(action, self._home, True), at)
                yield ns(at), Draft("grant.added", body, label=KERNEL_SAID.to_json(), durable=False)

    def run(self, request: Request) -> Iterator[Timed]:
        """Yield the events of a run in order, with their times; an undo comes later than its run's end."""
        run, clock = "r-" + f"{self._rng.getrandbits(40):010x}", _Clock(request.at, self._rng)

        def say(kind: str, body: Mapping[str, Any], task: str | None = None) -> Timed:
            return clock.next(), Draft(kind, body, run, task, label=KERNEL_SAID.to_json(), durable=False)

        yield say("run.created", {
            "text": request.text, "conversation": request.conversation, "cwd": request.cwd, "channel": "cli",
            "now": request.at.isoformat(), "yes": False, "seed": self._rng.getrandbits(48),
        })  # fmt: skip
        yield say("run.interpreted", {"language": request.language, "clauses": [request.text], "ms": self._ms(5)})
        candidates = [self._candidate(call.tool) for call in request.calls]
        yield say("run.recommended", {"candidates": candidates, "ms": self._ms(30)})
        plan = plan_of(request)
        around = self._around(run, request.at)
        decided = authorize(plan, around)
        card = card_view(decided, around, plan, "L3", "")
        yield say("run.planned", {
            "plan": plan_view(plan, around), **kept("frozen", plan_to_json(plan)), "ms": self._ms(10),
            "rights": card["rights"], "language": plan.language,
        })  # fmt: skip
        for kind, body, task in self._way(request, plan, decided, card):
            yield say(kind, body, task)
        if request.ending is Ending.UNDONE:
            back = [taken_back(one) for call in request.calls for one in call.result.changes]
            clock.wait(request.undone_after_s)
            yield clock.next(), event_of(run, {}, kind="undo.started")
            yield clock.next(), run_undone(run, back)

    def _way(self, request: Request, plan: Plan, decided: Authorization, card: Mapping[str, Any]) -> Iterator[Said]:
        """Yield what follows a plan: questions and answers, tasks, the commit, letters, the end."""
        refused, failed = request.ending is Ending.REFUSED, request.ending is Ending.FAILED
        confirmed = False
        if decided.verdict == Verdict.DENY:
            raise ValueError(f"nobody may do that: {request.text}")
        if decided.verdict == Verdict.ASK:
            confirmed = True
            hosts = all(one.right.action in (Action.NET_CONNECT, Action.SKILL_CALL) for _, one in asked(decided))
            answer = "no" if refused else "always" if hosts else "once"
            yield from self._asked(request, {"stage": "plan", "card": card}, answer)
            if refused:
                yield end_of(request, Resolution.BLOCKED, self._ms)
                return
            if hosts:
                tools = {task.id: self._registry.tool(task.tool).skill for task in plan.tasks}
                for wants, one in asked(decided):
                    yield "grant.added", self._granted(tools[wants], one.right, request.at), None
        for number, (call, task) in enumerate(zip(request.calls, plan.tasks, strict=True), 1):
            yield "task.started", {"tool": call.tool, "arguments": lean_list(values_of(request, call))}, task.id
            if failed and number == len(request.calls):
                yield "task.failed", error_of(request), task.id
                yield end_of(request, Resolution.FAILED, self._ms)
                return
            yield "task.done", done_body(self._outcome(call, task, plan)), task.id
        yield from self._kept(request, confirmed)

    def _kept(self, request: Request, confirmed: bool) -> Iterator[Said]:
        """Yield the commit of what was changed, the letters, and the end."""
        refused = request.ending is Ending.REFUSED
        changes = [dict(one) for call in request.calls for one in call.result.changes]
        letter = next((call for call in request.calls if call.tool in _LETTERS), None)
        seal = hashlib.sha256(repr((request.at, changes)).encode()).hexdigest()
        posted = {"number": 1, "message_id": f"<{seal[:32]}@post.example>"}
        if letter is not None:
            confirmed = True
            to = [str(values_of(request, letter).get("to") or "info@post.example")]
            yield "mail.prepared", {**posted, "to": to, "subject": request.text[:60], "digest": seal}, None
            read = {"rights": [], "changes": [], "concerns": [{"why": "To", "subject": to[0]}]}
            yield from self._asked(request, {"stage": "mail", "seal": seal, "card": read}, "no" if refused else "once")
        elif changes:
            shown = lean_changes(changes)
            yield "changes.sealed", {"seal": seal, "changes": shown, "diff": []}, None
            deleted = [one for one in changes if one["kind"] == "deleted"]
            if deleted or refused:
                confirmed = True
                why = [{"why": "deletes", "subject": str(one["path"])} for one in deleted]
                card = {"rights": [], "concerns": why, "changes": shown}
                request_body = {"stage": "commit", "seal": seal, "card": card, "diff": []}
                yield from self._asked(request, request_body, "no" if refused else "once")
        if refused:
            yield end_of(request, Resolution.BLOCKED, self._ms)
            return
        if changes:
            yield "commit.started", {"seal": seal}, None
            yield "commit.done", {"changes": lean_changes(changes)}, None
        if letter is not None:
            yield "mail.handing", posted, None
            yield "mail.accepted", posted, None
        yield end_of(request, Resolution.CONFIRMED if confirmed else Resolution.EXECUTED, self._ms, changes)

    def _asked(self, request: Request, body: Mapping[str, Any], answer: str) -> Iterator[Said]:
        expires = request.at.astimezone(UTC) + timedelta(days=1)
        yield "approval.requested", {**body, "expires_at": expires.isoformat(), "consented": False}, None
        yield "approval.resolved", {"answer": answer, "stage": body["stage"]}, None

    def _outcome(self, call: Call, task: Task, plan: Plan) -> Outcome:
        tool = self._registry.tool(task.tool)
        given = task.arguments.items()
        labels = {name: value.label if isinstance(value, Constant) else Label() for name, value in given}
        computes = not tool.rights and tool.effect is EffectClass.PURE
        return Outcome(
            task.id, True, call.result.value, call.result.answer, label_of(labels, computes=computes),
            files=call.result.files, level="L3", wall_s=self._ms(40) / 1000,
            peak_bytes=8_000_000 + self._rng.randint(0, 2_000_000), reserved_bytes=64 << 20,
        )  # fmt: skip

    def _granted(self, skill: SkillId, right: Right, at: datetime) -> dict[str, Any]:
        """Let a skill do something from now on; return what is written down of it."""
        principal = Principal(skill, self._registry.skill(skill).hash, "", "", "")
        grant = new_grant(principal, right, GrantMode.ALWAYS, at.timestamp())
        self._policy = self._policy.with_grant(grant)
        return grant.to_json()

    def _around(self, run: str, at: datetime) -> Circumstances:
        return Circumstances(
            tool=self._registry.tool, skill=self._registry.skill, policy=self._policy, run=run, home=self._home,
            now_s=at.timestamp(), resolve=os.path.normpath,
        )  # fmt: skip

    def _candidate(self, tool: str) -> dict[str, Any]:
        names = ("choice", "coverage", "dense", "example", "kinds", "text", "values", "verb")
        return {"tool": tool, "score": round(self._rng.uniform(2, 7), 4),
                "reasons": {name: round(self._rng.random(), 4) for name in names}}  # fmt: skip

    def _ms(self, middle: float) -> float:
        return round(middle * self._rng.uniform(0.5, 2.0), 2)


class _Clock:
    """The times of a run's events, a few milliseconds apart, the first of them when it was asked."""

    def __init__(self, at: datetime, rng: random.Random) -> None:
        self._now, self._rng = ns(at), rng

    def next(self) -> int:
        now, self._now = self._now, self._now + self._rng.randint(2, 90) * 1_000_000
        return now

    def wait(self, seconds: int) -> None:
        self._now += seconds * 1_000_000_000


def ns(at: datetime) -> int:
    """Return ``at`` in nanoseconds since 1970, to the second."""
    return int(at.timestamp()) * 1_000_000_000
