"""Programs in other dtypes, values for them, and how far off a kernel may be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gpu_skills.graph import DType, Program, Role, Sweep, evaluate
from gpu_skills.model import Genome, Problem
from gpu_skills.tiles import TARGETS, TritonWorker, generate, space_of
from tests.benchmarks.gpu.problems import typed
from tests.gpu_skills.running import as_bits, from_bits, same_as, values_of

Array = NDArray[Any]
__all__ = ["BOUNDS", "FLOATS", "TARGET", "bound_of", "held_against", "numbers", "stored", "typed"]
TARGET: Final = TARGETS[90]
FLOATS: Final = (DType.F32, DType.F16, DType.BF16)
BOUNDS: Final = {DType.F32: 1e-6, DType.F16: 6e-4, DType.BF16: 8e-3}
"""Of the norm; of float32 for each root of a term that is summed. Triton's interpreter cuts a bfloat16 off: one ulp."""


def stored(program: Program, values: Mapping[str, Array]) -> dict[str, Array]:
    """Return values as they are stored: bfloat16 as its 16 bits."""
    found = {}
    for name, one in values.items():
        dtype = program.tensor(name).dtype
        found[name] = as_bits(one) if dtype is DType.BF16 else one.astype(dtype.value)
    return found


def numbers(program: Program, name: str, array: Array) -> Array:
    """Return what is stored as float64."""
    return (from_bits(array) if program.tensor(name).dtype is DType.BF16 else array).astype(np.float64)


def bound_of(program: Program) -> float:
    """Return the error that a program may have."""
    dtypes = {program.tensor(one.name).dtype for one in program.of(Role.OUTPUT)}
    terms = max((one.axes[-1] for one in program.steps if isinstance(one, Sweep) and one.reductions), default=1)
    exact = BOUNDS[DType.F32] * math.sqrt(terms)
    return max([exact, *(BOUNDS[one] for one in dtypes if one in (DType.F16, DType.BF16))])


def held_against(
    worker: TritonWorker, problem: Problem, genome: Genome | None = None, *, device: str = "cpu",
    values: Mapping[str, Array] | None = None, bound: float = 0.0,
) -> None:  # fmt: skip
    """Run a kernel and fail where it differs from the oracle on the values that its inputs really hold."""
    program = problem.program
    given = stored(program, values or values_of(problem))
    source = generate(program, genome or space_of(program, TARGET).default, TARGET)
    found = worker.run(source, program, given, device)
    held = {name: numbers(program, name, one) if one.dtype.kind == "f" or program.tensor(name).dtype is DType.BF16
            else one for name, one in given.items()}  # fmt: skip
    for name, wanted in evaluate(program, held).items():
        same_as(numbers(program, name, found[name]), wanted, bound=bound or bound_of(program), of=f"{name} of {genome}")
