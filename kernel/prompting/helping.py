"""What a model is asked about a request, and what becomes of its answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.failures import told
from kernel.firewall.binding import bound
from kernel.house import House
from kernel.model import Candidate, Decline, Intent, Plan, Proposal, Question
from kernel.models.model import Endpoint, Prompt, Reply, Role
from kernel.models.sizes import tokens_of
from kernel.prompting.asked import with_request
from kernel.prompting.harm import harm_in, harm_in_rule, which_count, why_not
from kernel.prompting.later import Settling
from kernel.prompting.prompt import MOST_TOKENS, prompt_of
from kernel.prompting.proposing import MOST_REPAIRS, Before, Tried, ask_model
from kernel.prompting.sight import MOST_TOOLS, Sight, sight_of
from kernel.prompting.unusable import why_unusable
from kernel.ranking import Experience
from kernel.ranking.together import Known, set_of
from kernel.routines.worded import Rule
from kernel.run import Run
from kernel.terms.held import NOT_KEPT
from kernel.terms.keeping import refuse_cost

DEADLINE_S = 90.0
"""So long all answers of a model about one request take at most."""


async def help_with(
    run: Run,
    proposal: Proposal,
    endpoint: Endpoint,
    intent: Intent,
    candidates: Sequence[Candidate],
    mind: Mind,
    dialogue: Dialogue,
    experience: Experience,
    *,
    rule: bool,
) -> Proposal | Rule:
    """Return what the planner's model makes of ``intent``; ``proposal`` with the reason where that is nothing.

    ``experience`` is what the ``candidates`` were ranked by; ``rule``: it is known to be one.
    """
    more = await asyncio.to_thread(_together, run.house, intent, mind, experience)
    seen = partial(sight_of, intent, candidates, mind.toolbox, dialogue, local=endpoint.is_local, more=more,
                   exchanged=run.exchanged)  # fmt: skip
    sight = _fitting(endpoint, run.utterance.now, seen)
    if not sight.tools:
        return proposal

    async def propose(before: Before | None = None) -> Tried:
        ends = time.monotonic() + DEADLINE_S

        async def ask(prompt: Prompt) -> Reply:
            left_s = max(0.0, ends - time.monotonic())
            return await run.house.models.ask(Role.PLANNER, prompt, run, deadline_s=left_s)

        settle = Settling(run, mind, dialogue, rule)
        return await ask_model(sight, ask, mind.toolbox, dialogue.home, run.utterance.now, settle, before)

    with run.timed("model_ms"):
        tried = await propose()
    found, harm = _harmless(tried.proposal, sight, mind.toolbox)
    body = {
        "endpoint": tried.endpoint or endpoint.name, "used": found is not None,
        "as": _what(found),
        "problems": [list(one) for one in tried.problems],
        "error": tried.failure.code if tried.failure is not None else "",
    } | ({"harm": harm} if harm else {})  # fmt: skip
    await run.log.say("model.proposed", None, body, durable=False)
    if tried.failure is not None and tried.failure.code == NOT_KEPT and isinstance(proposal, Decline):
        refuse_cost(run, tried.failure, proposal.text)
    if isinstance(found, Plan):
        run.replan = partial(_again, run, propose, tried, partial(_allowed, run, sight, mind.toolbox))
    if found is None:
        return _without(proposal, tried, run, endpoint.name, harm)
    return with_request(run, found, rule=rule) if isinstance(found, Question) else found


def _what(found: Proposal | Rule | None) -> str:
    """Return in a word what a model answered with that is used; empty where nothing is."""
    named = ((Rule, "rule"), (Plan, "plan"), (Question, "question"), (Decline, "refusal"))
    return next((word for kind, word in named if isinstance(found, kind)), "")


def _harmless(found: Proposal | Rule | None, sight: Sight, toolbox: Toolbox) -> tuple[Proposal | Rule | None, str]:
    """Return what may be made of ``found``, and which rule forbids the rest; without a number it is asked how many."""
    if isinstance(found, Rule):
        harm = harm_in_rule(found.routine.plan, sight.scene, toolbox)
        return None if harm else found, harm
    plan = found.draft if isinstance(found, Question) else found
    if not isinstance(plan, Plan):
        return found, ""
    harm = harm_in(plan, sight.scene, toolbox)
    if harm:
        return None, harm
    return (which_count(plan, toolbox) or found if isinstance(found, Plan) else found), ""


def _together(house: House, intent: Intent, mind: Mind, experience: Experience) -> list[str]:
    """The tools that serve the whole request together, those without examples among them."""
    shelf = mind.toolbox.whole_shelf
    skills: dict[str, str] = {tool.id: tool.skill for tool in mind.toolbox.tools}
    known = Known(experience.past, house.learning.company(house.ledger), experience.moment, skills=skills)
    _, members = set_of(intent.text, shelf, known, encode=shelf.encode, limit=MOST_TOOLS)
    return [one.id for one in members]


async def _again(
    run: Run, ask: Callable[[Before], Awaitable[Tried]], tried: Tried, may: Callable[[Plan], Proposal | None],
    review: Mapping[str, Any],
) -> Plan | None:  # fmt: skip
    """Return the next version of the plan that was ``tried``, None where the model has no other one."""
    with run.timed("model_ms"):
        found = (await ask(Before(tried.reply, review))).proposal
    first = tried.proposal
    if not isinstance(found, Plan) or not isinstance(first, Plan) or found.tasks == first.tasks:
        return None
    allowed = may(found)
    return replace(allowed, version=first.version + 1) if isinstance(allowed, Plan) else None


def _allowed(run: Run, sight: Sight, toolbox: Toolbox, plan: Plan) -> Proposal | None:
    """Return what becomes of a later plan; the first one is held against what is shown by whoever asked for it."""
    found, _ = _harmless(plan, sight, toolbox)
    return bound(found, run.utterance, toolbox) if isinstance(found, Plan) else None


_FEWER = (MOST_TOOLS, 16, 10, 6)


def _fitting(endpoint: Endpoint, now: datetime, seen: Callable[[int], Sight]) -> Sight:
    """Return what may be seen, with so many tools that the endpoint takes it and two repairs."""
    sights = (seen(most) for most in _FEWER)
    sight = next(sights)
    while tokens_of(endpoint, prompt_of(sight, now)) + MOST_REPAIRS * MOST_TOKENS > endpoint.context_tokens:
        smaller = next(sights, None)
        if smaller is None:
            break
        sight = smaller
    return sight


def _without(proposal: Proposal, tried: Tried, run: Run, name: str, harm: str) -> Proposal:
    """Return what there is without the model, with why it was no help: of its last answer what was wrong first."""
    language = run.language
    why = " ".join(filter(None, told(tried.failure, language))) if tried.failure is not None else ""
    why = why or (why_not(harm, name, language) if harm else "")
    problem = next((one[0] for one in reversed(tried.problems) if one), "")
    why = why or why_unusable(problem, name, language, "" if run.private else run.id)
    return proposal if isinstance(proposal, Plan) else replace(proposal, text=f"{proposal.text}\n({why})".strip())
