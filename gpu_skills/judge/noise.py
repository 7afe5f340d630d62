"""How far off a right kernel may be: the program again, every operation off by its rounding, a few times at random.

A sum of K numbers is moved by sqrt(K) roundings of its sums, all else by one. Where that changes the result much
(a mean taken from large numbers, 1 + tanh of -4), a right kernel may be that much off; where it does not, a kernel that
computes in a lower precision is far outside. Numbers beyond the working precision become infinite, as they would.

Oracle: ``gpu_skills.graph.evaluate`` (without noise both are the same, a test holds that). Source: Monte Carlo
arithmetic, Parker 1997; Vignes 1993 (CESTAC).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeGuard

import numpy as np
from numpy.lib.stride_tricks import as_strided

from gpu_skills.graph import (
    Access,
    Apply,
    DType,
    Expr,
    Fn,
    Fold,
    Folded,
    Gather,
    Number,
    Parameter,
    Position,
    Program,
    Read,
    Role,
    Size,
    Step,
    Sweep,
)
from gpu_skills.judge.model import Array
from gpu_skills.judge.storage import PRECISION, Precision

_erf = np.vectorize(math.erf, otypes=[np.float64])
_BY_ANOTHER_NAME = {Fn.SUB: "subtract", Fn.MUL: "multiply", Fn.DIV: "divide", Fn.POW: "power", Fn.NEG: "negative",
                    Fn.ROUND: "rint", Fn.LT: "less", Fn.LE: "less_equal", Fn.EQ: "equal", Fn.NE: "not_equal",
                    Fn.AND: "logical_and", Fn.NOT: "logical_not"}  # fmt: skip
_EXACT = frozenset({Fn.MAXIMUM, Fn.MINIMUM, Fn.NEG, Fn.ABS, Fn.SIGN, Fn.FLOOR, Fn.CEIL, Fn.ROUND, Fn.LT, Fn.LE, Fn.EQ,
                    Fn.NE, Fn.AND, Fn.NOT, Fn.WHERE})  # fmt: skip


def working(program: Program) -> Precision:
    """Return the precision that a kernel of ``program`` is to compute in: float64 if a tensor is, else float32."""
    double = any(one.dtype is DType.F64 for one in program.tensors)
    return PRECISION[DType.F64 if double else DType.F32]


def one_sweep(program: Program) -> TypeGuard[Program]:
    """Tell whether each place of an outer axis can be computed alone."""
    return len(program.steps) == 1 and isinstance(program.steps[0], Sweep)


def part(program: Program, place: int, axis: int = 0) -> Program:
    """Return ``program``, of one sweep, for one ``place`` of an outer ``axis``."""
    step = program.steps[0]
    assert isinstance(step, Sweep)

    def moved(one: Access) -> Access:
        return replace(one, offset=one.offset + place * one.strides[axis])

    reads = tuple((name, moved(one)) for name, one in step.reads)
    stores = tuple(replace(one, to=moved(one.to)) for one in step.stores)
    axes = tuple(1 if at == axis else size for at, size in enumerate(step.axes))
    return replace(program, steps=(replace(step, axes=axes, reads=reads, stores=stores),))


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store writes: the elements of ``tensor``, by place, and their values."""

    tensor: str
    places: Array
    values: Array


def stores_of(program: Program, given: Mapping[str, Array], chance: np.random.Generator | None = None) -> list[Stored]:
    """Return what each store of the last steps writes; with ``chance`` every operation is off by its rounding.

    ``given`` holds inputs and weights, bfloat16 as float32.
    """
    held = {name: np.ascontiguousarray(one) for name, one in given.items()}
    held |= {one.name: np.full(one.shape, np.nan) for one in program.of(Role.SCRATCH)}
    outputs = {one.name for one in program.of(Role.OUTPUT)}
    found: list[Stored] = []
    with np.errstate(all="ignore"):
        for step in program.steps:
            for one in _stored(step, program, held, chance):
                if one.tensor in outputs:
                    found.append(one)
                if one.tensor in outputs and not one_sweep(program):
                    held.setdefault(one.tensor, np.full(program.tensor(one.tensor).shape, np.nan))
                if one.tensor in held:
                    held[one.tensor].reshape(-1)[one.places] = one.values
    return found


def _stored(
    step: Step, program: Program, held: Mapping[str, Array], chance: np.random.Generator | None
) -> list[Stored]:
    if not isinstance(step, Sweep):
        raise ValueError(f"{step.operation} stays with its library: {step.why}")  # noqa: TRY004
    values = _Values(step, held, step.axes, _Noise(working(program), chance))
    for one in step.reductions:
        whole = np.broadcast_to(values.of(one.expr), step.axes)
        values.folded[one.name] = values.fold(one.fold, whole)
    a_row = _Values(step, held, (*step.axes[:-1], 1), values.noise, values.folded)
    found = []
    for store in step.stores:
        side = a_row if store.once else values
        places = _places(store.to, side.axes)
        found.append(Stored(store.to.tensor, places, np.broadcast_to(side.of(store.expr), side.axes)))
    return found


def _places(access: Access, axes: tuple[int, ...]) -> Array:
    places = np.full(axes, access.offset, dtype=np.int64)
    for axis, (stride, size) in enumerate(zip(access.strides, axes, strict=True)):
        shape = [1] * len(axes)
        shape[axis] = size
        places += stride * np.arange(size).reshape(shape)
    return places


class _Noise:
    def __init__(self, precision: Precision, chance: np.random.Generator | None) -> None:
        self._precision, self._chance = precision, chance

    def of(self, value: Array, scale: Array | None = None) -> Array:
        """Return ``value``, one rounding of ``scale`` (or of itself) up or down, as the precision can hold it."""
        if self._chance is None:
            return value
        # Of different sizes, too: two errors of one size and opposite signs would hide each other.
        step = self._chance.random(value.shape, dtype=np.float32) * 2.0 - 1.0
        step += np.copysign(0.5, step)
        moved = value + step * (
            self._precision.unit * np.abs(value if scale is None else scale) + self._precision.least
        )
        beyond = np.abs(moved) > self._precision.most
        return np.asarray(np.where(np.isfinite(value), np.where(beyond, np.copysign(np.inf, moved), moved), value))

    def of_constant(self, value: float) -> Array:
        """Return a constant; one that the precision holds exactly is not off."""
        exact = np.asarray(value, dtype=np.float64)
        return exact if np.float32(value) == value else self.of(exact)


class _Values:
    """The values of expressions at every place of ``axes`` at once."""

    def __init__(
        self, sweep: Sweep, held: Mapping[str, Array], axes: tuple[int, ...], noise: _Noise,
        folded: dict[str, Array] | None = None,
    ) -> None:  # fmt: skip
        self._sweep, self._held, self.axes, self.noise = sweep, held, axes, noise
        self.folded: dict[str, Array] = {} if folded is None else folded
        self._known: dict[Expr, Array] = {}

    def fold(self, fold: Fold, whole: Array) -> Array:
        if fold is not Fold.SUM:
            return np.asarray((np.max if fold is Fold.MAX else np.min)(whole, axis=-1, keepdims=True))
        total = whole.sum(axis=-1, keepdims=True)
        scale = np.maximum(np.abs(total), np.sqrt(np.square(whole).sum(axis=-1, keepdims=True)))
        return self.noise.of(total, scale * math.sqrt(whole.shape[-1]))

    def of(self, expr: Expr) -> Array:
        if expr not in self._known:
            self._known[expr] = self._value(expr)
        return self._known[expr]

    def _value(self, expr: Expr) -> Array:
        match expr:
            case Read() | Gather():
                return self._read(expr)
            case Number() | Parameter():
                return self.noise.of_constant(expr.value)
            case Size():
                return np.asarray(self._sweep.axes[expr.axis], dtype=np.float64)
            case Position():
                shape = [1] * len(self.axes)
                shape[expr.axis] = -1
                return np.arange(self.axes[expr.axis], dtype=np.float64).reshape(shape)
            case Folded():
                return self.folded[expr.reduction]
            case Apply():
                value = _applied(expr.fn, [self.of(one) for one in expr.arguments])
                return value if expr.fn in _EXACT else self.noise.of(value)

    def _read(self, expr: Read | Gather) -> Array:
        access = self._sweep.access(expr.access)
        flat = self._held[access.tensor].reshape(-1)
        if isinstance(expr, Read):
            strides = tuple(one * flat.itemsize for one in access.strides)
            return _as_float(as_strided(flat[access.offset :], self.axes, strides))
        places = _places(access, self.axes) + np.asarray(self.of(expr.index)).astype(np.int64) * expr.stride
        return _as_float(flat[places])


def _as_float(array: Array) -> Array:
    return array.astype(np.float64) if array.dtype.kind in "fb" else array


def _applied(fn: Fn, arguments: list[Array]) -> Array:
    first = arguments[0]
    match fn:
        case Fn.WHERE:
            value: Array = np.where(first != 0, arguments[1], arguments[2])
        case Fn.RSQRT:
            value = 1 / np.sqrt(first)
        case Fn.SIGMOID:
            value = 1 / (1 + np.exp(-first))
        case Fn.ERF:
            value = _erf(first)
        case _:
            value = getattr(np, _BY_ANOTHER_NAME.get(fn, fn.value))(*arguments)
    return np.asarray(value, dtype=np.float64)
