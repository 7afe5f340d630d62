"""What a person changes of an offer before they take it: its name, steps that are left out, values that are asked.

What this stops: a step that is left out being what a later one is given; then that is asked for. What it does not: put
a value in that was not seen; a macro is told that each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernel.errors import BadRequest
from kernel.habits.model import Open, Output, Pattern, Relative, Same, Slot, Step
from permissions.naming import shown


@dataclass(frozen=True, slots=True)
class Edits:
    """Another ``name``, the numbers (from 1) of steps that are left out, and ``asked``: values by "2.folder"."""

    name: str = ""
    without: frozenset[int] = frozenset()
    asked: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        """Return them for the ledger."""
        return {"name": self.name, "without": sorted(self.without), "asked": sorted(self.asked)}


def edits_from_json(told: Mapping[str, Any]) -> Edits:
    """Return edits as the ledger has them."""
    return Edits(
        str(told["name"]), frozenset(int(one) for one in told["without"]), frozenset(str(one) for one in told["asked"])
    )


@dataclass(frozen=True, slots=True)
class Changes:
    """What is changed this time; ``back`` and ``fixed`` take back what ``without`` and ``asked`` were before."""

    name: str | None = None
    without: tuple[int, ...] = ()
    back: tuple[int, ...] = ()
    asked: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()


def with_changes(edits: Edits, changes: Changes, pattern: Pattern) -> Edits:
    """Return edits with ``changes`` of what ``pattern`` has. Raises BadRequest."""
    for number in (*changes.without, *changes.back):
        if not 1 <= number <= len(pattern.steps):
            raise _refused(f"There is no step {number}.", f"Its steps are 1 to {len(pattern.steps)}.")
    for name in (*changes.asked, *changes.fixed):
        _check_value(name, pattern)
    without = (edits.without | set(changes.without)) - set(changes.back)
    if len(without) == len(pattern.steps):
        raise _refused("Nothing would be left of it.", "Never again: ./steward suggestions never KEY")
    asked = (edits.asked | set(changes.asked)) - set(changes.fixed)
    return replace(edits, name=edits.name if changes.name is None else changes.name, without=without, asked=asked)


def _check_value(name: str, pattern: Pattern) -> None:
    known = [
        f"{number}.{argument}"
        for number, step in enumerate(pattern.steps, 1)
        for argument, slot in step.arguments.items()
        if isinstance(slot, Same | Relative | Output)
    ]
    if name not in known:
        raise _refused(f"There is no value {shown(name)} that could be asked for.",
                       f"There are: {', '.join(known) or 'none'}")  # fmt: skip


def _refused(why: str, hint: str) -> BadRequest:
    return BadRequest("suggestion.edit", why, hint=hint)


def edited(pattern: Pattern, edits: Edits) -> Pattern:
    """Return the pattern as it was edited. What a step that is left out would have made is asked for."""
    kept = [at for at in range(len(pattern.steps)) if at + 1 not in edits.without]
    places = {old: new for new, old in enumerate(kept)}
    steps = []
    for at in kept:
        slots = {
            name: Open(_usual(slot)) if f"{at + 1}.{name}" in edits.asked else _placed(slot, places)
            for name, slot in pattern.steps[at].arguments.items()
        }
        steps.append(Step(pattern.steps[at].tool, slots))
    return replace(pattern, steps=tuple(steps))


def _placed(slot: Slot, places: Mapping[int, int]) -> Slot:
    if not isinstance(slot, Output):
        return slot
    return replace(slot, step=places[slot.step]) if slot.step in places else Open()


def _usual(slot: Slot) -> tuple[Any, ...]:
    return (slot.value,) if isinstance(slot, Same) else ()
