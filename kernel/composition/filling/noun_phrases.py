"""Nouns that "of" or a genitive joins to one: "the floors of the old post office", "die Öffnung der Bücherei".

Such words are one thing to look for or one title, however many they are; cut at the "of", they mean something else.
"""

from __future__ import annotations

from kernel.composition.scene import Scene
from kernel.composition.window import Window
from kernel.composition.words import is_superlative

_OF = {"en": frozenset({"of"}), "de": frozenset("von vom des der eines einer".split())}


def joins_nouns(scene: Scene, at: int, first: int, last: int) -> bool:
    """Tell whether the word at ``at`` joins the noun right before it to one behind it, both within [first, last)."""
    if not first < at < last - 1 or scene.tokens[at].norm not in _OF[scene.intent.language]:
        return False
    behind = next((step for step in range(at + 1, last) if not scene.determiners[step]), last)
    return _is_noun(scene, at - 1) and behind < last and _is_noun(scene, behind)


def nouns_length(scene: Scene, first: int, last: int) -> int:
    """How long a short text is in words, those that join its nouns and their articles left out."""
    return sum(
        not (joins_nouns(scene, at, first, last) or _is_joined(scene, at, first, last)) for at in range(first, last)
    )


def describes_another(window: Window, at: int) -> bool:
    """ "Photos of the old house": the house is old, and the photos are in no order of age."""
    scene, noun = window.scene, at + 1
    if noun >= window.last or not _is_noun(scene, noun) or is_superlative(scene.tokens[at].norm):
        return False
    joint = at - 1 if scene.intent.language == "de" or not scene.determiners[at - 1] else at - 2
    own = any(form in window.profile.carriers for form in scene.forms[noun])
    return not own and joins_nouns(scene, joint, window.first, window.last)


def _is_joined(scene: Scene, at: int, first: int, last: int) -> bool:
    return scene.determiners[at] and joins_nouns(scene, at - 1, first, last)


def _is_noun(scene: Scene, at: int) -> bool:
    return scene.words[at] and not scene.free[at]
