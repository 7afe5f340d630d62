"""Reductions, norms, losses and products, as values."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpu_skills.graph import DType, Fn, Fold
from gpu_skills.trace import arithmetic as do
from gpu_skills.trace import views
from gpu_skills.trace.operations import Handler, Made, Operation, Unsupported, dims_of
from gpu_skills.trace.values import Value


def _sum(op: Operation) -> Made:
    return op.shaped(op.reduce(Fold.SUM, op["self"], op["dim"]))


def _mean(op: Operation) -> Made:
    return op.shaped(op.reduce(Fold.SUM, op["self"], op["dim"], mean=True))


def _extreme(fold: Fold) -> Handler:
    def made(op: Operation) -> Made:
        dims = op["dim"]
        if op["other"] is not None:
            return op.call(Fn.MAXIMUM if fold is Fold.MAX else Fn.MINIMUM, op["self"], op["other"])
        if op.name in ("max", "min") and isinstance(dims, int):
            value = op.reduce(fold, op["self"], [dims])
            shape = [one for place, one in enumerate(value.shape) if place != dims % len(value.shape)]
            return (value if op["keepdim"] else views.reshape(op.values, value, shape), None)
        return op.shaped(op.reduce(fold, op["self"], dims))

    return made


def _truth(op: Operation) -> Made:
    fold = Fold.MAX if op.name == "any" else Fold.MIN
    return op.shaped(op.reduce(fold, op.call(Fn.NE, op["self"], 0), op["dim"]))


def moments(op: Operation, value: Value, dims: Sequence[int]) -> tuple[Value, Value, Value]:
    """Return the mean, what is left of ``value`` without it, and the mean of its squares."""
    mean = op.reduce(Fold.SUM, value, dims, mean=True)
    centred = op.call(Fn.SUB, value, mean)
    square = op.call(Fn.MUL, centred, centred)
    return mean, centred, op.reduce(Fold.SUM, square, dims, mean=True)


def _variance(op: Operation) -> Made:
    value: Value = op["self"]
    dims = dims_of(value, op["dim"])
    correction = _correction(op)
    count = math.prod(value.shape[one] for one in dims)
    mean, _, variance = moments(op, value, dims)
    if correction:
        scale = op.parameter(count / (count - correction) if count > correction else math.inf, "correction")
        variance = op.call(Fn.MUL, variance, scale)
    if op.name.startswith("std"):
        variance = op.call(Fn.SQRT, variance)
    if not op.name.endswith("_mean"):
        return op.shaped(variance)
    keep = [1 if place in dims else one for place, one in enumerate(value.shape)]
    shape = tuple(keep) if op["keepdim"] else tuple(one for place, one in enumerate(value.shape) if place not in dims)
    return tuple(views.reshape(op.values, one, shape) for one in (variance, mean))


def _correction(op: Operation) -> float:
    """Return by how much fewer elements are counted: the older forms say ``unbiased`` for 1."""
    said = op["correction"] if op["unbiased"] is None else int(op["unbiased"])
    return float(1 if said is None else said)


def _vector_norm(op: Operation) -> Made:
    value: Value = op["self"]
    order = float(op["ord"] if op["ord"] is not None else op.given.get("p") or 2)
    absolute = op.call(Fn.ABS, value)
    if math.isinf(order):
        return op.shaped(op.reduce(Fold.MAX if order > 0 else Fold.MIN, absolute, op["dim"]))
    if order == 1:
        return op.shaped(op.reduce(Fold.SUM, absolute, op["dim"]))
    if order == 2:
        squares = op.reduce(Fold.SUM, op.call(Fn.MUL, value, value), op["dim"])
        return op.shaped(op.call(Fn.SQRT, squares))
    if order == 0:
        return op.shaped(op.reduce(Fold.SUM, op.call(Fn.NE, value, 0), op["dim"]))
    terms = op.values.terms
    powers = op.reduce(Fold.SUM, op.call(Fn.POW, absolute, terms.const(order)), op["dim"])
    return op.shaped(op.call(Fn.POW, powers, terms.const(1 / order)))


def softmax(op: Operation, value: Value, dim: int, *, log: bool = False) -> Value:
    """Return exp(x - max) over its sum, or the logarithm of that."""
    top = op.reduce(Fold.MAX, value, [dim])
    lowered = op.call(Fn.SUB, value, top)
    raised = op.call(Fn.EXP, lowered)
    total = op.reduce(Fold.SUM, raised, [dim])
    return op.call(Fn.SUB, lowered, op.call(Fn.LOG, total)) if log else op.call(Fn.DIV, raised, total)


def _softmax(op: Operation) -> Made:
    return softmax(op, op["self"], op["dim"], log="log" in op.name)


def _scaled(op: Operation, value: Value, weight: Value | None, bias: Value | None) -> Value:
    if weight is not None:
        value = op.call(Fn.MUL, value, weight)
    return op.call(Fn.ADD, value, bias) if bias is not None else value


def _rate(op: Operation, variance: Value, eps: float) -> Value:
    return op.call(Fn.RSQRT, op.call(Fn.ADD, variance, op.parameter(eps, "eps")))


def _layer_norm(op: Operation) -> Made:
    value: Value = op["input"]
    rank = len(value.shape)
    dims = list(range(rank - len(op["normalized_shape"]), rank))
    mean, centred, variance = moments(op, value, dims)
    rate = _rate(op, variance, op.given.get("eps", 1e-5))
    return _scaled(op, op.call(Fn.MUL, centred, rate), op["weight"], op["bias"]), mean, rate


def _rms_norm(op: Operation) -> Made:
    value: Value = op["input"]
    rank = len(value.shape)
    dims = list(range(rank - len(op["normalized_shape"]), rank))
    square = op.reduce(Fold.SUM, op.call(Fn.MUL, value, value), dims, mean=True)
    eps = op["eps"] if op["eps"] is not None else 1.1920928955078125e-07
    rate = _rate(op, square, eps)
    return _scaled(op, op.call(Fn.MUL, value, rate), op["weight"], None), rate


def _group_norm(op: Operation) -> Made:
    value: Value = op["input"]
    groups, channels = op["group"], value.shape[1]
    apart = views.reshape(op.values, value, [value.shape[0], groups, value.numel // (value.shape[0] * groups)])
    mean, centred, variance = moments(op, apart, [2])
    rate = _rate(op, variance, op["eps"])
    normed = views.reshape(op.values, op.call(Fn.MUL, centred, rate), value.shape)
    sides = [_channels(op, op[one], channels, len(value.shape)) for one in ("weight", "bias")]
    shape = [value.shape[0], groups]
    flat = (views.reshape(op.values, one, shape) for one in (mean, rate))
    return _scaled(op, normed, *sides), *flat


def _channels(op: Operation, value: Value | None, channels: int, rank: int) -> Value | None:
    return None if value is None else views.reshape(op.values, value, [1, channels] + [1] * (rank - 2))


def _batch_norm(op: Operation) -> Made:
    """With statistics of its own batch where it trains; what it writes to its running ones is another output."""
    value: Value = op["input"]
    rank, channels = len(value.shape), value.shape[1]
    dims = [one for one in range(rank) if one != 1]
    running = [_channels(op, op[one], channels, rank) for one in ("running_mean", "running_var")]
    training = op.name.endswith(("functional", "no_stats")) or bool(op["training"])
    if training and not op.name.endswith("no_training"):
        mean, centred, variance = moments(op, value, dims)
    elif running[0] is not None and running[1] is not None:
        mean, variance = running[0], running[1]
        centred = op.call(Fn.SUB, value, mean)
    else:
        raise Unsupported("it has no statistics")
    rate = _rate(op, variance, op["eps"])
    sides = [_channels(op, op[one], channels, rank) for one in ("weight", "bias")]
    saved = tuple(views.reshape(op.values, one, [channels]) for one in (mean, rate))
    return (_scaled(op, op.call(Fn.MUL, centred, rate), *sides), *saved, None, None)


def _nll(op: Operation) -> Made:
    """The negative of what the target names; a target that is to be ignored is no part of a problem."""
    value, target, weight = op["self"], op["target"], op["weight"]
    if op.given.get("ignore_index", -100) >= 0:
        raise Unsupported("it ignores one of the classes")
    dim = len(value.shape) - 1 if len(value.shape) < 3 else 1
    wide = views.reshape(op.values, target, [*target.shape[:dim], 1, *target.shape[dim:]])
    loss = op.call(Fn.NEG, do.aligned_pick(op.values, value, dim, wide))
    loss = views.reshape(op.values, loss, target.shape)
    total = None
    if weight is not None:
        chosen = views.chosen(op.values, weight, 0, target)
        loss, total = op.call(Fn.MUL, loss, chosen), op.reduce(Fold.SUM, chosen, None)
    if op["reduction"] == 0:
        return loss, None
    whole = op.reduce(Fold.SUM, loss, None, mean=op["reduction"] == 1 and total is None)
    if total is not None and op["reduction"] == 1:
        whole = op.call(Fn.DIV, whole, total)
    return views.reshape(op.values, whole, ()), None


FOLDS: dict[str, Handler] = {
    "sum": _sum, "mean": _mean, "amax": _extreme(Fold.MAX), "amin": _extreme(Fold.MIN), "max": _extreme(Fold.MAX),
    "min": _extreme(Fold.MIN), "any": _truth, "all": _truth, "var": _variance, "var_mean": _variance,
    "std": _variance, "std_mean": _variance, "linalg_vector_norm": _vector_norm, "norm": _vector_norm,
    "_softmax": _softmax, "_log_softmax": _softmax, "softmax": _softmax, "log_softmax": _softmax,
    "native_layer_norm": _layer_norm, "_fused_rms_norm": _rms_norm, "rms_norm": _rms_norm,
    "native_group_norm": _group_norm, "_native_batch_norm_legit_functional": _batch_norm,
    "_native_batch_norm_legit": _batch_norm, "_native_batch_norm_legit_no_training": _batch_norm,
    "_native_batch_norm_legit_no_stats": _batch_norm, "native_batch_norm": _batch_norm,
    "nll_loss_forward": _nll, "nll_loss2d_forward": _nll,
}  # fmt: skip


def _batched(op: Operation, value: Value) -> Value:
    return views.reshape(op.values, value, [math.prod(value.shape[:-2]), *value.shape[-2:]])


def _times(op: Operation, a: Value, b: Value) -> Value:
    """Return the product over the last and the last but one dimension, any batches in front."""
    if a.dtype not in _FLOATS:
        raise Unsupported("it multiplies whole numbers")
    return do.product(op.values, _batched(op, a), _batched(op, b), op.dtype)


_FLOATS = (DType.F64, DType.F32, DType.F16, DType.BF16)


def _mm(op: Operation) -> Made:
    a, b = op["self"], op["mat2"] if op["mat2"] is not None else op["vec"]
    if op.name == "mv":
        b = views.reshape(op.values, b, [b.shape[0], 1])
    return op.shaped(_times(op, a, b))


def _dot(op: Operation) -> Made:
    return op.shaped(op.reduce(Fold.SUM, op.call(Fn.MUL, op["self"], op["tensor"]), None))


def _addmm(op: Operation) -> Made:
    a = op["mat1"] if op["mat1"] is not None else op["batch1"] if op["batch1"] is not None else op["mat"]
    b = op["mat2"] if op["mat2"] is not None else op["batch2"] if op["batch2"] is not None else op["vec"]
    if op.name == "addmv":
        b = views.reshape(op.values, b, [b.shape[0], 1])
    result = op.shaped(_times(op, a, b))
    beta, alpha = op.given.get("beta", 1), op.given.get("alpha", 1)
    if alpha != 1:
        result = op.call(Fn.MUL, result, op.scalar(alpha, "alpha"))
    added = op["self"] if beta == 1 else op.call(Fn.MUL, op["self"], op.scalar(beta, "beta"))
    return op.call(Fn.ADD, result, added)


def _linear(op: Operation) -> Made:
    value, weight, bias = op["input"], op["weight"], op["bias"]
    flat = views.reshape(op.values, value, [1, math.prod(value.shape[:-1]), value.shape[-1]])
    turned = views.reshape(op.values, views.permuted(op.values, weight, [1, 0]), [1, *weight.shape[::-1]])
    result = op.shaped(do.product(op.values, flat, turned, op.dtype))
    return op.call(Fn.ADD, result, bias) if bias is not None else result


PRODUCTS: dict[str, Handler] = {
    "mm": _mm, "bmm": _mm, "mv": _mm, "dot": _dot, "addmm": _addmm, "baddbmm": _addmm, "addmv": _addmm,
    "linear": _linear,
}  # fmt: skip
