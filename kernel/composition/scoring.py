"""How well a reading of words as one call of a tool holds: distance from examples, and what stays unexplained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from typing import Protocol

from kernel.composition import weights as w
from kernel.composition.filling.announced import is_announced, whole_name
from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.profiles.skeletons import Skeleton, articles_of, features_of
from kernel.composition.scene import Scene, bits
from kernel.composition.taking_up import takes_up
from kernel.composition.window import Filler
from kernel.composition.words import (
    FRAME,
    REQUESTS,
    is_auxiliary,
    is_entire,
    is_light,
    is_limiting,
    is_negation,
    is_pronoun,
    is_relating,
    is_whether,
    is_whole,
)
from kernel.language.amounts.units import BARE_UNITS, PERCENTS
from kernel.language.function_words import is_question_word
from kernel.language.lemmas import is_german_noun
from kernel.language.place.place_words import PLURAL_FILES
from skills.model import ParamRole, ValueKind

_VALUES = frozenset(
    {
        ValueKind.INTEGER, ValueKind.NUMBER, ValueKind.BOOLEAN, ValueKind.CHOICE, ValueKind.DATE, ValueKind.PERIOD,
        ValueKind.SIZE, ValueKind.DURATION, ValueKind.QUANTITY, ValueKind.UNIT, ValueKind.EXPRESSION,
        ValueKind.URL,
    }
)  # fmt: skip
"""Kinds of which no value can be any words."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The words [first, last) of a sentence, to be read as a call of one tool."""

    scene: Scene
    profile: Profile
    box: Box
    first: int
    last: int

    @property
    def indexes(self) -> range:
        """The tokens."""
        return range(self.first, self.last)


class Spoken(Protocol):
    """A step with its values."""

    @property
    def fillers(self) -> tuple[Filler, ...]: ...


@dataclass(frozen=True, slots=True)
class Doubt:
    """What stays unexplained: its cost, the tokens, and whether a negation or a number is among them."""

    cost: float
    words: tuple[int, ...]
    grave: bool


# --- unexplained words --------------------------------------------------------------------------------------------


def residue(scene: Scene, profile: Profile) -> tuple[float, ...]:
    """Return what each token still costs when ``profile``'s vocabulary explains what it can."""
    key = ("residue", profile.tool.id)
    if key not in scene.memo:
        scene.memo[key] = tuple(_left(scene, profile, index) for index in range(scene.size))
    found: tuple[float, ...] = scene.memo[key]
    return found


def _left(scene: Scene, profile: Profile, index: int) -> float:
    cost = scene.costs[index]
    if not cost or scene.never >> index & 1:
        return cost
    return cost * (1.0 - max((profile.vocabulary.get(form, 0.0) for form in scene.forms[index]), default=0.0))


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
    clash = _verb_clash(stretch, mask, like, features)
    if clash is None:
        return Doubt(cost, tuple(words), grave)
    strange = _is_asked(scene, clash) and not _has(stretch.profile, scene.tokens[clash].norm)
    return Doubt(cost + (w.ASKED_OTHERWISE if strange else w.VERB_CLASH), tuple(dict.fromkeys((clash, *words))), grave)


def told_in(stretch: Stretch) -> int:
    """Return the words that only tell whose a value is, for a tool that takes nothing but values."""
    parameters = stretch.profile.tool.parameters
    if not stretch.scene.told or not (stretch.profile.is_pure and all(one.type.kind in _VALUES for one in parameters)):
        return 0
    return stretch.scene.told


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


def with_units(stretch: Stretch, fillers: Iterable[Filler]) -> int:
    """Return the words that the values explain: their own, and the unit of a bare number, as in "96 euros"."""
    mask = 0
    for one in fillers:
        is_number = stretch.profile.parameter(one.parameter).type.kind is ValueKind.NUMBER
        mask |= bits(one.first, one.last + 1) if is_number and _unit_behind(stretch, one) else one.mask
    return mask


def _unit_behind(stretch: Stretch, one: Filler) -> str:
    unit = stretch.scene.tokens[one.last].norm if one.mask and one.last < stretch.last else ""
    return unit if unit in BARE_UNITS else ""


def _is_silent(stretch: Stretch, one: Filler, fillers: Iterable[Filler]) -> bool:
    """A unit behind the value that says no more than the number; a currency does where the tool takes one."""
    unit = _unit_behind(stretch, one)
    return bool(unit) and (unit in PERCENTS or not _takes_unit(stretch, fillers))


def open_units(stretch: Stretch, fillers: tuple[Filler, ...]) -> int:
    """Return how many currencies stand behind values although the tool has a parameter for them that is empty."""
    behind = [one for one in fillers if _unit_behind(stretch, one) and not _is_silent(stretch, one, fillers)]
    return len(behind)


def _takes_unit(stretch: Stretch, fillers: Iterable[Filler]) -> bool:
    named = {one.parameter for one in fillers}
    return any(one.type.kind is ValueKind.UNIT and one.name not in named for one in stretch.profile.tool.parameters)


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


def _verb_clash(stretch: Stretch, mask: int, like: frozenset[str], features: frozenset[str]) -> int | None:
    scene, profile, told = stretch.scene, stretch.profile, told_in(stretch)
    for index in stretch.indexes:
        if told >> index & 1:
            continue
        if is_question_word(scene.tokens[index].norm) or _asks_about(scene, index):
            answers = not _is_asked(scene, index) or _has(profile, scene.tokens[index].norm)
            return None if answers and (profile.is_pure or profile.asks) else index
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


_ASKED = frozenset("when who whose whom why wann wer wessen wem wen warum wieso weshalb".split())


def _is_asked(scene: Scene, index: int) -> bool:
    """ "When is it", but not "when a task is due, tell me"."""
    word, following = (scene.tokens[at].norm if at < scene.size else "" for at in (index, index + 1))
    return word in _ASKED and (word != "when" or following == "'s" or is_auxiliary(following))


def _has(profile: Profile, word: str) -> bool:
    """Some example has the word, or a choice is said with it: "when was it made" is asked of a tool that tells when."""
    told = (one for values in profile.told.values() for one in values)
    return profile.vocabulary.get(word) == 1.0 or word in profile.phrases or any(word in one for one in told)


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


def is_anchored(stretch: Stretch, fillers: tuple[Filler, ...], mask: int) -> bool:
    """Tell whether more than free text speaks for the tool: a word of its own, a choice, a vouched value, a pointer.

    A title that nothing vouches for needs more than the verb: one may open, delete or take a thousand things. Not one
    that is new, where an example has that verb and nothing else beside it: "remind me about the pottery".
    """
    scene, vocabulary = stretch.scene, stretch.profile.vocabulary
    if any(_is_telling(scene, stretch.profile, one) or _is_vouched(scene, one) for one in fillers):
        return True
    own = [
        index
        for index in stretch.indexes
        if not (mask >> index & 1 or scene.free[index] or is_light(scene.tokens[index].norm))
        and any(vocabulary.get(form, 0.0) == 1.0 for form in scene.forms[index])
    ]
    if not any(_is_loose_title(stretch, one) for one in fillers):
        return bool(own)
    verb = next((index for index in stretch.indexes if scene.words[index] and not scene.free[index]), -1)
    if verb in own and all(_is_said_alone(stretch, one, verb) for one in fillers):
        return True
    return any(index != verb or not stretch.profile.nouns.isdisjoint(scene.forms[index]) for index in own)


def _is_said_alone(stretch: Stretch, one: Filler, verb: int) -> bool:
    """Tell whether some example begins with this verb and has this new text for its only value."""
    slot = f"<{one.parameter}>"
    return stretch.profile.parameter(one.parameter).role is ParamRole.PAYLOAD and any(
        skeleton.elements[0] in stretch.scene.forms[verb]
        and {element for element in skeleton.elements if element.startswith("<")} == {slot}
        for skeleton in stretch.profile.skeletons
    )


def _is_loose_title(stretch: Stretch, one: Filler) -> bool:
    is_title = stretch.profile.parameter(one.parameter).type.kind is ValueKind.TITLE
    return is_title and one.origin == "doubted" and not is_announced(stretch.scene, one.first, one.last)


def _is_telling(scene: Scene, profile: Profile, one: Filler) -> bool:
    """A value that examples had too, unless it is a body of text: that may say anything."""
    return profile.parameter(one.parameter).type.kind is not ValueKind.TEXT and is_known(scene, profile, one)


def _is_vouched(scene: Scene, one: Filler) -> bool:
    if not one.mask or one.origin in ("doubted", "object"):
        return bool(one.mask) and whole_name(scene, one.first, one.last)  # the world vouches for a name it knows
    return one.origin != "typed" or bool(one.mask & scene.never) or _is_called_so(scene, one)


def _is_called_so(scene: Scene, one: Filler) -> bool:
    """ "The screenshot": the only file of that name, behind a definite article."""
    return any(
        (span.first, span.last) == (one.first, one.last)
        and span.kind is ValueKind.FILE
        and span.source == "stem"
        and span.confidence >= w.CALLED_SO
        for span in scene.spans
    )


def is_grounded(scene: Scene, steps: Iterable[Spoken]) -> bool:
    """Tell whether a plan is about something that is there: a value that more than its place vouches for.

    A plan without values is about what its words say.
    """
    fillers = [one for step in steps for one in step.fillers if one.mask]
    return not fillers or any(_is_vouched(scene, one) or one.score >= w.SURE_TEXT for one in fillers)


def is_known(scene: Scene, profile: Profile, one: Filler) -> bool:
    """Tell whether a word of the value stood in this very slot in an example."""
    values = profile.values.get(one.parameter, frozenset())
    return any(form in values for at in range(one.first, one.last) for form in scene.forms[at])


def is_limited(profile: Profile, fillers: Iterable[Filler]) -> bool:
    """Tell whether the tool returns only some of what there is, and nobody said how many or which first."""
    named = {one.parameter for one in fillers}
    count = profile.count
    return bool(count) and profile.parameter(count).default is not None and not named & {count, *profile.ordering}


# --- distance from the examples -----------------------------------------------------------------------------------


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
            index = one.last + (_is_silent(stretch, one, fillers) and one.last not in starts)
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
