"""Drafting: what Steward would do about a sentence, without doing anything: no run, no event, no question left open."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from kernel.approval.card import card_view
from kernel.approval.plan_words import plan_view
from kernel.authorize import authorize
from kernel.firewall import objection
from kernel.firewall.alone import nothing_said
from kernel.firewall.binding import bound, handle_of
from kernel.firewall.view import shown_view
from kernel.house import House
from kernel.interpret import interpret
from kernel.macros.steps import with_steps
from kernel.model import Plan, Proposal, Question, Resolution, RunId, Utterance
from kernel.planning.plan_graph import mermaid
from kernel.planning.plan_json import plan_to_json
from kernel.planning.proposing import proposed
from kernel.recommend import recommend

_RUN = RunId("draft")


async def draft(house: House, utterance: Utterance) -> dict[str, Any]:
    """Return the plan of a sentence as a client sees it, with its rights and its graph, or why there is none.

    ``resolution`` is ``planned``, ``clarify``, ``declined`` or ``blocked``.
    """
    mind = with_steps(await house.learning.own_mind(house.ledger), house, utterance)
    await asyncio.to_thread(house.world.look)
    usual = house.talk.language(utterance.conversation, _RUN)
    past = house.past(utterance.conversation)
    dialogue = replace(house.talk.dialogue(utterance.conversation, _RUN), world=house.world, past=past,
                       shown=handle_of(utterance))  # fmt: skip
    view: dict[str, Any] = {"text": utterance.text, "language": usual or "en", "plan": None, "question": None}
    if utterance.shown:
        view["shown"] = await asyncio.to_thread(shown_view, utterance.shown)
    if utterance.shown and not utterance.text:
        return view | _told(house, utterance, nothing_said(utterance, dialogue, mind.toolbox, usual))
    intent = interpret(utterance, house.world, mind.lexicon, usual, past)
    view["language"] = intent.language
    why = objection(utterance, intent)
    if why:
        return view | {"resolution": str(Resolution.BLOCKED), "answer": why}
    proposal = proposed(utterance, intent, recommend(intent, mind.toolbox), mind, dialogue, usual)
    return view | _told(house, utterance, bound(proposal, utterance, mind.toolbox))


def _told(house: House, utterance: Utterance, proposal: Proposal) -> dict[str, Any]:
    if isinstance(proposal, Plan):
        return _planned(house, utterance, proposal) | {"resolution": "planned", "answer": ""}
    if isinstance(proposal, Question):
        asked = {"text": proposal.text, "choices": list(proposal.choices)}
        return {"resolution": str(Resolution.CLARIFY), "answer": proposal.text, "question": asked}
    return {"resolution": str(Resolution.DECLINED), "answer": proposal.text}


def _planned(house: House, utterance: Utterance, plan: Plan) -> dict[str, Any]:
    around = house.circumstances(_RUN, utterance.cwd)
    authorization = authorize(plan, around)
    shown = plan_view(plan, around)
    return {
        "language": plan.language, "plan": shown, "frozen": plan_to_json(plan), "graph": mermaid(shown, plan.language),
        "rights": card_view(authorization, around, plan, *house.level())["rights"],
        "verdict": str(authorization.verdict),
    }  # fmt: skip
