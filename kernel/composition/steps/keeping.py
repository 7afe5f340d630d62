"""What a person says they still need is not taken away: "delete the pdfs, I still need b.pdf".

What this stops: that such words are read as a name or a condition of the deletion, or are passed over.
What it does not: hold against "I don't need it any more", a need that is the request ("I need it deleted"), or a reason
("because I need it tomorrow").
"""

from __future__ import annotations

from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene, bits
from kernel.composition.words import is_keeping, is_negation, is_speaker, is_still
from kernel.language.frame.framing import says_no_longer
from skills.model import ValueKind

_THINGS = frozenset({ValueKind.FILE, ValueKind.FOLDER})
_NEAR = 3


def keeps_something(scene: Scene, box: Box) -> bool:
    """Tell whether a clause of the sentence says that somebody has a use for a thing."""
    if ("keeps",) not in scene.memo:
        scene.memo["keeps",] = any(_keeps(scene, box, at) for at in range(scene.size))
    return bool(scene.memo["keeps",])


def _keeps(scene: Scene, box: Box, at: int) -> bool:
    around = range(max(at - _NEAR, 0), min(at + 2, scene.size))
    speaker = next((one for one in around if is_speaker(scene.tokens[one].norm)), -1)
    if speaker < 0 or not is_keeping(scene.tokens[at].norm):
        return False
    first, last = min(speaker, at), _end(scene, at)
    if any(scene.frames.is_reason(one, marked=False) for one in range(max(first - 2, 0), first + 1)):
        return False
    words = [token.norm for token in scene.tokens[first:last]]
    if any(map(is_negation, words)) or says_no_longer(words):
        return False
    deeds = (one for one in range(first, last) if scene.words[one] and not scene.free[one])
    others = (one for one in deeds if not is_keeping(scene.tokens[one].norm))
    if any(box.is_verb(scene.forms[one], scene.intent.language) for one in others):
        return False
    spans = (one for one in scene.spans_in(first, last) if one.kind in _THINGS and one.source != "missing")
    return bool(scene.pointing & bits(at, last)) or any(map(is_still, words)) or any(spans)


def _end(scene: Scene, at: int) -> int:
    while at < scene.size and scene.words[at]:
        at += 1
    return at
