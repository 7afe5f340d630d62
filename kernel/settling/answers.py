"""What the planner asks about what is to be kept, and the answers, given one by one: with them it is planned.

It is done again and again, often with nobody looking on, so more is asked than about a request: a plan that would do
for once is shown in words first. An answer counts for the question that it was given to, in the words in which that was
asked, and for no other wording.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kernel.asking import wording
from kernel.asking.ask import in_words, whether
from kernel.composition.profiles.profile import Box
from kernel.model import Plan, Proposal, Question

SURE = 0.85
"""A plan that is done again and again, with nobody looking on, is surer than one that is done once."""


def sure_or_asked(proposal: Proposal, box: Box, least: float = SURE) -> Proposal:
    """Return a plan that is less sure than ``least``, what is done by itself, as the question whether it is meant."""
    if not isinstance(proposal, Plan) or proposal.score >= least:
        return proposal
    return whether(proposal, wording.say(proposal.language, "unsure", plan=in_words(proposal, box)))


class Answers:
    """Questions about a sentence and what a person said to each, in turn; ``now``: the last of them is said just now.

    ``taken`` are those of them that fitted, once it is planned.
    """

    def __init__(self, given: Sequence[tuple[str, str]] = (), *, now: bool = False) -> None:
        self._given = tuple(given)
        self._now = now
        self._fitted = 0

    @property
    def taken(self) -> tuple[tuple[str, str], ...]:
        """The questions that came up again, each with its answer."""
        return self._given[: self._fitted]

    @property
    def miss(self) -> bool:
        """Whether what is said just now is no answer."""
        return self._now and self._fitted < len(self._given)

    def settle(self, proposal: Proposal, reply: Callable[[Question, str], Proposal]) -> Proposal:
        """Return what a proposal comes to with the answers; a plan that a person chose is as sure as can be."""
        for number, (question, words) in enumerate(self._given, 1):
            if isinstance(proposal, Question) and proposal.text == question:
                found = reply(proposal, words)
                if not found.reply:
                    break
                self._fitted = max(self._fitted, number)
                proposal = replace(found, score=1.0) if isinstance(found, Plan) else found
        return proposal
