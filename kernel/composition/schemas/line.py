"""A stretch of words as a tool without examples sees it: stems, which words are its own, which lead to a parameter."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernel.composition.scene import HARD, Scene
from kernel.composition.schemas.known import Form, Known, Slot
from kernel.language.plain_words import in_english
from kernel.language.roles import names_something, roles_of
from kernel.model import Span
from kernel.slots.schema.words import name_stems, stem
from skills.model import ValueKind

OWN_NAME, FITS, ONLY_HIS, OPEN, FAR, UNFIT, OTHERS = 1.0, 0.9, 0.75, 0.45, 0.3, 0.25, 0.1
"""How surely the words before a value lead to a parameter: its own name, a preposition that fits, a word that only its
description has, a word of the tool, nothing, a preposition that fits no parameter, one that fits another parameter."""

_PLAIN, _NAME = re.compile(r"[^\W\d_]+"), re.compile(r"[^\W\d][\w-]*")
_SURE = 0.5  # confidence from which a value is one
_COUNTS = frozenset(map(stem, "quantity qty count amount number copies pieces units portions".split()))
_GENERIC = frozenset({"name", "value", "number", "string", "type", "list"})


def stems_of(scene: Scene, at: int) -> frozenset[str]:
    """Return the stems under which the word at ``at`` may stand in a schema."""
    key = ("stems",)
    if key not in scene.memo:
        scene.memo[key] = tuple(_stems(scene, index) for index in range(scene.size))
    found: frozenset[str] = scene.memo[key][at]
    return found


def _stems(scene: Scene, at: int) -> frozenset[str]:
    token = scene.tokens[at]
    words = {token.norm, token.lemma.casefold()}
    pieces = () if _PLAIN.fullmatch(token.norm) or not _NAME.fullmatch(token.norm) else name_stems(token.text)
    if scene.intent.language == "de":
        words |= {english for word in tuple(words) if (english := in_english(word))}
    return frozenset({*map(stem, words), *pieces}) if scene.words[at] else frozenset()


def _is_sure(span: Span) -> bool:
    return span.kind in HARD and span.confidence >= _SURE and span.kind is not ValueKind.CONDITION


def _is_mere_name(scene: Scene, span: Span) -> bool:
    """One or two words that are also called like a place, or a day: a title may be called so as well."""
    plain = all(scene.tokens[at].text.isalpha() for at in range(span.first, span.last))
    return plain and span.last - span.first <= 2


def _is_count(span: Span, first: int) -> bool:
    return span.kind is ValueKind.INTEGER and span.first == first


def _weight(words: frozenset[str]) -> float:
    return sum(0.5 if one in _GENERIC else 1.0 for one in words)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The words [first, last) of a scene beside one tool; ``framed`` is the mask of what only names a tool."""

    scene: Scene
    known: Known
    first: int
    last: int
    framed: int = 0

    @property
    def begin(self) -> int:
        """The first token behind what only frames or names."""
        at = self.scene.request_begins(self.first, self.last)
        while at < self.last and (self.framed >> at & 1 or not self.scene.words[at]):
            at += 1
        return at

    def is_own(self, at: int) -> bool:
        """Tell whether the word is one of the tool's name, of its first sentence or of a parameter's name."""
        return any(self.known.explained.get(one, 0.0) >= 0.9 for one in stems_of(self.scene, at))

    def leads(self, slot: Slot, start: int, end: int) -> float:
        """How surely the words around [start, end) say that it is the value of ``slot``, 0..1."""
        before = self._before(slot, start)
        behind = self.scene.right_of(end, self.last)
        after = behind < self.last and not (stems_of(self.scene, behind) - _GENERIC).isdisjoint(slot.names)
        return max(before, ONLY_HIS if after else 0.0)

    def _before(self, slot: Slot, start: int) -> float:
        at = self.scene.left_of(start, self.first)
        if at < self.first or self.framed >> at & 1:
            return FAR
        named = self._named(slot, at)
        if named:
            return named
        norm = self.scene.tokens[at].norm
        roles = frozenset(map(stem, roles_of(norm)))
        if roles:
            return self._by_role(slot, roles, norm)
        return self._by_word(slot, at)

    def _named(self, slot: Slot, at: int) -> float:
        """How much of the parameter's own name stands right before, less where more of another one's does."""
        run: set[str] = set()
        index = at
        while index >= self.first and index > at - 3 and self._is_name(index):
            run |= stems_of(self.scene, index)
            index = self.scene.left_of(index, self.first)
        own = slot.names & run
        if not own:
            return 0.0
        share = _weight(own) / _weight(slot.names)
        more = any(own < (other.names & run) for other in self.known.slots if other is not slot)
        return (0.6 + 0.4 * share) * (0.6 if more else OWN_NAME)

    def _is_name(self, at: int) -> bool:
        return any(not stems_of(self.scene, at).isdisjoint(one.names) for one in self.known.slots)

    def _by_role(self, slot: Slot, roles: frozenset[str], norm: str) -> float:
        if not slot.names.isdisjoint(roles) or norm in slot.led:
            return FITS
        if names_something(norm):
            return FITS if "name" in slot.names else OPEN
        others = any(not one.names.isdisjoint(roles) for one in self.known.slots if one is not slot)
        return OTHERS if others else UNFIT

    def _by_word(self, slot: Slot, at: int) -> float:
        said = stems_of(self.scene, at)
        if not said.isdisjoint(slot.docs):
            others = [one.docs for one in self.known.slots if one is not slot]
            return OPEN if any(not said.isdisjoint(docs) for docs in others) else ONLY_HIS
        return OPEN if self.is_own(at) else FAR

    def is_value(self, at: int) -> bool:
        """Tell whether the word belongs to a path, a number or the like, and is no mere name of one: "kitchen"."""
        scene = self.scene
        if not scene.hard >> at & 1:
            return False
        spans = [one for one in scene.spans if one.first <= at < one.last and _is_sure(one)]
        named = scene.tokens[at].text.isalpha() and all(_is_mere_name(scene, one) for one in spans)
        return not (named and spans)

    def counts(self, first: int, last: int) -> bool:
        """Tell whether a value would begin with the number that another parameter is for: "2 lamps"."""
        at = next((one.last for one in self.scene.spans_in(first, last) if _is_count(one, first)), last)
        return at < last and any(
            one.form is Form.NUMBER and not one.names.isdisjoint(_COUNTS) for one in self.known.slots
        )

    def closes(self, at: int) -> bool:
        """Tell whether nothing is said from ``at`` on but which tool is meant."""
        return at >= self.last or bool(self.framed >> at & 1)

    def is_border(self, at: int) -> bool:
        """Tell whether a short value ends before ``at``: a mark, a preposition, a conjunction, a value of its own."""
        scene = self.scene
        if not scene.words[at]:
            return scene.tokens[at].norm not in {"'", "-", "/"}
        return (
            self.is_value(at)
            or bool(roles_of(scene.tokens[at].norm))
            or scene.tokens[at].norm in {"and", "or", "und", "oder"}
        )
