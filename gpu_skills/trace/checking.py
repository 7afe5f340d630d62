"""Whether a program comes to what its module does: both in float64, on the same values."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_skills.errors import NotTraced
from gpu_skills.graph import Library, Role, evaluate
from gpu_skills.trace.capture import Held
from gpu_skills.trace.tracing import Trace

Array = NDArray[Any]
BOUND = 1e-10
"""How far, relative to the largest element, a program may be from its module in float64: rounding alone is below."""
_SMALL = 1e-5
"""Outputs below this are differences of larger numbers: the mean of what a norm has centred."""


def check_trace(traced: Trace, module: Any, inputs: Sequence[Any]) -> float:
    """Return the largest relative error of a trace's outputs in float64, by norm. Raises NotTraced beyond 1e-10."""
    wanted = in_float64(module, inputs)
    given = arrays(traced, inputs)
    found = evaluate(traced.program, given, _library(traced))
    worst = 0.0
    for want, one in zip(wanted, traced.program.of(Role.OUTPUT), strict=True):
        worst = max(worst, error_of(found[one.name], want))
    if not worst <= BOUND:
        raise NotTraced("trace.wrong", f"the trace is {worst:.1e} away from what the module computes in float64",
                        hint="this is a mistake of the tracer: please report the function")  # fmt: skip
    return worst


def error_of(found: Array, wanted: Array) -> float:
    """Return the distance of two arrays relative to the larger norm; infinite where NaN or Inf stand elsewhere."""
    found, wanted = np.asarray(found, np.float64).reshape(wanted.shape), np.asarray(wanted, np.float64)
    finite = np.isfinite(wanted)
    if not np.array_equal(found[~finite], wanted[~finite], equal_nan=True) or not np.isfinite(found[finite]).all():
        return float("inf")
    norm = max(float(np.linalg.norm(wanted[finite])), _SMALL * float(np.sqrt(max(wanted.size, 1))))
    return float(np.linalg.norm(found[finite] - wanted[finite])) / norm


def arrays(traced: Trace, inputs: Sequence[Any]) -> dict[str, Array]:
    """Return the inputs and weights of a trace as arrays, floats in float64."""
    tensors = [one for one in inputs if hasattr(one, "shape")]
    named = dict(zip(traced.inputs, tensors, strict=True)) | dict(traced.weights)
    return {one.name: array_of(named[one.name]) for one in traced.program.of(Role.INPUT, Role.WEIGHT)}


def array_of(tensor: Any) -> Array:
    """Return a torch tensor as an array, floats in float64."""
    plain = tensor.detach().cpu()
    plain = plain.double() if plain.is_floating_point() else plain
    return np.asarray(plain.contiguous().numpy())


def in_float64(module: Any, inputs: Sequence[Any]) -> list[Array]:
    """Return what a module or function gives in float64, casts to fewer bits left out."""
    import torch

    before = torch.get_default_dtype()
    wide = copy.deepcopy(module).double() if isinstance(module, torch.nn.Module) else module
    given = [one.double() if hasattr(one, "is_floating_point") and one.is_floating_point() else one for one in inputs]
    try:
        torch.set_default_dtype(torch.float64)
        with torch.no_grad(), _widely():
            results = wide(*(one.clone() if hasattr(one, "clone") else one for one in given))
    finally:
        torch.set_default_dtype(before)
    flat = torch.utils._pytree.tree_leaves(results)
    return [array_of(one) for one in flat if hasattr(one, "shape")]


def _widely() -> AbstractContextManager[Any]:
    """Return a mode in which every cast to fewer bits is one to float64."""
    import torch
    from torch.overrides import TorchFunctionMode

    narrow = (torch.float32, torch.float16, torch.bfloat16)

    def wide(value: Any) -> Any:
        return torch.float64 if isinstance(value, torch.dtype) and value in narrow else value

    class Widely(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            given = {key: wide(one) for key, one in (kwargs or {}).items()}
            if getattr(func, "__name__", "") in ("float", "half", "bfloat16"):
                return args[0].double()
            return func(*(wide(one) for one in args), **given)

    made: AbstractContextManager[Any] = Widely()
    return made


def _library(traced: Trace) -> Callable[[Library, Mapping[str, Array]], dict[str, Array]]:
    import torch

    def run(step: Library, held: Mapping[str, Array]) -> dict[str, Array]:
        called = traced.calls[step.writes[0]]

        def filled(value: Any) -> Any:
            if isinstance(value, list | tuple):
                return [filled(one) for one in value]
            if isinstance(value, Held):
                return torch.from_numpy(np.ascontiguousarray(held[_known(traced, value.name)])).reshape(value.shape)
            return value

        with torch.no_grad():
            results = called.target(*filled(called.args), **{key: filled(one) for key, one in called.kwargs.items()})
        there = results if isinstance(results, tuple | list) else [results]
        found = [one for one in there if one is not None]
        return {name: array_of(one) for name, one in zip(step.writes, found, strict=True)}

    return run


def _known(traced: Trace, name: str) -> str:
    return traced.renamed.get(name, name)
