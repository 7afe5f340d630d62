"""A candidate for a parameter, and the words of a segment as one tool sees them."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernel.composition.profiles.cues import AFTER_ARTICLE
from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.skeletons import END, START
from kernel.composition.scene import Scene
from kernel.model import Constant


@dataclass(frozen=True, slots=True)
class Flow:
    """The result of step ``step`` of the composition, or one field or item of it."""

    step: int
    field: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Filler:
    """A candidate for one parameter: its value, the tokens it explains, and how well it fits (0..1)."""

    parameter: str
    argument: Constant | Flow
    mask: int
    first: int
    last: int
    score: float
    origin: str
    others: tuple[Constant, ...] = ()  # further values for the same words: the person must choose
    missing: bool = False  # the words name something that does not exist
    beside: tuple[Constant | Flow, ...] = ()  # what is to stand in the same text, behind the argument


@dataclass(slots=True)
class Window:
    """The words [first, last) as one tool sees them, with the slots that stand there for sure as context of others."""

    scene: Scene
    profile: Profile
    first: int
    last: int
    ends: dict[int, set[str]] = field(default_factory=dict)
    starts: dict[int, set[str]] = field(default_factory=dict)

    def mark(self, one: Filler) -> None:
        """Let a choice or typed value be context: ``<parameter>`` as in the examples' skeletons."""
        self.ends.setdefault(one.last, set()).add(f"<{one.parameter}>")
        self.starts.setdefault(one.first, set()).add(f"<{one.parameter}>")

    def left_words(self, start: int) -> tuple[str, ...]:
        """What stands left of ``start``: word forms and slots, past determiners; an opening mark at the edge."""
        at = self.scene.left_of(start, self.first)
        if at < self.first:
            return (START,) if at == start - 1 else (START, AFTER_ARTICLE)
        return (self.scene.keys[at], *self.scene.forms[at], *self.ends.get(at + 1, ()))

    def right_words(self, end: int) -> tuple[str, ...]:
        """What stands right of ``end``."""
        at = self.scene.right_of(end, self.last)
        if at >= self.last:
            return (END,)
        return (self.scene.keys[at], *self.scene.forms[at], *self.starts.get(at, ()))

    def cue(self, name: str, start: int, end: int) -> float:
        """How well the words around [start, end) announce the parameter, 0..1; 0.4 when its examples never saw them."""
        left = self.profile.cues.share_left(name, self.left_words(start))
        right = self.profile.cues.share_right(name, self.right_words(end))
        if left is None and right is None:
            return 0.4
        if left is None or right is None:
            known = left if left is not None else right
            return 0.15 + 0.7 * (known or 0.0)
        return 0.65 * left + 0.35 * right
