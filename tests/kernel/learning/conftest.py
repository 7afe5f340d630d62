"""A planner, and what a person's confirmed requests teach it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.learning.learner import _Reader
from kernel.learning.marking import clauses_of
from kernel.learning.model import Clause
from kernel.learning.overlay import overlay
from kernel.model import Plan, Question
from kernel.planning.plan_json import plan_from_json
from tests.kernel.planner import Planner, home

Confirm = Callable[..., tuple[Clause, ...]]
After = Callable[..., Planner]

__all__ = ["home"]


@pytest.fixture(scope="package")
def planner(mind: Mind, home: Path) -> Planner:
    """The built-in tools on a furnished home."""
    return Planner.knowing(mind, home)


@pytest.fixture(scope="package")
def confirm(planner: Planner) -> Confirm:
    """The clauses that a sentence comes to when its plan, or the offer with these tools, is accepted."""

    def confirmed(sentence: str, *tools: str) -> tuple[Clause, ...]:
        proposal = planner.say(sentence)
        plans = [proposal] if isinstance(proposal, Plan) else []
        if isinstance(proposal, Question) and not proposal.parameter:
            plans = [plan_from_json(one) for one in proposal.values if one is not None]
        plan = next((one for one in plans if not tools or tuple(task.tool for task in one.tasks) == tools), None)
        assert plan is not None, proposal
        return clauses_of(plan, sentence)

    return confirmed


@pytest.fixture(scope="package")
def after(planner: Planner, mind: Mind) -> After:
    """A planner that has learnt from clauses."""

    def learnt(*clauses: Clause) -> Planner:
        found = overlay(mind.toolbox, clauses, _Reader(mind.lexicon))
        toolbox = mind.toolbox if found is None else found.over(mind.toolbox)
        return replace(planner, toolbox=toolbox)

    return learnt
