"""What a free value does not take in: the words by which the request says what it is, and where its own text begins."""

from __future__ import annotations

from kernel.composition.filling.companions import said_in
from kernel.composition.filling.regions import is_dictated
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.window import Window
from skills.model import Parameter, ValueKind

K = ValueKind
_OPENS_NOUN = frozenset("a an by via per eine einen ein ne nen".split())
_THAT = frozenset({"that", "dass"})
_TO = frozenset({"to", "an"})
_APART = frozenset("raus rein heraus herein vor runter hoch drauf dran".split())
_INTO = frozenset("rein herein drauf dran dazu".split())
"""What a German verb leaves at the end of its clause, as it is spoken: "such die Nummer raus", "schreib Milch rein"."""


def before_verb(scene: Scene, box: Box, clause: tuple[int, int], start: int, end: int, *, text: bool = False) -> int:
    """Return where [start, end) ends without the verb that closes a German ``clause``, or what its verb left there.

    "Kannst du die neueste Rechnung suchen", "such mir die Nummer von Tom raus". A ``text`` may well end in a verb of
    its own ("Reifen wechseln").
    """
    first, last = clause
    while last > end and not scene.words[last - 1]:
        last -= 1
    if scene.intent.language != "de" or end != last or end - start < 2 or not scene.tokens[end - 1].text.islower():
        return end
    word = scene.tokens[end - 1].norm
    if word in (_INTO if text else _APART | _INTO) and not (text and is_dictated(scene, start)):
        return end - 1
    begun = scene.request_begins(first, last)
    ordered = begun < last and box.is_verb(scene.forms[begun], "de")
    closes = not text and not ordered and word.endswith("n") and box.is_verb(scene.forms[end - 1], "de")
    return end - 1 if closes else end


def is_left_apart(norm: str) -> bool:
    """Tell whether a German verb leaves the word at the end of its clause."""
    return norm in _APART | _INTO


def own_part(window: Window, parameter: Parameter, start: int, end: int) -> tuple[int, int] | None:
    """Return what of [start, end) such a value may be; None where it is none.

    "Write Anna an email that …", "send the agenda by mail": the mail is neither of the name nor of the text. "Reply to
    Tom that …": the text begins behind "that", and whom it is to stands before.
    """
    if parameter.type.kind is K.TEXT:
        lost = _subject(window, start, end) or _has_person(window, start, end)
        return None if lost else (start, end)
    if parameter.type.kind is K.QUERY:
        if _is_closing_verb(window, start, end) or (parameter.person and _goes_to_another(window.scene, start, end)):
            return None
        if (subject := _subject(window, start, end)) is not None:
            return (start, subject) if not _has_text(window, start, subject) else None
        return None if _has_text(window, start, end) else (start, end)
    return start, end


def _goes_to_another(scene: Scene, start: int, end: int) -> bool:
    """ "Forward the mail from Ben to Ida": two people, and nobody's name."""
    return any(scene.tokens[at].norm in _TO for at in range(start + 1, end - 1))


def _subject(window: Window, start: int, end: int) -> int | None:
    """Where the word that a request of this tool has, and has nowhere else, is taken in: the article before it."""
    scene = window.scene
    beside = frozenset(word for one in window.profile.tool.parameters for word in one.beside)
    inside = [at for at in range(start + 2, end) if scene.tokens[at - 1].norm in _OPENS_NOUN]
    found = next((at for at in inside if not beside.isdisjoint(said_in(scene, [at]))), None)
    outside = [*range(window.first, start), *range(end, window.last)]
    return found - 1 if found is not None and beside.isdisjoint(said_in(scene, outside)) else None


def _is_closing_verb(window: Window, start: int, end: int) -> bool:
    """ "Kannst du Anna eine Mail schicken, dass …": a lone verb behind what the request is, is of nobody."""
    scene, tool = window.scene, window.profile.tool
    if end - start > 1 or start < window.first + 2 or scene.tokens[start - 2].norm not in _OPENS_NOUN:
        return False
    beside = frozenset(word for one in tool.parameters for word in one.beside)
    ends = any(form in window.profile.verbs for form in scene.forms[start])
    return ends and not beside.isdisjoint(said_in(scene, [start - 1]))


def _has_text(window: Window, start: int, end: int) -> bool:
    texts = [one.name for one in window.profile.tool.parameters if one.type.kind is K.TEXT]
    return any(
        window.scene.tokens[at - 1].norm in _THAT
        and any(window.profile.cues.share_left(name, window.left_words(at)) for name in texts)
        for at in range(start + 2, end)
    )


def _has_person(window: Window, start: int, end: int) -> bool:
    """ "… to Tom that …", "email Tom that …", where the tool takes a name behind this word."""
    scene: Scene = window.scene
    if not start or not scene.words[start - 1]:
        return False
    first = start + (scene.tokens[start].norm in _TO)
    names = [one.name for one in window.profile.tool.parameters if one.type.kind is K.QUERY]
    named = any(window.profile.cues.share_left(name, window.left_words(first)) for name in names)
    return named and any(scene.tokens[at].norm in _THAT for at in range(first + 1, min(first + 5, end)))
