"""What the planner asks about what a rule is to do, and the answers, given one by one: with them the rule is planned.

A rule is done with nobody looking on, so more is asked than about a request: a plan that would do for once is shown in
words first. An answer counts for the question that it was given to, in the words in which that was asked, and for no
other wording of the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kernel.asking import wording
from kernel.asking.ask import in_words, whether
from kernel.composition.profiles.profile import Box
from kernel.model import Plan, Proposal, Question

_SURE = 0.85
"""A plan that is done again and again, with nobody looking on, is surer than one that is done once."""


def sure_or_asked(proposal: Proposal, box: Box) -> Proposal:
    """Return a plan that is not sure enough to be done by itself as the question whether it is meant."""
    if not isinstance(proposal, Plan) or proposal.score >= _SURE:
        return proposal
    return whether(proposal, wording.say(proposal.language, "unsure", plan=in_words(proposal, box)))


class Answers:
    """Questions and what a person said to each, in turn. ``taken`` tells, once a rule is planned, how many fitted."""

    def __init__(self, given: Sequence[tuple[str, str]] = ()) -> None:
        self.given = tuple(given)
        self.taken = 0

    @property
    def are_taken(self) -> bool:
        """Whether all of them were answers."""
        return self.taken == len(self.given)

    def settle(self, proposal: Proposal, reply: Callable[[Question, str], Proposal]) -> Proposal:
        """Return what a proposal comes to with the answers; a plan that a person chose is as sure as can be."""
        for number, (question, words) in enumerate(self.given, 1):
            if isinstance(proposal, Question) and proposal.text == question:
                found = reply(proposal, words)
                if not found.reply:
                    break
                self.taken = max(self.taken, number)
                proposal = replace(found, score=1.0) if isinstance(found, Plan) else found
        return proposal
