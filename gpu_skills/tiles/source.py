"""A whole source: functions that it needs, each sweep as a kernel with its launch, the door ``steward_kernel``."""

from __future__ import annotations

from typing import Final

from gpu_skills.cpp.laying import Way as Lie
from gpu_skills.cpp.laying import lying_of
from gpu_skills.graph import Program
from gpu_skills.tiles.choices import Choices, Tiling
from gpu_skills.tiles.functions import helpers
from gpu_skills.tiles.naming import Names, names_of
from gpu_skills.tiles.products import product
from gpu_skills.tiles.rows import rows
from gpu_skills.tiles.writing import Written, kernel, launcher

_HEAD: Final = '''"""Written by the Triton family of Steward: one kernel for each sweep of a program."""

import triton
import triton.language as tl

INF = tl.constexpr(float("inf"))
NAN = tl.constexpr(float("nan"))
MOST_PROGRAMS = 2**31 - 1


def ceiling(n):
    """Return the power of two that is not below ``n``."""
    return 1 << (n - 1).bit_length()
'''
_DOOR: Final = '''

def steward_launches(N, P, processors):
    """Return what is launched for these numbers and parameters, in order; None for numbers this was not made for."""
    found = [launch(N, P, processors) for launch in ({launches},)]
    return None if None in found else found


def steward_kernel(T, N, P, processors):
    """Compute: tensors in the program's order (truth values as bytes). Return 1, with nothing written, or 0."""
    found = steward_launches(N, P, processors)
    if found is None:
        return 1
    for kernel, grid, tensors, rest, fixed, how in found:
        kernel[grid](*[T[one] for one in tensors], *rest, **fixed, **how)
    return 0
'''


def source(program: Program, choices: Choices, tiling: Tiling) -> str:
    """Return the Python of a program of sweeps."""
    parts, launches = [], []
    for at in range(len(program.steps)):
        names = names_of(program, at)
        written = _written(names, choices, tiling)
        parts += [kernel(names, written), launcher(names, written)]
        launches.append(f"launch_{at}")
    body = "\n\n" + "\n\n".join(parts)
    return _HEAD + _spaced(helpers(body)) + body + _DOOR.format(launches=", ".join(launches))


def _spaced(functions: str) -> str:
    return functions.replace("\n@triton.jit", "\n\n@triton.jit")


def _written(names: Names, choices: Choices, tiling: Tiling) -> Written:
    lying = lying_of(names.sweep)
    return product(names, lying, choices, tiling) if lying.way is Lie.PRODUCT else rows(names, lying, choices)
