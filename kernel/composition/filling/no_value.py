"""Words that are no value at all: they repeat what kind of thing is wanted, or only announce a value."""

from __future__ import annotations

from kernel.composition.filling.announced import is_announced
from kernel.composition.filling.cut_choices import is_a_choice
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.window import Filler, Window
from kernel.composition.words import goes_into, is_determiner, is_following, is_indefinite, is_pronoun, is_superlative
from kernel.language.function_words import is_question_word
from kernel.language.place.place_words import NAMING
from kernel.model import ReferenceKind
from skills.model import Parameter, ParamRole, ValueKind

K = ValueKind
_POINTING = frozenset({ReferenceKind.RESULT, ReferenceKind.ORDINAL})
_AS = frozenset({"as", "als"})
_THAT = frozenset("this that these those dies diese".split())
_AS_WHAT = 3  # words of it: "as a macro"


def says_nothing(window: Window, box: Box, parameter: Parameter, one: Filler) -> bool:
    """Tell whether the words only repeat what kind of thing is wanted, announce a value, or cut a reference in two.

    "Delete a file" names no file, "called" is no title, and "the second" is half of "the second one".
    """
    scene = window.scene
    if parameter.type.kind not in (K.TEXT, K.TITLE, K.QUERY, K.COLUMN) or one.origin not in ("text", "typed"):
        return False
    if any(_is_cut(one, tail.first, tail.last) for tail in scene.references if tail.kind is ReferenceKind.ORDINAL):
        return True
    if (parameter.type.kind is K.TEXT and (_only_points(scene, one) or _is_as_what(scene, one))) or (
        _only_names(scene, one)
    ):
        return True
    if is_announced(scene, one.first, one.last):
        return False
    if parameter.type.kind is K.TITLE and (_is_a_day(scene, one) or is_a_choice(window, one)):
        return True
    return _is_bare_noun(window, box, parameter, one) or _is_cue(window, parameter, one)


def _only_names(scene: Scene, one: Filler) -> bool:
    """ "Called" alone."""
    return one.last - one.first == 1 and scene.tokens[one.first].norm in NAMING


def _is_a_day(scene: Scene, one: Filler) -> bool:
    """ "Friday" in "Friday, the 20th of March": what is called so is quoted, or announced ("called Friday")."""
    days = (span for span in scene.spans if span.kind is K.DATE)
    return any(day.first <= one.first and one.last <= day.last for day in days)


def _only_points(scene: Scene, one: Filler) -> bool:
    """ "It", "the first of them", "the following": nobody wants a note that says so; it was found, or is to come."""
    said = [at for at in range(one.first, one.last) if scene.words[at] and not scene.determiners[at]]
    pointing = [range(point.first, point.last) for point in scene.references if point.kind in _POINTING]
    if said and is_following(scene.tokens[said[0]].norm):
        return True
    return bool(said) and all(any(at in tokens for tokens in pointing) for at in said)


def _is_as_what(scene: Scene, one: Filler) -> bool:
    """ "As a macro" in "save that as a macro": as what it is kept. In "note that as a child I ..." more follows."""
    if one.first == 0 or one.last - one.first > _AS_WHAT or scene.tokens[one.first].norm not in _AS:
        return False
    before = scene.tokens[one.first - 1].norm
    return is_pronoun(before) or before in _THAT


def _is_cut(one: Filler, first: int, last: int) -> bool:
    return one.first < last and first < one.last and not (one.first <= first and last <= one.last)


def _is_bare_noun(window: Window, box: Box, parameter: Parameter, one: Filler) -> bool:
    """An article or "which" and words of requests only: the tool's own, or after "a" those of any tool."""
    scene, language = window.scene, window.scene.intent.language
    content = [at for at in range(one.first, one.last) if not scene.free[at]]
    lead = scene.tokens[one.first].norm if scene.determiners[one.first] else _lead(window, one.first)
    if not content or scene.hard & one.mask or (parameter.type.kind is K.COLUMN and not is_indefinite(lead)):
        return False
    if not (is_determiner(lead) or is_question_word(lead)):
        return False
    vocabulary = window.profile.vocabulary
    values = window.profile.values.get(parameter.name, frozenset())
    own = all(
        any(form in vocabulary for form in scene.forms[at]) and not any(form in values for form in scene.forms[at])
        for at in content
    )
    told = parameter.role is ParamRole.PAYLOAD and not _goes_into(window, one.first)  # "remind me of the bins"
    named = parameter.type.kind is K.TITLE and not told
    return own or (
        (is_indefinite(lead) or named)
        and all(box.is_carrier(scene.forms[at], language) or box.is_choice(scene.forms[at], language) for at in content)
    )


def _goes_into(window: Window, first: int) -> bool:
    """ "Calendar" in "add Friday to my calendar": where something goes, and nothing to think of."""
    scene, at = window.scene, first - 1
    while at > window.first and scene.determiners[at]:
        at -= 1
    return at >= window.first and at < first - 1 and goes_into(scene.tokens[at].norm)


def _lead(window: Window, first: int) -> str:
    """The word before the noun phrase that has ``first`` in it: past choices and extremes ("the oldest file")."""
    scene = window.scene
    at = first - 1
    while at > window.first and (
        is_superlative(scene.tokens[at].norm) or any(form in window.profile.phrases for form in scene.forms[at])
    ):
        at -= 1
    return scene.tokens[max(at, window.first)].norm


def _is_cue(window: Window, parameter: Parameter, one: Filler) -> bool:
    """Short text that begins or ends with a word by which the examples announce a value ("called", "saying")."""
    scene = window.scene
    edges = {one.first, one.last - 1}
    if parameter.type.kind is K.TEXT:  # "call the bank" is a text, "called the bank" is not
        edges = {one.first} if scene.tokens[one.first].norm != scene.keys[one.first] else set()
    return any(not scene.free[at] and _announces(window, at) for at in edges)


def _announces(window: Window, at: int) -> bool:
    """The word stands left of slots in the examples, more often than any example begins with it."""
    scene, profile = window.scene, window.profile
    if scene.keys[at] not in profile.announcers:
        return False
    return not scene.hard >> at & 1
