"""The one way through: a sentence in, exactly one resolution out.

    interpret -> recommend -> plan -> authorize -> dispatch -> commit -> remember

Each stage writes its event before the next begins. A run waits in four places only: for the answer to its card, for
the answer whether a call may have more than a person's limit, for that to a value of others that would decide
something, and for that to a change set that the card does not cover.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kernel import recovery
from kernel.agents import handling as agents
from kernel.anticipation import surroundings
from kernel.approval.consent import refuse_denied
from kernel.asking.by_model import Asked, asked_in, is_plain
from kernel.authorize import authorize
from kernel.context.dialogue import Dialogue
from kernel.context.experienced import experienced
from kernel.context.kept import SHIPPED
from kernel.context.mind import Mind
from kernel.errors import KernelError, TaskFailed
from kernel.firewall import objection
from kernel.firewall.alone import nothing_said
from kernel.firewall.binding import bound, handle_of
from kernel.firewall.classifier import judge_of
from kernel.firewall.view import shown_view
from kernel.handling.asked_by_model import is_answered
from kernel.handling.asking_back import ask_back, decline
from kernel.handling.ending import ended, how_it_stands
from kernel.handling.own import ability_answer, own_answer
from kernel.handling.plans import from_plan
from kernel.handling.trying import aside
from kernel.interpret import interpret
from kernel.itself import own_words
from kernel.itself.version import skills_digest
from kernel.knowing import handling as knowing
from kernel.learning import handling as learning
from kernel.macros import calling as macros
from kernel.macros.consenting import ask_again as ask_for_macro
from kernel.macros.defining import define
from kernel.macros.keeping import keep as keep_macro
from kernel.macros.model import Called
from kernel.macros.steps import with_steps
from kernel.mailing import sending
from kernel.model import Candidate, Decline, Intent, Plan, Proposal, Question, Resolution
from kernel.plan import propose
from kernel.planning.proposing import alone, proposed
from kernel.prompting import handling as prompting
from kernel.ranking import Experience
from kernel.recalling import handling as recalling
from kernel.recalling.talks import with_talks
from kernel.recommend import recommend
from kernel.routines import handling as routines
from kernel.routines import removing
from kernel.routines.consenting import ask_again as ask_for_routine
from kernel.routines.not_understood import NotUnderstood
from kernel.routines.worded import Rule, keep_rule
from kernel.run import Run, Stop, Versions, error_view
from kernel.terms.held import in_time
from permissions.errors import PermissionsError

if TYPE_CHECKING:
    from permissions.transactions import Staging

TOLD_AFTER_S = 1.0
"""So long a request waits for a daemon that has just started before it is told so."""


async def handle(run: Run) -> None:
    """Take ``run`` from its sentence to its resolution. Never raises: whatever happens becomes ``run.finished``."""
    run.aside = aside
    await ended(run, in_time(run.held, _through(run)))


async def resume(run: Run, plan: Plan, staging: Staging | None, *, letters: bool = False) -> None:
    """Go on with a run that waited for an answer when the daemon stopped; with ``letters``, for one about these."""
    run.language, run.macro = plan.language, plan.macro
    run.staging = staging
    await ended(run, in_time(run.held, from_plan(run, plan, sealed=staging is not None or letters)))


async def resume_keeping(run: Run, stage: str, frozen: Mapping[str, Any]) -> None:
    """Go on with a run that waited for a yes to keep a routine or a macro (``stage``) when the daemon stopped."""
    run.aside = aside
    await ended(run, in_time(run.held, _asked_again(run, stage, frozen)))


async def _asked_again(run: Run, stage: str, frozen: Mapping[str, Any]) -> None:
    if stage == "routine":
        await ask_for_routine(run, frozen)
    await ask_for_macro(run, frozen, await _mind(run))


async def settle(run: Run) -> None:
    """Say what became of the letters of a run that was cut short; where nobody knows, ask."""
    plan = run.house.talk.plan(run.id)
    run.language = plan.language if plan is not None else run.language
    await ended(run, _settled(run, plan))


async def _settled(run: Run, plan: Plan | None) -> None:
    try:
        await sending.take_up(run, plan, partial(_refuse_denied, run, plan))
    except (Stop, KernelError, PermissionsError) as ended:
        raise await how_it_stands(run, ended) from ended
    raise await how_it_stands(run)


def _refuse_denied(run: Run, plan: Plan | None) -> None:
    """After a restart: what was allowed once has ended, but what is denied now, or nobody's any more, is not done."""
    if plan is None:
        raise TaskFailed(
            "task.revoked", "What was to send this mail is no longer there.", hint="Ask again.",
            de="Was diese Mail senden sollte, gibt es nicht mehr.", de_hint="Frag noch einmal.",
        )  # fmt: skip
    refuse_denied(run, authorize(plan, run.around()))


async def _through(run: Run) -> None:
    around = asyncio.create_task(surroundings.note(run))  # beside the planning, and before anything is done
    try:
        plan = await planned(run)
    finally:
        await around
    await from_plan(run, plan)


async def planned(run: Run) -> Plan:
    """Return the plan of a request, which nobody has allowed yet. Raises Stop where it ends without one."""
    await removing.in_words(run)
    called = macros.called(run)
    if called is not None and (run.called is not None or not macros.may_answer(run)):
        return await _called(run, called)
    return await _understood(run, called)


async def _called(run: Run, called: Called) -> Plan:
    """Return the plan of a macro, with nothing interpreted; where it cannot be trusted, plan its text."""
    proposal = await macros.ready(run, called)
    if proposal is None:
        return await _understood(run)
    return proposal if isinstance(proposal, Plan) else await ask_back(run, proposal)


async def _understood(run: Run, called: Called | None = None) -> Plan:
    """Read the sentence of a run and plan it. ``called`` is the macro whose name it is, if it answers no question."""
    house = run.house
    mind = await _mind(run)
    with run.timed("interpret_ms"):
        await asyncio.to_thread(house.world.look)
        knowing.take_up(run)
        recalling.take_up(run)
        usual = house.talk.language(run.utterance.conversation, run.id)
        past = await with_talks(run, house.past(run.utterance.conversation, client=run.client))
        shown = await _only_shown(run, mind, usual) if run.utterance.shown else None
        if shown is not None:
            return shown
        intent = interpret(run.utterance, house.world, mind.lexicon, usual, past)
    own = own_words.own_request(intent)
    run.language = own[1] if own else intent.language
    clauses = [" ".join(token.text for token in intent.tokens)]
    await run.log.say(
        "run.interpreted",
        None,
        {
            "language": run.language,
            "clauses": clauses,
            "ms": run.timings["interpret_ms"],
            "skills": skills_digest(house.registry.skills()),
        }
        | run.took_as_shown(),
        durable=False,
    )
    why = objection(run.utterance, intent)
    if why:
        raise Stop(Resolution.BLOCKED, why, error=error_view("request.firewall", why, ""))
    dialogue = replace(house.talk.dialogue(run.utterance.conversation, run.id), world=house.world, past=past,
                       shown=handle_of(run.utterance))  # fmt: skip
    if run.macro:
        dialogue = replace(dialogue.bare(), shown=dialogue.shown)  # its text stands for itself
    await own_answer(run, own, dialogue, puts_back=own_words.puts_back(intent))
    if own is None:
        await ability_answer(run, intent, dialogue)
    if (asked := asked_in(dialogue.pending)) is not None:
        dialogue = replace(dialogue, pending=None)
        if own is None and await is_answered(run, asked, intent, mind, dialogue, usual):
            return await _answered(run, asked, mind, dialogue, usual)
    return await _planned_by(run, intent, mind, dialogue, usual, called, is_own=own is not None)


async def _planned_by(
    run: Run, intent: Intent, mind: Mind, dialogue: Dialogue, usual: str, called: Called | None, *, is_own: bool
) -> Plan:
    """Plan what a sentence says; ``is_own``: the kernel might have answered it itself, and it explains nothing."""
    house, unknown = run.house, ""
    if not is_own:
        fresh = partial(alone, mind=mind, usual=usual)
        explained = None if run.client else await learning.answer(run, mind, dialogue, fresh)
        if explained is not None:
            return await _explained(run, explained)
        await keep_macro(run, mind, named=True)
        await define(run, mind, dialogue)
        await recalling.answer(run, intent, mind)
        unknown = await knowing.answer(run, intent)
    learnt = house.learning.learnt(house.ledger, mind)
    experience = await experienced(run.house, run.utterance, run.id)
    candidates = await _recommended(run, intent, mind, experience, learnt)
    with run.timed("plan_ms"):
        proposal = proposed(run.utterance, intent, candidates, mind, dialogue, usual)
    if called is not None and not proposal.reply:
        return await _called(run, called)
    helped = partial(prompting.helped, run, intent=intent, candidates=candidates, mind=mind, dialogue=dialogue,
                     experience=experience)  # fmt: skip
    try:
        proposal = await _kept(run, mind, dialogue, proposal, usual)
    except NotUnderstood as rule:
        return await knowing.named(run, await _in_other_words(run, rule, helped))
    if (instructed := agents.followed(run, proposal, intent)) is not None:
        return instructed
    found = await helped(proposal)
    if isinstance(found, Rule):
        await keep_rule(run, found)
    proposal = bound(found, run.utterance, mind.toolbox)
    knowing.settle(run, unknown, proposal)
    again = partial(propose, intent, toolbox=mind.toolbox, context=dialogue)
    versions = partial(recovery.without, candidates=candidates, propose=again)
    return await _to_carry_out(run, proposal, candidates, versions)


async def _answered(run: Run, asked: Asked, mind: Mind, dialogue: Dialogue, usual: str) -> Plan:
    """Put a request back to the model that has asked something about it, with the answer."""
    house = run.house
    intent = interpret(run.utterance, house.world, mind.lexicon, usual, dialogue.past)
    why = objection(run.utterance, intent)
    if why:
        raise Stop(Resolution.BLOCKED, why, error=error_view("request.firewall", why, ""))
    experience = await experienced(house, run.utterance, run.id)
    candidates = await _recommended(run, intent, mind, experience, house.learning.learnt(house.ledger, mind))
    found = await prompting.helped(run, Decline(""), intent, candidates, mind, dialogue, experience, rule=asked.rule)
    if isinstance(found, Rule):
        await keep_rule(run, found)
    run.language = intent.language
    return await _explained(run, found)


async def _in_other_words(run: Run, rule: NotUnderstood, helped: Callable[..., Awaitable[Proposal | Rule]]) -> Plan:
    """Keep a rule that was not understood as a model words it, after a yes; else end as that says. Raises Stop.

    Returns the plan of one that its one tool keeps itself.
    """
    found = await helped(Decline(""), rule=True)
    if isinstance(found, Rule):
        await keep_rule(run, found)
    if isinstance(found, Question) and is_plain(found):
        await ask_back(run, found)
    if isinstance(found, Plan):
        return found
    try:
        await rule.end()
    except Stop as stop:
        answer = "\n".join(filter(None, (stop.answer, found.text)))
        raise Stop(stop.resolution, answer, **stop.more) from None


async def _kept(run: Run, mind: Mind, dialogue: Dialogue, proposal: Proposal, usual: str) -> Proposal:
    """Keep what is to be kept for later, a rule or a macro; else return what is to be done now. Raises Stop."""
    proposal = macros.planned_anew(run, macros.went_on(run, proposal))
    if isinstance(proposal, Decline):
        await keep_macro(run, mind, named=False)
    return await routines.keep(run, mind, dialogue, proposal, usual) or proposal


async def _to_carry_out(
    run: Run, proposal: Proposal, candidates: Sequence[Candidate], versions: Versions
) -> Plan:  # fmt: skip
    """Ask back, decline, or return the plan; ``versions`` makes the next one, of a plan that may have one."""
    if proposal.reply:
        run.replies()
    match proposal:
        case Question():
            await ask_back(run, proposal)
        case Decline():
            await decline(run, proposal, candidates)
        case Plan():
            run.taught = learning.read_as(run, proposal)
            if not proposal.steps and (
                not proposal.macro or proposal.macro["anew"]
            ):  # what is frozen has no other version
                run.versions = versions
            return await knowing.named(run, proposal)


async def _recommended(
    run: Run, intent: Intent, mind: Mind, experience: Experience, learnt: Mapping[str, Any]
) -> tuple[Candidate, ...]:
    """Return the tools that may be meant, best first, and write down the first of them with their reasons."""
    with run.timed("recommend_ms"):
        candidates = recommend(intent, mind.toolbox, experience=experience)
    shown = [{"tool": c.tool, "score": round(c.score, 4), "reasons": dict(c.reasons)} for c in candidates[:5]]
    body = {"candidates": shown, "ms": run.timings["recommend_ms"], "learnt": learnt}
    await run.log.say("run.recommended", None, body, durable=False)
    return candidates


async def _only_shown(run: Run, mind: Mind, usual: str) -> Plan | None:
    """Say what is shown. With nothing said it may be the text that was asked for, and is nothing else."""
    said, house = run.utterance, run.house
    judge = judge_of(house.learning.encoder(), SHIPPED)
    run.shown = await asyncio.to_thread(shown_view, said.shown, judge)
    if said.text:
        return None
    run.language = usual or run.language
    body = {"language": run.language, "clauses": [], "ms": 0.0} | run.took_as_shown()
    await run.log.say("run.interpreted", None, body, durable=False)
    proposal = nothing_said(said, house.talk.dialogue(said.conversation, run.id), mind.toolbox, usual)
    if isinstance(proposal, Decline):
        raise Stop(Resolution.DECLINED, proposal.text)
    run.answers = [one for one in house.talk.runs(said.conversation) if one != run.id][-1]
    return await _explained(run, proposal)


async def _explained(run: Run, proposal: Proposal) -> Plan:
    """Return the plan that an explanation, or a shown text, came to; ask what it lacks."""
    match proposal:
        case Question():
            await ask_back(run, proposal)
        case Decline():
            await decline(run, proposal, ())
        case Plan():
            return await knowing.named(run, proposal)


async def _mind(run: Run) -> Mind:
    """Return what the skills teach; whoever waits for it longer than a moment is told why."""
    known = asyncio.ensure_future(run.house.learning.own_mind(run.house.ledger))
    if not (await asyncio.wait({known}, timeout=TOLD_AFTER_S))[0]:
        await run.log.say("run.warming", None, {}, durable=False)
    return with_steps(await known, run.house, run.utterance)
