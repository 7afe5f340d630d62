"""Several choices in one place: "list images and documents in Downloads" is the same call for each of them.

What this stops: that the second kind becomes a request of its own, and the place holds for it alone.
What it does not: repeat a call that changes something, or one whose result goes on as one thing; then the person is
asked. Things that are named one by one are the exception: "delete the notes Ideas and Plan" is a call for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kernel.composition import weights as w
from kernel.composition.draft import Draft
from kernel.composition.filling.joined import EACH, NAMED
from kernel.composition.fit import Step, flows
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.steps.gathering import moved_to, takes_all
from kernel.composition.window import Filler
from skills.model import ValueKind


def each(scene: Scene, draft: Draft, box: Box) -> Draft:
    """Return ``draft`` with every such call that only reads, and from which nothing is taken, once for each choice.

    What goes on as one text of all that was found may be found in several calls ("... and put both into a note").
    """
    takers = [(flow.step, step) for step in draft.steps for flow in flows(step)]
    taken = {earlier for earlier, step in takers if box.gatherer is None or not takes_all(scene, step, earlier)}
    steps: list[Step] = []
    moved: dict[int, int] = {}
    for at, step in enumerate(draft.steps):
        own = replace(step, fillers=tuple(_moved(one, moved) for one in step.fillers))
        steps += _apart(own) if at not in taken and _may_repeat(own) else [own]
        moved[at] = len(steps) - 1
    return replace(draft, steps=tuple(steps)) if len(draft.steps) < len(steps) <= w.MAX_TASKS else draft


def _may_repeat(step: Step) -> bool:
    """It only reads; or all that it needs beside the thing is a choice, so that each call is about that thing alone."""
    joint = _joint(step)
    if step.profile.is_pure or joint is None:
        return step.profile.is_pure
    needed = [one for one in step.profile.tool.parameters if one.required and one.name != joint.parameter]
    return joint.origin == NAMED and all(one.type.kind is ValueKind.CHOICE for one in needed)


def _joint(step: Step) -> Filler | None:
    return next((one for one in step.fillers if one.origin in (EACH, NAMED)), None)


def _apart(step: Step) -> Iterator[Step]:
    """The call for each of the choices; what it leaves unexplained is told once."""
    joint = _joint(step)
    if joint is None:
        yield step
        return
    yield replace(step, fillers=_with(step, replace(joint, others=())))
    for value in joint.others:
        one = replace(joint, argument=value, others=())
        yield replace(step, fillers=_with(step, one), unexplained=0.0, words=(), excused=0.0)


def _with(step: Step, chosen: Filler) -> tuple[Filler, ...]:
    return tuple(chosen if one.parameter == chosen.parameter else one for one in step.fillers)


def _moved(one: Filler, moved: dict[int, int]) -> Filler:
    beside = tuple(moved_to(value, moved) for value in one.beside)
    return replace(one, argument=moved_to(one.argument, moved), beside=beside)
