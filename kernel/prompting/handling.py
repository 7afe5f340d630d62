"""What a model is asked in the course of a request, and what becomes of its answer.

It is asked where the kernel has no plan: nothing fits, or words were left over. Not for a program that asks in its own
name (it would spend the person's money), not in the middle of a question (its answer is at hand), and of a private
request no word leaves this machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from kernel.asking.ask import NO_PARAMETER
from kernel.asking.taken import is_harmful
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.errors import ModelFailed
from kernel.failures import told
from kernel.model import Candidate, Decline, Intent, Plan, Proposal, Question
from kernel.models.model import Endpoint, Prompt, Reply, Role
from kernel.prompting.prompt import MOST_TOKENS, prompt_of, tokens_of
from kernel.prompting.proposing import MOST_REPAIRS, Tried, ask_model
from kernel.prompting.sight import MOST_TOOLS, Sight, sight_of
from kernel.run import Run

DEADLINE_S = 90.0
"""So long all answers of a model about one request take at most."""


async def helped(
    run: Run, proposal: Proposal, intent: Intent, candidates: Sequence[Candidate], mind: Mind, dialogue: Dialogue
) -> Proposal:
    """Return what a model makes of ``intent`` where ``proposal`` is no plan; else, and where it fails, ``proposal``."""
    models = run.house.models
    if run.client or not _is_at_a_loss(proposal):
        return proposal
    endpoint = models.endpoint(Role.PLANNER)
    if endpoint is None or (run.private and not endpoint.is_local):
        return proposal
    seen = partial(sight_of, intent, candidates, mind.toolbox, dialogue, local=endpoint.is_local)
    sight = _fitting(endpoint, run.utterance.now, seen)
    if not sight.tools:
        return proposal
    ends = time.monotonic() + DEADLINE_S

    async def ask(prompt: Prompt) -> Reply:
        return await models.ask(Role.PLANNER, prompt, run, deadline_s=ends - time.monotonic())

    with run.timed("model_ms"):
        tried = await ask_model(sight, ask, mind.toolbox, dialogue.home, run.utterance.now)
    found = tried.proposal
    if isinstance(found, Plan) and is_harmful(found, mind.toolbox):
        found = None
    body = {
        "endpoint": endpoint.name, "problems": [list(one) for one in tried.problems], "used": found is not None,
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


def _is_at_a_loss(proposal: Proposal) -> bool:
    """Tell whether the kernel has no plan of its own, and no question that only the person can answer."""
    if proposal.reply:
        return False
    return isinstance(proposal, Decline) or (isinstance(proposal, Question) and proposal.parameter == NO_PARAMETER)


_USELESS = {
    "en": "The model {name} made no plan that can be used.",
    "de": "Das Modell {name} hat keinen brauchbaren Plan gemacht.",
}


def _without(proposal: Proposal, tried: Tried, language: str, name: str) -> Proposal:
    """Return what there is without the model, with why it was no help."""
    failed: ModelFailed | None = tried.failure
    why = " ".join(filter(None, told(failed, language))) if failed is not None else ""
    why = why or _USELESS.get(language, _USELESS["en"]).format(name=name)
    return proposal if isinstance(proposal, Plan) else replace(proposal, text=f"{proposal.text}\n({why})")
