"""What each traced operation is, as values. An operation that is not here stays with its library."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpu_skills.graph import DType, Fn, Fold
from gpu_skills.trace import arithmetic as do
from gpu_skills.trace import views
from gpu_skills.trace.terms import Term
from gpu_skills.trace.values import Value, Values

Scalar = int | float | bool
Made = Value | tuple[Value | None, ...]
_STRUCTURE = frozenset(
    (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, math.pi, math.e, math.inf, -math.inf, math.sqrt(2),
     math.sqrt(0.5), math.sqrt(2 / math.pi), 0.7978845608, 0.79788456, 0.044715, math.log(2), 1 / math.log(2),
     1 / math.log(10))
)  # fmt: skip
"""Constants that belong to a formula. Any other that a program names may be another one the next time."""


class Unsupported(Exception):
    """A form of an operation that stays with its library, and why."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a traced graph: its arguments by the names of its schema, what it gives."""

    values: Values
    name: str
    given: Mapping[str, Any]
    shape: tuple[int, ...]
    dtype: DType

    def __getitem__(self, name: str) -> Any:
        return self.given.get(name)

    def call(self, fn: Fn, *parts: Value | Scalar | Term, dtype: DType | None = None) -> Value:
        """Return a function of values and scalars."""
        return self.mapped(lambda *terms: self.values.terms.call(fn, *terms), *parts, dtype=dtype)

    def mapped(self, made: Callable[..., Term], *parts: Value | Scalar | Term, dtype: DType | None = None) -> Value:
        """Return ``made`` of the elements of values, scalars and terms."""
        terms = [one if isinstance(one, Value) else self.scalar(one) for one in parts]
        held = [one for one in terms if isinstance(one, Value)]

        def whole(*found: Term) -> Term:
            rest = iter(found)
            return made(*(next(rest) if isinstance(one, Value) else one for one in terms))

        return do.pointwise(self.values, whole, held, dtype or self.dtype, label=self.name)

    def scalar(self, value: Scalar | Term, name: str = "p") -> Term:
        """Return a constant: of the structure, or a parameter that is known as ``name``."""
        if isinstance(value, Term):
            return value
        if float(value) in _STRUCTURE or math.isnan(value):
            return self.values.terms.const(value)
        return self.parameter(value, "eps" if name == "p" and 0 < value < 1e-2 else name)

    def parameter(self, value: float, name: str) -> Term:
        """Return a parameter; another one of the same name has a number behind it."""
        return self.values.terms.given(self.values.named(name), value)

    def reduce(self, fold: Fold, value: Value, dims: Sequence[int] | None, *, mean: bool = False) -> Value:
        """Return a fold that keeps its dimensions."""
        return do.reduced(self.values, fold, value, dims_of(value, dims), mean=mean)

    def shaped(self, value: Value) -> Value:
        """Return ``value`` in the shape that the operation gives."""
        return views.reshape(self.values, value, self.shape)


def dims_of(value: Value, dims: Sequence[int] | int | None) -> list[int]:
    """Return the dimensions that an operation names, all of them where it names none, in order."""
    rank = len(value.shape)
    found = range(rank) if dims is None or dims == [] else [dims] if isinstance(dims, int) else dims
    return sorted(one % rank for one in found) if rank else []


Handler = Callable[[Operation], Made]


def _unary(fn: Fn) -> Handler:
    return lambda op: op.call(fn, op["self"])


def _binary(fn: Fn, *, swapped: bool = False) -> Handler:
    def made(op: Operation) -> Value:
        first, second = op["self"], op["other"]
        alpha = op["alpha"]
        if alpha not in (None, 1):
            second = op.call(Fn.MUL, second, alpha) if isinstance(second, Value) else second * alpha
        return op.call(fn, *((second, first) if swapped else (first, second)))

    return made


def _not(fn: Fn, *, swapped: bool = False) -> Handler:
    inner = _binary(fn, swapped=swapped)
    return lambda op: op.call(Fn.NOT, _value(inner(op)))


def _value(made: Made) -> Value:
    if not isinstance(made, Value):
        raise TypeError(type(made).__name__)
    return made


def _pow(op: Operation) -> Made:
    base, exponent = op["self"], op["exponent"]
    if isinstance(base, Value) and exponent in (2, 3, 0.5, -0.5, -1, 1, 4):
        return op.mapped(lambda x: _power(op.values, x, float(exponent)), base)
    if isinstance(exponent, int | float):
        exponent = op.values.terms.const(exponent)
    return op.call(Fn.POW, base, exponent)


def _power(values: Values, x: Term, exponent: float) -> Term:
    call, one = values.terms.call, values.terms.const(1.0)
    square = call(Fn.MUL, x, x)
    return {2.0: square, 3.0: call(Fn.MUL, square, x), 4.0: call(Fn.MUL, square, square), 0.5: call(Fn.SQRT, x),
            -0.5: call(Fn.RSQRT, x), -1.0: call(Fn.DIV, one, x), 1.0: x}[exponent]  # fmt: skip


def _div(op: Operation) -> Made:
    whole = op.call(Fn.DIV, op["self"], op["other"])
    match op["rounding_mode"]:
        case None:
            return whole
        case "floor":
            return op.call(Fn.FLOOR, whole)
        case _:
            return _truncated(op, whole)


def _truncated(op: Operation, value: Value) -> Value:
    call = op.values.terms.call
    return op.mapped(lambda x: call(Fn.MUL, call(Fn.SIGN, x), call(Fn.FLOOR, call(Fn.ABS, x))), value)


def _remainder(op: Operation) -> Made:
    call = op.values.terms.call
    return op.mapped(
        lambda x, y: call(Fn.SUB, x, call(Fn.MUL, call(Fn.FLOOR, call(Fn.DIV, x, y)), y)), op["self"], op["other"]
    )


def _clamp(op: Operation) -> Made:
    value: Value = op["self"]
    low, high = (op["min"], op["max"])
    if op.name == "hardtanh":
        low, high = op.given.get("min_val", -1), op.given.get("max_val", 1)
    if low is not None:
        value = op.call(Fn.MAXIMUM, value, low if isinstance(low, Value) else op.scalar(low, "low"))
    if high is not None:
        value = op.call(Fn.MINIMUM, value, high if isinstance(high, Value) else op.scalar(high, "high"))
    return value


def _leaky(op: Operation) -> Made:
    slope = op.scalar(op.given.get("negative_slope", 0.01), "slope")
    call, zero = op.values.terms.call, op.values.terms.const(0)
    return op.mapped(lambda x: call(Fn.WHERE, call(Fn.LT, zero, x), x, call(Fn.MUL, x, slope)), op["self"])


def _prelu(op: Operation) -> Made:
    weight: Value = op["weight"]
    rank = len(op.shape)
    if weight.shape != () and len(weight.shape) == 1 and rank > 1:
        weight = views.reshape(op.values, weight, [1, *weight.shape, *[1] * (rank - 2)])
    call, zero = op.values.terms.call, op.values.terms.const(0)
    return op.mapped(lambda x, w: call(Fn.WHERE, call(Fn.LT, zero, x), x, call(Fn.MUL, x, w)), op["self"], weight)


def _elu(op: Operation) -> Made:
    alpha, scale, rate = (op.scalar(op.given.get(one, 1.0), one) for one in ("alpha", "scale", "input_scale"))
    call, zero = op.values.terms.call, op.values.terms.const(0)

    def made(x: Term) -> Term:
        below = call(Fn.MUL, call(Fn.MUL, call(Fn.EXPM1, call(Fn.MUL, x, rate)), alpha), scale)
        return call(Fn.WHERE, call(Fn.LT, zero, x), call(Fn.MUL, x, scale), below)

    return op.mapped(made, op["self"])


def _softplus(op: Operation) -> Made:
    beta, most = op.scalar(op.given.get("beta", 1.0), "beta"), op.scalar(op.given.get("threshold", 20.0), "threshold")
    call = op.values.terms.call

    def made(x: Term) -> Term:
        scaled = call(Fn.MUL, x, beta)
        return call(Fn.WHERE, call(Fn.LT, most, scaled), x, call(Fn.DIV, call(Fn.LOG1P, call(Fn.EXP, scaled)), beta))

    return op.mapped(made, op["self"])


def _silu(op: Operation) -> Made:
    call = op.values.terms.call
    return op.mapped(lambda x: call(Fn.MUL, x, call(Fn.SIGMOID, x)), op["self"])


def _gelu(op: Operation) -> Made:
    call, const = op.values.terms.call, op.values.terms.const

    def inner(x: Term) -> Term:
        if op["approximate"] != "tanh":
            return call(Fn.ERF, call(Fn.MUL, x, const(math.sqrt(0.5))))
        cubed = call(Fn.MUL, call(Fn.MUL, x, x), x)
        sum_ = call(Fn.ADD, x, call(Fn.MUL, const(0.044715), cubed))
        return call(Fn.TANH, call(Fn.MUL, const(math.sqrt(2 / math.pi)), sum_))

    def made(x: Term) -> Term:
        return call(Fn.MUL, call(Fn.MUL, const(0.5), x), call(Fn.ADD, const(1), inner(x)))

    return op.mapped(made, op["self"])


def _hard(op: Operation) -> Made:
    call, const = op.values.terms.call, op.values.terms.const

    def made(x: Term) -> Term:
        inside = call(Fn.MINIMUM, call(Fn.MAXIMUM, call(Fn.ADD, x, const(3)), const(0)), const(6))
        return call(Fn.DIV, call(Fn.MUL, x, inside) if op.name == "hardswish" else inside, const(6))

    return op.mapped(made, op["self"])


def _where(op: Operation) -> Made:
    return op.call(Fn.WHERE, op["condition"], op["self"], op["other"])


def _masked_fill(op: Operation) -> Made:
    return op.call(Fn.WHERE, op["mask"], op["value"], op["self"])


def _triangle(op: Operation) -> Made:
    """tril keeps what lies on or below a diagonal, triu what lies on or above."""
    value: Value = op["self"]
    terms, rank = op.values.terms, len(value.shape)
    diagonal = op.scalar(op.given.get("diagonal", 0), "diagonal")
    row = do.counted(op.values, value.shape[-2], lambda at: at, DType.I64)
    row = views.reshape(op.values, row, [1] * (rank - 2) + [value.shape[-2], 1])
    col = do.counted(op.values, value.shape[-1], lambda at: at, DType.I64)

    def made(x: Term, r: Term, c: Term) -> Term:
        beside = terms.call(Fn.SUB, c, r)
        kept = (beside, diagonal) if op.name == "tril" else (diagonal, beside)
        return terms.call(Fn.WHERE, terms.call(Fn.LE, *kept), x, terms.const(0))

    return op.mapped(made, value, row, col)


def _cast(op: Operation) -> Made:
    value: Value = op["self"]
    if op.dtype is DType.BOOL and value.dtype is not DType.BOOL:
        return op.call(Fn.NE, value, 0)
    if op.dtype in (DType.I64, DType.I32, DType.I8) and value.dtype in (DType.F64, DType.F32, DType.F16, DType.BF16):
        return _truncated(op, value)
    return value


def _filled(op: Operation) -> Made:
    fill = op["fill_value"] if "full" in op.name else {"z": 0, "o": 1}.get(op.name.removeprefix("new_")[0], 0)
    return do.filled(op.values, op.scalar(fill), op.shape, op.dtype)


def _arange(op: Operation) -> Made:
    start, step = op.given.get("start") or 0, op.given.get("step") or 1
    terms = op.values.terms
    scale, begin = op.scalar(step), op.scalar(start)
    return do.counted(
        op.values, op.shape[0], lambda at: terms.call(Fn.ADD, terms.call(Fn.MUL, at, scale), begin), op.dtype
    )


def _or(op: Operation) -> Made:
    call = op.values.terms.call
    return op.mapped(lambda x, y: call(Fn.NOT, call(Fn.AND, call(Fn.NOT, x), call(Fn.NOT, y))), op["self"], op["other"])


ELEMENTWISE: dict[str, Handler] = {
    **{fn.value: _unary(fn) for fn in (Fn.NEG, Fn.ABS, Fn.EXP, Fn.EXPM1, Fn.LOG, Fn.LOG1P, Fn.SQRT, Fn.RSQRT, Fn.TANH,
                                       Fn.ERF, Fn.SIGMOID, Fn.SIN, Fn.COS, Fn.FLOOR, Fn.CEIL, Fn.ROUND)},
    **{fn.value: _binary(fn) for fn in (Fn.ADD, Fn.SUB, Fn.MUL, Fn.MAXIMUM, Fn.MINIMUM, Fn.LT, Fn.LE, Fn.EQ, Fn.NE)},
    "sign": _unary(Fn.SIGN), "logical_not": _unary(Fn.NOT), "bitwise_not": _unary(Fn.NOT), "trunc":
    lambda op: _truncated(op, op["self"]), "reciprocal": lambda op: op.call(Fn.DIV, 1.0, op["self"]),
    "relu": lambda op: op.call(Fn.MAXIMUM, op["self"], 0.0), "rsub": _binary(Fn.SUB, swapped=True),
    "gt": _binary(Fn.LT, swapped=True), "ge": _binary(Fn.LE, swapped=True), "logical_and": _binary(Fn.AND),
    "bitwise_and": _binary(Fn.AND), "div": _div, "pow": _pow, "remainder": _remainder, "clamp": _clamp,
    "clamp_min": _clamp, "clamp_max": _clamp, "hardtanh": _clamp, "leaky_relu": _leaky, "_prelu_kernel": _prelu,
    "prelu": _prelu, "elu": _elu, "softplus": _softplus, "silu": _silu, "gelu": _gelu, "hardswish": _hard,
    "hardsigmoid": _hard, "where": _where, "masked_fill": _masked_fill, "tril": _triangle, "triu": _triangle,
    "_to_copy": _cast, "full": _filled, "full_like": _filled, "new_full": _filled, "zeros": _filled, "ones": _filled,
    "zeros_like": _filled, "ones_like": _filled, "new_zeros": _filled, "new_ones": _filled,
    "scalar_tensor": lambda op: do.filled(op.values, op.scalar(op["s"]), op.shape, op.dtype), "arange": _arange,
    "isnan": lambda op: op.mapped(lambda x: op.values.terms.call(Fn.NE, x, x), op["self"]),
    "square": lambda op: op.call(Fn.MUL, op["self"], op["self"]),
    "logical_or": _or, "bitwise_or": _or,
    **dict.fromkeys(("clone", "detach", "alias", "contiguous", "lift_fresh_copy", "lift_fresh"), lambda op: op["self"]),
}  # fmt: skip
