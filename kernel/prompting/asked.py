"""A question of a model's about the whole request is kept with the request: the answer goes back with both."""

from __future__ import annotations

from dataclasses import replace

from kernel.asking.by_model import is_plain
from kernel.model import Decline, Proposal, Question
from kernel.run import Run


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
