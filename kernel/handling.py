"""The one way through: a sentence in, exactly one resolution out.

    interpret -> recommend -> plan -> authorize -> dispatch -> commit -> remember

Each stage writes its event before the next begins. A run waits in four places only: for the answer to its card, for
the answer whether a call may have more than a person's limit, for that to a value of others that would decide
something, and for that to a change set that the card does not cover.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kernel import recovery
from kernel.approval.card import card_view, change_view
from kernel.approval.consent import answer_to, consent, is_bold, refuse_denied
from kernel.approval.more import ask_for_more
from kernel.approval.origins import found_before
from kernel.approval.plan_words import plan_view
from kernel.approval.vouching import ask_to_vouch
from kernel.asking import wording
from kernel.authorize import authorize
from kernel.calling import Floor
from kernel.clients import bounds
from kernel.commit import commit, drop, refuse_withdrawn
from kernel.context.dialogue import Dialogue
from kernel.context.kept import SHIPPED
from kernel.context.mind import Mind
from kernel.dispatch import dispatch
from kernel.errors import KernelError, TaskFailed
from kernel.failures import told
from kernel.firewall import objection
from kernel.firewall.alone import nothing_said
from kernel.firewall.binding import bound, handle_of
from kernel.firewall.classifier import judge_of
from kernel.firewall.view import shown_view
from kernel.flow.writers import marks_view
from kernel.interpret import interpret
from kernel.itself import cancelling, own_words, undoing
from kernel.itself.instructions import instruction_words
from kernel.itself.introduce import Own, introduction
from kernel.itself.nearest import near_words
from kernel.itself.record import last_done
from kernel.knowing import handling as knowing
from kernel.learning import handling as learning
from kernel.mailing import sending
from kernel.mailing.standing import Standing as MailStanding
from kernel.model import Authorization, Candidate, Decline, Outcome, Plan, Proposal, Question, Resolution, TaskId
from kernel.paths import short
from kernel.plan import propose
from kernel.planning.plan_json import plan_to_json, question_to_json
from kernel.planning.proposing import alone, proposed
from kernel.planning.voice import said_by
from kernel.prompting import handling as prompting
from kernel.recalling import handling as recalling
from kernel.recommend import recommend
from kernel.remembering.bulk import kept, lean_changes, lean_result
from kernel.run import Broken, Run, Stop, error_view, unbroken, words
from kernel.serving.elicited import ask_for_server
from memory.errors import StoreError
from permissions.errors import Conflict, PermissionsError
from permissions.model import Change
from skills.errors import SkillError
from skills.model import EffectClass

if TYPE_CHECKING:
    from permissions.transactions import Staging

TOLD_AFTER_S = 1.0
"""So long a request waits for a daemon that has just started before it is told so."""

LONG_ANSWER = 4000
"""So many characters are looked through in a moment."""


async def handle(run: Run) -> None:
    """Take ``run`` from its sentence to its resolution. Never raises: whatever happens becomes ``run.finished``."""
    await _ended(run, _through(run))


async def resume(run: Run, plan: Plan, staging: Staging | None, *, letters: bool = False) -> None:
    """Go on with a run that waited for an answer when the daemon stopped; with ``letters``, for one about these."""
    run.language = plan.language
    run.staging = staging
    await _ended(run, _from_plan(run, plan, sealed=staging is not None or letters))


async def settle(run: Run) -> None:
    """Say what became of the letters of a run that was cut short; where nobody knows, ask."""
    plan = run.house.talk.plan(run.id)
    run.language = plan.language if plan is not None else run.language
    await _ended(run, _settled(run, plan))


async def _settled(run: Run, plan: Plan | None) -> None:
    try:
        await sending.take_up(run, plan, partial(_refuse_denied, run, plan))
    except (Stop, KernelError, PermissionsError) as ended:
        raise await _how_it_stands(run, ended) from ended
    raise await _how_it_stands(run)


def _refuse_denied(run: Run, plan: Plan | None) -> None:
    """After a restart: what was allowed once has ended, but what is denied now, or nobody's any more, is not done."""
    if plan is None:
        raise TaskFailed(
            "task.revoked", "What was to send this mail is no longer there.", hint="Ask again.",
            de="Was diese Mail senden sollte, gibt es nicht mehr.", de_hint="Frag noch einmal.",
        )  # fmt: skip
    refuse_denied(run, authorize(plan, run.around()))


def _with_effects(run: Run, stop: Stop) -> Stop:
    """Return ``stop`` with what the run has changed all the same."""
    changes = [change_view(change) for change in run.house.transactions.effects(run.id)]
    if changes and run.id not in run.house.with_effects:
        run.house.with_effects.append(run.id)
    return Stop(stop.resolution, stop.answer, **{"effects": changes, **stop.more})


async def _how_it_stands(run: Run, ended: Stop | KernelError | PermissionsError | None = None) -> Stop:
    """Say of a run that ended among its letters how each of them stands, why it ended, and what it has changed."""
    why, code, resolution = "", "", None
    if isinstance(ended, Stop):
        why, resolution = ended.answer, ended.resolution
        code = str((ended.more.get("error") or {}).get("code", ""))
    elif ended is not None:
        why, code = " ".join(filter(None, told(ended, run.language))), ended.code
    letters = await asyncio.to_thread(run.house.post.outbox.of, run.id)
    stop = sending.report(run, letters, why=why, code=code)
    return _with_effects(run, Stop(resolution or stop.resolution, stop.answer, **stop.more))


async def _cancelled(run: Run) -> Stop:
    """Say how a run stands that was cancelled: nothing was done, or what was."""
    if any(stand is not MailStanding.PREPARED for stand in sending.standing(run).values()):
        return await _how_it_stands(run)
    if run.id in run.house.with_effects and run.house.transactions.effects(run.id):
        if await asyncio.to_thread(run.house.post.outbox.of, run.id):
            return await _how_it_stands(run)
        return _with_effects(run, Stop(Resolution.CONFIRMED, words(run, "late")))
    error = error_view("run.cancelled", words(run, "cancelled"), "")
    return Stop(Resolution.ROLLED_BACK, words(run, "cancelled"), error=error)


async def _ended(run: Run, way: Coroutine[Any, Any, None]) -> None:
    try:
        await way
    except Stop as stop:
        await _finish(run, stop.resolution, stop.answer, **stop.more)
    except asyncio.CancelledError:
        if run.abandoned:
            return
        end = await unbroken(_cancelled(run))
        await _finish(run, end.resolution, end.answer, **end.more)
    except (KernelError, PermissionsError, SkillError) as error:
        await _finish_failed(run, error.code, *told(error, run.language))
    except StoreError as error:  # the ledger cannot be written: nobody can be told through it
        run.house.report(error)
        run.fault = error
        await drop(run)
    except Exception as error:  # the request edge: an unforeseen fault ends this run, not the daemon
        run.house.report(error)
        message = words(run, "fault").format(fault=f"{type(error).__name__}: {error}")
        await _finish_failed(run, "kernel.fault", message, "./steward doctor")


async def _through(run: Run) -> None:
    house = run.house
    mind = await _mind(run)
    with run.timed("interpret_ms"):
        await asyncio.to_thread(house.world.look)
        knowing.take_up(run)
        recalling.take_up(run)
        usual = house.talk.language(run.utterance.conversation, run.id)
        past = house.past(run.utterance.conversation, client=run.client)
        if run.utterance.shown and await _only_shown(run, mind, usual):
            return
        intent = interpret(run.utterance, house.world, mind.lexicon, usual, past)
    own = own_words.own_request(intent)
    run.language = own[1] if own else intent.language
    clauses = [" ".join(token.text for token in intent.tokens)]
    await run.log.say(
        "run.interpreted",
        None,
        {"language": run.language, "clauses": clauses, "ms": run.timings["interpret_ms"]} | run.took_as_shown(),
        durable=False,
    )
    why = objection(run.utterance, intent)
    if why:
        raise Stop(Resolution.BLOCKED, why, error=error_view("request.firewall", why, ""))
    dialogue = replace(house.talk.dialogue(run.utterance.conversation, run.id), world=house.world, past=past,
                       shown=handle_of(run.utterance))  # fmt: skip
    await _own(run, own, dialogue, puts_back=own_words.puts_back(intent))
    unknown = ""
    if own is None:
        fresh = partial(alone, mind=mind, usual=usual)
        explained = None if run.client else await learning.answer(run, mind, dialogue, fresh)
        if explained is not None:
            return await _settle(run, explained)
        await recalling.answer(run, intent, mind)
        unknown = await knowing.answer(run, intent)
    with run.timed("recommend_ms"):
        said = run.utterance
        experience = house.learning.experience(house.ledger, said.now, said.conversation)
        candidates = recommend(intent, mind.toolbox, experience=experience)
    shown = [{"tool": c.tool, "score": round(c.score, 4), "reasons": dict(c.reasons)} for c in candidates[:5]]
    await run.log.say("run.recommended", None, {"candidates": shown, "ms": run.timings["recommend_ms"]}, durable=False)
    with run.timed("plan_ms"):
        proposal = proposed(run.utterance, intent, candidates, mind, dialogue, usual)
    proposal = await prompting.helped(run, proposal, intent, candidates, mind, dialogue)
    proposal = bound(proposal, run.utterance, mind.toolbox)
    knowing.settle(run, unknown, proposal)
    if proposal.reply:
        run.answers = [one for one in house.talk.runs(run.utterance.conversation) if one != run.id][-1]
    match proposal:
        case Question():
            await _ask_back(run, proposal)
        case Decline():
            await _decline(run, proposal, candidates)
        case Plan():
            run.taught = learning.read_as(run, proposal)
            again = partial(propose, intent, toolbox=mind.toolbox, context=dialogue)
            run.versions = partial(recovery.without, candidates=candidates, propose=again)
            await _from_plan(run, await knowing.named(run, proposal))


async def _only_shown(run: Run, mind: Mind, usual: str) -> bool:
    """Say what is shown. With nothing said it may be the text that was asked for, and is nothing else."""
    said, house = run.utterance, run.house
    judge = judge_of(house.learning.encoder(), SHIPPED)
    run.shown = await asyncio.to_thread(shown_view, said.shown, judge)
    if said.text:
        return False
    run.language = usual or run.language
    body = {"language": run.language, "clauses": [], "ms": 0.0} | run.took_as_shown()
    await run.log.say("run.interpreted", None, body, durable=False)
    proposal = nothing_said(said, house.talk.dialogue(said.conversation, run.id), mind.toolbox, usual)
    if isinstance(proposal, Decline):
        raise Stop(Resolution.DECLINED, proposal.text)
    run.answers = [one for one in house.talk.runs(said.conversation) if one != run.id][-1]
    await _settle(run, proposal)
    return True


async def _settle(run: Run, proposal: Proposal) -> None:
    """Do what an explanation came to, or ask what it lacks."""
    if isinstance(proposal, Question):
        await _ask_back(run, proposal)
    if isinstance(proposal, Plan):
        await _from_plan(run, await knowing.named(run, proposal))


async def _mind(run: Run) -> Mind:
    """Return what the skills teach; whoever waits for it longer than a moment is told why."""
    known = asyncio.ensure_future(run.house.learning.own_mind(run.house.ledger))
    if not (await asyncio.wait({known}, timeout=TOLD_AFTER_S))[0]:
        await run.log.say("run.warming", None, {}, durable=False)
    return await known


async def _decline(run: Run, proposal: Decline, candidates: Sequence[Candidate]) -> None:
    house = run.house
    said = "" if proposal.unclear else instruction_words(
        house.registry.skills(), run.utterance.text, run.language, str(house.folders.home)
    )  # fmt: skip
    if said:
        raise Stop(Resolution.DECLINED, said)
    near = [one for one in candidates if not proposal.unclear and one.tool in proposal.nearest]
    said = await asyncio.to_thread(near_words, near, house.registry.tool, run.language, house.world)
    result = {"nearest": [str(tool) for tool in proposal.nearest]}
    raise Stop(Resolution.DECLINED, proposal.text + said, result=result)


async def _ask_back(run: Run, question: Question) -> None:
    run.language = question.draft.language
    body = {"question": question.text, "choices": list(question.choices), **run.reply()}
    body |= kept("draft", question_to_json(question))
    await run.log.say("run.asked", None, body)
    home = str(run.house.folders.home)
    asked, choices = (question.text.replace(f"{home}/", "~/"), [short(one, home) for one in question.choices])
    text = "\n".join([asked, *(f"  {n}. {choice}" for n, choice in enumerate(choices, 1))])
    raise Stop(Resolution.CLARIFY, text, question={"text": asked, "choices": choices})


async def _from_plan(run: Run, plan: Plan, *, sealed: bool = False) -> None:
    plan = said_by(plan, run.utterance.label)
    house = run.house
    run.language = plan.language  # a short reply goes on in the language of what was asked
    run.yes = run.yes and not is_bold(run, plan)
    around = run.around()
    with run.timed("authorize_ms"):
        authorization = authorize(plan, around)
    if not sealed:
        body = {
            "plan": plan_view(plan, around), **kept("frozen", plan_to_json(plan)), "ms": run.timings.get("plan_ms", 0),
            "rights": card_view(authorization, around, plan, *house.level())["rights"], "language": plan.language,
            **run.reply(),
        }  # fmt: skip
        await run.log.say("run.planned", None, body, durable=False)
        authorization = await consent(run, plan, authorization)
    try:
        outcomes, changes = await _carried_out(run, plan, authorization, sealed)
    except Broken as broken:
        await drop(run)
        run.versions = None  # one new version, and no more
        await run.log.say(
            "plan.recovered", None, {"rung": "plan", "version": broken.plan.version, "without": broken.tool}
        )
        return await _from_plan(run, broken.plan)
    learnt = await knowing.learn(run, plan, outcomes)
    await _finish_executed(run, plan, outcomes, changes, "\n".join(filter(None, (learnt, run.taught))))


async def _carried_out(
    run: Run, plan: Plan, authorization: Authorization, sealed: bool
) -> tuple[dict[TaskId, Outcome], tuple[Change, ...]]:
    """Dispatch and commit. What only adds to files that changed meanwhile is done once more, on what stands there."""
    outcomes = run.house.talk.outcomes(run.id) if sealed else await _dispatch(run, plan, authorization)
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
    outcomes = await _dispatch(run, plan, authorization)
    return outcomes, await commit(run, plan, authorization, sealed)


async def _sent(run: Run, plan: Plan, authorization: Authorization) -> None:
    """Hand over what the run sends, when all else of it is done: a letter is the one thing that stays."""
    if not run.letters and not run.house.post.outbox.of(run.id):
        return
    try:
        await sending.send(run, plan, partial(refuse_withdrawn, run, plan, authorization))
    except (Stop, KernelError, PermissionsError) as ended:
        raise await _how_it_stands(run, ended) from ended


def _only_adds(run: Run, plan: Plan, conflict: Conflict) -> bool:
    """Tell whether the run does nothing to the files of the conflict but add at their ends, and may be done again."""
    if run.staging is None or any(run.house.registry.tool(task.tool).effect is EffectClass.ONCE for task in plan.tasks):
        return False
    adding = {change.path for change in run.staging.seal().changes if change.appends}
    return bool(conflict.paths) and adding.issuperset(conflict.paths)


def _failure_words(error: Mapping[str, Any]) -> str:
    return " ".join(part for part in (error.get("message", ""), error.get("hint", "")) if part)


async def _dispatch(run: Run, plan: Plan, authorization: Authorization) -> dict[TaskId, Outcome]:
    house = run.house
    floor = Floor(
        around=run.around(),
        run_call=partial(house.run_call, elicit=partial(ask_for_server, run), run=run.id, client=run.client),
        allot=run.allotter(), more=partial(ask_for_more, run),
        vouch=partial(ask_to_vouch, run), tasks={task.id: task for task in plan.tasks},
        found=partial(found_before, run),
        staging=run.stage, say=run.log.say,
        utterance=run.utterance, private=house.private, timeout_s=house.settings.task_timeout_s,
        parallel=house.settings.parallel_tasks, seed=run.seed, language=plan.language, post=house.post,
        letters=run.letters,
    )  # fmt: skip
    with run.timed("sandbox_ms"):
        outcomes = await dispatch(plan, authorization, floor)
    failed = [outcome for outcome in outcomes.values() if not outcome.ok]
    if failed:
        await _recovered(run, plan, outcomes, failed[0])
        error = failed[0].error or {}
        answer = "\n".join(dict.fromkeys(_failure_words(outcome.error or {}) for outcome in failed))
        error = {**error, "code": run.refusal or error.get("code", "")}
        held = run.refusal or error["code"] == "task.revoked"  # by a person: it did not fail, it was not let go on
        raise Stop(Resolution.BLOCKED if held else Resolution.FAILED, answer, error=error)
    return outcomes


async def _recovered(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], failed: Outcome) -> None:
    """Climb what is left of the ladder (``kernel.recovery``): raise Broken with the next version, or ask back."""
    tool_of = run.house.registry.tool
    if run.versions is not None and not run.refusal:
        broken = recovery.broke(outcomes.values(), plan, tool_of)
        following = run.versions(broken, plan) if broken else None
        if broken and following is not None:
            raise Broken(broken, following)
    tool = next(tool_of(task.tool) for task in plan.tasks if task.id == failed.task)
    question = recovery.which_one(plan, failed, outcomes, tool)
    if question is not None:
        await run.log.say("plan.recovered", failed.task, {"rung": "ask", "parameter": question.parameter})
        await _ask_back(run, question)


async def _finish_executed(
    run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], changes: Sequence[Change], learnt: str = ""
) -> None:
    resolution = Resolution.CONFIRMED if run.confirmed else Resolution.EXECUTED
    ordered = [outcomes[task.id] for task in plan.tasks if task.id in outcomes]
    answer = "\n".join(text for text in (*(outcome.answer for outcome in ordered), learnt) if text)
    values = {str(outcome.task): outcome.value for outcome in ordered if not outcome.skipped}
    tables = [outcome.table for outcome in ordered if outcome.table]
    marks = await _marks(run, plan, outcomes, answer)
    result = lean_result(values, tables=tables, files=[path for outcome in ordered for path in outcome.files])
    effects = [change_view(change) for change in changes]
    await _finish(run, resolution, answer, result=result, effects=effects, marks=marks)


async def _marks(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], answer: str) -> list[dict[str, Any]]:
    """Return which words of the answer others wrote; of a long one in a thread, the daemon goes on answering."""
    look = partial(marks_view, answer, plan, outcomes, run.house.registry.tool, run.utterance.text)
    return look() if len(answer) < LONG_ANSWER else await asyncio.to_thread(look)


async def _own(run: Run, meant: tuple[Own, str] | None, dialogue: Dialogue, *, puts_back: bool) -> None:
    """Answer what the kernel answers itself, unless the sentence is the reply to an open question."""
    if meant is None:
        return
    house = run.house
    if meant[0] is Own.UNDO:
        await _undo(run, puts_back)
    if meant[0] is Own.LAST:
        bounds.must_remember(run)
        conversation = run.utterance.conversation
        said = await asyncio.to_thread(last_done, house, conversation, run.id, meant[1])
        raise Stop(Resolution.EXECUTED, said)
    if meant[0] is Own.CANCEL:
        await _cancel(run, dialogue)
    elif dialogue.pending is None:
        answer = await asyncio.to_thread(introduction, meant[0], house.registry.skills(), meant[1], house.world)
        raise Stop(Resolution.EXECUTED, answer)


async def _cancel(run: Run, dialogue: Dialogue) -> None:
    """Drop the question that is open, or else answer no to the last card of the conversation that waits."""
    conversation = run.utterance.conversation
    if dialogue.pending is not None:
        run.language = dialogue.pending.draft.language
        run.answers = [one for one in run.house.talk.runs(conversation) if one != run.id][-1]
        raise Stop(Resolution.DECLINED, wording.say(run.language, "dropped"))
    cancelled, said = cancelling.call_off(run.house, conversation, run.language)
    raise Stop(Resolution.EXECUTED, said, result={"cancelled": cancelled} if cancelled else None)


async def _undo(run: Run, puts_back: bool) -> None:
    said = run.utterance.conversation, run.id, run.language
    what = undoing.last_change(run.house, *said, puts_back=puts_back)
    bounds.must_be_its_own(run, what.run, run.house.talk.runs(run.utterance.conversation))
    run.log.private = run.private = run.private or what.private  # what a private run did is not told in the open
    undoing.must_be_possible(run.house, what, run.language)
    if not what.plain:
        await answer_to(run, undoing.question(what, run.language), consented=run.yes)
    taken = await unbroken(undoing.take_back(run.house, what, run.language))
    resolution = Resolution.CONFIRMED if run.confirmed else Resolution.EXECUTED
    raise Stop(resolution, taken["answer"], effects=taken["effects"], result={"undone": taken["run"]})


async def _finish_failed(run: Run, code: str, message: str, hint: str) -> None:
    answer = " ".join(part for part in (message, hint) if part)
    await _finish(run, Resolution.FAILED, answer, error=error_view(code, message, hint))


async def _finish(run: Run, resolution: Resolution, answer: str, **more: Any) -> None:
    await drop(run)
    run.house.policy = run.house.policy.after_run(run.id)
    run.timings["total_ms"] = (time.perf_counter() - run.began) * 1000
    run.timings["ledger_ms"] = run.log.ledger_s * 1000
    timings = {stage: round(ms, 2) for stage, ms in run.timings.items()}
    if "effects" in more:
        more["effects"] = lean_changes(more["effects"])
    body = {"resolution": str(resolution), "answer": answer, "language": run.language, "timings": timings}
    body |= run.reply() | more
    await unbroken(run.log.say("run.finished", None, body))
    await unbroken(asyncio.to_thread(run.house.post.outbox.drop, run.id))
