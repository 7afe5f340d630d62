"""What a model answers about a request that says when: its words are compiled as a rule, and nothing is done before.

What this stops: a plan for now for what is to be done later; a rule of a request that is private, or of words that were
only shown. What it does not: read the words. The compiler of rules does, and says what is wrong with them.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernel.composition.problem import Flaw, Problem
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.model import Decline, Plan, Proposal, Question
from kernel.prompting.reading import Later, Wrong
from kernel.routines.sayings import say
from kernel.routines.times_said import is_done_too_early
from kernel.routines.worded import NoRule, Rule, rule_in
from kernel.run import Run

WANTS_IT_LATER = (
    'The request says when it is to be done, and it is not to be done now: "tasks" is [], and "later" says the rule.'
)
_ONLY_SHOWN = "With a text that is only shown nothing is kept for later: plan it with tasks, or ask."


@dataclass(frozen=True, slots=True)
class Settling:
    """Says what becomes of an answer; ``rule``: the request is known to be one."""

    run: Run
    mind: Mind
    dialogue: Dialogue
    rule: bool

    async def __call__(self, found: Proposal | Later, endpoint: str) -> Proposal | Rule | Wrong:
        """Return the rule that ``found`` words, ``found`` itself, or what is wrong with it."""
        if isinstance(found, Later):
            return await self._rule(found, endpoint)
        plan = found.draft if isinstance(found, Question) else found
        if not isinstance(plan, Plan) or not plan.tasks:
            return found
        early = self.rule or is_done_too_early(self.run, self.mind, plan)
        return Wrong((Problem(WANTS_IT_LATER, Flaw.LATER),)) if early else found

    async def _rule(self, found: Later, endpoint: str) -> Proposal | Rule | Wrong:
        if self.run.private:
            return Decline(say(self.run.language, "private"))
        if self.run.utterance.shown:
            return Wrong((_ONLY_SHOWN,))
        try:
            return await rule_in(self.run, self.mind, self.dialogue, found.words, endpoint)
        except NoRule as why:
            words = f"{found.words!r} is no rule that Steward can keep. {why}"
            return Wrong((Problem(words, Flaw.RULE, found.words),))
