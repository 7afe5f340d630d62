"""What is said apart from the times of a rule and keeps it still at some of them: "but never before ten"."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC

from kernel.language import Line
from kernel.routines.hearing.beside import Beside, elsewhere
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.limits import Limits, limit
from kernel.routines.hearing.model import Heard, Lack, Unclear, Words, meets
from kernel.routines.limiting import OF_THE_CLOCK, is_out_of_time
from kernel.routines.model import Elapsed, Once, Recurring
from kernel.routines.moments import following

_FORBIDS = frozenset("but never not no only aber nie niemals nicht nur ned net erst frühestens spätestens at".split())
_LONGEST_BESIDE = 8  # items of a limit right behind the times
_LOOKED_AT = 62
"""Moments that are looked at: two months of a time of each day."""


def limited(line: Line, heard: Heard) -> Heard | Unclear:
    """Return ``heard`` with what limits it elsewhere in the sentence; unclear where that leaves no moment of it."""
    gist = Gist.of(line)
    first, last = _items(gist, heard.words[0])
    found = elsewhere(gist, first, last)
    near = _right_behind(gist, last)
    found = replace(found, limits=(*near.limits, *found.limits), words=(*near.words, *found.words)) if near else found
    taken = [one for one in found.words if line.norm(one[0]) in _FORBIDS and not meets(one, heard.words)]
    if not found.limits or len(taken) != len(found.words) or any(kind not in OF_THE_CLOCK for kind, _ in found.limits):
        return heard
    words = tuple(sorted([*heard.words, *taken]))
    if not _is_ever(heard, found.limits, line):
        return Unclear(Lack.NEVER, words, " … ".join(line.slice(*one) for one in words))
    return replace(heard, words=words, limits=(*heard.limits, *found.limits))


def _right_behind(gist: Gist, last: int) -> Beside | None:
    """What limits the times without a mark behind it: "um halb acht | erst um neun | meine Aufgaben"."""
    if gist.word(last) not in _FORBIDS:
        return None
    for end in range(min(last + _LONGEST_BESIDE, gist.size), last + 1, -1):
        held = limit(gist.text(last, end)) if gist.word(end) and not gist.line.is_mark(gist.spans[end][0]) else ()
        if held:
            return Beside(end, held, (), (gist.tokens(last, end),))
    return None


def _items(gist: Gist, words: Words) -> tuple[int, int]:
    """The items of a stretch of tokens."""
    inside = [at for at, (first, last) in enumerate(gist.spans) if first < words[1] and words[0] < last]
    return inside[0], inside[-1] + 1


def _is_ever(heard: Heard, limits: Limits, line: Line) -> bool:
    """Tell whether one of the next moments is none at which a limit keeps the rule still."""
    assert isinstance(heard.trigger, Once | Recurring | Elapsed)
    at, zone = line.now, line.now.tzinfo or UTC
    for _ in range(_LOOKED_AT):
        come = following(heard.trigger, at, "", at, zone)
        if come is None:
            return False
        if not is_out_of_time(dict(limits), come.astimezone(zone), ()):
            return True
        at = come
    return False
