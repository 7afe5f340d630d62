"""Some words of a sentence, to be read as a call of one tool."""

from __future__ import annotations

from dataclasses import dataclass

from kernel.composition.profiles.profile import Box, Profile
from kernel.composition.scene import Scene
from skills.model import ValueKind

_VALUES = frozenset(
    {
        ValueKind.INTEGER, ValueKind.NUMBER, ValueKind.BOOLEAN, ValueKind.CHOICE, ValueKind.DATE, ValueKind.PERIOD,
        ValueKind.SIZE, ValueKind.DURATION, ValueKind.QUANTITY, ValueKind.UNIT, ValueKind.EXPRESSION,
        ValueKind.URL,
    }
)  # fmt: skip
"""Kinds of which no value can be any words."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The words [first, last) of a sentence, to be read as a call of one tool."""

    scene: Scene
    profile: Profile
    box: Box
    first: int
    last: int

    @property
    def indexes(self) -> range:
        """The tokens."""
        return range(self.first, self.last)


def told_in(stretch: Stretch) -> int:
    """Return the words that only tell whose a value is, for a tool that takes nothing but values."""
    parameters = stretch.profile.tool.parameters
    if not stretch.scene.told or not (stretch.profile.is_pure and all(one.type.kind in _VALUES for one in parameters)):
        return 0
    return stretch.scene.told
