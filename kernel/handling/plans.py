"""A plan on its way: decided, shown, dispatched, reviewed, committed, sent; and the next one where it broke."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kernel import recovery
from kernel.agents import handling as agents
from kernel.approval.card import card_view, change_view
from kernel.approval.consent import consent, has_grown, is_bold
from kernel.approval.more import ask_for_more
from kernel.approval.origins import found_before
from kernel.approval.plan_words import plan_view
from kernel.approval.vouching import ask_to_vouch
from kernel.authorize import Circumstances, authorize
from kernel.calling import Floor
from kernel.commit import commit, drop, refuse_withdrawn
from kernel.dispatch import dispatch
from kernel.errors import KernelError
from kernel.flow.writers import marks_view
from kernel.handling.asking_back import ask_back
from kernel.handling.ending import finish, how_it_stands
from kernel.knowing import handling as knowing
from kernel.mailing import sending
from kernel.model import Authorization, Outcome, Plan, Resolution, TaskId
from kernel.planning.plan_json import plan_to_json
from kernel.planning.voice import said_by
from kernel.remembering.bulk import kept, lean_result
from kernel.reviewing import handling as reviewing
from kernel.run import Broken, Run, SentBack, Stop, unbroken
from kernel.serving.elicited import ask_for_server
from kernel.terms.keeping import refuse_late
from permissions.errors import Conflict, PermissionsError
from permissions.model import Change, ChangeKind
from skills.model import EffectClass, Tool, ToolId

LONG_ANSWER = 4000
"""So many characters are looked through in a moment."""


async def from_plan(run: Run, plan: Plan, *, sealed: bool = False) -> None:
    """Take ``plan`` to the run's end; ``sealed`` where its changes wait for their commit since before a restart."""
    plan = said_by(plan, run.utterance.label)
    house = run.house
    run.language = plan.language  # a short reply goes on in the language of what was asked
    run.yes = run.yes and not is_bold(run, plan)
    around = run.around()
    with run.timed("authorize_ms"):
        authorization = authorize(plan, around)
    run.yes = run.yes and not has_grown(run, plan, authorization)
    if not sealed:
        await refuse_late(run, plan)
        body = {
            "plan": plan_view(plan, around), **kept("frozen", plan_to_json(plan)), "ms": run.timings.get("plan_ms", 0),
            "rights": card_view(authorization, around, plan, *house.level())["rights"], "language": plan.language,
            "skills": skills_of(plan, around), **run.reply(),
        }  # fmt: skip
        await run.log.say("run.planned", None, body, durable=False)
        authorization = await consent(run, plan, authorization)
    try:
        outcomes, changes = await _carried_out(run, plan, authorization, sealed)
    except (Broken, SentBack) as ended:
        await drop(run)
        run.letters.clear()
        run.versions = run.replan = None  # one new version, and no more
        if isinstance(ended, Broken):
            body = {"rung": ended.rung, "version": ended.plan.version, "without": ended.tool}
            await run.log.say("plan.recovered", None, body)
        return await from_plan(run, ended.plan)
    learnt = await knowing.learn(run, plan, outcomes)
    await unbroken(knowing.note(run, plan))
    await _finish_executed(run, plan, outcomes, changes, "\n".join(filter(None, (learnt, run.taught))))


async def _carried_out(
    run: Run, plan: Plan, authorization: Authorization, sealed: bool
) -> tuple[dict[TaskId, Outcome], tuple[Change, ...]]:
    """Dispatch and commit. What only adds to files that changed meanwhile is done once more, on what stands there."""
    outcomes = run.house.talk.outcomes(run.id) if sealed else await _found(run, plan, authorization)
    await sending.ask_to_send(run)
    try:
        changes = await commit(run, plan, authorization, sealed)
    except Conflict as conflict:
        if sealed or not await asyncio.to_thread(_only_adds, run, plan, conflict):
            raise
    else:
        await _sent(run, plan, authorization)
        return outcomes, changes
    await drop(run)
    outcomes = await _found(run, plan, authorization)
    return outcomes, await commit(run, plan, authorization, sealed)


async def _found(run: Run, plan: Plan, authorization: Authorization) -> dict[TaskId, Outcome]:
    outcomes = await _dispatch(run, plan, authorization)
    await reviewing.review(run, plan, outcomes)
    return outcomes


async def _sent(run: Run, plan: Plan, authorization: Authorization) -> None:
    """Hand over what the run sends, when all else of it is done: a letter is the one thing that stays."""
    if not run.letters and not run.house.post.outbox.of(run.id):
        return
    try:
        await sending.send(run, plan, partial(refuse_withdrawn, run, plan, authorization))
    except (Stop, KernelError, PermissionsError) as ended:
        raise await how_it_stands(run, ended) from ended


def _only_adds(run: Run, plan: Plan, conflict: Conflict) -> bool:
    """Tell whether the run does nothing to the files of the conflict but read them, or add at their ends, and nothing
    else but add: then it may be done again."""
    tools = [run.house.registry.tool(task.tool) for task in plan.tasks]
    if run.staging is None or any(tool.effect is EffectClass.ONCE or tool.followed for tool in tools):
        return False
    changes = run.staging.seal().changes
    adding = {change.path for change in changes if change.appends}
    if conflict.code == "conflict.read":
        return all(change.appends or change.kind is ChangeKind.CREATED for change in changes)
    return bool(conflict.paths) and adding.issuperset(conflict.paths)


def skills_of(plan: Plan, around: Circumstances) -> dict[str, dict[str, str]]:
    """Return which skills ``plan`` is carried out with, by their versions and contents."""
    skills = {tool.skill: around.skill(tool.skill) for tool in (around.tool(task.tool) for task in plan.tasks)}
    return {str(name): {"version": one.version, "hash": one.hash} for name, one in skills.items()}


def floor_of(run: Run, plan: Plan) -> Floor:
    """Return where the calls of ``plan`` are made."""
    house = run.house
    run_call = partial(house.run_call, elicit=partial(ask_for_server, run), run=run.id, client=run.client)
    persons = not (run.client or run.trial)  # no program learns what the person was about to do
    return Floor(
        around=run.around(),
        run_call=house.ahead.over(run_call, run.log.say, plan.language) if house.ahead and persons else run_call,
        allot=run.allotter(), more=partial(ask_for_more, run),
        vouch=partial(ask_to_vouch, run), tasks={task.id: task for task in plan.tasks},
        found=partial(found_before, run),
        staging=run.stage, say=run.log.say,
        utterance=run.utterance, private=house.private, timeout_s=house.settings.task_timeout_s,
        parallel=house.settings.parallel_tasks, seed=run.seed, language=plan.language, post=house.post,
        letters=run.letters,
    )  # fmt: skip


async def _dispatch(run: Run, plan: Plan, authorization: Authorization) -> dict[TaskId, Outcome]:
    floor = floor_of(run, plan)
    with run.timed("sandbox_ms"):
        outcomes = await dispatch(plan, authorization, floor, partial(agents.follow, run))
    failed = [outcome for outcome in outcomes.values() if not outcome.ok]
    if failed:
        await recovered(run, plan, outcomes, failed[0])
        error = failed[0].error or {}
        answer = "\n".join(dict.fromkeys(failure_words(outcome.error or {}) for outcome in failed))
        error = {**error, "code": run.refusal or error.get("code", "")}
        held = run.refusal or error["code"] == "task.revoked"  # by a person: it did not fail, it was not let go on
        marks = await marks_of(run, plan, outcomes, answer)
        raise Stop(Resolution.BLOCKED if held else Resolution.FAILED, answer, error=error, marks=marks)
    return outcomes


async def recovered(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], failed: Outcome) -> None:
    """Climb what is left of the ladder (``kernel.recovery``): raise Broken with the next version, or ask back."""
    tool_of = run.house.registry.tool
    if run.versions is not None and not run.refusal:
        broken = recovery.broke(outcomes.values(), plan, tool_of)
        following = run.versions(broken, plan) if broken else None
        if broken and following is not None:
            raise Broken(broken, following)
        renamed = await knowing.otherwise(run, plan, failed)
        if renamed is not None:
            raise Broken(renamed.tasks[0].tool, renamed, "name")
    tool = next(tool_of(task.tool) for task in plan.tasks if task.id == failed.task)
    question = recovery.which_one(plan, failed, outcomes, tool)
    if question is not None:
        await run.log.say("plan.recovered", failed.task, {"rung": "ask", "parameter": question.parameter})
        await ask_back(run, question)


def failure_words(error: Mapping[str, Any]) -> str:
    return " ".join(part for part in (error.get("message", ""), error.get("hint", "")) if part)


async def _finish_executed(
    run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], changes: Sequence[Change], learnt: str = ""
) -> None:
    resolution = Resolution.CONFIRMED if run.confirmed else Resolution.EXECUTED
    ordered = [outcomes[task.id] for task in plan.tasks if task.id in outcomes]
    repeated = _said_before(plan, run.house.registry.tool)
    told = (outcome.answer for outcome in ordered if outcome.task not in repeated)
    answer = "\n".join(text for text in (*told, learnt) if text)
    values = {str(outcome.task): outcome.value for outcome in ordered if not outcome.skipped}
    tables = [outcome.table for outcome in ordered if outcome.table]
    marks = await marks_of(run, plan, outcomes, answer)
    result = lean_result(values, tables=tables, files=[path for outcome in ordered for path in outcome.files])
    effects = [change_view(change) for change in changes]
    await finish(run, resolution, answer, result=result, effects=effects, marks=marks)


def _said_before(plan: Plan, tool_of: Callable[[ToolId], Tool]) -> frozenset[TaskId]:
    """The tasks that only make one text, for another one, of what the tasks before have said."""
    taken = frozenset(one for task in plan.tasks for one in task.takes())
    return frozenset(task.id for task in plan.tasks if task.id in taken and tool_of(task.tool).gathers)


async def marks_of(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], answer: str) -> list[dict[str, Any]]:
    """Return which words of the answer others wrote; of a long one in a thread, the daemon goes on answering."""
    registry = run.house.registry

    def shipped(tool: ToolId) -> bool:
        return registry.skill(registry.tool(tool).skill).shipped

    look = partial(marks_view, answer, plan, outcomes, registry.tool, run.utterance.text, shipped)
    return look() if len(answer) < LONG_ANSWER else await asyncio.to_thread(look)
