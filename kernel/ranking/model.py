"""The nouns of ranking: what a tool's document is, a question about it, and what came out, with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]

Encode = Callable[[list[str]], Floats]
"""Texts to unit vectors, float32 [n, 384]."""

EncodeTokens = Callable[[list[str]], list[tuple[Floats, list[str], Floats]]]
"""Texts to their unit vector, their word pieces and a unit vector for each, float32 [pieces, 384]."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of a tool in words. ``id`` is opaque here; ``title`` is its name split into words.

    ``sentences`` are its summary and what its parameters are for, ``around`` is the text of its skill or server.
    """

    id: str
    title: str
    sentences: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    around: str = ""
    examples: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The title and the first sentences, as they are encoded."""
        return f"{self.title}: {' '.join(self.sentences)}"


@dataclass(frozen=True, slots=True)
class Question:
    """A request, or a stretch of one. ``vector`` is of unit length; None counts by words alone.

    ``words`` are those to look for where they are not simply the content words of ``text``.
    """

    text: str
    vector: Floats | None = None
    tokens: tuple[list[str], Floats] | None = None
    words: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """When and after what something is asked: ``hour`` is local, 0..24, negative when it is not known.

    ``before`` are the tools used last, the latest last; ``linked`` and ``granted`` come from outside, by tool, in 0..1
    (personalised PageRank over the graph; how much of what the tool needs is granted already).
    """

    now_s: float = 0.0
    hour: float = -1.0
    before: tuple[str, ...] = ()
    linked: Mapping[str, float] = field(default_factory=dict)
    granted: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the past: the person's words, the tools it came to, and whether that was what they meant.

    ``accepted`` is false when it was refused or taken back. ``at_s`` is seconds since the epoch, ``hour`` as above;
    ``failed`` are those of the tools that failed.
    """

    text: str
    tools: tuple[str, ...]
    at_s: float = 0.0
    hour: float = -1.0
    accepted: bool = True
    failed: tuple[str, ...] = ()
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A tool with its score, its share of all candidates' probability, and the reasons in numbers."""

    id: str
    score: float
    probability: float
    reasons: Mapping[str, float]


class Choice(StrEnum):
    """What to do about a request."""

    ACT = "act"
    ASK = "ask"
    DECLINE = "decline"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A choice, how probable it is that the first tool is the one that is meant, and the evidence in numbers."""

    choice: Choice
    probability: float
    reasons: Mapping[str, float]
