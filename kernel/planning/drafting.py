"""Drafting: what Steward would do about a sentence, without doing anything: no run, no event, no question left open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kernel.approval.card import card_view
from kernel.approval.plan_words import plan_view
from kernel.asking.taken import takes_away
from kernel.authorize import authorize
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import World
from kernel.firewall import concern
from kernel.house import House
from kernel.interpret import interpret
from kernel.language.frame.parentheses import may_limit, reads_a_remark, without_parentheses
from kernel.model import Candidate, Constant, Intent, Plan, Proposal, Question, Resolution, RunId, Utterance
from kernel.plan import propose
from kernel.planning.compound import propose_compound
from kernel.planning.plan_graph import mermaid
from kernel.planning.plan_json import plan_to_json
from kernel.recommend import recommend

_RUN = RunId("draft")


def proposed(
    utterance: Utterance, intent: Intent, candidates: Sequence[Candidate], mind: Mind, dialogue: Dialogue, usual: str
) -> Proposal:
    """Return what to do about a sentence: one that branches or repeats is taken apart, any other is read whole.

    What is not understood so is read once more without the remarks in its middle.
    """
    world = dialogue.world
    if world is not None:
        read = partial(_part, utterance, world, mind, usual)
        found = propose_compound(utterance.text, intent.language, read, mind.toolbox, dialogue)
        if found is not None:
            return found
    found = propose(intent, candidates, mind.toolbox, dialogue)
    shorter = without_parentheses(intent) if world is not None and not found.reply else ""
    if not shorter or world is None:
        return found
    again = _part(utterance, world, mind, usual, shorter, dialogue)
    if not isinstance(again, Plan) or (may_limit(intent) and _takes_away(again, mind)):
        return found
    return again if _is_plainer(intent, again, found) else found


def _takes_away(plan: Plan, mind: Mind) -> bool:
    return any(takes_away(mind.toolbox.tool(task.tool)) for task in plan.tasks)


def _is_plainer(intent: Intent, again: Plan, found: Proposal) -> bool:
    """The sentence without its remarks asks for less, or for something where it asked for nothing with them."""
    if not isinstance(found, Plan) or len(again.tasks) < len(found.tasks):
        return True
    given = (one for task in found.tasks for one in task.arguments.values())
    return reads_a_remark(intent, [one.text for one in given if isinstance(one, Constant)])


def _part(utterance: Utterance, world: World, mind: Mind, usual: str, text: str, dialogue: Dialogue) -> Proposal:
    """Plan a part of a sentence like a sentence of its own."""
    intent = interpret(replace(utterance, text=text), world, mind.lexicon, usual, dialogue.past)
    return propose(intent, recommend(intent, mind.toolbox), mind.toolbox, dialogue)


async def draft(house: House, utterance: Utterance) -> dict[str, Any]:
    """Return the plan of a sentence as a client sees it, with its rights and its graph, or why there is none.

    ``resolution`` is ``planned``, ``clarify``, ``declined`` or ``blocked``.
    """
    mind = await house.learning.mind()
    await asyncio.to_thread(house.world.look)
    usual = house.talk.language(utterance.conversation, _RUN)
    past = house.past(utterance.conversation)
    intent = interpret(utterance, house.world, mind.lexicon, usual, past)
    view: dict[str, Any] = {"text": utterance.text, "language": intent.language, "plan": None, "question": None}
    objection = concern(utterance.text, intent)
    if objection:
        return view | {"resolution": str(Resolution.BLOCKED), "answer": objection}
    dialogue = replace(house.talk.dialogue(utterance.conversation, _RUN), world=house.world, past=past)
    proposal = proposed(utterance, intent, recommend(intent, mind.toolbox), mind, dialogue, usual)
    if isinstance(proposal, Plan):
        return view | _planned(house, utterance, proposal) | {"resolution": "planned", "answer": ""}
    if isinstance(proposal, Question):
        asked = {"text": proposal.text, "choices": list(proposal.choices)}
        return view | {"resolution": str(Resolution.CLARIFY), "answer": proposal.text, "question": asked}
    return view | {"resolution": str(Resolution.DECLINED), "answer": proposal.text}


def _planned(house: House, utterance: Utterance, plan: Plan) -> dict[str, Any]:
    around = house.circumstances(_RUN, utterance.cwd)
    authorization = authorize(plan, around)
    shown = plan_view(plan, around)
    return {
        "language": plan.language, "plan": shown, "frozen": plan_to_json(plan), "graph": mermaid(shown, plan.language),
        "rights": card_view(authorization, around, plan, *house.level())["rights"],
        "verdict": str(authorization.verdict),
    }  # fmt: skip
