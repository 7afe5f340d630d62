"""The features of a program on a machine: what makes one problem like another, for a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2, prod

from gpu_skills.building import Machine
from gpu_skills.graph import Apply, Expr, Fn, Gather, Program, Role, Sweep
from gpu_skills.knowledge.model import Device, Features

_BYTES = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2, "int8": 1, "bool": 1}
_LONG = frozenset((Fn.POW, Fn.EXP, Fn.EXPM1, Fn.LOG, Fn.LOG1P, Fn.TANH, Fn.ERF, Fn.SIGMOID, Fn.SIN, Fn.COS))
_LONG_OPERATIONS = 12
_VECTORS = (("avx512f", 9.0), ("avx2", 8.0), ("sse2", 7.0), ("asimd", 7.0))


def features_of(
    program: Program, name: str, family: str, machine: Machine, *, device: Device = Device.CPU,
    hardware: tuple[tuple[str, float], ...] | None = None,
) -> Features:  # fmt: skip
    """Return the features of ``program``; ``name`` is how the problem is known (and forgotten).

    ``hardware`` replaces what is read off ``machine``: for a GPU, its own figures.
    """
    sweeps = [one for one in program.steps if isinstance(one, Sweep)]
    trees = [one for sweep in sweeps for one in _trees(sweep)]
    outer = [one for one in program.tensors if one.role is not Role.SCRATCH]
    size_bytes = sum(_BYTES[one.dtype.value] * prod(one.shape) for one in outer)
    operations = sum(prod(sweep.axes) * _operations(sweep) for sweep in sweeps)
    folded = [sweep.axes[-1] for sweep in sweeps if sweep.reductions]
    row = max(folded, default=max((sweep.axes[-1] for sweep in sweeps), default=1))
    return Features(
        problem=name,
        family=family,
        device=device,
        dtype=max(outer, key=lambda one: prod(one.shape)).dtype.value if outer else "",
        log_elements=_log(sum(prod(sweep.axes) for sweep in sweeps)),
        log_row=_log(row) if folded else 0.0,
        intensity=_log(operations) - _log(size_bytes),
        row_in_cache=_log(4 * row) - _log(machine.l2_bytes or 1 << 20),
        folds=sum(len(sweep.reductions) for sweep in sweeps),
        products=sum(_is_product(sweep) for sweep in sweeps),
        transcendental=sum(one in _LONG for tree in trees for one in _functions(tree)),
        hardware=hardware if hardware is not None else hardware_of(machine),
    )


def hardware_of(machine: Machine) -> tuple[tuple[str, float], ...]:
    """Return a processor as figures: caches and vectors as log2 (bytes, bits), and cores."""
    vector = next((bits for name, bits in _VECTORS if name in machine.instructions), 6.0)
    caches = (("l2", _log(machine.l2_bytes)), ("last cache", _log(machine.last_cache_bytes)))
    return (("cores", float(machine.cores)), *caches, ("vector", vector))


def _trees(sweep: Sweep) -> list[Expr]:
    return [one.expr for one in sweep.reductions] + [one.expr for one in sweep.stores]


def _functions(tree: Expr) -> Iterator[Fn]:
    """Yield the functions in an expression, that of an object which stands at several places once."""
    left, seen = [tree], set()
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Apply):
            yield one.fn
            left.extend(one.arguments)
        elif isinstance(one, Gather):
            left.append(one.index)


def _operations(sweep: Sweep) -> int:
    """Return about how many operations an element takes."""
    each = [_LONG_OPERATIONS if one in _LONG else 1 for tree in _trees(sweep) for one in _functions(tree)]
    return max(sum(each) + len(sweep.reductions), 1)


def _is_product(sweep: Sweep) -> bool:
    """Tell whether elements are read again for other rows: a fold over more axes than any read moves along."""
    if not sweep.reductions or len(sweep.axes) < 3:
        return False
    moving = [access for _, access in sweep.reads if access.strides[-1] != 0]
    return len(moving) >= 2 and all(0 in one.strides for one in moving)


def _log(size: float) -> float:
    return log2(max(size, 1.0))
