"""Segments: which stretches of a sentence may be one clause, and what the boundaries they use or pass over cost."""

from __future__ import annotations

from dataclasses import dataclass

from kernel.composition import weights as w
from kernel.language.function_words import is_question_word
from kernel.model import Boundary, Intent

_ANSWERING = frozenset("give tell show zeig zeige sag sage nenn nenne gib".split())
_BEING = frozenset("'s is are was were ist sind war waren".split())
_TO_ME = frozenset("me us mir uns".split())

CERTAIN = 1.0
"""Strength of a boundary that is no matter of choice: where a frame ends or begins."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Words [first, last) between two places where a clause may begin or end; ``price`` is that of its boundaries."""

    first: int
    last: int
    after: int  # where the next clause begins
    price: float
    strained: bool = False  # it runs over a strong boundary, so it is hardly one clause


def boundaries_of(intent: Intent) -> tuple[Boundary, ...]:
    """Return the boundaries inside the sentence, the strongest ``MAX_BOUNDARIES`` in order."""
    end = end_of(intent)
    inside = [one for one in intent.boundaries if one.left > 0 and one.at < end]
    strongest = sorted(inside, key=lambda one: -one.strength)[: w.MAX_BOUNDARIES]
    return tuple(sorted({(one.left, one.at): one for one in strongest}.values(), key=lambda one: (one.left, one.at)))


def opens_request(one: Boundary) -> bool:
    """Tell whether a mark and a joining word stand before what begins like a request: ", and what's his number"."""
    return one.strength >= w.OVER and one.connective.startswith(",") and len(one.connective) > 1


def asks_back(intent: Intent, one: Boundary) -> bool:
    """Tell whether a joining word stands before what Steward is to answer: "and give me his number", "and what's"."""
    two = [token.norm for token in intent.tokens[one.at : one.at + 2]]
    if not one.connective or len(two) < 2:
        return False
    return (two[0] in _ANSWERING and two[1] in _TO_ME) or (is_question_word(two[0]) and two[1] in _BEING)


def begins(intent: Intent) -> list[int]:
    """Return where the first clause may begin: after what frames the request, and after an opening connective."""
    opening = [one for one in intent.boundaries if one.left == 0 and 0 < one.at < len(intent.tokens)]
    start = max((one.at for one in opening if one.strength >= CERTAIN), default=0)
    return sorted({start, *(one.at for one in opening if one.at > start)})


def end_of(intent: Intent) -> int:
    """Return where the request ends, before what only closes it."""
    size = len(intent.tokens)
    return min((one.left for one in intent.boundaries if one.at == size and one.strength >= CERTAIN), default=size)


def segments_of(intent: Intent) -> list[Segment]:
    """Return the stretches that may be one clause, with the price of the boundaries they use and leave out."""
    inner = boundaries_of(intent)
    end, size = end_of(intent), len(intent.tokens)
    starts = sorted({*begins(intent), *(one.at for one in inner)})
    found = []
    for start in starts:
        passed = 0.0
        for one in inner:
            if one.left <= start:
                continue
            price = passed + w.BOUNDARY_USED * (1.0 - one.strength)
            found.append(Segment(start, one.left, one.at, price, passed >= w.STRAINED))
            passed += w.BOUNDARY_UNUSED * one.strength
        found.append(Segment(start, end, size, passed, passed >= w.STRAINED))
    return found[: 2 * w.MAX_SEGMENTS]


def clauses_of(intent: Intent) -> list[tuple[int, int]]:
    """Return the distinct stretches [first, last) that may be one clause, the likeliest first: by their boundaries."""
    begun = {one.at: one.strength for one in boundaries_of(intent)}
    ranked = sorted(
        segments_of(intent), key=lambda one: one.price + w.BOUNDARY_USED * (1.0 - begun.get(one.first, 1.0))
    )
    return list(dict.fromkeys((one.first, one.last) for one in ranked))
