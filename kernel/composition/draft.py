"""A composition in the making: the steps for the words so far."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kernel.composition.fit import Step
from kernel.composition.steps.results import Source
from skills.model import ToolId, ValueKind


class Forbidden(StrEnum):
    """What no step may do."""

    LOSING = "losing"  # something is gone afterwards
    SENDING = "sending"  # something goes out, and cannot be called back


@dataclass(frozen=True, slots=True)
class Draft:
    """A composition for the words so far: its steps in order and its cost."""

    steps: tuple[Step, ...]
    cost: float
    skipped: tuple[int, ...] = ()  # content words outside every step
    topics: tuple[Source, ...] = ()  # what was only named, to be worked on later: "take a.csv, ..."
    spares: bool = False  # an aside forbids to take anything away: "but keep the original"
    places: tuple[str, ...] = ()  # folders that an aside names: what changes something works in there
    named: tuple[str, ...] = ()  # things that an aside names: nothing else is taken away
    unless: frozenset[ValueKind] = frozenset()  # kinds of values in asides: no step may have a use for one
    reads: bool = False  # an aside may say which things are meant: nothing is changed
    touches: bool = False  # an aside tells something of the things: none is lost
    left: tuple[int, int] | None = None  # words of a request that nothing can do: the rest is asked about
    forbids: frozenset[Forbidden] = frozenset()  # by asides: "nothing gets deleted", "don't send it"
    deaf: bool = False  # an aside names what later words may mean: they do not mean earlier runs

    @property
    def tools(self) -> tuple[ToolId, ...]:
        """The tools in order, without those that only find a described object."""
        return tuple(step.tool for step in self.steps if not step.described)
