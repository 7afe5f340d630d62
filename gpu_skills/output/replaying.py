"""Replay: build a folder's kernels again from their sources, judge them anew with another seed, and race them again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.judge import Native, Race, Torch, Verdict
from gpu_skills.judge.racing import interval
from gpu_skills.model import Built
from gpu_skills.output.folder import Shelved
from gpu_skills.parts import Part
from gpu_skills.workshop import Bay, baselines

_PAIRS = 21
Rooms = Callable[[Part], Path]
Bays = Callable[[Part], Bay]
"""Returns the bay for a part: where it is compiled and run."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a kernel came to this time. ``same_source`` and ``same_library``: bit for bit what the certificate names.

    ``before`` is the ratio that the certificate names against each side, ``now`` this race's with its interval.
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


def replayed(
    shelved: Shelved, rooms: Rooms, bays: Bays, *, raced: bool = True, compiled: bool = True
) -> tuple[Replayed, ...]:
    """Replay every kernel of a folder; ``rooms`` says where the files of a part lie.

    Not ``raced``, nothing of the user's is run. Raises KernelsError where the machine cannot.
    """
    found = []
    for part, built in shelved.kernels:
        sides = _sides(shelved, part, rooms(part), compiled) if raced else []
        found.append(_again(shelved, part, built, bays(part), sides))
    return tuple(found)


def _sides(shelved: Shelved, part: Part, room: Path, compiled: bool) -> list[Torch]:
    return list(baselines(shelved.problem, part, room, shelved.outline.parameters, training=shelved.outline.training,
                          compiled=compiled))  # fmt: skip


def _again(shelved: Shelved, part: Part, built: Built, bay: Bay, sides: list[Torch]) -> Replayed:
    made = bay.build(built.candidate)
    verdict = bay.judge(made)
    same = hashlib.sha256(made.library.read_bytes()).hexdigest() == built.sha256
    before = _before(shelved, part)
    if not verdict.passed or not sides:
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
