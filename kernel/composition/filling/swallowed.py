"""What a free value does not take in: the words by which the request says what it is, and where its own text begins."""

from __future__ import annotations

from kernel.composition.filling.companions import said_in
from kernel.composition.scene import Scene
from kernel.composition.window import Window
from skills.model import Parameter, ValueKind

K = ValueKind
_OPENS_NOUN = frozenset("a an by via per eine einen ein ne nen".split())
_THAT = frozenset({"that", "dass"})
_TO = frozenset({"to", "an"})


def swallows(window: Window, parameter: Parameter, start: int, end: int) -> bool:
    """Tell whether [start, end) takes in what is no part of such a value.

    "Write Anna an email that …", "send the agenda by mail": the mail is neither of the name nor of the text. "Reply to
    Tom that …": the text begins behind "that", and whom it is to stands before.
    """
    if parameter.type.kind is K.TEXT:
        return _has_subject(window, start, end) or _has_person(window, start, end)
    if parameter.type.kind is K.QUERY:
        return _has_subject(window, start, end) or _has_text(window, start, end)
    return False


def _has_subject(window: Window, start: int, end: int) -> bool:
    """The word that a request of this tool has is in the value, and nowhere else."""
    scene = window.scene
    beside = frozenset(word for one in window.profile.tool.parameters for word in one.beside)
    inside = [at for at in range(start + 1, end) if scene.tokens[at - 1].norm in _OPENS_NOUN and at > start + 1]
    if not beside or beside.isdisjoint(said_in(scene, inside)):
        return False
    outside = [*range(window.first, start), *range(end, window.last)]
    return beside.isdisjoint(said_in(scene, outside))


def _has_text(window: Window, start: int, end: int) -> bool:
    texts = [one.name for one in window.profile.tool.parameters if one.type.kind is K.TEXT]
    return any(
        window.scene.tokens[at - 1].norm in _THAT
        and any(window.profile.cues.share_left(name, window.left_words(at)) for name in texts)
        for at in range(start + 2, end)
    )


def _has_person(window: Window, start: int, end: int) -> bool:
    """ "… to Tom that …", where the tool takes a name behind this word."""
    scene: Scene = window.scene
    if scene.tokens[start].norm not in _TO or not start or not scene.words[start - 1]:
        return False
    names = [one.name for one in window.profile.tool.parameters if one.type.kind is K.QUERY]
    named = any(window.profile.cues.share_left(name, window.left_words(start + 1)) for name in names)
    return named and any(scene.tokens[at].norm in _THAT for at in range(start + 2, min(start + 6, end)))
