"""What a reading of words as one call of a tool leaves unexplained, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import fsum

from kernel.composition import weights as w
from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.skeletons import Skeleton
from kernel.composition.scene import Scene
from kernel.composition.stretch import Stretch, told_in
from kernel.composition.taking_up import takes_up
from kernel.composition.unit_words import with_units
from kernel.composition.verb_clash import verb_clash
from kernel.composition.window import Filler
from kernel.composition.words import FRAME, is_limiting, is_negation, is_relating, is_whole
from kernel.language.function_words import is_question_word
from kernel.language.place.place_words import PLURAL_FILES
from skills.model import ValueKind


@dataclass(frozen=True, slots=True)
class Doubt:
    """What stays unexplained: its cost, the tokens, and whether a negation or a number is among them."""

    cost: float
    words: tuple[int, ...]
    grave: bool


def residue(scene: Scene, profile: Profile) -> tuple[float, ...]:
    """Return what each token still costs when ``profile``'s vocabulary explains what it can."""
    key = ("residue", profile.tool.id)
    if key not in scene.memo:
        scene.memo[key] = tuple(_left(scene, profile, index) for index in range(scene.size))
    found: tuple[float, ...] = scene.memo[key]
    return found


def _left(scene: Scene, profile: Profile, index: int) -> float:
    cost = scene.costs[index]
    if not cost or (scene.never >> index & 1 and not _works_there(scene, profile, index)):
        return cost
    return cost * (1.0 - max((profile.vocabulary.get(form, 0.0) for form in scene.forms[index]), default=0.0))


def _works_there(scene: Scene, profile: Profile, index: int) -> bool:
    """The word names a folder in which the tool works whatever is said: "into moon", and its lines are in ~/Moon."""
    spans = (one for one in scene.spans if one.first <= index < one.last and one.kind is ValueKind.FOLDER)
    named = {one.value for one in spans if isinstance(one.value, str)}
    return bool(named) and any(scope in named for scope in _works_in(scene.home, profile))


def _works_in(home: str, profile: Profile) -> Iterator[str]:
    scopes = (right.scope for right in profile.tool.rights if right.scope.startswith("~/") and "{" not in right.scope)
    return (home + scope[1:-3] for scope in scopes if scope.endswith("/**"))


def unexplained(
    stretch: Stretch,
    fillers: tuple[Filler, ...],
    nearest: Skeleton | None,
    features: frozenset[str],
    missing: tuple[str, ...],
) -> Doubt:
    """Return what nothing explains; a negation only an example that negates likewise, a pronoun what is missing.

    The clause's verb is unexplained too when it is how other tools begin and this one hardly does.
    """
    scene, mask = stretch.scene, with_units(stretch, fillers)
    left, told = residue(scene, stretch.profile), told_in(stretch) if _asks(stretch, mask) else 0
    like = nearest.features if nearest is not None and nearest.content <= features else frozenset[str]()
    own = nearest if nearest is not None and nearest.own and nearest.content <= features else None
    words = [
        index
        for index in stretch.indexes
        if left[index]
        and not mask >> index & 1
        and not (is_negation(scene.tokens[index].norm) and _negates_alike(scene.keys[index], like, features))
        and not (own and _is_said_likewise(stretch, index, own, features))
        and not (missing and (scene.pointing >> index & 1 or _names_missing(stretch, index, missing)))
        and not told >> index & 1
        and not _introduces(stretch, index, mask)
        and not takes_up(scene, stretch.profile, fillers, features, index)
        and not (is_limiting(scene.tokens[index].norm) and _keeps_to(stretch, index, fillers))
    ]
    cost = sum(left[index] for index in words)
    grave = any(left[index] >= w.NUMBER for index in words)
    clash = verb_clash(stretch, mask, like, features)
    if clash is None:
        return Doubt(cost, tuple(words), grave)
    word, price = clash
    return Doubt(cost + price, tuple(dict.fromkeys((word, *words))), grave)


def _asks(stretch: Stretch, mask: int) -> bool:
    """Beside a value and what is told of it something is asked: "went there today" asks a calculation for nothing."""
    rest = told_in(stretch) | mask
    asked = (at for at in stretch.indexes if not rest >> at & 1)
    vocabulary, scene = stretch.profile.vocabulary, stretch.scene
    return any(
        is_question_word(scene.tokens[at].norm)
        or any(vocabulary.get(form) == 1.0 and not scene.free[at] for form in scene.forms[at])
        for at in asked
    )


def _is_said_likewise(stretch: Stretch, index: int, own: Skeleton, features: frozenset[str]) -> bool:
    """The person's own example, all of whose words are said, has the word too; one that points in the same place.

    A number, and what the world vouches for, is never a word of a request.
    """
    scene, key = stretch.scene, stretch.scene.keys[index]
    if scene.costs[index] >= w.NUMBER or scene.hard >> index & 1:
        return False
    if not scene.never >> index & 1:
        return key in own.features
    return scene.tokens[index].norm in own.pointing or _negates_alike(key, own.features, features)


def _introduces(stretch: Stretch, index: int, mask: int) -> bool:
    """It stands before a name of its own ("diese Rechnung"), or a noun of which more is said ("those rows of")."""
    scene = stretch.scene
    if not (scene.determiners[index] and scene.pointing >> index & 1):
        return False
    if mask >> (index + 1) & 1:
        return True
    behind = next((at for at in range(index + 2, scene.size) if scene.words[at]), scene.size)
    own = behind < scene.size and any(form in stretch.profile.carriers for form in scene.forms[index + 1])
    return own and is_relating(scene.tokens[behind].norm)


def _keeps_to(stretch: Stretch, index: int, fillers: Iterable[Filler]) -> bool:
    """ "Only the rows over 50": the tool's examples say so too, and a value behind the word says to what it is kept."""
    if stretch.scene.keys[index] not in stretch.profile.vocabulary:
        return False
    kinds = {stretch.profile.parameter(one.parameter).type.kind for one in fillers if one.first > index}
    return bool(kinds - {ValueKind.TABLE, ValueKind.FOLDER, ValueKind.FILE, ValueKind.COLUMN})


def without_values(stretch: Stretch, features: frozenset[str], doubt: Doubt) -> Doubt:
    """Return what a call without any value leaves in doubt: all of its words, where they say none of its examples."""
    if doubt.cost or _says_an_example(stretch, features):
        return doubt
    costs = stretch.scene.costs
    words = tuple(index for index in stretch.indexes if costs[index] > w.LIGHT)
    return Doubt(sum(costs[index] for index in words), words, doubt.grave)


def _says_an_example(stretch: Stretch, features: frozenset[str]) -> bool:
    """Most of the words of one example are said: what it does without a value is what its examples say it does."""
    return any(_is_said(stretch, one, features) for one in stretch.profile.skeletons)


def _is_said(stretch: Stretch, one: Skeleton, features: frozenset[str]) -> bool:
    if not all(_only_frames(stretch.profile, element) for element in one.elements):
        return False
    table, content = stretch.box.weights(stretch.profile.language), one.content - {FRAME}
    whole = fsum(map(table.__getitem__, content))
    return bool(content) and fsum(map(table.__getitem__, content & features)) >= w.SAID_SHARE * whole


def _only_frames(profile: Profile, element: str) -> bool:
    """A word, or the slot of a place, an order or a number: an example with another one is about that value."""
    if not element.startswith("<"):
        return True
    name = element[1:-1]
    around = name == profile.count or name in profile.ordering
    return around or profile.parameter(name).type.kind is ValueKind.FOLDER


def _negates_alike(key: str, like: frozenset[str], features: frozenset[str]) -> bool:
    """The example has the negation too, and beside the same word: "don't need", "nicht mehr"."""
    return any(key in pair.split() for pair in like & features if " " in pair)


def _names_missing(stretch: Stretch, index: int, missing: tuple[str, ...]) -> bool:
    """A word of "a document" says what kind of thing is missing, if the tool or those that find such things know it.

    "Everything" is what some folder holds, which nobody has named; "the files" are files.
    """
    scene, profile = stretch.scene, stretch.profile
    norm = scene.tokens[index].norm
    kinds = {profile.parameter(name).type.kind for name in missing if name not in profile.makes}
    if (is_whole(norm) and ValueKind.FOLDER in kinds) or (norm in PLURAL_FILES and ValueKind.FILE in kinds):
        return True
    if not scene.phrases >> index & 1:
        return False
    if scene.hard >> index & 1 or any(form in profile.vocabulary for form in scene.forms[index]):
        return True
    finders = {tool for name in missing for tool in stretch.box.producers(profile.parameter(name).type.kind)}
    phrases = [stretch.box.profile(tool, profile.language).phrases for tool in finders]
    return any(form in known for known in phrases for form in scene.forms[index])
