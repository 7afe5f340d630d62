"""The certificate: everything that was found about a kernel, as JSON that can be checked and measured again."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gpu_skills.building import Machine
from gpu_skills.graph import structure_of
from gpu_skills.intake import Outline
from gpu_skills.intake.outline import outline_to_json
from gpu_skills.intake.wire import problem_to_json
from gpu_skills.judge import Race, Verdict
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.judge.racing import POLICY
from gpu_skills.model import Built, Problem
from gpu_skills.parts import Part
from gpu_skills.search import Duel, Found
from gpu_skills.workshop import Floor
from gpu_skills.workshop.trials import race_to_json, verdict_to_json

VERSION = 1
_PACKAGES = ("steward-os", "numpy", "torch", "triton")


@dataclass(frozen=True, slots=True)
class Result:
    """What a search came to for one part. ``kept`` tells whether the kernel is used; ``why`` says why (not)."""

    part: Part
    kept: bool
    why: str
    best: Built | None = None
    found: Found | None = None
    verdict: Verdict | None = None
    races: Sequence[Race] = ()
    floor: Floor | None = None
    beats: Duel | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Work:
    """All that an optimization came to: the problem, its parts' results, and the machine that it was measured on."""

    problem: Problem
    outline: Outline
    results: Sequence[Result]
    machine: Machine
    peaks: Ceilings
    seed: int
    threads: int
    made_at: str
    notes: Sequence[str] = ()
    end_to_end: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kept(self) -> tuple[Result, ...]:
        """Return the results whose kernel is used."""
        return tuple(one for one in self.results if one.kept)


def certificate(work: Work) -> dict[str, Any]:
    """Return the certificate, as what JSON holds. Times are nanoseconds, ratios are theirs / ours."""
    return {
        "version": VERSION, "name": work.problem.name, "made_at": work.made_at, "seed": work.seed,
        "threads": work.threads, "machine": _machine(work.machine), "versions": _versions(work.machine),
        "allocation": POLICY, "ceilings": asdict(work.peaks), "notes": list(work.notes),
        "end_to_end": dict(work.end_to_end), "parts": [_part(one) for one in work.results],
        "outline": outline_to_json(work.outline), "problem": problem_to_json(work.problem),
    }  # fmt: skip


def _machine(machine: Machine) -> dict[str, Any]:
    return {**asdict(machine), "instructions": sorted(machine.instructions)}


def _versions(machine: Machine) -> dict[str, str]:
    found = {"python": platform.python_version(), "kernel": platform.release(), "compiler": machine.compiler}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _part(one: Result) -> dict[str, Any]:
    program = one.part.problem.program
    return {
        "begin": one.part.begin, "end": one.part.end, "structure": structure_of(program), "kept": one.kept,
        "why": one.why, "kernel": None if one.best is None else _kernel(one.best),
        "floor": None if one.floor is None else {**asdict(one.floor), "ns": one.floor.ns, "bound": one.floor.bound},
        "percent_of_ceiling": percent_of_ceiling(one), "beats": None if one.beats is None else asdict(one.beats),
        "verdict": None if one.verdict is None else verdict_to_json(one.verdict),
        "races": [race_to_json(each) for each in one.races], "left_out": dict(one.left_out),
        "search": None if one.found is None else _search(one.found),
    }  # fmt: skip


def percent_of_ceiling(one: Result) -> float | None:
    """Return how much of the machine's measured ceiling a part's kernel reaches, by its least time."""
    if one.floor is None or one.verdict is None or one.verdict.timing is None:
        return None
    timing = one.verdict.timing
    return 100.0 * one.floor.ns / max(timing.cpu_ns, 1.0)


def _kernel(built: Built) -> dict[str, Any]:
    made = built.candidate
    return {
        "id": made.id, "language": made.language.value, "genome": dict(made.genome), "made_by": made.made_by,
        "parents": list(made.parents), "library": built.library.name, "sha256": built.sha256,
        "source": built.library.with_suffix(".cpp").name, "command": list(built.command), "seconds": built.seconds,
    }  # fmt: skip


def _search(found: Found) -> dict[str, Any]:
    trials = [
        {
            "id": one.proposal.id, "made_by": one.proposal.made_by, "genome": dict(one.proposal.genome),
            "parents": list(one.proposal.parents), "samples": [float(each) for each in one.samples],
            "refusal": None if one.refusal is None else [str(one.refusal.why), one.refusal.said],
            "accepted": one.accepted,
        }
        for one in found.trials
    ]  # fmt: skip
    return {"stopped": found.stopped, "seconds": found.seconds, "trials": trials,
            "shares": {name: asdict(one) for name, one in found.shares.items()}}  # fmt: skip
