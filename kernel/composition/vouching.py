"""What speaks for a reading beside free text: a word of the tool's own, a choice, a value that the world knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from kernel.composition import weights as w
from kernel.composition.filling.announced import is_announced, whole_name
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene
from kernel.composition.stretch import Stretch
from kernel.composition.window import Filler
from kernel.composition.words import is_light
from skills.model import ParamRole, ValueKind


class Spoken(Protocol):
    """A step with its values."""

    @property
    def fillers(self) -> tuple[Filler, ...]: ...


def is_anchored(stretch: Stretch, fillers: tuple[Filler, ...], mask: int) -> bool:
    """Tell whether more than free text speaks for the tool: a word of its own, a choice, a vouched value, a pointer.

    A title that nothing vouches for needs more than the verb: one may open, delete or take a thousand things. Not one
    that is new, where an example has that verb and nothing else beside it: "remind me about the pottery".
    """
    scene, vocabulary = stretch.scene, stretch.profile.vocabulary
    if any(_is_telling(scene, stretch.profile, one) or _is_vouched(scene, one) for one in fillers):
        return True
    own = [
        index
        for index in stretch.indexes
        if not (mask >> index & 1 or scene.free[index] or is_light(scene.tokens[index].norm))
        and any(vocabulary.get(form, 0.0) == 1.0 for form in scene.forms[index])
    ]
    if not any(_is_loose_title(stretch, one) for one in fillers):
        return bool(own)
    verb = next((index for index in stretch.indexes if scene.words[index] and not scene.free[index]), -1)
    if verb in own and all(_is_said_alone(stretch, one, verb) for one in fillers):
        return True
    return any(index != verb or not stretch.profile.nouns.isdisjoint(scene.forms[index]) for index in own)


def _is_said_alone(stretch: Stretch, one: Filler, verb: int) -> bool:
    """Tell whether some example begins with this verb and has this new text for its only value."""
    slot = f"<{one.parameter}>"
    return stretch.profile.parameter(one.parameter).role is ParamRole.PAYLOAD and any(
        skeleton.elements[0] in stretch.scene.forms[verb]
        and {element for element in skeleton.elements if element.startswith("<")} == {slot}
        for skeleton in stretch.profile.skeletons
    )


def _is_loose_title(stretch: Stretch, one: Filler) -> bool:
    is_title = stretch.profile.parameter(one.parameter).type.kind is ValueKind.TITLE
    return is_title and one.origin == "doubted" and not is_announced(stretch.scene, one.first, one.last)


def _is_telling(scene: Scene, profile: Profile, one: Filler) -> bool:
    """A value that examples had too, unless it is a body of text: that may say anything."""
    return profile.parameter(one.parameter).type.kind is not ValueKind.TEXT and is_known(scene, profile, one)


def _is_vouched(scene: Scene, one: Filler) -> bool:
    if not one.mask or one.origin in ("doubted", "object"):
        return bool(one.mask) and whole_name(scene, one.first, one.last)  # the world vouches for a name it knows
    return one.origin != "typed" or bool(one.mask & scene.never) or _is_called_so(scene, one)


def _is_called_so(scene: Scene, one: Filler) -> bool:
    """ "The screenshot": the only file of that name, behind a definite article."""
    return any(
        (span.first, span.last) == (one.first, one.last)
        and span.kind is ValueKind.FILE
        and span.source == "stem"
        and span.confidence >= w.CALLED_SO
        for span in scene.spans
    )


def is_grounded(scene: Scene, steps: Iterable[Spoken]) -> bool:
    """Tell whether a plan is about something that is there: a value that more than its place vouches for.

    A plan without values is about what its words say.
    """
    fillers = [one for step in steps for one in step.fillers if one.mask]
    return not fillers or any(_is_vouched(scene, one) or one.score >= w.SURE_TEXT for one in fillers)


def is_known(scene: Scene, profile: Profile, one: Filler) -> bool:
    """Tell whether a word of the value stood in this very slot in an example."""
    values = profile.values.get(one.parameter, frozenset())
    return any(form in values for at in range(one.first, one.last) for form in scene.forms[at])


def is_limited(profile: Profile, fillers: Iterable[Filler]) -> bool:
    """Tell whether the tool returns only some of what there is, and nobody said how many or which first."""
    named = {one.parameter for one in fillers}
    count = profile.count
    return bool(count) and profile.parameter(count).default is not None and not named & {count, *profile.ordering}
