"""Whether what is proposed answers the question that was open, or is a request of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kernel.composition.followup import drops
from kernel.composition.words import is_word
from kernel.model import Decline, Intent, Plan, Proposal, Question
from kernel.plan_json import plan_from_json


def is_reply(pending: Question | None, proposal: Proposal, intent: Intent) -> bool:
    """Tell whether ``proposal`` goes on with the open question, and is no new request."""
    if pending is None:
        return False
    if isinstance(proposal, Decline):
        words = [token.norm for token in intent.tokens if is_word(token)]
        return bool(words) and drops(words) and not proposal.nearest
    plan = proposal.draft if isinstance(proposal, Question) else proposal
    before = {text for asked in _plans(pending) for text in _texts(asked)}
    return bool(plan.tasks) and _texts(plan) <= before and not any(text in intent.text for text in _texts(plan) if text)


def _plans(question: Question) -> Iterator[Plan]:
    yield question.draft
    for value in question.values:
        if isinstance(value, Mapping) and "tasks" in value:
            yield plan_from_json(value)


def _texts(plan: Plan) -> set[str]:
    return {task.text for task in plan.tasks}
