"""A clause whose verb or question is how other tools are asked: "empty the folder" adds no empty folder."""

from __future__ import annotations

from math import fsum

from kernel.composition import weights as w
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene
from kernel.composition.stretch import Stretch, told_in
from kernel.composition.words import REQUESTS, is_auxiliary, is_entire, is_light, is_pronoun, is_whether
from kernel.language.function_words import is_question_word
from kernel.language.lemmas import is_german_noun

_ASKED = frozenset("when who whose whom why wann wer wessen wem wen warum wieso weshalb".split())


def verb_clash(
    stretch: Stretch, mask: int, like: frozenset[str], features: frozenset[str]
) -> tuple[int, float] | None:  # fmt: skip
    """Return the verb or question word by which another tool is meant, and what that costs; None where none is.

    ``mask``: the words that are values; ``like``: what the nearest example says; ``features``: what is said.
    """
    clash = _clashing(stretch, mask, like, features)
    if clash is None:
        return None
    return clash, w.ASKED_OTHERWISE if _is_never_asked(stretch.scene, stretch.profile, clash) else w.VERB_CLASH


def _clashing(stretch: Stretch, mask: int, like: frozenset[str], features: frozenset[str]) -> int | None:
    scene, profile, told = stretch.scene, stretch.profile, told_in(stretch)
    for index in stretch.indexes:
        if told >> index & 1:
            continue
        if is_question_word(scene.tokens[index].norm) or _asks_about(scene, index):
            strange = _is_never_asked(scene, profile, index)
            return None if not strange and (profile.is_pure or profile.asks) else index
        if scene.free[index] or is_light(scene.tokens[index].norm) or scene.costs[index] == w.LIGHT:
            continue
        if mask >> index & 1 or scene.keys[index] in like or (index == stretch.first and _ends_in_own_verb(stretch)):
            return None
        if _has_article(scene, index):
            continue  # "can you rename the note X": a noun, whatever other requests begin with it
        most = stretch.box.verb_count(scene.forms[index], profile.language)
        own = profile.begins(scene.forms[index])
        if not own and not profile.is_pure and index == stretch.first and not scene.hard >> index & 1:
            return index  # "empty the folder" is not "add an empty folder"
        telling = stretch.box.idf(scene.keys[index], profile.language) >= w.TELLING_VERB
        if own and (profile.is_pure or not telling or _is_said_so(stretch, index, features)):
            return None
        return index if most and own < w.OWN_VERB_SHARE * most else None
    return None


def _is_never_asked(scene: Scene, profile: Profile, index: int) -> bool:
    """ "When is it", to a tool none of whose examples and choices has a "when"; not "when a task is due, tell me"."""
    word, following = (scene.tokens[at].norm if at < scene.size else "" for at in (index, index + 1))
    if word not in _ASKED or (word == "when" and following != "'s" and not is_auxiliary(following)):
        return False
    told = (one for values in profile.told.values() for one in values)
    return profile.vocabulary.get(word) != 1.0 and word not in profile.phrases and not any(word in one for one in told)


def _has_article(scene: Scene, index: int) -> bool:
    """ "The note", and "the whole mail" too."""
    whole = index > 1 and is_entire(scene.tokens[index - 1].norm)
    return index > 0 and (scene.determiners[index - 1] or (whole and scene.determiners[index - 2]))


def _ends_in_own_verb(stretch: Stretch) -> bool:
    """ "Notiz Einkauf in Wocheneinkauf umbenennen": in German the verb may stand last, and a noun first."""
    scene, profile = stretch.scene, stretch.profile
    last = max((at for at in stretch.indexes if scene.words[at]), default=stretch.first)
    if scene.intent.language != "de" or last == stretch.first or not scene.tokens[last].norm.endswith("n"):
        return False
    own = any(profile.vocabulary.get(form, 0.0) == 1.0 for form in scene.forms[last])
    noun = scene.tokens[stretch.first].text[:1].isupper() and is_german_noun(scene.tokens[stretch.first].norm)
    return own and noun and not scene.free[last]


def _asks_about(scene: Scene, index: int) -> bool:
    """ "Should I", "did you": a question about the deed, not the deed; "could you" asks for it."""
    three = tuple(token.norm for token in scene.tokens[index : index + 3])
    if is_whether(three):
        return True
    pair = three[:2]
    return len(pair) == 2 and is_auxiliary(pair[0]) and is_pronoun(pair[1]) and pair not in REQUESTS


def _is_said_so(stretch: Stretch, verb: int, features: frozenset[str]) -> bool:
    """An example with this verb has most of its other words here too."""
    table = stretch.box.weights(stretch.profile.language)
    for skeleton in stretch.profile.skeletons:
        if stretch.scene.keys[verb] in skeleton.content:
            whole = fsum(map(table.__getitem__, skeleton.content))
            if fsum(map(table.__getitem__, skeleton.content & features)) >= w.SAID_SHARE * whole:
                return True
    return False
