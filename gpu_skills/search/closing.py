"""The end of a search: the fastest three are judged, measured in full and raced; the winner meets the baselines."""

from __future__ import annotations

from gpu_skills.search.ladder import RUNGS
from gpu_skills.search.model import Duel, Event, Refusal
from gpu_skills.search.standing import Entry
from gpu_skills.search.steps import Steps

_TOP, _MOST_JUDGED = 3, 9


def closed(steps: Steps, until_s: float) -> tuple[Entry | None, Duel | None]:
    """Return the winner and its duel against the fastest baseline; None where the judge accepts nothing.

    After ``until_s`` only what is needed is done: one candidate is judged, measured and raced against the baselines.
    """
    top = _finalists(steps, until_s)
    if not top:
        return None, None
    winner = top[0]
    for other in top[1:]:
        if steps.answers.elapsed < until_s and _beats(steps, other, winner):
            winner = other
    return winner, _duel(steps, winner, None)


def _finalists(steps: Steps, until_s: float) -> list[Entry]:
    """Judge and measure the fastest until three stand."""
    found: list[Entry] = []
    for _ in range(_MOST_JUDGED):
        enough = _TOP if steps.answers.elapsed < until_s else 1
        left = [one for one in _ranked(steps) if one not in found]
        if len(found) >= enough or not left:
            break
        if steps.judged(left[0]) and steps.measured_to(left[0], RUNGS[-1]):
            found.append(left[0])
    return sorted(found, key=lambda one: one.ns or 0.0)


def _ranked(steps: Steps) -> list[Entry]:
    """Return what is alive: those that were measured often first, each group the fastest first."""
    best = steps.standing.best
    alive = steps.standing.alive()
    return ([best] if best else []) + [one for one in alive if one is not best]


def _beats(steps: Steps, other: Entry, winner: Entry) -> bool:
    """Tell whether ``other`` is faster beyond doubt: the whole interval of the winner's ratio lies below 1."""
    duel = _duel(steps, winner, other)
    return duel is not None and duel.high < 1.0


def _duel(steps: Steps, first: Entry, against: Entry | None) -> Duel | None:
    assert first.built is not None
    if against is not None and against.built is None:
        return None
    found = steps.answers.duel(first.built, against.built if against else None)
    steps.seconds += steps.answers.seconds
    if isinstance(found, Refusal):
        steps.tell(Event.DUEL, first, found.said or found.why)
        return None
    steps.tell(Event.DUEL, first, f"{found.ratio:.3f} ({found.low:.3f} to {found.high:.3f}) against {found.against}")
    return found
