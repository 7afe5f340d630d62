"""Asides: clauses beside a request that ask for nothing, "as I need it tomorrow", "it's all in expenses.csv".

What this stops: that such a clause is read as a request, or keeps one from being understood.
What it does not: guess. An aside that limits the request ("only", "except", a date, a size) is no aside, and where one
names something that "it" may mean, nothing of earlier runs is meant any more.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernel.composition import weights as w
from kernel.composition.fit import argument_source
from kernel.composition.flow import Source
from kernel.composition.scene import HARD, Scene, bits
from kernel.composition.segments import Segment
from kernel.composition.words import is_negation
from kernel.language.framing import excludes, says_no_longer
from kernel.model import Span
from skills.model import ValueKind, ValueType

K = ValueKind
_THINGS = frozenset({K.FILE, K.FOLDER})
_LIMITS = HARD - _THINGS - {K.NEW_FILE}
_SURE = 0.7


@dataclass(frozen=True, slots=True)
class Aside:
    """A clause that is passed over: its price, and what it names for "it" to mean."""

    cost: float
    topics: tuple[Source, ...] = ()
    deaf: bool = False


def aside_of(scene: Scene, segment: Segment) -> Aside | None:
    """Return the segment as an aside, or None when it may ask for something."""
    key = ("aside", segment.first, segment.last, segment.after)
    if key not in scene.memo:
        scene.memo[key] = _dislocated(scene, segment) or _read(scene, segment)
    found: Aside | None = scene.memo[key]
    return found


def _dislocated(scene: Scene, segment: Segment) -> Aside | None:
    """A pronoun alone, taken up by the next clause."""
    said = [at for at in range(segment.first, segment.last) if scene.costs[at]]
    before = segment.after < scene.size and _marked(scene, segment.last, segment.after)
    alone = before and all(scene.pointing >> at & 1 and scene.free[at] for at in said)
    return Aside(w.DISLOCATED) if said and alone else None


def _read(scene: Scene, segment: Segment) -> Aside | None:
    words = [token.norm for token in scene.tokens[segment.first : segment.last]]
    marked = _marked(scene, segment.last, segment.after) or _marked(scene, 0, segment.first)
    reason = scene.frames.is_reason(segment.first, marked=marked)
    if not (reason or (marked and scene.frames.is_statement(segment.first))) or excludes(words):
        return None
    if reason:
        return Aside(w.REASON)
    if any(map(is_negation, words)) and not says_no_longer(words):
        return None
    if any(_limits(scene, span) for span in scene.spans_in(segment.first, segment.last)):
        return None
    topics = _topics(scene, segment)
    points = bool(scene.pointing & bits(segment.first, segment.last))
    return Aside(w.ASIDE, topics, deaf=not points or bool(topics))


def _marked(scene: Scene, first: int, last: int) -> bool:
    """A mark stands in [first, last), at its end when it is what comes before a clause."""
    if first == 0:
        return last > 0 and not scene.words[last - 1]
    return any(not scene.words[at] for at in range(first, last))


def _limits(scene: Scene, span: Span) -> bool:
    """A value that may be meant to hold for the request."""
    return span.kind in _LIMITS and bool(scene.hard >> span.first & 1)


def _topics(scene: Scene, segment: Segment) -> tuple[Source, ...]:
    """The things that the clause names and that are there, one for each place in it."""
    named: dict[int, list[Span]] = {}
    for span in scene.spans_in(segment.first, segment.last):
        if span.kind in _THINGS and span.source != "missing" and span.confidence >= _SURE:
            named.setdefault(span.first, []).append(span)
    sources = []
    for group in named.values():
        best = max(group, key=lambda one: (one.last - one.first, one.confidence))
        if len({one.value for one in group if one.kind is best.kind and one.last == best.last}) == 1:
            text = scene.text(best.first, best.last)
            sources.append(argument_source(ValueType(best.kind), best.value, best.label, text, 0.0))
    return tuple(one for one in sources if one is not None)
