"""Words of "where did I put the list" and "where on earth is it" that say no more than "where".

What this stops: that the verb of such a question is taken for a deed ("put"), and an exclamation for a thing.
What it does not: the same verb as a request ("put the list where I keep the others"): it counts only behind "where" and
the person who asks, with nothing but helping words between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_WHERE = frozenset({"where", "wherever", "wo", "wohin"})
_OWNERS = frozenset("i we ich wir".split())
_HELPING = frozenset(
    "did have had could might may 've habe haben hab hatte hast denn bloß nur nochmal noch mal".split()
)
_PUT = frozenset(
    "put leave left stash stashed stick stuck stow stowed keep kept place placed lay laid save saved store stored drop "
    "dropped file filed hide hid dump dumped".split()
)
_WONDERING = frozenset("nur bloß denn".split())
_EXCLAIMED = tuple(
    tuple(phrase.split())
    for phrase in (
        "on earth", "in the world", "the hell", "the heck", "the devil", "zum teufel", "zum kuckuck", "zum henker",
        "in aller welt", "um himmels willen", "verdammt noch mal", "verdammt",
    )
)  # fmt: skip
_BEFORE = frozenset(
    "wonder wondering know remember recall forgot forgotten me us out idea clue of tell and but so hm hmm ok "
    "weiß weiss frage mich mir vergessen sagen mehr ahnung und aber also".split()
)
_FURTHEST = 4


def only_where(norms: Sequence[str]) -> frozenset[int]:
    """Return the words that only help to ask where a thing is."""
    asked = (at for at, norm in enumerate(norms) if norm in _WHERE and _is_asked(norms, at))
    return frozenset(at for start in asked for at in _behind(norms, start + 1))


def asks_where(norms: Sequence[str]) -> bool:
    """Tell whether the words ask where something is."""
    return any(norm in _WHERE and _is_asked(norms, at) for at, norm in enumerate(norms))


def _is_asked(norms: Sequence[str], where: int) -> bool:
    """ "Put it where I keep the others" names a place, and asks for none."""
    return where == 0 or norms[where - 1] in _BEFORE or not norms[where - 1].isalpha()


def _behind(norms: Sequence[str], start: int) -> Iterator[int]:
    """The words of an exclamation from ``start`` on, and the verb of who put it there."""
    exclaimed = next((len(words) for words in _EXCLAIMED if tuple(norms[start : start + len(words)]) == words), 0)
    yield from range(start, start + exclaimed)
    owned = False
    for at in range(start + exclaimed, min(len(norms), start + exclaimed + _FURTHEST)):
        if (owned and norms[at] in _PUT) or norms[at] in _WONDERING:
            yield at
        if norms[at] not in _OWNERS | _HELPING:
            return
        owned = owned or norms[at] in _OWNERS
