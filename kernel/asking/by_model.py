"""A question of a model's about the whole request, as it stands open: with the request, and what was asked before.

What this stops: a question that nobody can answer; the words of a private request that outlive it in an answer to it.
What it does not: say what the answer means. The model that asked is asked again, and its plan is checked like any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernel.asking.ask import NO_PARAMETER
from kernel.model import Plan, Question, TaskId

ASKS = "asks"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model has asked about a request that it was shown; ``rule``: the request is known to be one."""

    question: str
    request: str
    exchanged: tuple[tuple[str, str], ...]
    rule: bool
    private: bool


def plain_question(text: str, draft: Plan) -> Question:
    """Return a question about no parameter: what was planned beside it is not gone on with."""
    return Question(text, TaskId(""), NO_PARAMETER, replace(draft, tasks=(), why={**draft.why, ASKS: text}))


def is_plain(proposal: object) -> bool:
    """Tell whether a proposal is a question of a model's about the whole request."""
    return isinstance(proposal, Question) and ASKS in proposal.draft.why


def asked_in(question: Question | None) -> Asked | None:
    """Return what a model has asked with an open ``question``; None where that is no plain one of a model's."""
    why: Mapping[str, Any] = question.draft.why if question is not None else {}
    if not why.get(ASKS) or not why.get("request"):
        return None
    exchanged = tuple((str(one), str(other)) for one, other in why.get("exchanged") or ())
    return Asked(str(why[ASKS]), str(why["request"]), exchanged, bool(why.get("rule")), bool(why.get("private")))
