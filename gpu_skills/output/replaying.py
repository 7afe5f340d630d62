"""Replay: build a folder's kernels again from their sources, judge them anew with another seed, and race them again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.judge import Race, Torch, Verdict
from gpu_skills.judge.racing import interval
from gpu_skills.model import Built
from gpu_skills.output.folder import Shelved
from gpu_skills.parts import Part
from gpu_skills.workshop import Bay, baselines
from gpu_skills.judge import Native

_PAIRS = 21
Bays = Callable[[Part], Bay]
"""Returns the bay for a part: where it is compiled and run."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a kernel came to this time. ``same_source`` and ``same_library``: bit for bit what the certificate names.

    ``before`` is the ratio that the certificate names against each side, ``now`` the one of this race with its interval.
    """

    part: Part
    same_library: bool
    verdict: Verdict
    before: dict[str, float]
    now: dict[str, tuple[float, float, float]]
    fell: str = ""

    @property
    def holds(self) -> bool:
        """Tell whether it is accepted again and no slower than any side, within the interval."""
        return self.verdict.passed and not self.fell and all(high >= 1.0 for _, _, high in self.now.values())


def replayed(shelved: Shelved, room: Path, bays: Bays, *, compiled: bool = True) -> tuple[Replayed, ...]:
    """Replay every kernel of a folder; ``room`` is a folder to work in. Raises KernelsError where the machine cannot."""
    return tuple(_again(shelved, part, built, room, bays(part), compiled) for part, built in shelved.kernels)


def _again(shelved: Shelved, part: Part, built: Built, room: Path, bay: Bay, compiled: bool) -> Replayed:
    made = bay.build(built.candidate)
    verdict = bay.judge(made)
    same = hashlib.sha256(made.library.read_bytes()).hexdigest() == built.sha256
    before = _before(shelved, part)
    if not verdict.passed:
        return Replayed(part, same, verdict, before, {})
    sides: list[Torch] = list(baselines(shelved.problem, part, room, shelved.outline.parameters,
                                        training=shelved.outline.training, compiled=compiled))  # fmt: skip
    if not sides:
        return Replayed(part, same, verdict, before, {})
    race = bay.race([Native("kernel", made), *sides], _PAIRS)
    return Replayed(part, same, verdict, before, _ratios(race, int(shelved.told["threads"])), race.fell)


def _before(shelved: Shelved, part: Part) -> dict[str, float]:
    told = next(one for one in shelved.told["parts"] if (one["begin"], one["end"]) == (part.begin, part.end))
    return {str(one["against"]): float(one["median"]) for race in told["races"] for one in race["ratios"]}


def _ratios(race: Race, threads: int) -> dict[str, tuple[float, float, float]]:
    if race.fell:
        return {}
    times = race.cpu_ns if threads == 1 else race.wall_ns
    first = times[race.sides[0]]
    return {side: interval([theirs / ours for ours, theirs in zip(first, times[side], strict=True)])
            for side in race.sides[1:]}  # fmt: skip
