"""An example as a skeleton: its words, with ``<parameter>`` where a value stands, and what it is compared by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from kernel.composition.words import is_determiner, is_idle, is_indefinite, said
from kernel.language.frame.framing import lead
from kernel.language.function_words import is_function_word
from kernel.model import Token
from skills.model import Example, Tool, ValueKind

_POINTING = frozenset("that this these those das dies diese dieses dieser die der den dem".split())

START, END = "^", "$"
"""Before the first and behind the last word."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """An example whose slots have become ``<parameter>``; ``features`` are its words, slots and neighbour pairs."""

    elements: tuple[str, ...]
    features: frozenset[str]
    content: frozenset[str]  # its content words
    kinds: frozenset[ValueKind]
    own: bool = False  # of a request that the person confirmed, and of no manifest
    pointing: tuple[str, ...] = ()  # "that", "die": they tell nothing, and may point at something elsewhere


def elements_of(example: Example, tokens: tuple[Token, ...]) -> list[Token | str]:
    """The example as tokens, with the tokens of each slot collapsed into ``<parameter>``."""
    found: list[Token | str] = []
    for token in tokens:
        slot = next((slot for slot in example.slots if token.start < slot.end and slot.start < token.end), None)
        if slot is None:
            found.append(token)
        elif not found or found[-1] != f"<{slot.parameter}>":
            found.append(f"<{slot.parameter}>")
    return found


def without_courtesy(elements: list[Token | str]) -> list[Token | str]:
    """Return an example without its polite beginning."""
    start = lead([element.norm if isinstance(element, Token) else "" for element in elements])
    return elements[start:] if start < len(elements) else elements


def key_of(token: Token) -> str:
    """Return the form of a word that features are made of: its lemma."""
    return token.lemma.casefold()


def features_of(elements: Iterable[str]) -> frozenset[str]:
    """Return words, slots and pairs of neighbours of a skeleton."""
    line = [START, *elements, END]
    return frozenset([*line[1:-1], *(f"{one} {two}" for one, two in pairwise(line))])


def articles_of(tokens: Iterable[Token | str]) -> frozenset[str]:
    """Return "a note" or "the note" for every noun with a determiner: something new or something known."""
    found = set()
    before: Token | str = ""
    for token in tokens:
        if isinstance(before, Token) and isinstance(token, Token) and is_determiner(before.norm) and not is_idle(token):
            found.add(f"{'a' if is_indefinite(before.norm) else 'the'} {key_of(token)}")
        before = token
    return frozenset(found)


def skeleton_of(elements: list[Token | str], tool: Tool) -> Skeleton:
    """Return the skeleton of an example of ``tool``."""
    line = tuple(element if isinstance(element, str) else said(element) for element in elements if _counts(element))
    names = {element[1:-1] for element in line if element.startswith("<")}
    kinds = frozenset(parameter.type.kind for parameter in tool.parameters if parameter.name in names)
    content = frozenset(one for at, one in enumerate(line) if _is_told(line, at))
    pointing = tuple(one.norm for one in elements if isinstance(one, Token) and one.norm in _POINTING)
    return Skeleton(line, features_of(line) | articles_of(elements), content, kinds, pointing=pointing)


def _is_told(line: tuple[str, ...], at: int) -> bool:
    """A content word that the example needs: not one that only announces the next slot ("called", "about")."""
    if line[at].startswith("<") or is_function_word(line[at]):
        return False
    return at == 0 or at + 1 >= len(line) or not line[at + 1].startswith("<")


def _counts(element: Token | str) -> bool:
    """Marks, determiners and the speakers say nothing about which tool is meant."""
    return isinstance(element, str) or not is_idle(element)
