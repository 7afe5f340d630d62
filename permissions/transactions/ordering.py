"""The order in which the steps of a commit or an undo are done: one that always works."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from permissions.transactions.steps import Step, above


def order(steps: Sequence[Step], park: Callable[[str], str]) -> list[Step]:
    """Return the steps in an order that always works.

    Removals go inside out, placements outside in. A move whose source is in somebody's way (something is put at or
    below it, or a folder above it goes) is parked first, so that swaps and rotations work as well.
    """
    moved = [step for step in steps if step.op == "move" and step.phase == 2 and not step.fresh]
    crowded = {folder for step in steps if step.phase == 2 for folder in _self_and_above(step.key)}
    going = {step.key for step in steps if step.phase == 1} | {step.other for step in moved}
    ordered = list(steps)
    for step in moved:
        if step.other in crowded or any(folder in going for folder in above(step.other)):
            spot = park(step.other)
            ordered.remove(step)
            ordered.append(
                Step("move", spot, step.other, step.was, None, step.folder, private=True, phase=1, key=step.other)
            )
            ordered.append(Step("move", step.path, spot, step.was, None, step.folder, phase=2, key=step.key))
    first = [step for step in ordered if step.phase == 0]
    removals = sorted((s for s in ordered if s.phase == 1), key=lambda s: s.key.split("/"), reverse=True)
    rest = sorted((s for s in ordered if s.phase == 2), key=lambda s: (s.key.split("/"), s.op in ("swap", "fill")))
    last = sorted((s for s in ordered if s.phase == 3), key=lambda s: s.key.split("/"), reverse=True)
    return [*first, *removals, *rest, *last]


def _self_and_above(path: str) -> list[str]:
    return [path, *above(path)]
