"""The one way through: a sentence in, exactly one resolution out.

    interpret -> recommend -> plan -> authorize -> dispatch -> commit -> remember

Each stage writes its event before the next begins. A run waits in two places only: for the answer to its card, and
for the answer to a change set that the card does not cover.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from kernel import own_words
from kernel.authorize import asked, authorize, denied
from kernel.card import card_view, change_view, diff_view, plan_view, right_words
from kernel.commit import concerns, strays
from kernel.dispatch import Floor, dispatch
from kernel.errors import KernelError, TaskFailed
from kernel.firewall import concern
from kernel.interpret import interpret
from kernel.model import Authorization, Decline, Outcome, Plan, Question, Resolution, RunId, TaskId, Utterance
from kernel.plan import propose
from kernel.plan_json import plan_to_json, question_to_json
from kernel.recommend import recommend
from kernel.remember import RunLog
from memory.errors import StoreError
from permissions import new_grant
from permissions.errors import PermissionsError
from permissions.model import Change, ChangeSet, GrantMode, Principal
from skills.errors import SkillError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernel.house import House
    from permissions.transactions import Staging

T = TypeVar("T")


@dataclass(slots=True)
class Run:
    """A run under way: what is known so far, and the answer it may be waiting for."""

    id: RunId
    utterance: Utterance
    house: House
    yes: bool
    log: RunLog
    seed: int
    language: str = "en"
    confirmed: bool = False
    fault: StoreError | None = None  # the ledger failed: the run has no written end
    abandoned: bool = False  # the daemon stops while this run waits: it stays pending
    staging: Staging | None = None
    waiting: asyncio.Future[str] | None = None
    seal: str = ""  # of the changes that it waits for; empty while it waits for its card
    expires_at: str = ""  # of the question that it waits for; tells it from an earlier one
    timings: dict[str, float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time of a stage to the run's timings, in milliseconds."""
        began = time.perf_counter()
        yield
        self.timings[stage] = self.timings.get(stage, 0.0) + (time.perf_counter() - began) * 1000

    def stage(self) -> Staging:
        """Return the run's staging area, made on first use."""
        if self.staging is None:
            self.staging = self.house.transactions.begin(self.id)
        return self.staging


class Stop(Exception):
    """The run has its resolution before the end of the way."""

    def __init__(self, resolution: Resolution, answer: str, **more: Any) -> None:
        super().__init__(answer)
        self.resolution = resolution
        self.answer = answer
        self.more = more


async def handle(run: Run) -> None:
    """Take ``run`` from its sentence to its resolution. Never raises: whatever happens becomes ``run.finished``."""
    await _ended(run, _through(run))


async def resume(run: Run, plan: Plan, staging: Staging | None) -> None:
    """Go on with a run that waited for an answer when the daemon stopped."""
    run.language = plan.language
    run.staging = staging
    await _ended(run, _from_plan(run, plan, sealed=staging is not None))


async def _ended(run: Run, way: Coroutine[Any, Any, None]) -> None:
    try:
        await way
    except Stop as stop:
        await _finish(run, stop.resolution, stop.answer, **stop.more)
    except asyncio.CancelledError:
        if run.abandoned:
            return
        await _finish(
            run,
            Resolution.ROLLED_BACK,
            _words(run, "cancelled"),
            error=_error("run.cancelled", _words(run, "cancelled"), ""),
        )
    except (KernelError, PermissionsError, SkillError) as error:
        await _finish_failed(run, error.code, str(error), error.hint)
    except StoreError as error:  # the ledger cannot be written: nobody can be told through it
        run.house.report(error)
        run.fault = error
        await _drop(run)
    except Exception as error:  # the request edge: an unforeseen fault ends this run, not the daemon
        run.house.report(error)
        message = f"Steward met an internal fault: {type(error).__name__}: {error}"
        await _finish_failed(run, "kernel.fault", message, "./steward doctor")


async def _through(run: Run) -> None:
    house = run.house
    mind = await house.learning.mind()
    with run.timed("interpret_ms"):
        intent = interpret(run.utterance, house.world, mind.lexicon)
    run.language = intent.language
    clauses = [" ".join(token.text for token in intent.tokens)]
    await run.log.say(
        "run.interpreted",
        None,
        {"language": intent.language, "clauses": clauses, "ms": run.timings["interpret_ms"]},
        durable=False,
    )
    objection = concern(run.utterance.text, intent)
    if objection:
        raise Stop(Resolution.BLOCKED, objection, error=_error("request.firewall", objection, ""))
    if own_words.means_undo(intent):
        await _undo(run)
    with run.timed("recommend_ms"):
        candidates = recommend(intent, mind.toolbox)
    shown = [{"tool": c.tool, "score": round(c.score, 4), "reasons": dict(c.reasons)} for c in candidates[:5]]
    await run.log.say("run.recommended", None, {"candidates": shown, "ms": run.timings["recommend_ms"]}, durable=False)
    with run.timed("plan_ms"):
        proposal = propose(intent, candidates, mind.toolbox, house.talk.dialogue(run.utterance.conversation, run.id))
    match proposal:
        case Question():
            await _ask_back(run, proposal)
        case Decline():
            near = [str(tool) for tool in proposal.nearest]
            raise Stop(Resolution.DECLINED, proposal.text, result={"nearest": near})
        case Plan():
            await _from_plan(run, proposal)


async def _ask_back(run: Run, question: Question) -> None:
    body = {"question": question.text, "choices": list(question.choices), "draft": question_to_json(question)}
    await run.log.say("run.asked", None, body)
    text = "\n".join([question.text, *(f"  {n}. {choice}" for n, choice in enumerate(question.choices, 1))])
    raise Stop(Resolution.CLARIFY, text, question={"text": question.text, "choices": list(question.choices)})


async def _from_plan(run: Run, plan: Plan, *, sealed: bool = False) -> None:
    house = run.house
    around = house.circumstances(run.id, run.utterance.cwd)
    with run.timed("authorize_ms"):
        authorization = authorize(plan, around)
    if not sealed:
        view = plan_view(plan, around)
        await run.log.say(
            "run.planned",
            None,
            {"plan": view, "frozen": plan_to_json(plan), "ms": run.timings.get("plan_ms", 0)},
            durable=False,
        )
        authorization = await _consent(run, plan, authorization)
    outcomes = house.talk.outcomes(run.id) if sealed else await _dispatch(run, plan, authorization)
    changes = await _commit(run, authorization, sealed)
    await _finish_executed(run, plan, outcomes, changes)


async def _consent(run: Run, plan: Plan, authorization: Authorization) -> Authorization:
    """Ask until everything the plan needs is allowed: a grant may have ended while its card waited."""
    house = run.house
    _refuse_denied(run, authorization)
    while asked(authorization):
        card = card_view(authorization, house.circumstances(run.id, run.utterance.cwd), plan, *house.level())
        answer = await _answer(run, {"stage": "plan", "card": card})
        await _grant(run, plan, authorization, answer)
        authorization = authorize(plan, house.circumstances(run.id, run.utterance.cwd))
        _refuse_denied(run, authorization)
    return authorization


def _refuse_denied(run: Run, authorization: Authorization) -> None:
    refusals = denied(authorization)
    if not refusals:
        return
    _, decision = refusals[0]
    words = right_words(decision.right, run.utterance.home, run.language)
    message = _words(run, "denied").format(what=words, why=decision.reason)
    raise Stop(
        Resolution.BLOCKED,
        message,
        error=_error("policy.denied", message, "Name a file or folder of yours.", node=decision.node),
    )


async def _answer(run: Run, request: Mapping[str, Any]) -> str:
    """Ask for consent and wait for the answer: once, run, always. Raises Stop on no and on expiry."""
    house = run.house
    stage = str(request["stage"])
    expires = datetime.now(UTC) + timedelta(seconds=house.settings.approval_timeout_s)
    run.waiting = asyncio.get_running_loop().create_future()
    run.seal = str(request.get("seal") or "")
    run.expires_at = expires.isoformat()
    if run.yes and stage == "plan":
        run.waiting.set_result("once")
    waits = not run.waiting.done()  # a yes in advance has answered already
    await run.log.say("approval.requested", None, {**request, "expires_at": run.expires_at}, durable=waits)
    try:
        async with asyncio.timeout(house.settings.approval_timeout_s):
            answer = await run.waiting
    except TimeoutError:
        answer = "expired"
    run.waiting = None
    await run.log.say("approval.resolved", None, {"answer": answer, "stage": stage}, durable=False)
    if answer in ("no", "expired"):
        message = _words(run, "refused" if answer == "no" else "expired")
        code = "approval.refused" if answer == "no" else "approval.expired"
        raise Stop(Resolution.BLOCKED, message, error=_error(code, message, ""))
    run.confirmed = True
    return answer


async def _grant(run: Run, plan: Plan, authorization: Authorization, answer: str) -> None:
    """Turn a yes into grants for exactly what was asked."""
    house = run.house
    around = house.circumstances(run.id, run.utterance.cwd)
    tools = {task.id: around.tool(task.tool) for task in plan.tasks}
    grants = []
    for task, decision in asked(authorization):
        skill = around.skill(tools[task].skill)
        principal = Principal(skill.id, skill.hash, tools[task].id, run.id, task)
        grants.append(new_grant(principal, decision.right, GrantMode(answer), around.now_s))
    await house.grant(grants, run.id)


async def _dispatch(run: Run, plan: Plan, authorization: Authorization) -> dict[TaskId, Outcome]:
    house = run.house
    floor = Floor(
        around=house.circumstances(run.id, run.utterance.cwd), run_call=house.run_call, staging=run.stage,
        say=run.log.say, utterance=run.utterance, private=house.private, timeout_s=house.settings.task_timeout_s,
        parallel=house.settings.parallel_tasks, seed=run.seed, language=plan.language,
    )  # fmt: skip
    with run.timed("sandbox_ms"):
        outcomes = await dispatch(plan, authorization, floor)
    failed = [outcome for outcome in outcomes.values() if not outcome.ok]
    if failed:
        error = failed[0].error or {}
        answer = " ".join(part for part in (error.get("message", ""), error.get("hint", "")) if part)
        raise Stop(Resolution.FAILED, answer, error=dict(error))
    return outcomes


async def _commit(run: Run, authorization: Authorization, sealed: bool) -> tuple[Change, ...]:
    """Seal what was staged, ask where the card does not cover it, and apply it whole."""
    if run.staging is None:
        return ()
    loop = asyncio.get_running_loop()
    with run.timed("commit_ms"):
        changes = await loop.run_in_executor(None, run.staging.seal)
    if not changes.changes:
        await _drop(run)
        return ()
    _refuse_strays(changes, authorization)
    why = concerns(changes, authorization, yes=run.yes)
    shown = [change_view(change) for change in changes.changes]
    diff = [diff_view(one) for one in await loop.run_in_executor(None, run.staging.diff)]
    if not sealed:
        body = {"seal": changes.seal, "changes": shown, "diff": diff}
        await run.log.say("changes.sealed", None, body, durable=False)
    if why:
        reasons = [{"why": str(kind), "subject": subject} for kind, subject in why]
        card = {"rights": [], "concerns": reasons, "changes": shown}
        await _answer(run, {"stage": "commit", "seal": changes.seal, "card": card, "diff": diff})
    await run.log.say("commit.started", None, {"seal": changes.seal})
    return await _unbroken(_apply(run, run.staging, changes.seal))


def _refuse_strays(changes: ChangeSet, authorization: Authorization) -> None:
    outside = strays(changes, authorization)
    if outside:
        message = f"{outside[0]} was to be changed, which the plan did not ask for. Nothing was changed."
        raise TaskFailed("commit.outside", message, subject=outside[0], hint="Look at that folder, then ask again.")


async def _apply(run: Run, staging: Staging, seal: str) -> tuple[Change, ...]:
    loop = asyncio.get_running_loop()
    with run.timed("commit_ms"):
        await loop.run_in_executor(None, staging.commit, seal)
        applied = await loop.run_in_executor(None, run.house.transactions.effects, run.id)
    await run.log.say("commit.done", None, {"changes": [change_view(change) for change in applied]}, durable=False)
    run.staging = None
    run.house.with_effects.append(run.id)
    run.house.world.refresh()
    return applied


async def _unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Do ``work`` to its end even when the run is cancelled meanwhile: what has happened is also said."""
    job = asyncio.ensure_future(work)
    while not job.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([job])
    return job.result()


async def _finish_executed(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], changes: Sequence[Change]) -> None:
    resolution = Resolution.CONFIRMED if run.confirmed else Resolution.EXECUTED
    ordered = [outcomes[task.id] for task in plan.tasks if task.id in outcomes]
    answer = "\n".join(outcome.answer for outcome in ordered if outcome.answer)
    result = {
        "value": ordered[-1].value if ordered else None,
        "tasks": {outcome.task: outcome.value for outcome in ordered},
        "tables": [outcome.table for outcome in ordered if outcome.table],
        "files": [path for outcome in ordered for path in outcome.files],
    }
    await _finish(run, resolution, answer, result=result, effects=[change_view(change) for change in changes])


async def _undo(run: Run) -> None:
    taken = await run.house.undo(None, conversation=run.utterance.conversation)
    raise Stop(Resolution.EXECUTED, taken["answer"], effects=taken["effects"], result={"undone": taken["run"]})


async def _finish_failed(run: Run, code: str, message: str, hint: str) -> None:
    answer = " ".join(part for part in (message, hint) if part)
    await _finish(run, Resolution.FAILED, answer, error=_error(code, message, hint))


async def _drop(run: Run) -> None:
    run.waiting = None
    staging, run.staging = run.staging, None
    if staging is not None:
        await _unbroken(asyncio.to_thread(staging.drop))


async def _finish(run: Run, resolution: Resolution, answer: str, **more: Any) -> None:
    await _drop(run)
    run.house.policy = run.house.policy.after_run(run.id)
    run.timings["total_ms"] = (time.perf_counter() - run.began) * 1000
    run.timings["ledger_ms"] = run.log.ledger_s * 1000
    timings = {stage: round(ms, 2) for stage, ms in run.timings.items()}
    body = {"resolution": str(resolution), "answer": answer, "timings": timings, **more}
    await _unbroken(run.log.say("run.finished", None, body))


def _error(code: str, message: str, hint: str, **more: Any) -> dict[str, Any]:
    return {"code": code, "message": message, "hint": hint, **more}


_SENTENCES = {
    "en": {
        "cancelled": "Cancelled; nothing was changed.",
        "refused": "You said no; nothing was changed.",
        "expired": "Nobody answered in time; nothing was changed.",
        "denied": "Steward may not {what}: {why}. Nothing was changed.",
    },
    "de": {
        "cancelled": "Abgebrochen; nichts wurde geändert.",
        "refused": "Du hast nein gesagt; nichts wurde geändert.",
        "expired": "Niemand hat rechtzeitig geantwortet; nichts wurde geändert.",
        "denied": "Steward darf das nicht ({what}): {why}. Nichts wurde geändert.",
    },
}


def _words(run: Run, key: str) -> str:
    return _SENTENCES.get(run.language, _SENTENCES["en"])[key]
