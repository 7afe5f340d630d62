"""What a name of the person's own stands for in a sentence: the thing that is meant, the place where it lies, or less.

What this stops: that the folder of "delete the letters in Work" is taken for a further thing to delete; that the verb
of "empty the bin" or the adjective of "the blank page" is taken for a file of that name; that "make a folder called
Letters" is about one that is there already, somewhere else; that "delete the lease but not the letter" is about one
thing of so long a name.
What it does not: say what is meant instead. A word that stands for none of its names stays unexplained, and then
nothing is done.
"""

from __future__ import annotations

from kernel.composition import weights as w
from kernel.composition.filling.new_names import NEW, noun_before
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import NUMBERS, Scene
from kernel.composition.words import is_contrast
from kernel.language.amounts.units import MONEY, PERCENTS
from kernel.language.place.deep import DEEP, SUBFOLDERS
from kernel.language.place.partial import PART
from kernel.language.place.place_words import FILE_NOUNS, FOLDER_NOUNS
from kernel.language.time.hours import OPEN
from kernel.model import Span
from skills.model import Parameter, ValueKind

K = ValueKind
_PLACES = frozenset(
    "in from inside within under at on of out im ins aus von vom unter unterhalb auf innerhalb bei am beim".split()
)
JOINING = frozenset("and or und oder sowie plus &".split())
"""What stands between two things of one act, beside a comma."""

_BY_NAME = frozenset({"place", "stem", "name"})
_SPOKEN = frozenset({K.FILE, K.FOLDER})
_COMPARING = frozenset("over above under below than least über unter als mindestens".split())


def _is_read_as_wide(scene: Scene, profile: Profile, span: Span) -> bool:
    """ "Before 10": what only reads takes all that lies there, and what sets something takes the time alone."""
    if not profile.is_pure:
        return span.source != OPEN
    wider = (one for one in scene.spans if one.source == OPEN and one.first < span.first)
    return span.source == OPEN or not any(span.last <= one.last for one in wider)


def is_locative(norm: str) -> bool:
    """Tell whether the preposition says where something lies, or what it is taken from."""
    return norm in _PLACES


def may_serve(scene: Scene, profile: Profile, parameter: Parameter, span: Span) -> bool:
    """Tell whether the value may be what ``parameter`` takes, and is not only a place, a verb or an adjective.

    A number that something is compared with is not how many: "the rows over 150". Nor is a sum of money, which is no
    percentage either, as a percentage is no sum.
    """
    if span.kind in NUMBERS:
        compared = parameter.name == profile.count and _is_compared(scene, span.first)
        return not compared and _fits_unit(scene, profile, parameter, span)
    if span.kind not in _SPOKEN or parameter.type.kind not in (K.FILE, K.FOLDER, K.TABLE):
        return span.kind is not K.HOURS or _is_read_as_wide(scene, profile, span)
    if span.source == DEEP and not _goes_deep(profile):
        return False
    if span.kind is K.FOLDER and _is_still_to_make(scene, profile, parameter, span):
        return False
    if not profile.removes(parameter.name):
        return True
    return not (span.source == PART or is_place(scene, profile, span) or is_modifier(scene, profile, span))


def _fits_unit(scene: Scene, profile: Profile, parameter: Parameter, span: Span) -> bool:
    unit = scene.tokens[span.last].norm if span.last < scene.size else ""
    if unit in MONEY:
        return parameter.type.kind is not K.INTEGER and parameter.name not in profile.percentages
    return unit not in PERCENTS or not profile.percentages or parameter.name in profile.percentages


def _goes_deep(profile: Profile) -> bool:
    """Tell whether the tool looks through folders below a folder: its examples say so."""
    return profile.is_pure and not SUBFOLDERS.isdisjoint(profile.carriers)


def _is_compared(scene: Scene, at: int) -> bool:
    return at > 0 and scene.tokens[at - 1].norm in _COMPARING


def is_place(scene: Scene, profile: Profile, span: Span) -> bool:
    """ "... in Downloads": a folder behind a preposition that says where; not where the tool's own words end in one."""
    at = scene.left_of(span.first, 0)
    if span.kind is not K.FOLDER or at < 0:
        return False
    if scene.tokens[at].norm in JOINING:  # "in Downloads and Documents"
        before = (one for one in scene.spans if one.last == at and one.first < span.first)
        return any(is_place(scene, profile, one) for one in before)
    if not is_locative(scene.tokens[at].norm):
        return False
    own = at > 0 and any(form in profile.carriers for form in scene.forms[at - 1])
    return not (own and scene.tokens[at].norm in ("of", "von"))  # "get rid of Drafts"


def is_modifier(scene: Scene, profile: Profile, span: Span) -> bool:
    """A word that is also a name, but stands as the verb ("empty the bin") or before a noun ("the blank page")."""
    token = scene.tokens[span.first]
    if span.source not in _BY_NAME or span.last - span.first != 1 or not token.norm.isalpha():
        return False
    after = span.last
    follows = after < scene.size and scene.words[after]
    if span.first == scene.begin or any(one.at == span.first for one in scene.intent.boundaries):
        return follows and (scene.determiners[after] or not scene.free[after])
    return follows and not scene.free[after] and not _is_verb(scene, profile, after)


def _is_verb(scene: Scene, profile: Profile, at: int) -> bool:
    """A verb of the tool at the end: "den Ordner Alben löschen"."""
    known = any(form in profile.carriers for form in scene.forms[at])
    return known and scene.tokens[at].norm not in FOLDER_NOUNS | FILE_NOUNS


def _is_still_to_make(scene: Scene, profile: Profile, parameter: Parameter, span: Span) -> bool:
    """The name of a folder to be made is no folder that is there; without "new", a tool may yet be about such a one.

    What only reads is about none that is not there: "make a folder Trips" is no wish to see what it holds.
    """
    if not scene.new >> span.first & 1:
        return False
    if profile.is_pure:
        return span.source == "missing"
    return parameter.name in profile.makes or _is_called_new(scene, span)


def doubt_of(scene: Scene, profile: Profile, span: Span) -> float:
    """Return how much of the score is left for a folder that is there, where "a folder called so" is spoken of."""
    made = span.kind is K.FOLDER and not profile.is_pure and scene.new >> span.first & 1
    return w.MADE_ANEW if made else 1.0


def _is_called_new(scene: Scene, span: Span) -> bool:
    first = noun_before(scene.tokens, span.first)
    return first > 0 and scene.tokens[first - 1].norm in NEW


def holds_part(scene: Scene, first: int, last: int) -> bool:
    """The text has more in it than words that name a file: "the sum of the Berg bill" is a sum, and of that bill."""
    return any(
        span.source == PART and first <= span.first and span.last <= last and (span.first, span.last) != (first, last)
        for span in scene.spans
    )


def sets_apart(scene: Scene, profile: Profile, first: int, last: int) -> bool:
    """Words that say what is to be gone, and in the middle set something apart from it: two things, and no name."""
    return profile.destroys and any(is_contrast(token.norm) for token in scene.tokens[first + 1 : last])
