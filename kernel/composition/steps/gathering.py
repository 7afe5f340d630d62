"""One text out of several results: "show my events and my overdue tasks and save both as a note".

Who says "that", "both" or "all of it" behind several deeds that only find something out means what they all found, and
who says "together with the file's name" says what stands beside it. Between them and whatever takes the text goes a
call of the tool whose manifest says that it ``gathers``; where no skill has one, nothing changes.

What this stops: that only the last result is written down or sent, and the others are passed over without a word.
What it does not: take what another step has taken already, what a sentence before asked for, or more than one thing for
"it" and "them", which mean the nearest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kernel.composition.draft import Draft
from kernel.composition.fit import Step, flows
from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.scene import Scene
from kernel.composition.steps.results import fit
from kernel.composition.window import Filler, Flow
from kernel.language.several_results import meant_by
from kernel.model import Constant
from skills.model import ValueKind, ValueType

_TEXT = ValueType(ValueKind.TEXT)
_JOINING = frozenset({"and", "und", "sowie", "&", ",", "also", "auch"})


def gathered(scene: Scene, draft: Draft, box: Box) -> Draft:
    """Return ``draft`` with a step that makes one text wherever a text is to be made of several things."""
    if box.gatherer is None:
        return draft
    profile = box.profile(box.gatherer.id, scene.intent.language)
    steps: list[Step] = []
    moved: dict[int, int] = {}
    for at, step in enumerate(draft.steps):
        fillers = []
        for one in step.fillers:
            parts = tuple(moved_to(part, moved) for part in _parts(scene, draft.steps, at, one))
            steps += [_call(profile, one, parts)] if len(parts) > 1 else []
            argument = Flow(len(steps) - 1) if len(parts) > 1 else moved_to(one.argument, moved)
            fillers.append(replace(one, argument=argument, beside=()))
        moved[at] = len(steps)
        steps.append(replace(step, fillers=tuple(fillers)))
    return replace(draft, steps=tuple(steps)) if len(steps) > len(draft.steps) else draft


def takes_all(scene: Scene, step: Step, earlier: int) -> bool:
    """Tell whether ``step`` takes all that was found up to the step ``earlier``, as one text."""
    own = [one for one in step.fillers if isinstance(one.argument, Flow) and one.argument.step == earlier]
    return bool(own) and all(_means(scene, step, one) > 1 for one in own)


def _means(scene: Scene, step: Step, one: Filler) -> int:
    """How many results the words of a text may mean."""
    kind = step.profile.parameter(one.parameter).type
    text = kind.kind is ValueKind.TEXT and not kind.many and bool(one.mask)
    return meant_by(scene.tokens[one.first : one.last]) if text else 1


def _parts(scene: Scene, steps: tuple[Step, ...], at: int, one: Filler) -> tuple[Constant | Flow, ...]:
    """The things that a text is made of, in the order in which they were asked for; one where it is one thing."""
    nearest = one.argument
    if one.beside or not isinstance(nearest, Flow):
        return (nearest, *one.beside)
    most = _means(scene, steps[at], one)
    found = list(_found(scene, steps, at, nearest.step)) if most > 1 else []
    return tuple(found[:most][::-1]) if nearest.step in {flow.step for flow in found} else (nearest,)


def _found(scene: Scene, steps: tuple[Step, ...], before: int, nearest: int) -> Iterator[Flow]:
    """What the steps right before ``before`` found, and nobody took but for such a text, the last first."""
    taken = {flow.step for other in steps for flow in flows(other) if flow.step != nearest}
    for at in range(before - 1, -1, -1):
        step = steps[at]
        following = min((one.first for one in steps[at + 1 : before]), default=step.last)
        between = range(step.last, following)
        joined = all(scene.tokens[place].norm in _JOINING for place in between)
        if not step.profile.is_pure or step.missing or not joined:
            return
        if at in taken and step.described:
            continue  # it finds what a later one of them is about
        if at in taken:
            return
        fitted = fit(step.profile.tool.result, _TEXT, single=step.single)
        if fitted is not None:
            yield Flow(at, fitted.field, fitted.index)


def _call(profile: Profile, one: Filler, parts: tuple[Constant | Flow, ...]) -> Step:
    """The call that makes one text of ``parts``, for the words of ``one``."""
    fillers = tuple(
        Filler(parameter.name, part, 0, one.first, one.first, one.score, "gathered")
        for parameter, part in zip(profile.tool.parameters, parts, strict=False)
    )
    return Step(profile, one.first, one.last, fillers, (), 1.0, 0.0, (), 0.0, described=True)


def moved_to(argument: Constant | Flow, moved: Mapping[int, int]) -> Constant | Flow:
    """Return the argument with the place where its step stands now, by where it stood."""
    return replace(argument, step=moved[argument.step]) if isinstance(argument, Flow) else argument
