"""What is said apart from the times of a rule and keeps it still at some of them: "but never before ten"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

from kernel.language import Line
from kernel.routines.hearing.beside import Beside, elsewhere
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.limits import Limits, limit
from kernel.routines.hearing.model import Heard, Lack, Unclear, Words, meets
from kernel.routines.hearing.when.day_words import PARTS
from kernel.routines.hearing.when.hours import HALVES, OCLOCK
from kernel.routines.limiting import OF_THE_CLOCK, is_out_of_time
from kernel.routines.model import Elapsed, Limit, Once, Recurring
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
    later = _in_their_half(heard, found.limits, line, taken)
    if not _is_ever(heard, found.limits, line) or not _is_ever(heard, later, line):
        return Unclear(Lack.NEVER, words, " … ".join(line.slice(*one) for one in words))
    return replace(heard, words=words, limits=(*heard.limits, *found.limits))


def _in_their_half(heard: Heard, limits: Limits, line: Line, taken: Sequence[Words]) -> Limits:
    """ "At 5 pm, at the earliest at six": beside times after noon alone, a bare hour may be one of the afternoon."""
    said = {line.norm(at) for first, last in taken for at in range(first, last)}
    marked = not said.isdisjoint(_HALF_SAID) or any(":" in word for word in said)
    if marked or any(at.hour < _NOON for at in islice(_moments(heard, line), _FEW)):
        return limits
    half = float(_NOON * 3600)
    return tuple((kind, at + half if kind is Limit.FROM and at < half else at) for kind, at in limits)


_NOON, _FEW = 12, 8
_HALF_SAID = OCLOCK.union(HALVES, PARTS)


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
    return any(not is_out_of_time(dict(limits), come, ()) for come in islice(_moments(heard, line), _LOOKED_AT))


def _moments(heard: Heard, line: Line) -> Iterator[datetime]:
    """The next moments of a rule, in the zone of the person."""
    assert isinstance(heard.trigger, Once | Recurring | Elapsed)
    at, zone = line.now, line.now.tzinfo or UTC
    while (come := following(heard.trigger, at, "", at, zone)) is not None:
        yield come.astimezone(zone)
        at = come
