"""Going through a run once more by what the ledger has of it: the same code, the clock and the answers of then.

What this stops: anything being done (``then`` has no part of the house that could), asked of a model or a host
(``kernel.models.recorded``), or written down but that it was replayed.
What it does not: pass what is read as it is today for what it was then. ``model.Today`` says what that is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kernel.agents import handling as agents
from kernel.authorize import authorize
from kernel.calling import Floor
from kernel.dispatch import dispatch
from kernel.errors import BadRequest, KernelError
from kernel.failures import told
from kernel.handling import planned, recovered
from kernel.house import House
from kernel.model import Outcome, Plan, TaskId
from kernel.models.model import Endpoint, Role
from kernel.models.recorded import Recorded, RecordedModels, questions_in
from kernel.models.wording import CODES
from kernel.planning.voice import said_by
from kernel.receiving import run_of
from kernel.replaying.again import Again
from kernel.replaying.calls import UNRECORDED, Calls
from kernel.replaying.model import Replay, Standing, Today
from kernel.replaying.reasons import Reasons
from kernel.replaying.recording import Recording, Version, recording_of
from kernel.replaying.steps import Taken, Thought, Written
from kernel.replaying.then import Acts, LedgerThen, Shut, Told, house_then
from kernel.replaying.wording import say
from kernel.reviewing import handling as reviewing
from kernel.run import Broken, Run, SentBack, Stop, words
from kernel.terms import Held, Terms
from memory.errors import StoreError
from memory.model import Draft
from permissions.errors import PermissionsError
from permissions.labels import KERNEL_SAID
from skills.errors import SkillError
from skills.model import EffectClass

_FORESEEN = (KernelError, PermissionsError, SkillError, StoreError)


async def replayed(house: House, run: str, *, tools: bool = False) -> Replay:
    """Go through ``run`` once more and say what comes out otherwise; with ``tools``, make the calls that only read.

    Raises UnknownRun, and NotNow where the run is not over.
    """
    recording = await asyncio.to_thread(recording_of, house.ledger, run)
    standing, language = recording.standing, recording.language
    if standing is Standing.COMPARED:
        replaying = await asyncio.to_thread(_Replaying.of, house, recording, tools=tools)
        try:
            found = await replaying.gone_through()
        finally:
            await asyncio.to_thread(replaying.live.house.recollection.close)
    else:
        found = Replay(run, language, standing, (), say(language, str(standing)), {})
    other = list(dict.fromkeys(str(step.kind) for step in found.steps if not step.same))
    body: dict[str, Any] = {"standing": str(found.standing), "same": found.same, "other": other, "tools": tools}
    written = Draft(kind="run.replayed", body=body, run=run, label=KERNEL_SAID.to_json())
    await asyncio.wrap_future(house.ledger.submit(written))
    return found


@dataclass(slots=True)
class _Replaying:
    """One run that is gone through once more: in the house of then, with a log of its own."""

    house: House
    recording: Recording
    live: Run
    log: Told
    ledger: LedgerThen
    recorded: Recorded
    written: Written
    tools: bool

    @classmethod
    def of(cls, house: House, recording: Recording, *, tools: bool) -> _Replaying:
        """Put together what a replay needs."""
        known = _endpoints(house)
        recorded = Recorded(questions_in(recording.events, known), _unasked(recording))
        models = RecordedModels(recorded, _bound(recording, known))
        now = recording.now(house.clock().tzinfo)
        ledger = LedgerThen(house.ledger, recording.begun.seq)
        then = house_then(house, ledger, recording.begun, now, models)
        said, terms = recording.utterance(str(house.folders.home), now), Terms.from_json(recording.said.get("terms"))
        live = run_of(then, recording.run, said, False, int(str(recording.said.get("seed") or 0)), held=Held(terms))
        live.log = log = Told(ledger, recording.run)
        live.trial = dict(recording.said.get("trial") or {})
        reasons = Reasons(house, recording, recording.language)
        return cls(house, recording, live, log, ledger, recorded, Written(recording, recorded, reasons), tools)

    @property
    def _learnt(self) -> Mapping[str, Any]:
        """Up to which events had been learnt by then, where that is recorded."""
        return (self.recording.first("run.recommended") or {}).get("learnt") or {}

    async def gone_through(self) -> Replay:
        """Return what came of it."""
        await self.house.learning.mind()
        self.live.house.learning = self.house.learning.apart(vectors=self._learnt.get("dense") is not False)
        versions = self.recording.versions()
        plan = versions[0].plan if versions else None
        if plan is not None and self.recording.came_with_its_plan:
            self.written.came_with(plan)
        else:
            await asyncio.to_thread(self._learn)
            thought = await self._thought()
            self.written.read(self.log)
            if versions:
                plan = self.written.planned(versions[0].plan, thought.plan, thought)
            else:
                acted = bool(thought.acts) and self.recording.acted(thought.acts, self.house.ledger)
                self.written.ended(thought, acted=acted)
        if plan is not None:
            await self._all_versions(plan, versions)
        steps, language = self.written.steps(), self.recording.language
        other = sum(not step.same for step in steps)
        key = ("other" if other else "same") + (" one" if (other or len(steps)) == 1 else "")
        told_so = say(language, key, count=len(steps), other=other)
        today = {str(one): say(language, str(one)) for one in Today}
        return Replay(self.recording.run, language, Standing.COMPARED, steps, told_so, today)

    def _learn(self) -> None:
        """Know what had been learnt by then, and nothing later."""
        learning, learnt = self.live.house.learning, self._learnt
        for name, work in (("own", learning.learn_own), ("requests", learning.learn_requests)):
            seq = int(learnt.get(name, self.recording.begun.seq))
            if seq:
                with self.ledger.until(seq):
                    work(self.ledger)

    async def _thought(self) -> Thought:
        try:
            plan = await planned(self.live)
        except Stop as stop:
            return Thought(resolution=str(stop.resolution), answer=stop.answer)
        except Acts as acts:
            return Thought(acts=acts.what)
        except _FORESEEN as error:
            return Thought(resolution="failed", answer=" ".join(filter(None, told(error, self.live.language))))
        except Exception as error:  # the edge, as that of a request: an unforeseen fault is what came of it
            self.house.report(error)
            fault = words(self.live, "fault").format(fault=f"{type(error).__name__}: {error}")
            return Thought(resolution="failed", answer=f"{fault} ./steward doctor")
        return Thought(said_by(plan, self.live.utterance.label))

    # --- carrying out -----------------------------------------------------------------------------------------------

    async def _all_versions(self, plan: Plan, versions: tuple[Version, ...]) -> None:
        """Go through every version of the plan; where the next one is another one now, go on with that of then."""
        for at, version in enumerate(versions):
            following = await self._carried_out(plan, version)
            if at + 1 < len(versions):
                plan = self.written.following(versions[at + 1].plan, following)
            elif isinstance(following, Plan):
                self.written.further(following)

    async def _carried_out(self, plan: Plan, version: Version) -> Plan | Taken | None:
        """Go through one version: return the next one, None where there is none, or that it is not gone through."""
        self.written.answered(version)
        if not version.was_begun:
            return None
        calls, outcomes, mark = Calls(version), dict[TaskId, Outcome](), len(self.log.events)
        again = Again(self.house, plan, self.live.utterance, self.live.seed) if self.tools else None
        try:
            outcomes = await self._dispatched(plan, calls, again)
        except Exception as error:  # the same edge; a skill is gone, say: nothing of it can be gone through
            self._report(error)
            self.written.called(plan, calls, outcomes, again)
            return None
        for kind, task, body in self.log.events[mark:]:
            if kind == "task.started":
                calls.given.setdefault(
                    str(body.get("call") or task), {name: body[name] for name in ("tool", "arguments")}
                )
        self.written.called(plan, calls, outcomes, again)
        return await self._following(plan, version, outcomes)

    async def _dispatched(self, plan: Plan, calls: Calls, again: Again | None) -> dict[TaskId, Outcome]:
        live, settings = self.live, self.house.settings
        floor = Floor(
            around=live.around(), run_call=Shut("run_call"), allot=Shut("allot"), more=_nothing, vouch=_nothing,
            staging=lambda: calls.staged, say=self.log.say, utterance=live.utterance, private=self.house.private,
            timeout_s=settings.task_timeout_s, parallel=settings.parallel_tasks, seed=live.seed,
            language=plan.language, tasks={task.id: task for task in plan.tasks},
        )  # fmt: skip
        make = partial(again.make, calls) if again is not None else calls.make
        return await dispatch(plan, authorize(plan, floor.around), floor, partial(agents.follow, live, make=calls.act),
                              make)  # fmt: skip

    async def _following(
        self, plan: Plan, version: Version, outcomes: Mapping[TaskId, Outcome]
    ) -> Plan | Taken | None:  # fmt: skip
        """Return the next version, which a tool that broke or a review led to."""
        failed = [one for one in outcomes.values() if not one.ok and (one.error or {}).get("code") != UNRECORDED]
        try:
            if failed:
                await recovered(self.live, plan, outcomes, failed[0])
            elif any(event.kind == "run.reviewed" for event in version.events):
                tool = self.live.house.registry.tool
                if any(
                    tool(task.tool).effect is not EffectClass.PURE or tool(task.tool).followed for task in plan.tasks
                ):
                    self.written.reviewed = False
                    return Taken.REVIEW  # what was staged then, a reviewer's evidence, is not there any more
                await reviewing.review(self.live, plan, outcomes)
        except (Broken, SentBack) as ended:
            return ended.plan
        except Exception as error:  # the same edge: there is no next version
            self._report(error)
        return None

    def _report(self, error: Exception) -> None:
        if not isinstance(error, (Stop, Acts, *_FORESEEN)):
            self.house.report(error)


async def _nothing(_: Any) -> str:
    """A person answered this then, and it went on."""
    return ""


def _endpoints(house: House) -> Mapping[str, Endpoint]:
    try:
        return house.models.book().endpoints
    except BadRequest:
        return {}


def _unasked(recording: Recording) -> dict[str, str]:
    """Return by role why a model was not asked then, though one was bound."""
    proposed = recording.first("model.proposed") or {}
    code = str(proposed.get("error") or "")
    return {str(Role.PLANNER): code} if code in CODES else {}


def _bound(recording: Recording, known: Mapping[str, Endpoint]) -> dict[Role, Endpoint]:
    """Return the roles that were bound then though nobody was asked: a plan names its worker."""
    names = {Role.WORKER: next((one.plan.worker for one in recording.versions() if one.plan.worker), ""),
             Role.PLANNER: str((recording.first("model.proposed") or {}).get("endpoint") or "")}  # fmt: skip
    return {role: known.get(name) or Endpoint(name, "http://127.0.0.1/v1", "") for role, name in names.items() if name}
