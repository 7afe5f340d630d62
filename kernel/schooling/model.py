"""The nouns of schooling: a phrase of a manifest, a lesson made of phrases, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from skills.model import Tool, ToolId


class Verdict(StrEnum):
    """What the planner did with a lesson."""

    RIGHT = "right"
    VALUES = "other values"  # the tools that were meant, with something else in them
    WRONG = "wrong"  # a plan of other tools
    ASKED = "asked"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Said:
    """A value that a sentence says: its words, and the path that they mean where they mean one."""

    text: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """A value that comes of one of earlier calls: their places, and a field and an item where these were said."""

    steps: tuple[int, ...]
    field: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Meant:
    """A call that is meant; made for each of what call ``each`` found, on a condition where it is ``bound``."""

    tool: ToolId
    arguments: Mapping[str, Said | Taken]
    each: int | None = None
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """A sentence, the construct that it was made by, and the calls that it means."""

    text: str
    language: str
    construct: str
    calls: tuple[Meant, ...]

    @property
    def tools(self) -> tuple[ToolId, ...]:
        """The tools that are meant, in order."""
        return tuple(one.tool for one in self.calls)


@dataclass(frozen=True, slots=True)
class Hole:
    """Where a value stands in a phrase, and the words that stood there in the example."""

    parameter: str
    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """An example with its values as holes: text and holes in turn."""

    tool: Tool
    language: str
    pieces: tuple[str | Hole, ...]

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The holes, left to right."""
        return tuple(one for one in self.pieces if isinstance(one, Hole))

    @property
    def example(self) -> str:
        """The words as the manifest has them."""
        return "".join(one if isinstance(one, str) else one.text for one in self.pieces)

    @property
    def open(self) -> tuple[str, ...]:
        """The parameters that the tool needs and no hole stands for."""
        named = {one.parameter for one in self.holes}
        return tuple(one.name for one in self.tool.parameters if one.required and one.name not in named)

    def before(self, parameter: str) -> str:
        """Return the word that stands before the hole of ``parameter``, in lower case; empty at the beginning."""
        at = next(at for at, one in enumerate(self.pieces) if isinstance(one, Hole) and one.parameter == parameter)
        said = "".join(one if isinstance(one, str) else one.text for one in self.pieces[:at]).split()
        return said[-1].casefold() if said else ""
