"""What a dry run calls, and what it only names.

What this stops: a tool that sends, shows, opens, ends or runs something from doing that in a dry run. What it does not:
what its transaction holds, or a page that is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from kernel.approval.plan_words import labels, whole_words
from kernel.authorize import strictest
from kernel.calling import Floor
from kernel.dispatching.binding import bind, label_of
from kernel.dispatching.perform import Work, perform
from kernel.model import Authorization, Outcome, Plan
from kernel.trying.sayings import say
from permissions.model import Action
from permissions.naming import sentence
from skills.errors import UnknownTool
from skills.model import EffectClass, Tool, ToolId


def acts_outside(tool: Tool, known: Callable[[ToolId], Tool]) -> bool:
    """Tell whether a call of ``tool`` may do what no transaction holds, or has a model decide what is done; itself, or
    by a tool that it calls.

    Only a tool that says so may send anything to a host (``permissions.egress``) or use a door of the daemon's. What is
    called in turn is asked for with rights of the first caller (``kernel.calling.lending``).
    """
    return _acts(tool) or any(_acts(one) for one in _called(tool, known))


def _acts(tool: Tool) -> bool:
    served = tool.served is not None and tool.effect is not EffectClass.PURE
    return tool.effect is EffectClass.ONCE or tool.followed or served or bool(tool.works_at)


def _called(tool: Tool, known: Callable[[ToolId], Tool]) -> Iterator[Tool]:
    for right in tool.rights:
        if right.action == Action.SKILL_CALL:
            with suppress(UnknownTool):
                yield known(ToolId(right.scope))


def lacking(plan: Plan, authorization: Authorization, tool: Callable[[ToolId], Tool]) -> Authorization:
    """Return what a dry run of ``plan`` needs of ``authorization``: nothing for what it only names."""
    named = {task.id for task in plan.tasks if acts_outside(tool(task.tool), tool)}
    tasks = tuple(one for one in authorization.tasks if one.task not in named)
    return Authorization(strictest(decision.verdict for one in tasks for decision in one.decisions), tasks)


async def made(work: Work, floor: Floor) -> Outcome:
    """Make the call of ``work``, or say what it would be. Raises as ``perform``."""
    tool = floor.around.tool(work.task.tool)
    return named(work, floor, tool) if acts_outside(tool, floor.around.tool) else await perform(work, floor)


def named(work: Work, floor: Floor, tool: Tool) -> Outcome:
    """Return the outcome of a call that is not made: what would have been done, and with what.

    Raises TaskFailed where a value would not have been there.
    """
    task, language = work.task, floor.language
    values, of = bind(task, tool, work.outcomes, language)
    words = labels(tool, tuple(values), language)
    given = "; ".join(
        f"{words[name]}: {whole_words(value, floor.around.home, language, tool.parameter(name))}"
        for name, value in values.items()
        if value is not None
    )
    what = tool.said(tool.summary, language).rstrip(".")
    answer = say(language, "would", what=f"{what} ({given})" if given else what, tool=tool.id)
    return Outcome(task.id, True, answer=sentence(answer), label=label_of(of, computes=False), skipped=True)
