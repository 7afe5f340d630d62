"""Extremes that point: "the oldest one", "the two largest", "the newest of them", "die älteste".

A superlative of age or size without a noun, or with one, picks among what was found before. Nothing is resolved here.
With a place behind it ("the oldest in Downloads") it says itself what it picks from, and does not point.
"""

from __future__ import annotations

from collections.abc import Mapping

from kernel.language.amounts.numbers import number_at
from kernel.language.line import Line
from kernel.model import Reference, ReferenceKind

NEWEST, OLDEST, LARGEST, SMALLEST = "newest", "oldest", "largest", "smallest"


def _inflected(*stems: str) -> frozenset[str]:
    return frozenset(stem + ending for stem in stems for ending in ("e", "en", "er", "es", "em"))


_WORDS: Mapping[str, frozenset[str]] = {
    NEWEST: frozenset("newest latest youngest".split()) | _inflected("neuest", "neust", "jüngst", "aktuellst"),
    OLDEST: frozenset("oldest earliest".split()) | _inflected("ältest", "frühest"),
    LARGEST: frozenset("largest biggest heaviest longest".split()) | _inflected("größt", "längst", "schwerst"),
    SMALLEST: frozenset("smallest tiniest shortest lightest".split()) | _inflected("kleinst", "kürzest", "leichtest"),
}
BY_WORD: Mapping[str, str] = {word: name for name, words in _WORDS.items() for word in words}
"""Which extreme a superlative means."""

_ARTICLES = frozenset("the der die das den dem my meine meinen mein".split())
_ONES = frozenset("one ones".split())
_AMONG = frozenset("of von from among unter".split())
_THEM = frozenset("them these those ihnen denen diesen davon".split())
_SAYS_WHERE = frozenset("in inside within on of from under im am auf in aus von unter".split())
_MOST_NOUNS = 2


def extreme_at(line: Line, index: int) -> Reference | None:
    """Return the extreme that begins with the article at ``index``, if one does and points at earlier results."""
    if line.norm(index) not in _ARTICLES:
        return None
    count, start = _count(line, index + 1)
    which = BY_WORD.get(line.norm(start), "")
    after = start + 1
    if line.words(start, 2) == "most recent":
        which, after = NEWEST, start + 2
    if not which:
        return None
    if count == 0:
        count, after = _count(line, after)
    plural = count > 1
    if line.norm(after) in _ONES:
        plural, after = plural or line.norm(after) == "ones", after + 1
        nouns: tuple[str, ...] = ()
    else:
        last = _nouns_end(line, after)
        nouns = tuple(line.lemma(step) for step in range(after, last))
        plural = plural or (last > after and line.lemma(last - 1) != line.norm(last - 1))
        after = last
    after, says_where = _among(line, after)
    if says_where:
        return None
    kind = ReferenceKind.EXTREME
    return Reference(kind, index, after, plural, field=which, ordinal=count or (0 if plural else 1), nouns=nouns)


def _count(line: Line, index: int) -> tuple[int, int]:
    """A number of things at ``index`` and where it ends; zero when there is none."""
    found = number_at(line, index)
    if found is None or line.norm(index) in _ONES or found[0] != int(found[0]) or not 0 < found[0] < 1000:
        return 0, index
    return int(found[0]), found[1]


def _nouns_end(line: Line, index: int) -> int:
    last = index
    while last < index + _MOST_NOUNS + 1 and line.is_content(last):
        last += 1
    return last


def _among(line: Line, index: int) -> tuple[int, bool]:
    """The end of "of them" at ``index``, and whether a place or a whole stands there instead."""
    word = line.norm(index)
    if word == "davon":
        return index + 1, False
    if word in _AMONG and line.norm(index + 1) in _THEM:
        return index + 2, False
    return index, word in _SAYS_WHERE
