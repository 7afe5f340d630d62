"""Whether two patterns are the same habit seen at different times: one is the other, with steps or values left out."""

from __future__ import annotations

from collections.abc import Sequence

from kernel.habits.model import Pattern, Same, Step


def are_kin(one: Pattern, other: Pattern) -> bool:
    """Tell whether the steps of the one are among those of the other, in order, with no other constants."""
    return one.key == other.key or are_kin_steps(one.steps, other.steps)


def are_kin_steps(one: Sequence[Step], other: Sequence[Step]) -> bool:
    """Tell the same of steps that are in no pattern."""
    shorter, longer = sorted((one, other), key=len)
    rest = iter(longer)
    return all(any(_alike(step, candidate) for candidate in rest) for step in shorter)


def _alike(one: Step, other: Step) -> bool:
    if one.tool != other.tool:
        return False
    both = ((one.arguments[name], other.arguments[name]) for name in one.arguments.keys() & other.arguments.keys())
    return all(a.value == b.value for a, b in both if isinstance(a, Same) and isinstance(b, Same))
