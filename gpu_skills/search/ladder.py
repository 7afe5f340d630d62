"""Successive halving, one candidate at a time: 1, 5, 25 timed samples, the next rung only for who may be the best.

L. Li et al., "A System for Massively Parallel Hyperparameter Tuning" (ASHA), 2020: who is among the top of a rung is
promoted at once. Here a candidate must also rival the best so far, up to the noise that was seen: most samples go to
what is in doubt.
"""

from __future__ import annotations

from math import exp, log

from gpu_skills.search.standing import SURE, Entry, Standing

RUNGS = (1, SURE, 25)
_ETA = 3
_MARGIN = 0.25


def next_rung(entry: Entry, standing: Standing) -> int | None:
    """Return how many samples a candidate is to have next; None where it stays where it is."""
    if not entry.alive or entry.ns is None:
        return None
    have = len(entry.samples)
    if have < SURE:
        return SURE if _rivals(entry, standing, times_noise=2.0) else None
    top = [one for one in standing.alive() if len(one.samples) >= SURE]
    higher = sum(len(one.samples) >= RUNGS[2] for one in top)
    in_turn = _ETA * (higher + 1) <= len(top)
    return RUNGS[2] if have < RUNGS[2] and in_turn and _rivals(entry, standing, times_noise=0.5) else None


def _rivals(entry: Entry, standing: Standing, *, times_noise: float) -> bool:
    best = standing.best
    if best is None or best.ns is None or entry.ns is None or best is entry:
        return True
    return entry.ns <= best.ns * exp(min(times_noise * standing.noise, _MARGIN))


def too_slow(foreseen_ns: float, standing: Standing) -> bool:
    """Tell whether a time that is only foreseen rules a candidate out: twice the best, in every light seen so far.

    Foreseen times are held against measured ones first; without five such pairs they rule out nothing.
    """
    pairs = [log(one.ns / one.foreseen_ns) for one in standing.alive() if one.foreseen_ns and one.ns]
    best = standing.best
    if len(pairs) < 5 or best is None or best.ns is None:
        return False
    return foreseen_ns * exp(min(pairs)) > 2.0 * best.ns
