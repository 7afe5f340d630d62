"""What goes along with a message, and what it is only about: "a mail about the invoice" brings no invoice.

What this stops: that a file leaves the machine because a word of the subject is a word of its name. What it does not: a
file that is named as such ("about invoice.pdf"), or that stands where the tool's examples have files.
"""

from __future__ import annotations

from kernel.composition import weights as w
from kernel.composition.window import Window
from kernel.language.place.place_words import FILE_NOUNS, looks_like_path
from kernel.model import Span
from skills.model import Parameter, ParamRole, ValueKind

K = ValueKind
_SUBJECTS = (K.TITLE, K.QUERY)


def is_only_about(window: Window, parameter: Parameter, span: Span) -> bool:
    """Tell whether a file that ``parameter`` would send along is only what another one is about."""
    if parameter.role is not ParamRole.PAYLOAD or parameter.type.kind is not K.FILE:
        return False
    return any(is_topic(window, one, span) for one in window.profile.tool.parameters if one.type.kind in _SUBJECTS)


def is_file_alone(window: Window, parameter: Parameter, first: int, last: int) -> bool:
    """ "Send the file ~/a.txt by mail": what only names a file is no text, where the tool sends files along."""
    scene = window.scene
    if parameter.type.kind is not K.TEXT or not _sent(window):
        return False
    there = (one for one in scene.spans if one.kind is K.FILE and one.source != "missing")
    named = [one for one in there if first <= one.first and one.last == last]
    before = range(first, min((one.first for one in named), default=first))
    paths = (looks_like_path(scene.text(one.first, one.last)) for one in named)
    return any(paths) and all(scene.determiners[at] or scene.tokens[at].norm in FILE_NOUNS for at in before)


def is_topic(window: Window, parameter: Parameter, span: Span) -> bool:
    """Tell whether a file that is known by words of its name stands where the examples have the words ``parameter``."""
    sent, cues = _sent(window), window.profile.cues
    if not sent or span.kind is not K.FILE or parameter.type.kind not in _SUBJECTS:
        return False
    if looks_like_path(window.scene.text(span.first, span.last)):
        return False
    left = window.left_words(span.first)
    led = (cues.share_left(parameter.name, left) or 0.0) > w.CUED
    return led and not any(cues.share_left(name, left) for name in sent)


def _sent(window: Window) -> list[str]:
    tool = window.profile.tool
    return [one.name for one in tool.parameters if one.role is ParamRole.PAYLOAD and one.type.kind is K.FILE]
