"""A text that nobody has written yet is written down by nothing: it is said so, and how a text is."""

from __future__ import annotations

from kernel.asking import wording
from kernel.composition.build import Judged
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.language.composing import made_up, put_or_sent
from kernel.model import Decline
from skills.model import ValueKind


def unwritten(scene: Scene, box: Box, best: Judged | None) -> Decline | None:
    """Return what is said where a text is to be made up; None where none is. ``best`` is how the words read at best."""
    language = scene.intent.language
    norms = [token.norm for token in scene.tokens]
    noun = made_up(norms, language, lambda word: box.is_carrier((word,), language)) or _put(scene, norms, best)
    if not noun:
        return None
    words = next((token.text for token in scene.tokens if token.norm == noun), noun)
    return Decline(wording.say(language, "made_up", words=words))


def _put(scene: Scene, norms: list[str], best: Judged | None) -> str:
    """The noun of what would be put or sent as the text itself, "" where it is an entry, or a thing that is there."""
    found = put_or_sent(norms, scene.intent.language)
    if found is None or scene.hard >> found.at & 1:
        return ""
    read = [
        step.profile.parameter(one.parameter)
        for step in (best.draft.steps if best is not None else ())
        for one in step.fillers
        if one.mask >> found.at & 1
    ]
    is_text = any(one.type.kind is ValueKind.TEXT for one in read)
    unread = found.surely and (found.sent or best is None or not best.may_act)
    return norms[found.at] if is_text or unread else ""
