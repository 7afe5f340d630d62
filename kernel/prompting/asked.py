"""A question of a model's about the whole request: it is kept with the request, and the answer goes back with both.

What this stops: a question that nobody can answer; the words of a private request that outlive it in an answer to it.
What it does not: say what the answer means. The model that asked is asked again, and its plan is checked like any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernel.asking.ask import NO_PARAMETER
from kernel.model import Decline, Plan, Proposal, Question, TaskId
from kernel.run import Run

_ASKS = "asks"


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
    return Question(text, TaskId(""), NO_PARAMETER, replace(draft, tasks=(), why={**draft.why, _ASKS: text}))


def is_plain(proposal: object) -> bool:
    """Tell whether a proposal is a question of a model's about the whole request."""
    return isinstance(proposal, Question) and _ASKS in proposal.draft.why


def with_request(run: Run, question: Question, *, rule: bool) -> Proposal:
    """Return a plain ``question`` with all that its answer needs; any other as it is.

    Of a request with a shown text it is only said: the answer would come without that text.
    """
    if not is_plain(question):
        return question
    if run.utterance.shown:
        return Decline(question.text)
    said = {"request": run.utterance.text, "exchanged": [list(one) for one in run.exchanged], "rule": rule,
            "private": run.private}  # fmt: skip
    return replace(question, draft=replace(question.draft, why={**question.draft.why, **said}))


def asked_in(question: Question | None) -> Asked | None:
    """Return what a model has asked with an open ``question``; None where that is no plain one of a model's."""
    why: Mapping[str, Any] = question.draft.why if question is not None else {}
    if not why.get(_ASKS) or not why.get("request"):
        return None
    exchanged = tuple((str(one), str(other)) for one, other in why.get("exchanged") or ())
    return Asked(str(why[_ASKS]), str(why["request"]), exchanged, bool(why.get("rule")), bool(why.get("private")))
