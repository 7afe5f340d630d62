"""Whose a moment to come is that a sentence names: the request's, which is done then, or one of its deeds' own.

A reminder, an appointment, a task and the agenda of a day take a time to come as an argument of their own, which their
manifests say (``ahead``); a copy, a note and a list of files do not, and are done at that time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto

from kernel.asking.ask import NO_PARAMETER
from kernel.model import Constant, Plan, Proposal, Question, Task
from kernel.routines.compiling import Lacking
from kernel.routines.hearing.when.coming import Coming
from kernel.routines.routine import Routine
from skills.model import EffectClass, Parameter, Tool, ToolId, ValueKind

_OWN = frozenset({ValueKind.DATE, ValueKind.HOURS, ValueKind.DURATION, ValueKind.RECURRENCE})
_HOUR = frozenset({ValueKind.HOURS, ValueKind.DURATION})

Tools = Callable[[ToolId], Tool]


class Whose(Enum):
    """Whose a moment is."""

    REQUEST = auto()
    DEED = auto()
    UNCLEAR = auto()


def is_kept_by(proposal: Proposal, words: str, tool: Tools, *, leads: bool) -> bool:
    """Tell whether each deed that a proposal ends in has taken the time that was said, or has its words in a text.

    Of a time that does not lead the sentence (``leads``) one deed is enough where the plan is of the sentence's own
    parts: it was said of that one ("remind me tomorrow at 9 about the laundry and put milk on my list").
    """
    last = _last(_tasks(proposal))
    taken = [_has_taken(task, words.casefold(), tool(task.tool)) for task in last]
    return bool(taken) and (all(taken) or (any(taken) and not leads))


def whose(found: Routine | Lacking, moment: Coming, tool: Tools) -> Whose | None:
    """Return whose the moment is by what the request without it means; None where that means nothing."""
    tasks = found.plan.tasks if isinstance(found, Routine) else _tasks(found.proposal)
    if not tasks:
        return None
    last = [tool(task.tool) for task in _last(tasks)]
    own = [one for one in last if any(map(_is_own, one.parameters))]
    if not own:
        looks = all(tool(task.tool).effect is EffectClass.PURE for task in tasks)
        return Whose.UNCLEAR if looks and not (moment.leads or moment.sure) else Whose.REQUEST
    if moment.explicit:
        return Whose.REQUEST
    if len(own) < len(last):
        return Whose.UNCLEAR if moment.leads else Whose.DEED
    takes_hour = any(one.type.kind in _HOUR for each in own for one in each.parameters)
    return Whose.DEED if takes_hour or not moment.timed else Whose.UNCLEAR


def _tasks(proposal: Proposal | None) -> Sequence[Task]:
    """The deeds of a plan, or of one that lacks a value alone: what is only offered means nothing surely."""
    lacks = isinstance(proposal, Question) and proposal.parameter != NO_PARAMETER
    plan = proposal.draft if isinstance(proposal, Question) and lacks else proposal
    return plan.tasks if isinstance(plan, Plan) else ()


def _last(tasks: Sequence[Task]) -> list[Task]:
    """The tasks of which no other takes anything."""
    taken = {one for task in tasks for one in task.takes()}
    return [task for task in tasks if task.id not in taken]


def _is_own(parameter: Parameter) -> bool:
    return parameter.ahead or parameter.type.kind in _OWN


def _has_taken(task: Task, words: str, of: Tool) -> bool:
    given = [(of.parameter(name), one) for name, one in task.arguments.items() if isinstance(one, Constant)]
    return any(
        (_is_own(parameter) and one.value is not None)
        or (parameter.type.kind is ValueKind.TEXT and words in str(one.value).casefold())
        for parameter, one in given
    )
