"""What a program comes to, in float64 with numpy: the oracle of the generators. Slow, plain, and right."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from gpu_skills.graph.model import (
    Access,
    Apply,
    DType,
    Expr,
    Fn,
    Fold,
    Folded,
    Gather,
    Library,
    Number,
    Parameter,
    Position,
    Program,
    Read,
    Reduction,
    Role,
    Size,
    Sweep,
)

Array = NDArray[Any]
_erf = np.vectorize(math.erf, otypes=[np.float64])
_APPLIED: Mapping[Fn, Callable[..., Array]] = {
    Fn.ADD: np.add, Fn.SUB: np.subtract, Fn.MUL: np.multiply, Fn.DIV: np.divide, Fn.MAXIMUM: np.maximum,
    Fn.MINIMUM: np.minimum, Fn.POW: np.power, Fn.NEG: np.negative, Fn.ABS: np.abs, Fn.SIGN: np.sign, Fn.EXP: np.exp,
    Fn.EXPM1: np.expm1, Fn.LOG: np.log, Fn.LOG1P: np.log1p, Fn.SQRT: np.sqrt, Fn.RSQRT: lambda x: 1 / np.sqrt(x),
    Fn.TANH: np.tanh, Fn.ERF: _erf, Fn.SIGMOID: lambda x: 1 / (1 + np.exp(-x)), Fn.SIN: np.sin, Fn.COS: np.cos,
    Fn.FLOOR: np.floor, Fn.CEIL: np.ceil, Fn.ROUND: np.rint, Fn.LT: np.less, Fn.LE: np.less_equal, Fn.EQ: np.equal,
    Fn.NE: np.not_equal, Fn.AND: np.logical_and, Fn.NOT: np.logical_not,
    Fn.WHERE: lambda x, y, z: np.asarray(np.where(x != 0, y, z)),
}  # fmt: skip
_FOLDED: Mapping[Fold, Callable[..., Array]] = {Fold.SUM: np.sum, Fold.MAX: np.max, Fold.MIN: np.min}


Called = Callable[[Library, Mapping[str, Array]], Mapping[str, Array]]
"""Runs a step that stays with its library: returns what it writes, for the tensors there are."""


def evaluate(program: Program, given: Mapping[str, Array], library: Called | None = None) -> dict[str, Array]:
    """Return the outputs of ``program`` for its inputs and weights, in float64 (integers stay integers).

    ``given`` holds float tensors of any dtype with the shapes of the program; bfloat16 as float32. Raises ValueError
    where a step stays with its library and ``library`` is not given, or a tensor is missing.
    """
    held = {one.name: np.ascontiguousarray(given[one.name]) for one in program.of(Role.INPUT, Role.WEIGHT)}
    for one in program.of(Role.OUTPUT, Role.SCRATCH):
        held[one.name] = np.full(one.shape, np.nan) if _floats(one.dtype) else np.zeros(one.shape, one.dtype.value)
    with np.errstate(all="ignore"):
        for step in program.steps:
            if isinstance(step, Sweep):
                _swept(step, held)
            elif library is None:
                raise ValueError(f"{step.operation} stays with its library: {step.why}")
            else:
                held |= library(step, held)
    return {one.name: held[one.name] for one in program.of(Role.OUTPUT)}


def _floats(dtype: DType) -> bool:
    return dtype in (DType.F64, DType.F32, DType.F16, DType.BF16)


def _seen(array: Array, access: Access, axes: tuple[int, ...]) -> Array:
    """Return ``array`` as an access goes through it: a view with the axes of the sweep."""
    flat = array.reshape(-1)
    last = access.offset + sum(stride * (size - 1) for stride, size in zip(access.strides, axes, strict=True))
    if not 0 <= last < max(flat.size, 1):
        raise ValueError(f"{access.tensor}: element {last} of {flat.size}")
    strides = tuple(stride * flat.itemsize for stride in access.strides)
    return as_strided(flat[access.offset :], axes, strides)


def _swept(sweep: Sweep, held: Mapping[str, Array]) -> None:
    values = _Values(sweep, held, sweep.axes)
    for one in sweep.reductions:
        values.folded[one.name] = _folded(values, one, sweep.axes)
    a_row = _Values(sweep, held, (*sweep.axes[:-1], 1), values.folded)
    results = [(a_row if store.once else values).of(store.expr) for store in sweep.stores]
    for store, result in zip(sweep.stores, results, strict=True):
        axes = a_row.axes if store.once else sweep.axes
        _seen(held[store.to.tensor], store.to, axes)[...] = np.broadcast_to(result, axes)


def _folded(values: _Values, one: Reduction, axes: tuple[int, ...]) -> Array:
    match one:
        case Reduction(fold=Fold.SUM, expr=Apply(fn=Fn.MUL, arguments=(Read() as first, Read() as second))):
            # a product of matrices: all its terms at once would take m * n * k numbers
            return np.asarray(np.einsum("...k,...k->...", values.of(first), values.of(second)))[..., None]
        case _:
            whole = np.broadcast_to(values.of(one.expr), axes)
            return _FOLDED[one.fold](whole, axis=-1, keepdims=True)


class _Values:
    """The values of expressions at every place of ``axes`` at once."""

    def __init__(
        self, sweep: Sweep, held: Mapping[str, Array], axes: tuple[int, ...], folded: dict[str, Array] | None = None
    ) -> None:
        self._sweep, self._held, self.axes = sweep, held, axes
        self.folded: dict[str, Array] = {} if folded is None else folded
        self._memo: dict[int, tuple[Expr, Array]] = {}

    def of(self, expr: Expr) -> Array:
        """Return the values of ``expr``; what stands at several places of it is one object, and evaluated once."""
        if id(expr) not in self._memo:
            self._memo[id(expr)] = expr, self._of(expr)
        return self._memo[id(expr)][1]

    def _of(self, expr: Expr) -> Array:
        match expr:
            case Read() | Gather():
                return self._read(expr)
            case Number() | Parameter():
                return np.asarray(expr.value, dtype=np.float64)
            case Size():
                return np.asarray(self._sweep.axes[expr.axis], dtype=np.float64)
            case Position():
                shape = [1] * len(self.axes)
                shape[expr.axis] = -1
                return np.arange(self.axes[expr.axis], dtype=np.float64).reshape(shape)
            case Folded():
                return self.folded[expr.reduction]
            case Apply():
                return np.asarray(_APPLIED[expr.fn](*(self.of(one) for one in expr.arguments)), dtype=np.float64)

    def _read(self, expr: Read | Gather) -> Array:
        access = self._sweep.access(expr.access)
        array = self._held[access.tensor]
        if isinstance(expr, Read):
            return _as_float(_seen(array, access, self.axes))
        index = np.asarray(self.of(expr.index)).astype(np.int64)
        if index.size and not (index.min() >= 0 and index.max() < expr.size):
            raise ValueError(f"an index of {access.tensor} is outside of 0 to {expr.size - 1}")
        places = _seen(np.arange(array.size), access, self.axes)
        return _as_float(array.reshape(-1)[places + index * expr.stride])


def _as_float(array: Array) -> Array:
    if array.dtype.kind != "f" or array.dtype == np.float64:
        return array  # as it is: a view that repeats elements stays one
    return array.astype(np.float64)
