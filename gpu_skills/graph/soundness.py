"""Whether what was read is a program: everything that it names is there, and every size is one."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from gpu_skills.graph.model import (
    Access,
    Apply,
    Expr,
    Fn,
    Folded,
    Gather,
    Library,
    Position,
    Program,
    Read,
    Size,
    Sweep,
    Tensor,
)

_ONE = frozenset((
    Fn.NEG, Fn.ABS, Fn.SIGN, Fn.EXP, Fn.EXPM1, Fn.LOG, Fn.LOG1P, Fn.SQRT, Fn.RSQRT, Fn.TANH, Fn.ERF, Fn.SIGMOID,
    Fn.SIN, Fn.COS, Fn.FLOOR, Fn.CEIL, Fn.ROUND, Fn.NOT,
))  # fmt: skip


def arity(fn: Fn) -> int:
    """Return how many arguments a function takes."""
    return 1 if fn in _ONE else 3 if fn is Fn.WHERE else 2


def sound(program: Program) -> Program:
    """Return ``program``. Raises ValueError where it names what is not there, or a size or stride is none."""
    tensors = {one.name: one for one in program.tensors}
    _once("tensor", [one.name for one in program.tensors])
    for one in program.tensors:
        _require(min(one.shape, default=1) >= 1, f"{one.name} has a size below 1")
    for step in program.steps:
        if isinstance(step, Library):
            _named("tensor", (*step.reads, *step.writes), tensors)
        else:
            _sweep(step, tensors)
    return program


def _require(holds: bool, said: str) -> None:
    if not holds:
        raise ValueError(f"this is no program: {said}")


def _once(kind: str, names: Sequence[str]) -> None:
    _require(len(set(names)) == len(names), f"two have the name of one {kind}")


def _named(kind: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        _require(name in known, f"there is no {kind} {name}")


def _sweep(sweep: Sweep, tensors: dict[str, Tensor]) -> None:
    _require(bool(sweep.axes) and min(sweep.axes) >= 1, "an axis is shorter than 1")
    _once("access", [name for name, _ in sweep.reads])
    _once("reduction", [one.name for one in sweep.reductions])
    for _, access in sweep.reads:
        _access(access, sweep.axes, tensors)
    for store in sweep.stores:
        axes = (*sweep.axes[:-1], 1) if store.once else sweep.axes
        _access(store.to, axes, tensors)
    seen: dict[int, Expr] = {}
    for place, one in enumerate(sweep.reductions):
        _expr(one.expr, sweep, [each.name for each in sweep.reductions[:place]], seen)
    for store in sweep.stores:
        _expr(store.expr, sweep, [each.name for each in sweep.reductions], seen)


def _access(access: Access, axes: tuple[int, ...], tensors: dict[str, Tensor]) -> None:
    _named("tensor", [access.tensor], tensors)
    _require(len(access.strides) == len(axes), f"{access.tensor} has {len(access.strides)} strides on {len(axes)} axes")
    _require(min(access.offset, *access.strides) >= 0, f"{access.tensor} is gone through backwards")
    last = access.offset + sum(stride * (size - 1) for stride, size in zip(access.strides, axes, strict=True))
    _require(last < math.prod(tensors[access.tensor].shape), f"{access.tensor} has no element {last}")


def _expr(expr: Expr, sweep: Sweep, folds: Collection[str], seen: dict[int, Expr]) -> None:
    """Go through what was not seen yet; what an earlier reduction may name, a later one may."""
    reads, todo = {name for name, _ in sweep.reads}, [expr]
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen[id(one)] = one
        match one:
            case Read() | Gather():
                _named("access", [one.access], reads)
            case Folded():
                _named("reduction before it", [one.reduction], folds)
            case Size() | Position():
                _require(0 <= one.axis < len(sweep.axes), f"there is no axis {one.axis}")
            case Apply():
                _require(len(one.arguments) == arity(one.fn), f"{one.fn} takes {arity(one.fn)}")
                todo += one.arguments
            case _:
                pass
        if isinstance(one, Gather):
            _require(one.size >= 1 and one.stride >= 0, f"{one.access} has nothing to choose from")
            todo.append(one.index)
