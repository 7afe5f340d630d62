"""A pronoun that takes up what the same request named before: "I have called Anna, tick that off".

What this stops: that such a word is asked about, or is taken for what an earlier request found.
What it does not: read a pronoun so where no example of the tool has one behind the same value, or where the deed is
only to be done ("once I have called Anna, tick that off").
"""

from __future__ import annotations

from collections.abc import Iterable

from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.skeletons import Skeleton
from kernel.composition.scene import Scene
from kernel.composition.window import Filler
from kernel.composition.words import is_being
from kernel.language.frame.told_values import says_undone
from kernel.model import Constant
from skills.model import ValueKind

_WORDS = frozenset("it that this them those es das dies ihn sie die den".split())
_NAMES = frozenset({ValueKind.TITLE, ValueKind.QUERY})
_TOLD_OF = _NAMES | {ValueKind.TEXT}


def takes_up(scene: Scene, profile: Profile, fillers: Iterable[Filler], features: frozenset[str], index: int) -> bool:
    """Tell whether the pronoun at ``index`` stands behind the name of a thing as one does in an example."""
    if not scene.pointing >> index & 1 or scene.tokens[index].norm not in _WORDS:
        return False
    if says_undone(token.norm for token in scene.tokens[:index]):
        return False
    if _is_told_a_value(scene, profile, fillers, index):
        return True
    named = {one.parameter for one in fillers if _is_name(profile, one) and one.mask and one.last <= index}
    verb = scene.keys[index - 1] if index else ""
    return any(one.content <= features and _has_pronoun(one, name, verb) for name in named for one in profile.skeletons)


def _is_told_a_value(scene: Scene, profile: Profile, fillers: Iterable[Filler], index: int) -> bool:
    """ "Went to the zoo, that was 21 euros": what was named before, with the value that the call takes behind it."""
    if index + 1 >= scene.size or not is_being(scene.tokens[index + 1].norm):
        return False
    kinds = {one.first: profile.parameter(one.parameter).type.kind for one in fillers if one.mask}
    named = any(first < index and kind in _TOLD_OF for first, kind in kinds.items())
    return named and kinds.get(index + 2) is ValueKind.NUMBER


def _is_name(profile: Profile, one: Filler) -> bool:
    return isinstance(one.argument, Constant) and profile.parameter(one.parameter).type.kind in _NAMES


def _has_pronoun(skeleton: Skeleton, name: str, verb: str) -> bool:
    """Behind the value stand the same verb and a pronoun."""
    slot = f"<{name}>"
    if slot not in skeleton.elements:
        return False
    behind = skeleton.elements[skeleton.elements.index(slot) + 1 :]
    return verb in behind and not (_WORDS.isdisjoint(behind) and _WORDS.isdisjoint(skeleton.pointing))
