"""Drafting: what Steward would do about a sentence, without doing anything: no run, no event, no question left open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kernel.approval.card import card_view
from kernel.approval.plan_words import plan_view
from kernel.authorize import authorize
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import World
from kernel.firewall import concern
from kernel.house import House
from kernel.interpret import interpret
from kernel.learning.phrases import Reading
from kernel.learning.repeating import repeated, same_again
from kernel.model import Candidate, Decline, Intent, Plan, Proposal, Question, Resolution, RunId, Utterance
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

    A phrase that the person explained is read as its meaning: their very words at once, with other values where nothing
    surer is read.
    """
    reading = mind.phrases.read(intent) if mind.phrases is not None else None
    meant = partial(_meant, utterance, mind=mind, dialogue=dialogue, usual=usual)
    if reading is not None and reading.exact and dialogue.pending is None:
        return meant(reading) or _read(utterance, intent, candidates, mind, dialogue, usual)
    again = repeated(intent, mind.templates, mind.toolbox, dialogue.home) if mind.templates is not None else None
    again = again or same_again(intent, dialogue, mind.toolbox)
    if again is not None and dialogue.pending is None:
        return again
    found = _read(utterance, intent, candidates, mind, dialogue, usual)
    if reading is None or isinstance(found, Plan) or (found.reply and isinstance(found, Question)):
        return found
    return meant(reading) or found


def alone(utterance: Utterance, intent: Intent, *, mind: Mind, dialogue: Dialogue, usual: str) -> Proposal:
    """Return what to do about a sentence that answers nothing, by its own words alone."""
    around = replace(dialogue, pending=None, unsettled="")
    return _read(utterance, intent, recommend(intent, mind.toolbox), mind, around, usual)


def _meant(utterance: Utterance, reading: Reading, *, mind: Mind, dialogue: Dialogue, usual: str) -> Proposal | None:
    """What an explained phrase comes to; with other values only what it came to when it was explained."""
    said = replace(utterance, text=reading.text)
    if dialogue.world is None:
        return None
    intent = interpret(said, dialogue.world, mind.lexicon, reading.taught.language, dialogue.past)
    found = None if intent.concern else alone(said, intent, mind=mind, dialogue=dialogue, usual=usual)
    if found is None or isinstance(found, Decline):
        return None
    plan = found if isinstance(found, Plan) else found.draft
    if not reading.exact and tuple(task.tool for task in plan.tasks) != reading.taught.tools:
        return None
    return replace(found, why={**found.why, "taught": reading.text}) if isinstance(found, Plan) else found


def _read(
    utterance: Utterance, intent: Intent, candidates: Sequence[Candidate], mind: Mind, dialogue: Dialogue, usual: str
) -> Proposal:
    world = dialogue.world
    if world is not None:
        read = partial(_part, utterance, world, mind, usual)
        found = propose_compound(utterance.text, intent.language, read, mind.toolbox, dialogue)
        if found is not None:
            return found
    return propose(intent, candidates, mind.toolbox, dialogue)


def _part(utterance: Utterance, world: World, mind: Mind, usual: str, text: str, dialogue: Dialogue) -> Proposal:
    """Plan a part of a sentence like a sentence of its own."""
    intent = interpret(replace(utterance, text=text), world, mind.lexicon, usual, dialogue.past)
    return propose(intent, recommend(intent, mind.toolbox), mind.toolbox, dialogue)


async def draft(house: House, utterance: Utterance) -> dict[str, Any]:
    """Return the plan of a sentence as a client sees it, with its rights and its graph, or why there is none.

    ``resolution`` is ``planned``, ``clarify``, ``declined`` or ``blocked``.
    """
    mind = await house.learning.own_mind(house.ledger)
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
