"""What of a program is structure, and what is a number that may be another one the next time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from gpu_skills.graph.model import (
    Access,
    Apply,
    Expr,
    Gather,
    Library,
    Parameter,
    Position,
    Program,
    Reduction,
    Size,
    Step,
    Store,
    Sweep,
)
from gpu_skills.graph.wire import program_to_json

_STRUCTURAL = (0, 1)
"""A stride of 0 is a broadcast and of 1 a run of neighbours: kernels are made for them. Others are numbers."""
_ANY = -1


def numbers_of(program: Program) -> tuple[int, ...]:
    """Return the numbers of a program in the order in which a kernel is given them.

    For each sweep: the sizes of its axes; offset, then strides that are not 0 or 1, of each read; then of each store;
    then stride and size of each gather, in the order in which its reductions and stores name them.
    """
    found: list[int] = []

    def keep(number: int) -> int:
        found.append(number)
        return number

    _with_each(program, keep)
    return tuple(found)


def with_numbers(program: Program, numbers: tuple[int, ...]) -> Program:
    """Return ``program`` with other numbers, as ``numbers_of`` orders them; shapes of tensors are left as they are."""
    following = iter(numbers)
    return _with_each(program, lambda _: next(following))


def parameters_of(program: Program) -> tuple[Parameter, ...]:
    """Return the parameters of a program, each once, in the order of first use."""
    found: dict[str, Parameter] = {}
    for step in program.steps:
        if isinstance(step, Sweep):
            for expr in (*(one.expr for one in step.reductions), *(one.expr for one in step.stores)):
                found |= {one.name: one for one in _parts(expr) if isinstance(one, Parameter) and one.name not in found}
    return tuple(found.values())


def axes_told(sweep: Sweep) -> frozenset[int]:
    """Return the axes of which an expression says how long they are, or where it is on them."""
    exprs = (*(one.expr for one in sweep.reductions), *(one.expr for one in sweep.stores))
    return frozenset(one.axis for expr in exprs for one in _parts(expr) if isinstance(one, Size | Position))


def structure_of(program: Program) -> str:
    """Return a hash of all but the numbers and the values of parameters: what a kernel is made for."""
    bare = _with_each(program, lambda _: _ANY, parameter=lambda one: replace(one, value=0.0))
    kinds = [[one.name, len(one.shape), one.dtype.value, one.role.value] for one in program.tensors]
    written = program_to_json(bare) | {"tensors": kinds}
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()[:24]


def _parts(expr: Expr, seen: set[int] | None = None) -> Iterator[Expr]:
    """Yield what is inside, an object that stands at several places once: an expression may be a graph."""
    seen = set() if seen is None else seen
    if id(expr) in seen:
        return
    seen.add(id(expr))
    yield expr
    inside = expr.arguments if isinstance(expr, Apply) else (expr.index,) if isinstance(expr, Gather) else ()
    for one in inside:
        yield from _parts(one, seen)


def _gathers(expr: Expr) -> bool:
    return any(isinstance(one, Gather) for one in _parts(expr))


def _with_each(
    program: Program, number: Callable[[int], int], *, parameter: Callable[[Parameter], Parameter] = lambda one: one
) -> Program:
    """Return ``program`` with each of its numbers put through ``number``, in their order."""

    def stride(one: int) -> int:
        return one if one in _STRUCTURAL else number(one)

    def access(one: Access) -> Access:
        offset = number(one.offset)
        return replace(one, offset=offset, strides=tuple(stride(each) for each in one.strides))

    memo: dict[int, tuple[Expr, Expr]] = {}

    def expr(one: Expr) -> Expr:
        """A gather has numbers at each place it stands at; what has none is rewritten once."""
        if id(one) in memo:
            return memo[id(one)][1]
        made = rewritten(one)
        if isinstance(one, Apply) and not _gathers(one):
            memo[id(one)] = one, made
        return made

    def rewritten(one: Expr) -> Expr:
        match one:
            case Apply():
                return replace(one, arguments=tuple(expr(each) for each in one.arguments))
            case Gather():
                index = expr(one.index)
                return replace(one, index=index, stride=number(one.stride), size=number(one.size))
            case Parameter():
                return parameter(one)
            case _:
                return one

    def step(one: Step) -> Step:
        if isinstance(one, Library):
            return one
        axes = tuple(number(axis) for axis in one.axes)
        reads = tuple((name, access(each)) for name, each in one.reads)
        places = [access(each.to) for each in one.stores]
        folds = tuple(Reduction(each.name, each.fold, expr(each.expr)) for each in one.reductions)
        stores = tuple(Store(to, expr(each.expr), each.once) for to, each in zip(places, one.stores, strict=True))
        return Sweep(axes, reads, folds, stores)

    return replace(program, steps=tuple(step(one) for one in program.steps))
