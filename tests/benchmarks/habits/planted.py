"""Planted workflows: which of 20 are among the 20 most telling sequences of 10,000 noisy sessions.

Twenty workflows of 3 to 6 skills, of 200, are in 60 % of the sessions, each between 2 to 8 other uses; a quarter of
their steps is followed by something else, 3 % are left out. Some skills are used much oftener than others (Zipf, 0.8).
Three draws with seeds of their own, which nothing was tuned on; ours is the figure of the worst of them, the baseline's
that of its best.

The baseline is what is usual: PrefixSpan (Pei et al. 2001; ``prefixspan``, MIT), closed patterns of two to six items by
support, from the same sessions, in the same run. It has no limit on what lies in between.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from memory.sequences import Entry, Limits, Miner

LIMITS: dict[str, float] = {}
LEAST = {"planted_top20": 18}

SEEDS = (101, 102, 103)
SKILLS, WORKFLOWS, SESSIONS = 200, 20, 10_000
_PLANTED, _INTERRUPTED, _DROPPED, _ZIPF = 0.6, 0.25, 0.03, 0.8
_OFTEN = 20
"""So many sessions have what is looked at at all: 0.2 %."""
_BASELINE_OFTEN = 200
"""The baseline is given no rarer ones: every workflow comes about 300 times, and it counts for minutes otherwise."""

Items = tuple[str, ...]


def measure(data: Path | None = None) -> Mapping[str, float]:
    """Return how many of the planted workflows are found, and how many by the baseline."""
    del data  # it is made here
    draws = [drawn(seed) for seed in SEEDS]
    figures: dict[str, float] = {}
    began = time.process_time()
    ours = [ranked(sessions) for _, sessions in draws]
    figures["planted_cpu_s"] = (time.process_time() - began) / len(draws)
    for most in (20, 50):
        figures[f"planted_top{most}"] = min(
            _found(workflows, some[:most]) for (workflows, _), some in zip(draws, ours, strict=True)
        )
    began = time.process_time()
    figures["planted_prefixspan_top20"] = max(
        _found(workflows, _by_support(sessions)[:20]) for workflows, sessions in draws
    )
    figures["planted_prefixspan_cpu_s"] = (time.process_time() - began) / len(draws)
    return figures


def drawn(seed: int, sessions: int = SESSIONS) -> tuple[tuple[Items, ...], list[list[str]]]:
    """Return the workflows that are planted, and the sessions."""
    chance = random.Random(seed)
    skills = [f"s{number}" for number in range(SKILLS)]
    usual = [1 / (place + 1) ** _ZIPF for place in range(SKILLS)]
    chance.shuffle(usual)
    workflows = tuple(tuple(chance.sample(skills, chance.randint(3, 6))) for _ in range(WORKFLOWS))

    def session() -> list[str]:
        other = chance.choices(skills, usual, k=chance.randint(2, 8))
        if chance.random() < _PLANTED:
            place = chance.randint(0, len(other))
            other[place:place] = _done(chance.choice(workflows), chance, skills, usual)
        return other

    return workflows, [session() for _ in range(sessions)]


def _done(workflow: Items, chance: random.Random, skills: Sequence[str], usual: Sequence[float]) -> list[str]:
    done: list[str] = []
    for skill in workflow:
        if chance.random() < _DROPPED:
            continue
        if done and chance.random() < _INTERRUPTED:
            done += chance.choices(skills, usual)
        done.append(skill)
    return done


def ranked(sessions: Sequence[Sequence[str]]) -> list[Items]:
    """Return the sequences of ``sessions``, the most telling first."""
    limits = Limits(apart_s=math.inf, half_life_s=1e15, least=_OFTEN, sessions=len(sessions))
    miner = Miner(limits)
    for number, session in enumerate(sessions):
        miner.fold([Entry((skill,), float(number)) for skill in session])
    return [one.items for one in miner.found(float(len(sessions)))]


def _by_support(sessions: Sequence[Sequence[str]]) -> list[Items]:
    from prefixspan import PrefixSpan

    miner = PrefixSpan(sessions)
    miner.minlen, miner.maxlen = 2, 6
    found = sorted(miner.frequent(_BASELINE_OFTEN, closed=True), key=lambda one: (-one[0], one[1]))
    return [tuple(items) for _, items in found]


def _found(workflows: Sequence[Items], ranked: Sequence[Items]) -> int:
    return len(set(workflows) & set(ranked))
