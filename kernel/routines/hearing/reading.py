"""What a kind of happening is given to read, and what it says of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kernel.context.world import World
from kernel.language import Lexicon
from kernel.routines.hearing.gist import ARROW, Gist
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.opening import Opening, Weight
from kernel.routines.model import About, FileSeen, Limit, Trigger

QUOTATION = "\"'“”„‚‘’«»` "
"""Marks around what is quoted, and the spaces there."""


@dataclass(frozen=True, slots=True)
class Clause:
    """The items [first, last) that may say what happens, behind ``opening``."""

    gist: Gist
    opening: Opening
    first: int
    last: int
    world: World
    cwd: str
    lexicon: Lexicon

    @property
    def words(self) -> tuple[str, ...]:
        """Its words."""
        return self.gist.words[self.first : self.last]

    @property
    def text(self) -> str:
        """Its words, joined by spaces."""
        return self.gist.text(self.first, self.last)

    @property
    def straight(self) -> str:
        """Its text, with the verb at its end where the language puts it first: "löschst du was" as "du was löschst"."""
        words = self.words
        return " ".join((*words[1:], words[0]) if self.opening.fronted and len(words) > 1 else words)

    @property
    def verb_second(self) -> str:
        """Its text, a verb that stands first put behind its subject: "erfährst du, wo ..." as "du erfährst, wo ..."."""
        words = self.words
        turned = self.opening.fronted and len(words) > 1
        return " ".join((words[1], words[0], *words[2:]) if turned else words)

    @property
    def lasting(self) -> bool:
        """Tell whether a state that lasts is enough: "whenever I am offline", "offline: ...", not "if I am offline"."""
        return self.opening.weight is Weight.EVERY or self.opening.asked

    @property
    def points_on(self) -> bool:
        """Tell whether an arrow stands behind it: "mail from Lena -> ..."."""
        return self.gist.word(self.last) == ARROW

    def as_said(self, words: list[str]) -> str:
        """These words of the clause as they were written."""
        size = len(words)
        at = next((at for at in range(len(self.words)) if list(self.words[at : at + size]) == words), None)
        if at is None:  # "Lenas Geburtstag": a part of a word
            at = next((at for at in range(len(self.words)) if size == 1 and self.words[at].startswith(words[0])), None)
            return " ".join(words) if at is None else self.said(at, at + 1)[: len(words[0])]
        return self.said(at, at + size)

    def said(self, first: int, last: int) -> str:
        """The words [first, last) of the clause as they were written."""
        return self.gist.said(self.first + first, self.first + last)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause means: a trigger, and what else it says; ``state``: its verb says how things are, not what happens.

    ``nouns``: what the thing that it brings is called; ``told``: items before it that only say what it speaks of.
    """

    trigger: Trigger | None
    limits: tuple[tuple[Limit, float], ...] = ()
    such: tuple[tuple[About, str], ...] = ()
    nouns: frozenset[str] = field(default=frozenset())
    state: bool = False
    told: tuple[int, int] | None = None

    @property
    def is_of_a_file(self) -> bool:
        """Tell whether it is about a file, and not about a mail."""
        return isinstance(self.trigger, FileSeen) and "mail" not in self.nouns


@dataclass(frozen=True, slots=True)
class Doubt:
    """A clause that is meant as a happening and says too little, or names what is not there."""

    why: Lack
    about: str = ""
    last: int = 0  # the item behind the last of its words, where they go on behind the clause


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a table."""
    return frozenset(words.split())


def has(words: Iterable[str], *sets: frozenset[str]) -> bool:
    """Tell whether every one of ``sets`` has one of ``words``."""
    said = frozenset(words)
    return all(said & one for one in sets)


def only(words: Iterable[str], *sets: frozenset[str]) -> bool:
    """Tell whether each word is an amount or in one of ``sets``."""
    known = frozenset().union(*sets)
    return all(word in known or word.startswith("#") for word in words)
