"""Whether a model is asked in the course of a request.

It is asked where the kernel has no plan (nothing fits, or words were left over), and where a sentence is a rule that
was not understood: then its words are compiled as one (``later``). Not for a program that asks in its own
name (it would spend the person's money), not in the middle of a question (its answer is at hand), and of a private
request no word leaves this machine. Without a model of the person's, nothing more of this room is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.asking.ask import NO_PARAMETER
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.model import Candidate, Decline, Intent, Proposal, Question
from kernel.models.model import Role
from kernel.ranking import Experience
from kernel.routines.worded import Rule
from kernel.run import Run
from skills import one_import


async def helped(
    run: Run, proposal: Proposal, intent: Intent, candidates: Sequence[Candidate], mind: Mind, dialogue: Dialogue,
    experience: Experience, *, rule: bool = False,
) -> Proposal | Rule:  # fmt: skip
    """Return what a model makes of ``intent`` where ``proposal`` is no plan; else, and where it fails, ``proposal``.

    ``experience`` is what the ``candidates`` were ranked by; of a ``rule`` nothing is planned for now.
    """
    if run.client or not _is_at_a_loss(proposal):
        return proposal
    endpoint = run.house.models.endpoint(Role.PLANNER)
    if endpoint is None or (run.private and not endpoint.is_local):
        return proposal
    with one_import:
        from kernel.prompting.helping import help_with
    return await help_with(run, proposal, endpoint, intent, candidates, mind, dialogue, experience, rule=rule)


def _is_at_a_loss(proposal: Proposal) -> bool:
    """Tell whether the kernel has no plan of its own, and no question that only the person can answer."""
    if proposal.reply:
        return False
    return isinstance(proposal, Decline) or (isinstance(proposal, Question) and proposal.parameter == NO_PARAMETER)
