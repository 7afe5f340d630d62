"""Nouns that mean the same in the name of a file, as manifests teach them: "bill", "invoice" and "Rechnung".

What this stops: that a file is found only by the words that somebody chose for its name, in the language of that name.
A compound is read in its parts ("Mietvertrag": rental, agreement), and two words are looked for as one compound, too.
What it does not: know any noun by itself. ``[nouns]`` of a manifest holds them; what none teaches means itself alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language.lexicon import Lexicon

Ways = tuple[frozenset[str], ...]
"""Of each set, a name has one word."""

_LEAST = 3  # letters of a part
_MOST_PARTS = 3
_JOINTS = ("", "s", "n", "en", "es")


def ways(said: tuple[str, ...], lexicon: Lexicon) -> Iterator[Ways]:
    """Yield what names may have for the words ``said``: a noun each, then two beside each other as one compound."""
    if not any(map(lexicon.same_nouns, said)):
        return
    each = tuple(lexicon.same_nouns(word) | {word} for word in said)
    yield each
    for at in range(len(each) - 1):
        yield (*each[:at], frozenset(_compounds(each[at], each[at + 1])), *each[at + 2 :])


def _compounds(one: frozenset[str], other: frozenset[str]) -> Iterator[str]:
    for first, last in ((one, other), (other, one)):
        yield from (f"{left}{joint}{right}" for left in first for right in last for joint in _JOINTS)


def parts(word: str, lexicon: Lexicon) -> Iterator[tuple[str, ...]]:
    """Yield the ways to take a compound apart so that each part but the first is a taught noun: "Nordwind|rechnung"."""
    whole = [split for split in _split(word, lexicon, _MOST_PARTS) if len(split) > 1]
    yield from sorted(whole, key=lambda split: (sum(not lexicon.same_nouns(part) for part in split), len(split)))


def _split(word: str, lexicon: Lexicon, most: int) -> Iterator[tuple[str, ...]]:
    for end in range(_LEAST, len(word) - _LEAST + 1) if most > 1 else ():
        tail = word[end:]
        if lexicon.same_nouns(tail):
            head = next((noun for noun in _shorter(word[:end]) if lexicon.same_nouns(noun)), word[:end])
            yield (head, tail)
            yield from ((*before, tail) for before in _split(head, lexicon, most - 1))


def _shorter(part: str) -> Iterator[str]:
    return (part.removesuffix(joint) for joint in _JOINTS if part.endswith(joint))
