"""How near a reading is to the examples of its tool: by words, slots and what stands beside what."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from kernel.composition import weights as w
from kernel.composition.profiles.skeletons import Skeleton, articles_of, features_of
from kernel.composition.stretch import Stretch, told_in
from kernel.composition.unit_words import is_silent
from kernel.composition.window import Filler
from kernel.composition.words import is_light


def features_in(stretch: Stretch, fillers: tuple[Filler, ...], missing: Iterable[str]) -> frozenset[str]:
    """Return the features of the stretch with its values replaced by slots; a missing value counts as said."""
    scene = stretch.scene
    starts = {one.first: one for one in fillers if one.mask}
    index = scene.request_begins(stretch.first, stretch.last)
    index = min(index, *starts, stretch.last) if starts else index
    articles, told = _articles(stretch, fillers), told_in(stretch)
    line = []
    while index < stretch.last:
        one = starts.get(index)
        if one is not None:
            line.append(f"<{one.parameter}>")
            index = one.last + (is_silent(stretch, one, fillers) and one.last not in starts)
            continue
        if not (scene.idle[index] or told >> index & 1) and not _is_frame(stretch, index):
            line.append(stretch.profile.in_its_words(scene.said[index]))
        index += 1
    return features_of(line) | articles | {f"<{name}>" for name in missing}


def _articles(stretch: Stretch, fillers: Iterable[Filler]) -> frozenset[str]:
    """Whether the tool's own nouns are new or known here: "a note", "the note"."""
    mask = 0
    for one in fillers:
        mask |= one.mask
    scene, carriers = stretch.scene, stretch.profile.carriers
    plain = [at for at in stretch.indexes if not mask >> at & 1]
    line = [scene.tokens[at] if scene.determiners[at] or scene.keys[at] in carriers else "" for at in plain]
    return articles_of(line)


def _is_frame(stretch: Stretch, index: int) -> bool:
    """A light verb that the tool's examples do not use says nothing about the tool."""
    scene = stretch.scene
    carriers = stretch.profile.carriers
    return is_light(scene.tokens[index].norm) and not any(form in carriers for form in scene.forms[index])


def nearest_example(stretch: Stretch, features: frozenset[str]) -> tuple[float, Skeleton | None]:
    """Return the weighted Dice similarity to the nearest example skeleton, 0..1, and that skeleton."""
    key = ("nearest", stretch.profile.tool.id, features)
    if key not in stretch.scene.memo:
        stretch.scene.memo[key] = _search_nearest(stretch, features)
    found: tuple[float, Skeleton | None] = stretch.scene.memo[key]
    return found


def _search_nearest(stretch: Stretch, features: frozenset[str]) -> tuple[float, Skeleton | None]:
    shared = stretch.box.shared(stretch.profile, features)
    mass = _mass(stretch, features)
    masses = stretch.box.masses(stretch.profile)
    best, found = 0.0, None
    for skeleton, weight in shared.items():
        score = 2.0 * weight / (mass + masses[skeleton])
        if score > best or (score == best and found is not None and skeleton < found):
            best, found = score, skeleton
    return best, None if found is None else stretch.profile.skeletons[found]


def _mass(stretch: Stretch, features: frozenset[str]) -> float:
    table, idf, language = stretch.box.weights(stretch.profile.language), stretch.box.idf, stretch.profile.language
    return fsum(table[feature] if feature in table else idf(feature, language) for feature in features)


def left_out(stretch: Stretch, similarity: float, features: frozenset[str]) -> float:
    """Return how much of what its near examples say beside their slots the sentence leaves unsaid, 0..1, the least.

    Only for tools that change something: "move a.pdf" is not "move a.pdf to the trash".
    """
    if stretch.profile.is_pure or not similarity:
        return 0.0
    table = stretch.box.weights(stretch.profile.language)
    shared = stretch.box.shared(stretch.profile, features)
    mass, masses = _mass(stretch, features), stretch.box.masses(stretch.profile)
    least = 1.0
    for number, skeleton in enumerate(stretch.profile.skeletons):
        said = skeleton.content & features
        if len(said) == len(skeleton.content):
            return 0.0
        if said and 2.0 * shared[number] / (mass + masses[number]) >= similarity - w.NEAR:
            whole = fsum(map(table.__getitem__, skeleton.content))
            least = min(least, 1.0 - fsum(map(table.__getitem__, said)) / whole)
    return least
