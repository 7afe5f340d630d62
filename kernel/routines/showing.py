"""The plan of a routine as a client shows it: days as they were said, and what its trigger brings as a person calls it.

What they are is told when it fires.
"""

from __future__ import annotations

from typing import Any

from kernel.approval.plan_words import plan_view
from kernel.authorize import Circumstances
from kernel.routines import bringing, moving
from kernel.routines.routine import Routine


def plan_shown(routine: Routine, around: Circumstances) -> dict[str, Any]:
    """Return the plan of ``routine`` as it is shown on its card and in the list."""
    view = moving.in_words(plan_view(routine.plan, around), routine.plan, around.tool)
    return bringing.in_words(view, routine.plan, bringing.kind_of(routine.trigger, around.home))
