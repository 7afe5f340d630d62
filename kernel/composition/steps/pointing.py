"""Extremes that point: "find all pdfs in Downloads and delete the oldest one" picks among what the plan itself finds.

What this stops: that "the oldest one" is looked for in the whole home. It means one of what was found before, or
nothing that can be known, and then the person is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kernel.composition import weights as w
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene, bits
from kernel.composition.window import Filler, Flow
from kernel.language.extremes import BY_WORD
from kernel.model import Constant, Reference, ReferenceKind

_PICKING = (ReferenceKind.EXTREME, ReferenceKind.ORDINAL)


def points(scene: Scene, first: int, last: int) -> bool:
    """Tell whether [first, last) is "the oldest one" and says nothing else: then it describes nothing by itself."""
    for one in scene.references:
        if one.kind not in _PICKING or not _is_inside(scene, one, first, last):
            continue
        rest = bits(first, last) & ~bits(one.first, one.last)
        if not one.nouns and not any(scene.costs[at] > w.LIGHT for at in range(first, last) if rest >> at & 1):
            return True
    return False


def extremes_in(scene: Scene, first: int, last: int) -> Iterator[Reference]:
    """Yield the extremes of [first, last), also where only the article stands outside."""
    for one in scene.references:
        if one.kind is ReferenceKind.EXTREME and _is_inside(scene, one, first, last):
            yield one


def _is_inside(scene: Scene, one: Reference, first: int, last: int) -> bool:
    return one.last <= last and (first <= one.first or (first == one.first + 1 and scene.determiners[one.first]))


def picked_again(scene: Scene, first: int, last: int, steps: tuple[Step, ...]) -> Iterator[Step]:
    """Yield the nearest earlier call that can be asked for its extreme alone, as a step of its own."""
    for reference in extremes_in(scene, first, last):
        for step in reversed(steps):
            one = _again(scene, step, reference)
            if one is not None:
                yield one
                break


def _again(scene: Scene, step: Step, reference: Reference) -> Step | None:
    """The call once more, with the order that the extreme means and as many results as it says."""
    profile = step.profile
    named = {one.parameter for one in step.fillers}
    if not profile.count or profile.count in named or profile.ordering & named or not reference.ordinal:
        return None
    words = {form for at in range(step.first, step.last) for form in (*scene.forms[at], *profile.carriers)}
    if not set(reference.nouns) <= words:
        return None
    chosen = next(_orders(scene, step, reference), None)
    if chosen is None:
        return None
    text = scene.text(reference.first, reference.last)
    count = Constant(reference.ordinal, scene.intent.label, text)
    more = tuple(
        Filler(name, value, 0, reference.first, reference.first, 1.0, "picked")
        for name, value in (chosen, (profile.count, count))
    )
    fillers = (*step.fillers, *more)
    return replace(step, first=reference.first, last=reference.last, fillers=fillers, cost=w.NESTED, described=True)


def _orders(scene: Scene, step: Step, reference: Reference) -> Iterator[tuple[str, Constant]]:
    """The order parameter and the choice that the extreme's own word, or one that means the same, stands for."""
    for at in range(reference.first, reference.last):
        for form in scene.forms[at]:
            for phrase in step.profile.phrases.get(form, ()):
                if phrase.parameter in step.profile.ordering and BY_WORD.get(form) == reference.field:
                    yield phrase.parameter, Constant(phrase.choice, scene.intent.label, scene.tokens[at].text)


def is_twofold(scene: Scene, steps: tuple[Step, ...], others: tuple[Step, ...]) -> bool:
    """Tell whether two readings only differ in what "it" is: what a step was given, or what it made of that.

    "Copy a.pdf to Archive and delete it" may mean either, and what it means is gone afterwards.
    """
    if [one.tool for one in steps] != [one.tool for one in others]:
        return False
    different = [(one, other) for one, other in zip(steps, others, strict=True) if one.shape != other.shape]
    return len(different) == 1 and any(
        _is_either(scene, steps, one, other)
        for one in different[0][0].fillers
        for other in different[0][1].fillers
        if (one.parameter, one.mask) == (other.parameter, other.mask)
        and _is_gone(different[0][0].profile, one.parameter)
    )


def _is_gone(profile: Profile, parameter: str) -> bool:
    return profile.destroys and profile.removes(parameter)


def _is_either(scene: Scene, steps: tuple[Step, ...], one: Filler, other: Filler) -> bool:
    flow, given = (one.argument, other.argument) if isinstance(one.argument, Flow) else (other.argument, one.argument)
    if not isinstance(flow, Flow) or not isinstance(given, Constant) or not one.mask & scene.pointing:
        return False
    maker = steps[flow.step]
    held = [
        filler.parameter
        for filler in maker.fillers
        if isinstance(filler.argument, Constant) and _alike(filler.argument.value, given.value)
    ]
    return not maker.profile.is_pure and any(not maker.profile.removes(name) for name in held)


def _alike(one: Any, other: Any) -> bool:
    first, second = ((value if isinstance(value, list) else [value]) for value in (one, other))
    return first == second
