"""Deeds as values: what somebody is to be reminded of, "to [take the parcel to the post office] tomorrow at 8".

What this stops: that the verbs, places and pronouns of such a text are read as those of the request.
What it does not: take a deed where no example has one behind the same word, or for a tool that takes no time.
"""

from __future__ import annotations

from kernel.composition.scene import Scene, bits
from kernel.composition.segments import asks_back, opens_request
from kernel.composition.window import Filler, Window
from kernel.composition.words import is_determiner, is_pronoun
from kernel.language.function_words import PREPOSITIONS
from kernel.language.there import is_that_day
from kernel.model import Constant
from skills.model import Parameter, ValueKind

K = ValueKind
DEED = "deed"
_LEADS = {"en": ("to",), "de": ("daran", "dran")}
_WHEN = frozenset({K.DATE, K.PERIOD, K.DURATION, K.HOURS, K.RECURRENCE})
_THAT = "that"
_SURE = 0.95
_LEAST_SHARE = 0.5
_FEWEST = 2


def deeds(window: Window, parameter: Parameter) -> list[Filler]:
    """Return the text behind the first "to" or "daran" of the words, to their end, or to a time that closes them."""
    scene, language = window.scene, window.scene.intent.language
    timed = any(one.type.kind in _WHEN for one in window.profile.tool.parameters)
    if parameter.type.kind is not K.TITLE or parameter.type.many or not timed:
        return []
    share = window.profile.cues.share_left(parameter.name, _LEADS.get(language, ()))
    asked = share and share >= _LEAST_SHARE
    start = _begins(window) if asked else -1
    if start < 0:
        return []
    told = scene.tokens[start - 1].norm == _THAT and any(
        one.kind in _WHEN for one in scene.spans_in(window.first, start)
    )
    end = window.last if told else _ends(scene, start, window.last)  # "remind me at 5 that the shop closes at 6"
    return [_one(scene, parameter, start, end)] if end - start >= _FEWEST else []


def _begins(window: Window) -> int:
    """Where the deed begins: behind a word of the tool and "to", and before a verb, so before no article or number."""
    scene, own = window.scene, window.profile.verbs.keys() | window.profile.carriers
    asked = False
    for at in range(window.first, window.last - _FEWEST):
        asked |= not scene.free[at] and any(form in own for form in scene.forms[at])
        if asked and (_is_forborne(scene, at) or _is_told(scene, at)):
            return at + (scene.tokens[at].norm == _THAT)
        if not asked or scene.tokens[at].norm not in _LEADS[scene.intent.language] or scene.hard >> at & 1:
            continue
        start = at + 1 if scene.words[at + 1] else at + 2
        if start < window.last - 1 and _is_deed(scene, start):
            return start
    return -1


def _is_forborne(scene: Scene, at: int) -> bool:
    """ "Remind me not to [forget the keys]": what is not to be done is what somebody wants to hear."""
    return scene.intent.language == "en" and [token.norm for token in scene.tokens[at : at + 2]] == ["not", "to"]


def _is_told(scene: Scene, at: int) -> bool:
    """ "Remind me that [the rent is due]": a clause, and not "that" as a thing."""
    if scene.tokens[at].norm != _THAT or at + _FEWEST >= scene.size:
        return False
    after = scene.tokens[at + 1].norm
    return is_determiner(after) or is_pronoun(after)


def _is_deed(scene: Scene, start: int) -> bool:
    norm = scene.tokens[start].norm
    if not norm.isalpha() or scene.hard >> start & 1:
        return False
    if scene.intent.language == "de":
        return True
    return not is_determiner(norm) and norm not in PREPOSITIONS["en"] and not scene.tokens[start].text[:1].isupper()


def _ends(scene: Scene, start: int, last: int) -> int:
    inside = (one for one in scene.intent.boundaries if start < one.left < last)
    over = [one.left for one in inside if opens_request(one) or asks_back(scene.intent, one)]
    last = min([last, *over])
    while last > start and not scene.words[last - 1]:
        last -= 1
    return _before_times(scene, start, last)


def _before_times(scene: Scene, start: int, last: int) -> int:
    """Where the text ends before the times that close it: "call Anna | tomorrow at 8", "| that day"."""
    end = last
    while True:
        closing = (one for one in scene.spans_in(start, last) if one.first < end <= one.last)
        begins = [one.first for one in closing if one.kind in _WHEN]
        begins += [one.first for one in scene.references_in(start, end) if one.last == end and is_that_day(one)]
        first = min((at for at in begins if at > start), default=end)
        if first == end:
            return end
        end = first
        while end > start and (not scene.words[end - 1] or scene.tokens[end - 1].norm in _BEFORE_TIMES):
            end -= 1


_BEFORE_TIMES = frozenset("at on by in until am um bis ab vor for".split())


def _one(scene: Scene, parameter: Parameter, start: int, end: int) -> Filler:
    text = scene.text(start, end).strip()
    value = Constant(text, scene.intent.label, text)
    return Filler(parameter.name, value, bits(start, end), start, end, _SURE, DEED)
