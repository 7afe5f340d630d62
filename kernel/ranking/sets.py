"""Sets: the tools that a whole request needs together, not only the one that is nearest to it.

Every step of a request asks for its own tools; a tool counts by its best step and by the whole request. Tools that
worked together before draw each other in, ones that failed or cost much step back. The set is filled one by one: each
step's best first, so that a loud step does not crowd out a quiet one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kernel.ranking.model import Moment, Question, Ranked
from kernel.ranking.ranker import Ranker

KIN = 0.3  # weight of the best tool of the same skill: tools of one skill work on the same things
WHOLE = 0.5  # weight of the whole request beside the best step
ROUND = 2  # tools that every step may send in before the rest is filled by score
PLACES = 3.0  # so many places a tool moves up that was always used with one that is chosen
COST = 0.1
_DEEP = 40  # candidates of each step that are looked at


@dataclass(frozen=True, slots=True)
class Company:
    """Which tools worked together in one run: how often each pair, and each tool."""

    pairs: Mapping[tuple[str, str], int] = field(default_factory=dict)
    uses: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Iterable[frozenset[str]]) -> Company:
        """Count the runs of the past."""
        pairs: Counter[tuple[str, str]] = Counter()
        uses: Counter[str] = Counter()
        for run in runs:
            uses.update(run)
            pairs.update((one, other) for one in run for other in run if one != other)
        return cls(pairs, uses)

    def share(self, one: str, others: Iterable[str]) -> float:
        """Return how often ``one`` was used where one of ``others`` was, at most 1."""
        shares = (self.pairs.get((other, one), 0) / (self.uses[other] + 1.0) for other in others if other in self.uses)
        return max(shares, default=0.0)


@dataclass(frozen=True, slots=True)
class Member:
    """A tool of a set: its score, the step that wants it most (-1: the whole request), and the reasons in numbers."""

    id: str
    score: float
    step: int
    reasons: Mapping[str, float]


def set_for(
    ranker: Ranker, whole: Question, steps: Sequence[Question], *, moment: Moment | None = None,
    company: Company | None = None, cost: Mapping[str, float] | None = None, skills: Mapping[str, str] | None = None,
    limit: int = 10,
) -> list[Member]:  # fmt: skip
    """Return the tools that serve ``whole``, cut into ``steps``, together; best first.

    ``cost`` is 0..1 by tool, ``skills`` names the skill (or server) of each tool. ``ranker`` is best given the weights
    ``shipped("set")``.
    """
    ranked = [ranker.rank(step, moment, limit=_DEEP) for step in steps]
    for_whole = ranker.rank(whole, moment, limit=_DEEP)
    by_step, by_whole = [_scored(one) for one in ranked], _scored(for_whole)
    known: dict[str, Member] = {}
    for id in {one for scores in (by_whole, *by_step) for one in scores}:
        known[id] = _member(id, by_whole, by_step, cost or {})
    known = _with_kin(known, skills or {})
    order = [*_rounds(by_step, known), *sorted(known, key=lambda one: (-known[one].score, one))]
    near = max(limit, len(by_step)) + round(PLACES)  # who stands just outside may come along
    first = list(dict.fromkeys(order))[:near]
    chosen = _with_company(first, known, company or Company())[:limit]
    return [_told(one, ranked[one.step] if one.step >= 0 else for_whole) for one in chosen]


def _told(member: Member, ranked: Sequence[Ranked]) -> Member:
    """``member`` with the reasons why it ranks as it does for its step."""
    own = next((one.reasons for one in ranked if one.id == member.id), {})
    return replace(member, reasons={**{name: value for name, value in own.items() if value}, **member.reasons})


def _scored(ranked: Sequence[Ranked]) -> dict[str, float]:
    top = max((one.score for one in ranked), default=0.0)
    return {one.id: one.score / top for one in ranked} if top > 0 else {}


def _member(
    id: str, whole: Mapping[str, float], steps: Sequence[Mapping[str, float]], cost: Mapping[str, float]
) -> Member:
    best = max(range(len(steps)), key=lambda at: steps[at].get(id, 0.0), default=-1)
    reasons = {
        "whole": whole.get(id, 0.0),
        "step": steps[best].get(id, 0.0) if best >= 0 else 0.0,
        "cost": cost.get(id, 0.0),
    }
    score = reasons["step"] + WHOLE * reasons["whole"] - COST * reasons["cost"]
    return Member(id, score, best, reasons)


def _with_kin(known: Mapping[str, Member], skills: Mapping[str, str]) -> dict[str, Member]:
    best: dict[str, float] = defaultdict(float)
    for id, member in known.items():
        if id in skills:
            best[skills[id]] = max(best[skills[id]], member.score)
    shares = {id: best[skills[id]] if id in skills else 0.0 for id in known}
    return {
        id: replace(member, score=member.score + KIN * shares[id], reasons={**member.reasons, "kin": shares[id]})
        for id, member in known.items()
    }


def _rounds(steps: Sequence[Mapping[str, float]], known: Mapping[str, Member]) -> list[str]:
    """Each step's best tools, round by round, within a round by score."""
    order: list[str] = []
    ranked = [sorted(scores, key=lambda one: (-_for_step(scores[one], known[one]), one)) for scores in steps]
    for turn in range(ROUND):
        order += sorted((one[turn] for one in ranked if len(one) > turn), key=lambda one: (-known[one].score, one))
    return order


def _for_step(score: float, member: Member) -> float:
    reasons = member.reasons
    return score + WHOLE * reasons["whole"] + KIN * reasons["kin"] - COST * reasons["cost"]


def _with_company(order: Sequence[str], known: Mapping[str, Member], company: Company) -> list[Member]:
    """Draw in what worked together with what was chosen already."""
    left = dict.fromkeys(order)
    place = {one: at for at, one in enumerate(order)}
    drawn: dict[str, float] = defaultdict(float)
    chosen: list[Member] = []
    while left:
        best = min(left, key=lambda one: (place[one] - PLACES * drawn[one], one))
        del left[best]
        member = known[best]
        chosen.append(Member(best, member.score, member.step, {**member.reasons, "together": drawn[best]}))
        for other in left:
            drawn[other] = max(drawn[other], company.share(other, (best,)))
    return chosen
