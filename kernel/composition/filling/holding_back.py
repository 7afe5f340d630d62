"""A text that ends in holding the deed back: "mail Anna that I am late, no wait, don't", "..., but don't send it yet".

What this stops: that such words are sent or written down as the end of the text, and the deed is done; that a deed is
done which waits for what its text says ("wenn ich Anna angerufen habe, hak das ab").
What it does not: hold against what a text forbids somebody else ("I left soup out, don't eat it": no verb of the tool),
against what is quoted, or against a text that only asks ("are you coming or not").
"""

from __future__ import annotations

import re

from kernel.composition.fit import Step
from kernel.composition.scene import Scene
from kernel.language.frame.told_values import is_conditional
from skills.model import ValueKind

_TEXTS = frozenset({ValueKind.TEXT, ValueKind.TITLE})
_PAUSE = "(?:^|[,;.!…–-] |(?:but|aber|and|und) )"
_NO = "(?:no|nope|nah|nein|nee|ne|nö|wait|actually|moment|halt|stop|stopp|ach|oh|hm|sorry|please|bitte|doch|,)"
_LATER = "(?:yet|now|off|out|today|for now|please|ab|los|weg|raus|jetzt|heute|bitte)"
_CALLED_OFF = re.compile(
    f"{_PAUSE}(?:(?:{_NO} )*(?:don't|do not|never mind|nevermind|scratch that|forget (?:it|that)|cancel that|"
    f"(?:lieber|doch|besser|bloß) (?:lieber |besser )?nicht|vergiss (?:es|das)|lass es)|(?:{_NO} )+(?:not|nicht)) "
    f"(?:{_LATER} )*(?:[.!] )?$"
)
_NAMES = _TEXTS | {ValueKind.QUERY}
_NEVER = frozenset("don't never".split())
_OWN = tuple(
    re.compile(f"{_PAUSE}{words} (?:[.!] )?$")
    for words in (
        f"(?:(?:please|just) )?(?:don't|do not|never) (?P<verb>\\w+) (?:it|that|this|them|anything)(?: {_LATER})*",
        "(?:i'll|i will|i'd rather|let me|i can) (?P<verb>\\w+) (?:it|that|this|them)(?: \\w+)? (?:myself|later|then)",
        f"(?P<verb>\\w+) (?:(?:es|sie|das|die|ihn|mir|bitte|aber|noch|jetzt) )*nicht(?: {_LATER})*",
        "ich (?P<verb>\\w+) (?:es|sie|das|die|ihn)(?: \\w+)? (?:selbst|selber|später|dann)(?: ab)?",
    )
)


def holds_back(scene: Scene, step: Step) -> bool:
    """Tell whether an unquoted text of the step ends in words that call the step off."""
    texts = {one.name for one in step.profile.tool.parameters if one.type.kind in _TEXTS}
    own = [one for one in step.fillers if one.parameter in texts and not scene.is_quoted(one.first, one.last)]
    return any(_forbids(scene, one.first) or _calls_off(scene, step, one.first, one.last) for one in own)


def waits_for(scene: Scene, step: Step) -> bool:
    """Tell whether a text of the step stands in what is to come true first: "if I have called Anna, tick that off"."""
    if not is_conditional(scene.tokens[scene.begin].norm):
        return False
    kinds = {one.name: one.type.kind for one in step.profile.tool.parameters}
    first = next((at for at in range(scene.begin, step.last) if _is_verb(scene, step, at)), scene.begin)
    return any(kinds[one.parameter] in _NAMES and one.mask and one.last <= first for one in step.fillers)


def _is_verb(scene: Scene, step: Step, at: int) -> bool:
    return any(form in step.profile.verbs for form in scene.forms[at])


def _forbids(scene: Scene, first: int) -> bool:
    """ "Do not remind me to call Anna": a text that the whole request begins with, and that forbids a deed."""
    words = [token.norm for token in scene.tokens[first : first + 3]]
    start = 2 if words[:2] == ["do", "not"] else 1 if words[:1] and words[0] in _NEVER else 0
    return first == scene.begin and start > 0 and words[start : start + 1] != ["forget"]


def _calls_off(scene: Scene, step: Step, first: int, last: int) -> bool:
    line = "".join(token.norm.replace(" ", "_") + " " for token in scene.tokens[first:last])
    if _CALLED_OFF.search(line):
        return True
    found = (match for pattern in _OWN if (match := pattern.search(line)) is not None)
    verbs = (first + line.count(" ", 0, match.start("verb")) for match in found)
    return any(_is_verb(scene, step, at) for at in verbs)
