"""A candidate before the judge: every scene is put to it in one racer, and what it does is written down.

Each scene is run twice with outputs full of one pattern and then of another, so that what is not written, and what is
made of what was there before, shows. The racer is new, its outputs are read by the judge, and nothing is taken from it
but the word that it is done.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gpu_skills.graph import Program, Role
from gpu_skills.judge.arena import Arena, Layout, Place
from gpu_skills.judge.exam import NO_MISSES, Exam, Misses, Scene, missed
from gpu_skills.judge.leash import Asked, Fell, Leash, Wish
from gpu_skills.judge.model import Array
from gpu_skills.judge.storage import bits

REPEATS = 4
REPEATS_OF_THREADS = 12
_IDLE_S = 0.03
_CROWD, _ROUNDS = 32, 10
_CROWD_BYTES = 256 << 20
_SPIN = {"GOMP_SPINCOUNT": "300000"}
"""Threads of OpenMP wait for the next call awake for a moment, so that all of them begin at once."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a candidate did with a scene.

    ``left`` elements were not written, ``moved`` ones follow what was there before, ``other`` ones had other bits when
    it was asked again. ``declined`` with ``wrote``: it says no, and writes all the same.
    """

    scene: Scene
    declined: bool = False
    wrote: int = 0
    left: int = 0
    moved: int = 0
    other: int = 0
    misses: Misses = NO_MISSES


@dataclass(slots=True)
class Record:
    """All answers, and how the racer was found when it had given them."""

    answers: list[Answer] = field(default_factory=list)
    fell: str = ""
    fell_at: str = ""
    asked: tuple[Scene, dict[str, Place]] | None = None
    """What was asked last, and where its tensors lie; None while calls follow each other without a pause."""
    wrote_inputs: bool = False
    broken_bands: int = 0
    tasks: int = 1
    idle_cpu_ns: int = 0
    late: int = 0
    crowded: int = 0
    """Elements with other bits when calls by several threads followed each other without a pause."""

    def of(self, scenes: Sequence[Scene]) -> list[Answer]:
        """Return the answers to ``scenes``."""
        return [one for one in self.answers if any(one.scene is each for each in scenes)]


class Hearing:
    """Puts scenes to one library. ``exact`` is for a sanitizer's library; ``environment`` is added to the racer's.
    ``fenced``: tensors lie between forbidden pages."""

    def __init__(
        self, library: Path, exam: Exam, *, threads: int = 1, exact: bool = False,
        environment: Mapping[str, str] | None = None, patience_s: float = 60.0, fenced: bool = False,
    ) -> None:  # fmt: skip
        self._exam, self._threads = exam, threads
        self._wish = Wish(library, threads, patience_s=patience_s, exact=exact, environment=environment,
                          fenced=fenced)  # fmt: skip
        layout = Layout()
        self._places = {id(one): layout.add(one) for one in self._programs()}
        self._arena = layout.made()

    def held(self) -> Record:
        """Ask everything; what was asked before the racer fell is in the record."""
        record = Record()
        try:
            with Leash(self._wish, self._arena) as leash:
                self._ask_all(leash, record)
                self._look_around(leash, record)
            if self._threads > 1 and not self._wish.exact:
                self._crowd(record)
        except Fell as fell:
            record.fell = str(fell)
            record.wrote_inputs = fell.status == -signal.SIGSEGV and self._runs_with_inputs_of_its_own(record)
        finally:
            self._arena.close()
        return record

    def _programs(self) -> list[Program]:
        return [self._exam.problem.program] * (self._exam.own is not None) + list(self._exam.problem.held_out)

    def _ask_all(self, leash: Leash, record: Record) -> None:
        for scene in [*((self._exam.own,) if self._exam.own else ()), *self._exam.unseen]:
            self._ask(leash, scene, self._places_of(scene.program), record)
        base = self._accepted(record)
        if base is not None:
            for scene in (*self._exam.other_parameters(base), *self._exam.families(base)):
                self._ask(leash, scene, self._places_of(base), record)

    def _accepted(self, record: Record) -> Program | None:
        """Return the smallest program that it does not decline."""
        taken = [one.scene.program for one in record.answers if not one.declined]
        return min(taken, key=lambda one: sum(np.prod(each.shape) for each in one.tensors), default=None)

    def _places_of(self, program: Program) -> dict[str, Place]:
        return self._places[id(program)]

    def _ask(self, leash: Leash, scene: Scene, places: dict[str, Place], record: Record) -> None:
        record.fell_at, record.asked = scene.name, (scene, places)
        self._arena.fill(places, scene.given)
        call = leash.define([Asked(scene.program, places, self._threads)])
        self._arena.poison(places)
        if leash.run(call).declined:
            record.answers.append(Answer(scene, declined=True, wrote=self._written(places)))
            return
        outputs = self._outputs(scene, places)
        left = sum(self._arena.poisoned(places[name]) for name in outputs)
        again = self._again(leash, call, scene, places, second=True)
        moved = _differ(outputs, again)
        repeats = REPEATS if self._threads == 1 else REPEATS_OF_THREADS
        more = [self._again(leash, call, scene, places, second=False) for _ in range(repeats - 2)]
        other = sum(_differ(outputs, one) for one in more)
        moved = 0 if other else moved  # who differs anyway does not differ because of what was there
        record.answers.append(Answer(scene, left=left, moved=moved, other=other, misses=missed(scene, outputs)))

    def _again(
        self, leash: Leash, call: int, scene: Scene, places: dict[str, Place], *, second: bool
    ) -> dict[str, Array]:
        self._arena.poison(places, second=second)
        leash.run(call)
        return self._outputs(scene, places)

    def _outputs(self, scene: Scene, places: Mapping[str, Place]) -> dict[str, Array]:
        return {one.name: self._arena.view(places[one.name]).copy() for one in scene.program.of(Role.OUTPUT)}

    def _written(self, places: Mapping[str, Place]) -> int:
        taken = [one for one in places.values() if one.taken]
        return sum(self._arena.view(one).size - self._arena.poisoned(one) for one in taken)

    def _look_around(self, leash: Leash, record: Record) -> None:
        before = self._arena.taken.bytes.copy()
        record.idle_cpu_ns = leash.idle_cpu_ns(_IDLE_S)
        record.late = int(np.count_nonzero(self._arena.taken.bytes != before))
        record.tasks = leash.tasks()
        record.broken_bands = self._arena.broken_bands()

    def _crowd(self, record: Record) -> None:
        """Call the largest scene again and again without a pause, each time into other outputs; compare all bits."""
        taken = [one.scene for one in record.answers if not one.declined]
        scene = max(taken, key=lambda one: sum(each.size for each in one.given.values()), default=None)
        if scene is None:
            return
        record.fell_at, record.asked = f"{scene.name}, again and again", None
        layout = Layout()
        size = sum(each.size_bytes for each in Layout().add(scene.program).values())
        crowd = [layout.add(scene.program) for _ in range(max(2, min(_CROWD, _CROWD_BYTES // max(size, 1))))]
        arena = layout.made()
        try:
            with Leash(replace(self._wish, environment={**_SPIN, **(self._wish.environment or {})}), arena) as leash:
                record.crowded = _crowded(leash, arena, scene, crowd, self._threads)
        finally:
            arena.close()

    def _runs_with_inputs_of_its_own(self, record: Record) -> bool:
        """Tell whether the scene at which it fell goes well once it may write into inputs, which are a copy."""
        if record.asked is None:
            return False
        scene, places = record.asked
        wish = Wish(self._wish.library, self._threads, exact=self._wish.exact, private=True,
                    fenced=self._wish.fenced)  # fmt: skip
        try:
            with Leash(wish, self._arena) as leash:
                self._arena.fill(places, scene.given)
                leash.run(leash.define([Asked(scene.program, places, self._threads)]))
        except Fell:
            return False
        return True


def _crowded(leash: Leash, arena: Arena, scene: Scene, crowd: Sequence[dict[str, Place]], threads: int) -> int:
    for places in crowd:
        arena.fill(places, scene.given)
    first = leash.define([Asked(scene.program, places, threads) for places in crowd])
    names = [one.name for one in scene.program.of(Role.OUTPUT)]
    same: dict[str, Array] = {}
    other = 0
    for _ in range(_ROUNDS):
        for places in crowd:
            arena.poison(places)
        leash.run(first, len(crowd))
        for places in crowd:
            got = {name: arena.view(places[name]) for name in names}
            same = same or {name: one.copy() for name, one in got.items()}
            other += _differ(same, got)
    return other


def _differ(one: Mapping[str, Array], other: Mapping[str, Array]) -> int:
    return sum(int(np.count_nonzero(bits(one[name]) != bits(other[name]))) for name in one)
