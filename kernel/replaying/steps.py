"""What a replay says: each step of then beside that of now, in the order in which they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

from kernel.model import Outcome, Plan, TaskId
from kernel.models.forms import digest_of as digest_of_prompt
from kernel.models.model import Prompt, Role
from kernel.models.recorded import Recorded
from kernel.planning.plan_json import plan_to_json
from kernel.replaying.again import Again, Found
from kernel.replaying.calls import Calls, ended, gave, plain
from kernel.replaying.model import Kind, Step
from kernel.replaying.reasons import Reasons
from kernel.replaying.recording import Recording, Version
from kernel.replaying.then import Told


class Taken(Enum):
    """What is not gone through again, but taken from the record."""

    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Thought:
    """What a sentence comes to now: a plan, an end without one, or what the kernel would do itself (``acts``)."""

    plan: Plan | None = None
    resolution: str = ""
    answer: str = ""
    acts: str = ""


@dataclass(slots=True)
class Written:
    """The steps of one replay so far. ``other_plan`` says that the plan of now is another one than that of then."""

    recording: Recording
    recorded: Recorded
    reasons: Reasons
    other_plan: bool = False
    plan: Plan | None = None
    reviewed: bool = True  # whether reviews are gone through
    _asked: dict[str, Any] | None = None
    _reading: list[Step] = field(default_factory=list)
    _rest: list[Step] = field(default_factory=list)

    def steps(self) -> tuple[Step, ...]:
        """Return all of them: reading, the planner's questions, plans and calls, other questions, and what was done."""
        planner = [one for one in self._models() if one.name.startswith(str(Role.PLANNER))]
        others = [one for one in self._models() if not one.name.startswith(str(Role.PLANNER))]
        return (*self._reading, *planner, *self._rest, *others, *self._effects())

    # --- reading ----------------------------------------------------------------------------------------------------

    def read(self, log: Told) -> None:
        """Take in how the sentence was read, and which tools were recommended."""
        then, now = (_intent(one.first("run.interpreted")) for one in (self.recording, log))
        if then is not None or now is not None:
            self._add(self._reading, Kind.INTENT, "intent", then, now, self.reasons.of_reading)
        tools = [_recommended(one.first("run.recommended")) for one in (self.recording, log)]
        if any(one is not None for one in tools):
            self._add(self._reading, Kind.TOOLS, "tools", tools[0], tools[1], self.reasons.of_reading)
        self._asked = log.last("run.asked")

    def came_with(self, plan: Plan) -> None:
        """Take in a plan that was not made of a sentence."""
        self.plan = plan
        self._take(Kind.PLAN, "plan", _tasks(plan))

    def planned(self, then: Plan, now: Plan | None, thought: Thought) -> Plan:
        """Hold the plan of now against that of ``then``; return the one to go on with."""
        found = _tasks(now) if now is not None else _end(thought, self._asked)
        self._add(self._rest, Kind.PLAN, "plan", _tasks(then), found, lambda: self.reasons.of_plan(then))
        self.other_plan, self.plan = not self._rest[-1].same, then
        return then if self.other_plan or now is None else now

    def ended(self, thought: Thought, *, acted: bool) -> None:
        """Hold an end without a plan against that of then; ``acted`` says that it did then what it would do now."""
        then, asked = self._end_then(), self.recording.last("run.asked")
        if thought.acts:
            why = (self.reasons.say("acts", what=thought.acts),)
            self._rest.append(Step(Kind.ANSWER, "answer", then, {"would": thought.acts}, acted, taken=acted, why=why))
            return
        kind = Kind.QUESTION if asked is not None else Kind.ANSWER
        now = _tasks(thought.plan) if thought.plan is not None else self._without_why(_end(thought, self._asked))
        then = self._without_why(_asked(asked) if asked is not None else then)
        self._add(self._rest, kind, str(kind), then, now, lambda: self.reasons.of_plan(None))

    def _end_then(self) -> dict[str, Any]:
        end = self.recording.ended
        return {"resolution": end.get("resolution"), "answer": end.get("answer")}

    def _without_why(self, end: dict[str, Any]) -> dict[str, Any]:
        """Leave out why a model gave nothing, where that was so then: of its words only the code is recorded."""
        if not (self.recording.first("model.proposed") or {}).get("error"):
            return end
        named = {name: str(end[name]) for name in ("answer", "question") if name in end}
        return end | {name: text.rpartition("\n(")[0] or text for name, text in named.items()}

    # --- carrying out -----------------------------------------------------------------------------------------------

    def following(self, then: Plan, now: Plan | Taken | None) -> Plan:
        """Hold the next version of the plan against that of ``then``; return the one to go on with."""
        name = f"plan {then.version}"
        if isinstance(now, Taken):
            self.reviewed = False
            self._take(Kind.PLAN, name, _tasks(then))
            return then
        found = _tasks(now) if now is not None else None
        self._add(self._rest, Kind.PLAN, name, _tasks(then), found, lambda: self.reasons.of_plan(then))
        self.other_plan, self.plan = not self._rest[-1].same, then
        return then if self.other_plan or now is None else now

    def further(self, now: Plan) -> None:
        """Take in a version that there was none of then."""
        self._add(self._rest, Kind.PLAN, f"plan {now.version}", None, _tasks(now), lambda: self.reasons.of_plan(now))

    def answered(self, version: Version) -> None:
        """Take in what a person answered."""
        for _, body in version.bodies("approval.resolved"):
            self._take(Kind.APPROVAL, str(body.get("stage") or "approval"), {"answer": body.get("answer")})

    def called(
        self, plan: Plan, calls: Calls, outcomes: Mapping[TaskId, Outcome], again: Again | None
    ) -> None:  # fmt: skip
        """Hold every call against what it was then."""
        tools, other = {str(task.id): str(task.tool) for task in plan.tasks}, False
        names = [*tools, *(one for one in (*calls.started, *calls.given) if one not in tools)]
        for name in dict.fromkeys(names):
            then = _call(calls.started.get(name), calls.ended(name), calls.gave(name))
            outcome = outcomes.get(TaskId(name))
            now = _call(calls.given.get(name), ended(outcome), gave(outcome) if name in calls.followed else "")
            if then is None and now is None:
                continue
            tool = str((then or now or {}).get("tool") or tools.get(name, ""))
            why = partial(self.reasons.of_call, plan, tool, other_plan=self.other_plan, other_before=other)
            self._add(self._rest, Kind.TASK, name, then, now, why)
            other = other or not self._rest[-1].same
        for name, found in (again.found if again is not None else {}).items():
            self._once_more(name, found, tools.get(name.partition("-")[0], ""))

    def _once_more(self, name: str, found: Found, tool: str) -> None:
        """Hold what a call gave that was made once more against what it gave then; or say why it was not made."""
        if found.now:
            self._add(self._rest, Kind.OUTPUT, name, found.then, found.now, partial(self.reasons.of_output, tool))
            return
        why, fails = (self.reasons.say(found.why, error=found.error),), found.why == "fails"
        now = None if fails else found.then
        self._rest.append(Step(Kind.OUTPUT, name, found.then, now, not fails, taken=not fails, why=why))

    # --- models and effects -----------------------------------------------------------------------------------------

    def _models(self) -> Iterable[Step]:
        """Yield a step for each question to a model; one that is asked otherwise now beside what it was then."""
        strange = list(self.recorded.strange)
        roles = [one.role for one in self.recorded.questions]
        reviewed = len(roles) if self.reviewed or Role.REVIEWER not in roles else roles.index(Role.REVIEWER)
        for at, one in enumerate(self.recorded.questions):
            name = f"{one.role} {at + 1}"
            then = {"digest": one.digest, "endpoint": one.endpoint.name, "failed": one.code}
            if at in self.recorded.asked:
                yield Step(Kind.MODEL, name, then, then, True)
            elif at >= reviewed:
                yield Step(Kind.MODEL, name, then, then, True, taken=True)
            else:
                beside = next((each for each in strange if each[0] == one.role), None)
                if beside is not None:
                    strange.remove(beside)
                prompt = beside[1] if beside is not None else None
                why = self.reasons.of_question(one, prompt, self.plan)
                yield Step(Kind.MODEL, name, then, _question(prompt, one.endpoint.name), False, why=why)
        for role, prompt in strange:
            why = self.reasons.of_question(None, prompt, self.plan)
            yield Step(Kind.MODEL, str(role), None, _question(prompt, ""), False, why=why)

    def _effects(self) -> Iterable[Step]:
        effects = self.recording.ended.get("effects")
        if effects:
            yield Step(Kind.EFFECT, "effects", effects, effects, True, taken=True)
        facts = self.recording.first("facts.told")
        if facts is not None:
            yield Step(Kind.EFFECT, "facts", facts, facts, True, taken=True)

    def _take(self, kind: Kind, name: str, then: Any) -> None:
        self._rest.append(Step(kind, name, then, then, True, taken=True))

    def _add(
        self, to: list[Step], kind: Kind, name: str, then: Any, now: Any, why: Callable[[], Iterable[str]]
    ) -> None:  # fmt: skip
        then, now = plain(then), plain(now)
        same = bool(then == now)
        to.append(Step(kind, name, then, now, same, why=() if same else tuple(why())))


def _intent(body: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return {name: body.get(name) for name in ("language", "clauses")} if body is not None else None


def _recommended(body: Mapping[str, Any] | None) -> list[str] | None:
    return [str(one["tool"]) for one in body.get("candidates") or ()] if body is not None else None


def _tasks(plan: Plan) -> list[Any]:
    found: list[Any] = plan_to_json(plan)["tasks"]
    return found


def _asked(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"question": body.get("question"), "choices": body.get("choices")}


def _end(thought: Thought, asked: Mapping[str, Any] | None) -> dict[str, Any]:
    if thought.resolution == "clarify" and asked is not None:
        return _asked(asked)
    return {"would": thought.acts} if thought.acts else {"resolution": thought.resolution, "answer": thought.answer}


def _call(given: Any, end: str, gave: str) -> dict[str, Any] | None:
    if given is None and not end:
        return None
    more = ({"ended": end} if end else {}) | ({"gave": gave} if gave else {})
    return {**(given or {}), **more}


def _question(prompt: Prompt | None, endpoint: str) -> dict[str, Any] | None:
    if prompt is None:
        return None
    return {"digest": digest_of_prompt(prompt), "endpoint": endpoint, "failed": "model.unrecorded"}
