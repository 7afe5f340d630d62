"""Asking a model for a plan: at most three answers, each read strictly; else what the kernel's own planner came to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from kernel.composition.problem import Flaw, Problem
from kernel.context.toolbox import Toolbox
from kernel.errors import ModelFailed
from kernel.model import Decline, Proposal, Question
from kernel.models.model import Prompt, Reply
from kernel.prompting.prompt import mended, prompt_of, sent_back
from kernel.prompting.reading import Later, Wrong, is_worded_by_it, read
from kernel.prompting.sight import Sight
from kernel.routines.worded import Rule

MOST_REPAIRS = 2
"""So often a reply that is wrong goes back with what is wrong with it."""

Settling = Callable[[Proposal | Later, str], Awaitable[Proposal | Rule | Wrong]]
"""What becomes of what an endpoint answered, where the request may say that something is to be done later."""

Asking = Callable[[Prompt], Awaitable[Reply]]
"""Asks the planner's endpoint. Raises ModelFailed."""

_WRONG_FORM = frozenset({"model.garbage", "model.schema"})
"""What a model answered was of no form: it may try again."""


@dataclass(frozen=True, slots=True)
class Before:
    """What a model has proposed for the same request, and what a review of its result says, in numbers."""

    reply: str
    review: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of asking: a proposal, or why there is none. ``problems`` are those of every reply."""

    proposal: Proposal | Rule | None
    endpoint: str = ""
    problems: tuple[tuple[str, ...], ...] = ()
    failure: ModelFailed | None = None
    reply: str = ""  # what the model said, word for word, where that is a proposal


async def ask_model(
    sight: Sight, ask: Asking, toolbox: Toolbox, home: str, now: datetime, settle: Settling,
    before: Before | None = None,
) -> Tried:  # fmt: skip
    """Ask for a plan of what ``sight`` shows; once more, where a review did not support one made ``before``.

    Never raises ModelFailed: what failed is told.
    """
    prompt, problems = prompt_of(sight, now), list[tuple[str, ...]]()
    if before is not None:
        prompt = sent_back(prompt, before.reply, before.review)
    endpoint = ""
    found: Proposal | Later | Rule | Wrong
    for _ in range(1 + MOST_REPAIRS):
        try:
            reply = await ask(prompt)
        except ModelFailed as failed:
            if failed.code not in _WRONG_FORM:
                return Tried(None, endpoint, tuple(problems), failed)
            text, found = failed.said, Wrong((Problem(str(failed), Flaw.FORM),))
        else:
            endpoint, text = reply.endpoint, reply.text
            found = read(reply.value, sight, toolbox, home, endpoint)
            if not isinstance(found, Wrong):
                found = await settle(found, endpoint)
            if not isinstance(found, Wrong):
                if isinstance(found, Question | Decline) and is_worded_by_it(found, reply.value):
                    found = _said_by(found, endpoint, sight.intent.language)
                return Tried(found, endpoint, tuple(problems), reply=text)
        problems.append(found.problems)
        prompt = mended(prompt, text, found.problems)
    return Tried(None, endpoint, tuple(problems))


_SAYS = {
    "en": {Question: "The model {name} asks: {text}", Decline: "The model {name} says: {text}"},
    "de": {Question: "Das Modell {name} fragt: {text}", Decline: "Das Modell {name} sagt: {text}"},
}


def _said_by(proposal: Question | Decline, name: str, language: str) -> Proposal:
    """Say of a model's own words whose they are: they never pass for Steward's."""
    says = _SAYS.get(language, _SAYS["en"])[type(proposal)]
    return replace(proposal, text=says.format(name=name, text=proposal.text))
