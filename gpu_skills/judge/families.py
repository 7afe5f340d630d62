"""Values that inputs are filled with: families that wrong kernels get wrong, each from a seed.

Weights and biases are never all ones or zeros, so that a kernel that leaves one out is wrong everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

import numpy as np

from gpu_skills.graph import Apply, DType, Expr, Gather, Program, Read, Role, Sweep, Tensor
from gpu_skills.judge.model import Array
from gpu_skills.judge.storage import PRECISION, stored
from gpu_skills.model import Fill, Filling


class Family(StrEnum):
    """A way to fill the inputs."""

    NORMAL = "normal"
    TINY = "a thousandth"
    WIDE = "wide range"
    DENORMAL = "denormal"
    CONSTANT_ROWS = "constant rows"
    ALL_EQUAL = "all equal"
    OFFSET = "large offset"
    SPECIAL = "nan and infinities"


_HALF = (DType.F16, DType.BF16)


def filled(
    program: Program, fills: Mapping[str, Fill], family: Family, chance: np.random.Generator
) -> dict[str, Array]:
    """Return values for the inputs and weights of ``program``, as they are kept in memory."""
    below = indexed(program)
    return {one.name: tensor(one, bounded(fills.get(one.name), below.get(one.name)), family, chance)
            for one in program.of(Role.INPUT, Role.WEIGHT)}  # fmt: skip


def indexed(program: Program) -> dict[str, int]:
    """Return the tensors that say where others are read, and below what each of their numbers must be."""
    found: dict[str, int] = {}
    for step in (each for each in program.steps if isinstance(each, Sweep)):
        for one in _gathers(step):
            if isinstance(one.index, Read):
                name = step.access(one.index.access).tensor
                found[name] = min(one.size, found.get(name, one.size))
    return found


def bounded(fill: Fill | None, below: int | None) -> Fill | None:
    """Return ``fill`` with numbers below ``below``, where the program itself says so."""
    return fill if below is None else Fill(Filling.INDEX, below=below)


def _gathers(sweep: Sweep) -> Iterator[Gather]:
    waiting: list[Expr] = [*(one.expr for one in sweep.reductions), *(one.expr for one in sweep.stores)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Apply):
            waiting += one.arguments
        elif isinstance(one, Gather):
            waiting.append(one.index)
            yield one


def tensor(one: Tensor, fill: Fill | None, family: Family, chance: np.random.Generator) -> Array:
    """Return values for one tensor."""
    wish = fill or Fill()
    if wish.filling is Filling.TRUTH or one.dtype is DType.BOOL:
        return stored(chance.integers(0, 2, one.shape), one.dtype)
    if wish.filling is Filling.INDEX or one.dtype not in PRECISION:
        return stored(chance.integers(0, wish.below or 100, one.shape), one.dtype)
    if one.role is Role.WEIGHT:
        return stored(0.4 + chance.normal(size=one.shape) * 0.7 * wish.scale, one.dtype)
    with np.errstate(all="ignore"):
        return stored(_numbers(one, family, chance) * wish.scale, one.dtype)


def _numbers(one: Tensor, family: Family, chance: np.random.Generator) -> Array:
    plain = chance.normal(size=one.shape)
    half = one.dtype in _HALF
    rows = chance.normal(size=(*one.shape[:-1], 1)) if one.shape else plain
    made: dict[Family, Callable[[], Array]] = {
        Family.NORMAL: lambda: plain,
        Family.TINY: lambda: plain * 1e-3,
        Family.WIDE: lambda: plain * 10.0 ** chance.uniform(-2 if half else -6, 1 if half else 4, one.shape),
        Family.DENORMAL: lambda: plain * (1e-6 if half else 1e-39),
        Family.CONSTANT_ROWS: lambda: rows + np.zeros(one.shape),
        Family.ALL_EQUAL: lambda: np.full(one.shape, chance.normal()),
        Family.OFFSET: lambda: plain + (30.0 if half else 1000.0) * np.sign(rows),
        Family.SPECIAL: lambda: _with_specials(plain, chance),
    }
    return made[family]()


def _with_specials(plain: Array, chance: np.random.Generator) -> Array:
    """Put each special value at a place of its own, in rows of its own; other rows hold none."""
    rows = plain.reshape(-1, plain.shape[-1]) if plain.ndim > 1 else plain.reshape(-1, 1)
    chosen = chance.permutation(len(rows))[:5]
    for row, value in zip(chosen, (np.nan, np.inf, -np.inf, 0.0, np.nan), strict=False):
        rows[row, chance.integers(rows.shape[1])] = value
    return plain
