"""Clauses that may be left undone, for a plan that does the rest of a sentence and says so.

What this stops: that what limits the rest is taken for a request of its own. What it does not: tell whether some tool
could do it; only what has no likely reading is left.
"""

from __future__ import annotations

from kernel.composition.scene import HARD, Scene, bits
from kernel.composition.segments import Segment
from kernel.composition.words import REQUESTS, is_contrast, is_limiting, is_speaker
from skills.model import ValueKind

_FEWEST = 2
_LIMITS = HARD - {ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE}


def may_be_left(scene: Scene, segment: Segment) -> bool:
    """Tell whether the segment asks for something by itself, and limits nothing that stands beside it."""
    words = range(segment.first, segment.last)
    content = [at for at in words if scene.words[at] and not scene.free[at]]
    if len(content) < _FEWEST or segment.strained or not _opens_request(scene, segment, content[0]):
        return False
    if scene.pointing & bits(segment.first, segment.last):
        return False
    if any(is_contrast(scene.tokens[at].norm) or is_limiting(scene.tokens[at].norm) for at in words):
        return False
    return not any(
        span.kind in _LIMITS and scene.hard >> span.first & 1 for span in scene.spans_in(words.start, words.stop)
    )


def _opens_request(scene: Scene, segment: Segment, content: int) -> bool:
    """It begins with a word that may be a verb, with "can you", or with who wishes something."""
    first = next(at for at in range(segment.first, segment.last) if scene.words[at])
    pair = tuple(token.norm for token in scene.tokens[first : first + 2])
    return first == content or pair in REQUESTS or is_speaker(scene.tokens[first].norm)
