"""What a model is asked about a request, and what becomes of its answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from kernel.asking.taken import is_harmful
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.failures import told
from kernel.model import Candidate, Intent, Plan, Proposal
from kernel.models.model import Endpoint, Prompt, Reply, Role
from kernel.prompting.prompt import MOST_TOKENS, prompt_of, tokens_of
from kernel.prompting.proposing import MOST_REPAIRS, Tried, ask_model
from kernel.prompting.sight import MOST_TOOLS, Sight, sight_of
from kernel.run import Run

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
) -> Proposal:
    """Return what the planner's model makes of ``intent``; ``proposal`` with the reason where that is nothing."""
    seen = partial(sight_of, intent, candidates, mind.toolbox, dialogue, local=endpoint.is_local)
    sight = _fitting(endpoint, run.utterance.now, seen)
    if not sight.tools:
        return proposal
    ends = time.monotonic() + DEADLINE_S

    async def ask(prompt: Prompt) -> Reply:
        left_s = max(0.0, ends - time.monotonic())
        return await run.house.models.ask(Role.PLANNER, prompt, run, deadline_s=left_s)

    with run.timed("model_ms"):
        tried = await ask_model(sight, ask, mind.toolbox, dialogue.home, run.utterance.now)
    found = tried.proposal
    if isinstance(found, Plan) and is_harmful(found, mind.toolbox):
        found = None
    body = {
        "endpoint": tried.endpoint or endpoint.name, "used": found is not None,
        "problems": [list(one) for one in tried.problems],
        "error": tried.failure.code if tried.failure is not None else "",
    }  # fmt: skip
    await run.log.say("model.proposed", None, body, durable=False)
    return found if found is not None else _without(proposal, tried, run.language, endpoint.name)


_FEWER = (MOST_TOOLS, 16, 10, 6)


def _fitting(endpoint: Endpoint, now: datetime, seen: Callable[[int], Sight]) -> Sight:
    """Return what may be seen, with so many tools that the endpoint takes it and two repairs."""
    sights = (seen(most) for most in _FEWER)
    sight = next(sights)
    while tokens_of(prompt_of(sight, now)) + MOST_REPAIRS * MOST_TOKENS > endpoint.context_tokens:
        smaller = next(sights, None)
        if smaller is None:
            break
        sight = smaller
    return sight


_USELESS = {
    "en": "The model {name} made no plan that can be used.",
    "de": "Das Modell {name} hat keinen brauchbaren Plan gemacht.",
}


def _without(proposal: Proposal, tried: Tried, language: str, name: str) -> Proposal:
    """Return what there is without the model, with why it was no help."""
    why = " ".join(filter(None, told(tried.failure, language))) if tried.failure is not None else ""
    why = why or _USELESS.get(language, _USELESS["en"]).format(name=name)
    return proposal if isinstance(proposal, Plan) else replace(proposal, text=f"{proposal.text}\n({why})")
