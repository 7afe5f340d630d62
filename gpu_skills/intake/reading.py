"""From a file to a problem: load, run, trace, check, and two programs to hold out. Runs the user's file, here."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gpu_skills.errors import BadProblem, KernelsError
from gpu_skills.graph import Apply, Expr, Library, Parameter, Program, Role, Sweep, evaluate, structure_of
from gpu_skills.intake.loading import Loaded, input_elements, loaded, ran, with_shapes
from gpu_skills.intake.outline import outline_of
from gpu_skills.intake.process import Reading
from gpu_skills.intake.shapes import others
from gpu_skills.intake.shrinking import other_sizes
from gpu_skills.model import Fill, Filling, Origin, Problem
from gpu_skills.trace import Trace, check_trace, trace

_MOST_CHECKED = 40_000_000
"""Places of all sweeps together up to which a trace is held against its module: about ten seconds."""
_TRIES = 8
"""How many other sizes are tried for the programs to hold out, about half a second each."""


def read_here(file: Path, entry: str = "", shapes: str = "", *, source: str = "") -> Reading:
    """Return the problem of a file, in this process. Raises BadProblem and NotTraced."""
    file = file.resolve()
    found = loaded(file, entry, shapes, source=source)
    found = _that_runs(found)
    traced = trace(found.called, found.inputs)
    error = _checked(traced, found)
    held_out, worst, notes = _held_out(traced, found, file, source)
    if error is None and worst is None:
        notes.append("too large to be held against float64, and no smaller form was found")
    names = (tuple(each.items()) for each in (traced.input_names, traced.weight_names))
    problem = Problem(found.name, traced.program, held_out, _fills(traced, held_out, found.positive),
                      Origin(file, found.entry, *names))  # fmt: skip
    told = (*_library(traced.program), *notes)
    return Reading(problem, told, error, worst, outline_of(found.called, found.inputs, traced))


def _that_runs(found: Loaded) -> Loaded:
    """Return what was loaded, with positive inputs where a function that is given shapes makes NaN of others."""
    try:
        ran(found)
    except BadProblem as error:
        if error.code != "intake.nan" or found.contract:
            raise
        found = with_shapes(replace(found, positive=True), found.shapes, seed=0)
        ran(found)
    return found


def _library(program: Program) -> list[str]:
    steps = {(one.operation, one.why) for one in program.steps if isinstance(one, Library)}
    return [f"{operation} stays with its library: {why}" for operation, why in sorted(steps)]


def _checked(traced: Trace, found: Loaded) -> float | None:
    places = sum(_places(one) for one in traced.program.steps if isinstance(one, Sweep))
    if places > _MOST_CHECKED or input_elements(found.inputs) > _MOST_CHECKED:
        return None
    return check_trace(traced, found.called, found.inputs)


def _places(sweep: Sweep) -> float:
    """Return how many places a sweep goes through; those of a product of matrices cost a tenth."""
    product = any(one.once and len(sweep.axes) > 2 for one in sweep.stores)
    return float(np.prod(sweep.axes, dtype=float)) * (0.1 if product else 1.0)


def _held_out(
    traced: Trace, found: Loaded, file: Path, source: str
) -> tuple[tuple[Program, ...], float | None, list[str]]:
    """Return two programs of the same structure with other numbers, the second with other parameters too."""
    wanted, held, worst = structure_of(traced.program), list[Program](), None
    for other in itertools.islice(_others(found, file, source), _TRIES * 2):
        again = _traced_again(other)
        if again is None or structure_of(again[0].program) != wanted:
            continue
        program = with_parameters(again[0].program) if held else again[0].program
        shapes = [[tensor.shape for tensor in one.tensors] for one in (traced.program, *held)]
        if [tensor.shape for tensor in program.tensors] not in shapes:
            held.append(program)
            worst = max(worst or 0.0, again[1])
        if len(held) == 2:
            return tuple(held), worst, []
    return tuple(held), worst, [f"{len(held)} of 2 programs to hold out: at other sizes its structure is another one"]


def _others(found: Loaded, file: Path, source: str) -> Iterator[Loaded]:
    if not found.contract:
        for shapes in others(found.shapes):
            yield with_shapes(found, shapes, seed=1)
        return
    for text in other_sizes(source or file.read_text(), _TRIES):
        try:
            yield loaded(file, source=text, seed=1)
        except BadProblem:
            continue


def _traced_again(other: Loaded) -> tuple[Trace, float] | None:
    """Return a trace and its error; None where these sizes do not go together."""
    try:
        ran(other)
        traced = trace(other.called, other.inputs)
    except KernelsError:
        return None
    error = _checked(traced, other)
    return None if error is None else (traced, error)


def with_parameters(program: Program) -> Program:
    """Return ``program`` with another value for each parameter that is no position or count."""
    memo: dict[int, tuple[Expr, Expr]] = {}

    def moved(one: Expr) -> Expr:
        if id(one) not in memo:
            memo[id(one)] = one, _moved(one)
        return memo[id(one)][1]

    def _moved(one: Expr) -> Expr:
        match one:
            case Parameter() if not one.name.startswith(_COUNTS) and np.isfinite(one.value):
                return replace(one, value=one.value * 1.25)
            case Apply():
                return replace(one, arguments=tuple(moved(each) for each in one.arguments))
            case _:
                return one

    def step(one: Any) -> Any:
        if isinstance(one, Library):
            return one
        folds = tuple(replace(each, expr=moved(each.expr)) for each in one.reductions)
        return replace(one, reductions=folds, stores=tuple(replace(each, expr=moved(each.expr)) for each in one.stores))

    return replace(program, steps=tuple(step(one) for one in program.steps))


_COUNTS = ("last", "size", "correction", "diagonal")


def _fills(traced: Trace, held_out: tuple[Program, ...], positive: bool) -> dict[str, Fill]:
    """Return how inputs are filled: positive where normal numbers make NaN and positive ones make none."""
    fills = dict(traced.fills)
    plain = [one.name for one in traced.program.of(Role.INPUT) if one.dtype.value.startswith(("float", "bfloat"))]
    if positive:
        return fills | {name: Fill(Filling.POSITIVE) for name in plain}
    small = next(iter(held_out), None)
    if small is None or any(isinstance(one, Library) for one in small.steps):
        return fills
    below = {name: Fill(Filling.INDEX, below=2) for name in fills if fills[name].filling is Filling.INDEX}
    if finite(small, fills | below, positive=()):
        return fills
    if finite(small, fills | below, positive=plain):
        fills |= {name: Fill(Filling.POSITIVE) for name in plain}
    return fills


def finite(program: Program, fills: dict[str, Fill], positive: tuple[str, ...] | list[str]) -> bool:
    """Tell whether a program gives no NaN for made-up values."""
    chance = np.random.default_rng(5)
    given = {}
    for one in program.of(Role.INPUT, Role.WEIGHT):
        fill = fills.get(one.name, Fill())
        whole = fill.filling is not Filling.ANY
        values = chance.integers(0, max(fill.below, 2), one.shape) if whole else chance.normal(size=one.shape)
        given[one.name] = np.abs(values) + 1e-3 if one.name in positive and not whole else values
    return not any(np.isnan(one).any() for one in evaluate(program, given).values())
