"""Together: the tools that a whole request needs, by what is said, what was done before, and what a call costs.

A request is cut into steps (``steps``), each is asked for its tools, and a set is made of them (``sets``). Relevance
and reliability are reasons of the ranking; cost and past company come in here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kernel.ranking.model import Encode, Moment, Question
from kernel.ranking.past import Past
from kernel.ranking.ranker import Ranker
from kernel.ranking.sets import Company, Member, set_for
from kernel.ranking.shelf import Shelf
from kernel.ranking.steps import openers, steps_of
from kernel.ranking.weights import shipped

HALF_S = 10.0
"""A call that takes so long costs half of all that a call may cost."""
_LASTING = 0.25  # what cannot be taken back costs a question each time


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the words: the past, who worked with whom, the moment, and by tool cost (0..1) and skill."""

    past: Past = field(default_factory=Past)
    company: Company = field(default_factory=Company)
    moment: Moment = field(default_factory=Moment)
    cost: Mapping[str, float] = field(default_factory=dict)
    skills: Mapping[str, str] = field(default_factory=dict)


def set_of(
    text: str, shelf: Shelf, known: Known, *, encode: Encode | None = None, limit: int = 10
) -> tuple[tuple[str, ...], list[Member]]:
    """Return the steps of ``text`` and the tools that serve them together, best first. Pure."""
    steps = steps_of(text, openers(shelf.documents()))
    whole, *asked = _questions([text, *steps], encode)
    ranker = Ranker(shelf, known.past, shipped("set"))
    members = set_for(
        ranker, whole, asked, moment=known.moment, company=known.company, cost=known.cost, skills=known.skills,
        limit=limit,
    )  # fmt: skip
    return steps, members


def cost_of(seconds: Sequence[float], *, asks_each_time: bool) -> float:
    """Return what a call costs, 0..1: how long earlier ones took (the middle one), and whether each is asked about."""
    middle = sorted(seconds)[len(seconds) // 2] if seconds else 0.0
    return min(1.0, middle / (middle + HALF_S) + (_LASTING if asks_each_time else 0.0))


def _questions(texts: Sequence[str], encode: Encode | None) -> list[Question]:
    if encode is None:
        return [Question(text) for text in texts]
    return [Question(text, vector) for text, vector in zip(texts, encode(list(texts)), strict=True)]
