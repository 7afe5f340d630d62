"""Templates: the compositions of several steps that a person confirmed, without the values that stood in them.

A reading with the shape of one (the same tools, each argument from the same place: said, or the same output of the same
step) is a little cheaper than its rivals, by less than what tells a clearly better reading apart.

What this stops: that a plan is made likelier which takes away for good, which passes over a "not" or a number, or
whose steps are said in quite other words. A template that its tools no longer allow is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from kernel.composition import validate
from kernel.composition import weights as w
from kernel.composition.draft import Draft
from kernel.composition.fit import Step
from kernel.composition.window import Filler, Flow
from kernel.context.toolbox import Toolbox
from kernel.model import Argument, FromTask, Plan

Shape = tuple[tuple[str, frozenset[tuple[str, tuple[object, ...]]]], ...]
"""By step its tool, and by parameter where the value comes from."""

MOST = 500
"""So many of the latest plans count."""

_SAID: tuple[object, ...] = ("said",)


@dataclass(frozen=True, slots=True)
class Done:
    """A plan that was confirmed and stands, and when."""

    run: str
    at: datetime
    plan: Plan


@dataclass(frozen=True, slots=True)
class Templates:
    """The confirmed plans, oldest first, and the shapes of those of several steps. Immutable."""

    done: tuple[Done, ...] = ()
    shapes: frozenset[Shape] = field(default_factory=frozenset)

    @classmethod
    def of(cls, done: Iterable[Done], toolbox: Toolbox) -> Templates:
        """Keep the latest of ``done`` that the tools of ``toolbox`` still allow."""
        kept = tuple(one for one in tuple(done)[-MOST:] if _is_whole(one.plan, toolbox))
        return cls(kept, frozenset(shape_of(one.plan) for one in kept if len(one.plan.tasks) > 1))

    def favoured(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Return ``drafts``, those with the shape of a template cheaper."""
        if not self.shapes:
            return list(drafts)
        return [replace(one, cost=one.cost - w.TEMPLATE) if self._is_like(one) else one for one in drafts]

    def _is_like(self, draft: Draft) -> bool:
        if len(draft.steps) < 2 or not all(map(_is_sure, draft.steps)):
            return False
        return tuple((str(one.tool), frozenset(map(_filled, one.fillers))) for one in draft.steps) in self.shapes


def shape_of(plan: Plan) -> Shape:
    """Return a plan without its values."""
    places = {task.id: at for at, task in enumerate(plan.tasks)}

    def source(value: Argument) -> tuple[object, ...]:
        return (places[value.task], value.field, value.index) if isinstance(value, FromTask) else _SAID

    return tuple(
        (str(one.tool), frozenset((name, source(value)) for name, value in one.arguments.items())) for one in plan.tasks
    )


def _is_whole(plan: Plan, toolbox: Toolbox) -> bool:
    plain = not any(task.when or task.each for task in plan.tasks)
    return plain and all(toolbox.knows(task.tool) for task in plan.tasks) and not validate(plan, toolbox)


def _is_sure(step: Step) -> bool:
    known = step.described or step.similarity >= w.TEMPLATE_LIKE
    return known and not step.grave and not step.profile.destroys


def _filled(one: Filler) -> tuple[str, tuple[object, ...]]:
    flow = one.argument
    return one.parameter, (flow.step, flow.field, flow.index) if isinstance(flow, Flow) else _SAID
