"""A text that nobody has written yet is written down by nothing: it is said so, and how a text is."""

from __future__ import annotations

from kernel.asking import wording
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.language.composing import made_up
from kernel.model import Decline


def unwritten(scene: Scene, box: Box) -> Decline | None:
    """Return what is said where a text is to be made up; None where none is."""
    language = scene.intent.language
    norms = [token.norm for token in scene.tokens]
    noun = made_up(norms, language, lambda word: box.is_carrier((word,), language))
    if not noun:
        return None
    words = next((token.text for token in scene.tokens if token.norm == noun), noun)
    return Decline(wording.say(language, "made_up", words=words))
