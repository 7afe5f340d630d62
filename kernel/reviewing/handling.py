"""Whether the result of a run is reviewed.

It is where a model made its plan, or worked in it, and a person has bound one to the role ``reviewer``; not for a
program that asks in its own name. Without that, nothing more of this room is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping

from kernel.model import Outcome, Plan, TaskId
from kernel.models.model import Role
from kernel.run import Run
from skills import one_import


async def review(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome]) -> None:
    """Have the result of ``plan`` reviewed, before anything of it is committed. Raises SentBack, at most once a run."""
    if not plan.maker or run.client:
        return
    reviewer = run.house.models.endpoint(Role.REVIEWER)
    if reviewer is None:
        return
    with one_import:
        from kernel.reviewing.asking import reviewed
    await reviewed(run, plan, outcomes, reviewer)
