"""The order of an optimization, and what is kept of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from gpu_skills.building import this_machine
from gpu_skills.errors import CannotGenerate, KernelsError
from gpu_skills.intake import Limits, Reading, concerns, read_problem
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.knowledge import Advice, Features, Knowledge, features_of
from gpu_skills.optimizer.learning import learnt
from gpu_skills.output import Result, Work, apply, contents
from gpu_skills.parts import Part, parts_of
from gpu_skills.search import Budget, Duel, Found, Progress, Refusal, search
from gpu_skills.workshop import Bay, Bench, baselines, floor_of

_WORTH = 1.02
"""The lower bound of the ratio's interval above which a kernel is kept."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be optimized, and what that may take. ``compiled``: torch.compile is raced, too."""

    file: Path
    entry: str = ""
    shapes: str = ""
    seconds: float = 60.0
    builds: int = 60
    threads: int = 1
    seed: int = 0
    compiled: bool = True


@dataclass(frozen=True, slots=True)
class Told:
    """What happens, for a live display: which part of how many, and what the search says."""

    part: int
    parts: int
    said: str
    progress: Progress | None = None


Watch = Callable[[Told], None]


class Yard(Protocol):
    """Where candidates are compiled and run: a bay for each part."""

    def ceilings(self) -> Ceilings:
        """Measure this machine's peaks."""

    def bay(self, part: Part) -> Bay:
        """Return the bay of a part."""

    def folder(self, part: Part) -> Path:
        """Return where a part's files lie; its search's journal, too."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What all parts of one optimization share."""

    wish: Wish
    yard: Yard
    reading: Reading
    peaks: Ceilings
    watch: Watch
    knowledge: Knowledge | None


def optimized(
    wish: Wish, yard: Yard, made_at: str, watch: Watch = lambda told: None, *, limits: Limits | None = None,
    knowledge: Knowledge | None = None,
) -> Work:  # fmt: skip
    """Return what came of it. ``knowledge`` advises the searches, and learns what they find (of one thread alone).

    Raises BadProblem, NotTraced, NoOwnPart, and what the machine cannot do.
    """
    watch(Told(0, 0, f"reading {wish.file.name}"))
    reading = read_problem(wish.file, wish.entry, wish.shapes, limits=limits)
    parts = parts_of(reading.problem)
    watch(Told(0, len(parts), "measuring this machine"))
    peaks = yard.ceilings()
    each = _budgets(parts, peaks, wish)
    run = _Run(wish, yard, reading, peaks, watch, knowledge if wish.threads == 1 else None)
    results = tuple(_one(one, (place, len(parts)), each[place], run) for place, one in enumerate(parts))
    work = Work(reading.problem, reading.outline, results, this_machine(), peaks, wish.seed, wish.threads, made_at,
                (*reading.notes, *_concerns(wish, limits)))  # fmt: skip
    return _end_to_end(work, wish, limits)


def _budgets(parts: Sequence[Part], peaks: Ceilings, wish: Wish) -> list[Budget]:
    """Share the budget by what the parts cost at least; each gets a tenth of an equal share in any case."""
    floors = [floor_of(one.problem.program, peaks).ns for one in parts]
    shares = [0.9 * one / sum(floors) + 0.1 / len(parts) for one in floors]
    return [Budget(wish.seconds * one, max(3, round(wish.builds * one))) for one in shares]


def _one(part: Part, place: tuple[int, int], budget: Budget, run: _Run) -> Result:
    def told(progress: Progress) -> None:
        run.watch(Told(place[0] + 1, place[1], progress.said, progress))

    wish, reading = run.wish, run.reading
    run.watch(Told(place[0] + 1, place[1], "searching"))
    floor = floor_of(part.problem.program, run.peaks)
    bay, folder = run.yard.bay(part), run.yard.folder(part)
    sides = baselines(reading.problem, part, folder, reading.outline.parameters, training=reading.outline.training,
                      compiled=wish.compiled)  # fmt: skip
    try:
        bench = Bench(part.problem, bay, this_machine(), sides, floor_ns=floor.ns, threads=wish.threads)
    except CannotGenerate as error:
        return Result(part, False, error.message, floor=floor)
    features = features_of(part.problem.program, part.problem.name, bench.space.family, this_machine())
    found = search(bench.space, bench, folder / "search", budget=budget, seed=wish.seed, watch=told,
                   advice=_advice(run.knowledge, features))  # fmt: skip
    if run.knowledge is not None:
        run.knowledge.learn(learnt(found, features, this_machine()))
    return _decided(Result(part, False, "", found.best, found, floor=floor), bench)


def _advice(knowledge: Knowledge | None, features: Features) -> Advice:
    return Advice() if knowledge is None else knowledge.advice(features)


def _decided(one: Result, bench: Bench) -> Result:
    found = one.found
    if found is None or found.best is None:
        return replace(one, why="No candidate passed every gate: the library is kept.", races=tuple(bench.races))
    if found.best.candidate.id not in bench.verdicts:  # the search goes on where it was: it was judged then
        bench.judge(found.best)
    beats = found.beats or _raced(bench, found)
    kept, why = _worth(beats)
    return replace(one, kept=kept, why=why, beats=beats if isinstance(beats, Duel) else None,
                   verdict=bench.verdicts.get(found.best.candidate.id), races=tuple(bench.races),
                   left_out=dict(bench.left_out))  # fmt: skip


def _raced(bench: Bench, found: Found) -> Duel | Refusal:
    assert found.best is not None
    return bench.duel(found.best, None)


def _worth(beats: Duel | Refusal) -> tuple[bool, str]:
    if isinstance(beats, Refusal):
        return False, f"The kernel could not be raced ({beats.said}): the library is kept."
    told = f"{beats.ratio:.2f} times as fast as {beats.against} (95 % interval {beats.low:.2f} to {beats.high:.2f})"
    if beats.low > _WORTH:
        return True, f"The kernel is {told}."
    return False, f"The kernel is {told}: that is no gain beyond doubt, so the library is kept."


def _concerns(wish: Wish, limits: Limits | None) -> tuple[str, ...]:
    try:
        found = concerns(wish.file, wish.entry, wish.shapes, limits=limits)
    except KernelsError as error:
        return (f"Whether it is evidence was not found out: {error.message}",)
    return tuple(f"No evidence: {one.reason} ({one.detail})" for one in found)


def _end_to_end(work: Work, wish: Wish, limits: Limits | None) -> Work:
    """Hold the whole, with its kernels, against itself; a whole that is not right or not faster keeps its library."""
    if not work.kept:
        return work
    with tempfile.TemporaryDirectory(prefix="steward-whole-") as folder:
        try:
            for name, data in contents(work).items():
                (Path(folder) / name).write_bytes(data)
            found = apply(Path(folder), wish.file, wish.entry, wish.shapes, limits=limits)
        except KernelsError as error:
            return _without(work, f"With its kernels it does not run: {error.message}", {})
    told = asdict(found)
    if not found.right:
        return _without(work, "With its kernels it is not what it was, end to end.", told)
    again = (
        f"Run again and again on the same values, with torch's own allocation, it is {found.ratio:.2f} times as fast"
    )
    if found.ratio < 1.0 and len(work.problem.program.steps) > 1:
        return _without(work, f"{again}: the library is kept.", told)
    if found.ratio < 1.0:
        work = replace(work, notes=(*work.notes, f"{again}."))
    return replace(work, end_to_end=told)


def _without(work: Work, why: str, told: Mapping[str, Any]) -> Work:
    results = tuple(replace(one, kept=False, why=f"{one.why} {why}") if one.kept else one for one in work.results)
    return replace(work, results=results, end_to_end=told)
