"""What a candidate is asked, and what the answers must be: made once for a problem and a seed, used on every candidate.

A scene is a program, values for it, the reference's outputs and how far off each element may be. The values of all
families come through the same buffers, so what a kernel remembers by pointer is wrong the next time.

How far off an element may be is found by a few noisy runs. Of millions a few come out nearly the same in all of them by
chance, a difference of products that all but cancels; so where few seem wrong, many more are made before that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

import numpy as np

from gpu_skills.graph import Apply, DType, Expr, Gather, Parameter, Program, Role, Sweep, evaluate, parameters_of
from gpu_skills.judge import noise
from gpu_skills.judge.families import Family, filled
from gpu_skills.judge.model import Array, Reference
from gpu_skills.judge.storage import PRECISION, read
from gpu_skills.model import Problem

_LARGE = 1 << 21
_SANITIZED = 1 << 17
_SAMPLES, CLOSER = 4, 12
"""So many noisy runs are made of a program, and so many anew where few elements seem to be wrong."""
_FEW = 0.01
_TIMES_NOISE = 8.0
_TIMES_UNIT = {DType.F64: 16.0, DType.F32: 16.0, DType.F16: 2.5, DType.BF16: 2.5}
_VERIFIED_OF_A_FAMILY = 0.25


@dataclass(frozen=True, slots=True)
class Wanted:
    """One output: what it must be, and how far off each element may be; infinite where nothing can be told."""

    want: Array
    slack: Array


@dataclass(frozen=True, slots=True)
class Scene:
    """A question: values as they are kept in memory, and what each output must be."""

    name: str
    program: Program
    given: Mapping[str, Array]
    wanted: Mapping[str, Wanted]
    family: Family = Family.NORMAL
    closer: dict[str, Wanted] = field(default_factory=dict, compare=False, repr=False)
    """What is wanted by many more noisy runs, once that was asked for."""


@dataclass(frozen=True, slots=True)
class Misses:
    """How far outputs are off: the worst in multiples of what is allowed, relative in the 2-norm, and how many."""

    worst: float
    relative: float
    wrong: int
    verified: int


NO_MISSES = Misses(0.0, 0.0, 0, 0)


class Exam:
    """All scenes of a problem. ``reference`` says what is right; the default is the graph's own oracle."""

    def __init__(self, problem: Problem, reference: Reference = evaluate, *, seed: int = 0) -> None:
        self.problem, self.reference, self.seed = problem, reference, seed
        self._scenes: dict[tuple[str, int], Scene] = {}

    @cached_property
    def own(self) -> Scene | None:
        """The problem as it is given; None where it is too large to be checked whole (its timed calls are, in part)."""
        program = self.problem.program
        if elements(program) > _LARGE and self.problem.held_out:
            return None
        return self.scene("as given", program, Family.NORMAL, 1)

    @cached_property
    def unseen(self) -> tuple[Scene, ...]:
        """Programs that a candidate has not seen."""
        return tuple(self.scene(f"held out {index}", one, Family.NORMAL, 10 + index)
                     for index, one in enumerate(self.problem.held_out))  # fmt: skip

    def other_parameters(self, program: Program) -> tuple[Scene, ...]:
        """Return ``program`` with other parameters: some that matter for numbers of any size, and for small ones."""
        if not parameters_of(program):
            return ()
        wishes = (("other parameters", 7.3, Family.NORMAL), ("other parameters, small numbers", 310.0, Family.TINY))
        return tuple(self._kept(f"{name} {index}", with_parameters(program, factor), family, program)
                     for index, (name, factor, family) in enumerate(wishes))  # fmt: skip

    def families(self, program: Program) -> tuple[Scene, ...]:
        """Return ``program`` with every family of values; a family of which little can be told is left out."""
        scenes = [self._kept(family, program, family, program) for family in Family]
        return tuple(one for one in scenes if one.family is Family.NORMAL or _tells(one))

    def _kept(self, name: str, program: Program, family: Family, base: Program) -> Scene:
        key = (name, id(base))
        if key not in self._scenes:
            self._scenes[key] = self.scene(name, program, family, 40 + len(self._scenes))
        return self._scenes[key]

    @cached_property
    def smallest(self) -> Program:
        """The program with the fewest elements."""
        return min((self.problem.program, *self.problem.held_out), key=elements)

    @cached_property
    def redundant(self) -> tuple[str, ...]:
        """The outputs that are the same for all inputs, as far as can be told: a constant would pass for them."""
        first, other = (self.scene("task", self.smallest, Family.NORMAL, 90 + index) for index in range(2))
        return tuple(name for name, one in first.wanted.items() if _same(one, other.wanted[name]))

    def small(self) -> Exam:
        """Return this exam without scenes that would take long with a sanitizer; scenes are shared."""
        if elements(self.problem.program) <= _SANITIZED or not self.problem.held_out:
            return self
        return _Small(self)

    def scene(self, name: str, program: Program, family: Family, salt: int) -> Scene:
        """Return ``program`` with values of ``family``, and what they must come to."""
        chance = np.random.default_rng([self.seed, salt])
        given = filled(program, self.problem.fills, family, chance)
        return Scene(name, program, given, wanted(program, given, self.reference, chance), family)


def _same(one: Wanted, other: Wanted) -> bool:
    with np.errstate(all="ignore"):
        off = np.abs(np.asarray(one.want, dtype=np.float64) - other.want)
        return bool(np.all(off <= one.slack + other.slack))


class _Small(Exam):
    """The scenes of an exam but for the problem's own."""

    def __init__(self, whole: Exam) -> None:
        super().__init__(whole.problem, whole.reference, seed=whole.seed)
        self._scenes = whole._scenes
        self.__dict__["unseen"] = whole.unseen
        self.__dict__["own"] = None


def wanted(
    program: Program, given: Mapping[str, Array], reference: Reference, chance: np.random.Generator
) -> dict[str, Wanted]:
    """Return what every output must be, by ``reference``, and how far off it may be."""
    values = {name: read(one, program.tensor(name).dtype) for name, one in given.items()}
    with np.errstate(all="ignore"):
        outputs = reference(program, values)
    found = {one.name: np.asarray(outputs[one.name]).reshape(one.shape) for one in program.of(Role.OUTPUT)}
    return _with_slack(program, values, found, chance, _SAMPLES)


def _with_slack(
    program: Program, values: Mapping[str, Array], wants: Mapping[str, Array], chance: np.random.Generator, samples: int
) -> dict[str, Wanted]:
    found = {name: Wanted(want, np.zeros(want.shape)) for name, want in wants.items()}
    for _ in range(samples):
        for each in noise.stores_of(program, values, chance):
            _widen(found[each.tensor], each)
    return {name: replace(one, slack=_allowed(one, program.tensor(name).dtype)) for name, one in found.items()}


def part_wanted(
    program: Program, given: Mapping[str, Array], chance: np.random.Generator, samples: int = _SAMPLES
) -> list[tuple[noise.Stored, Array]]:
    """Return what each store of ``program`` must write, by the graph's own oracle, and how far off it may be."""
    values = {name: read(one, program.tensor(name).dtype) for name, one in given.items()}
    exact = noise.stores_of(program, values)
    held = [Wanted(one.values, np.zeros(one.values.shape)) for one in exact]
    for _ in range(samples):
        for one, each in zip(held, noise.stores_of(program, values, chance), strict=True):
            _widen(one, replace(each, places=np.arange(one.want.size).reshape(one.want.shape)))
    return [(one, _allowed(each, program.tensor(one.tensor).dtype)) for one, each in zip(exact, held, strict=True)]


def missed(scene: Scene, outputs: Mapping[str, Array]) -> Misses:
    """Compare all outputs, as they are kept in memory, with what they must be."""
    got = {name: read(one, scene.program.tensor(name).dtype) for name, one in outputs.items()}
    found = together(misses(scene.wanted[name], one) for name, one in got.items())
    if not seems_wrong(found):
        return found
    if not scene.closer:
        values = {name: read(one, scene.program.tensor(name).dtype) for name, one in scene.given.items()}
        wants = {name: one.want for name, one in scene.wanted.items()}
        chance = np.random.default_rng(CLOSER)
        scene.closer.update(_with_slack(scene.program, values, wants, chance, CLOSER))
    return together(misses(scene.closer[name], one) for name, one in got.items())


def seems_wrong(found: Misses) -> bool:
    """Tell whether so few elements are off that it may be chance: then many more noisy runs say how far they may be."""
    return 0 < found.wrong <= max(1, _FEW * found.verified)


def together(several: Iterable[Misses]) -> Misses:
    """Return how far all of several outputs are off."""
    found = list(several)
    return Misses(max((one.worst for one in found), default=0.0), max((one.relative for one in found), default=0.0),
                  sum(one.wrong for one in found), sum(one.verified for one in found))  # fmt: skip


def misses(wanted: Wanted, got: Array) -> Misses:
    """Compare an output, as numbers, with what it must be."""
    with np.errstate(all="ignore"):
        want, number = np.asarray(wanted.want, dtype=np.float64), np.asarray(got, dtype=np.float64)
        off = np.abs(number - want)
        off[(want == number) | (np.isnan(want) & np.isnan(number))] = 0.0
        off[np.isnan(off)] = np.inf
        told = np.isfinite(wanted.slack)
        times = np.where(off == 0, 0.0, off / np.maximum(wanted.slack, 5e-324))
        worst = float(times[told].max(initial=0.0))
        finite = told & np.isfinite(want) & np.isfinite(number)
        size = float(np.linalg.norm(want[finite]))
        relative = float(np.linalg.norm(off[finite])) / size if size else 0.0
    return Misses(worst, relative, int((times[told] > 1).sum()), int(told.sum()))


def elements(program: Program) -> int:
    """Return how many elements the tensors of ``program`` have."""
    return sum(prod(one.shape) for one in program.tensors)


def with_parameters(program: Program, factor: float) -> Program:
    """Return ``program`` with every parameter multiplied by ``factor``."""

    def expr(one: Expr) -> Expr:
        match one:
            case Apply():
                return replace(one, arguments=tuple(expr(each) for each in one.arguments))
            case Gather():
                return replace(one, index=expr(one.index))
            case Parameter():
                return replace(one, value=one.value * factor)
            case _:
                return one

    def step(one: Sweep) -> Sweep:
        folds = tuple(replace(each, expr=expr(each.expr)) for each in one.reductions)
        return replace(one, reductions=folds, stores=tuple(replace(each, expr=expr(each.expr)) for each in one.stores))

    return replace(program, steps=tuple(step(one) if isinstance(one, Sweep) else one for one in program.steps))


def _widen(held: Wanted, sample: noise.Stored) -> None:
    """Keep how far a noisy run is off, where it is further than those before."""
    want = held.want.reshape(-1)[sample.places].astype(np.float64)
    slack = held.slack.reshape(-1)
    with np.errstate(all="ignore"):
        off = np.abs(sample.values - want)
    off[(sample.values == want) | (np.isnan(sample.values) & np.isnan(want))] = 0.0
    off[np.isnan(off)] = np.inf
    slack[sample.places] = np.maximum(slack[sample.places], off)


def _allowed(held: Wanted, dtype: DType) -> Array:
    if dtype not in PRECISION:
        return np.where(held.slack > 0.25, np.inf, 0.0)  # a whole number, unless rounding itself decides it
    precision = PRECISION[dtype]
    with np.errstate(all="ignore"):
        size = np.abs(np.asarray(held.want, dtype=np.float64))
        allowed = _TIMES_NOISE * held.slack + _TIMES_UNIT[dtype] * precision.unit * np.where(np.isfinite(size), size, 0)
        beyond = np.isfinite(size) & (size > precision.most * (1 - 4 * precision.unit))
    return np.asarray(np.where(beyond, np.inf, allowed + precision.least))


def _tells(scene: Scene) -> bool:
    shares = [float(np.isfinite(one.slack).mean()) for one in scene.wanted.values() if one.slack.size]
    return all(share >= _VERIFIED_OF_A_FAMILY for share in shares)
