"""Values that inputs are filled with: families that wrong kernels get wrong, each from a seed.

Weights and biases are never all ones or zeros, so that a kernel that leaves one out is wrong everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import numpy as np

from gpu_skills.graph import DType, Program, Role, Tensor
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
    return {one.name: tensor(one, fills.get(one.name), family, chance) for one in program.of(Role.INPUT, Role.WEIGHT)}


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
    match family:
        case Family.NORMAL:
            return plain
        case Family.TINY:
            return plain * 1e-3
        case Family.WIDE:
            return plain * 10.0 ** chance.uniform(-2 if half else -6, 1 if half else 4, one.shape)
        case Family.DENORMAL:
            return plain * (1e-6 if half else 1e-39)
        case Family.CONSTANT_ROWS:
            return rows + np.zeros(one.shape)
        case Family.ALL_EQUAL:
            return np.full(one.shape, chance.normal())
        case Family.OFFSET:
            return plain + (30.0 if half else 1000.0) * np.sign(rows)
        case Family.SPECIAL:
            return _with_specials(plain, chance)


def _with_specials(plain: Array, chance: np.random.Generator) -> Array:
    """Put each special value at a place of its own, in rows of its own; other rows hold none."""
    rows = plain.reshape(-1, plain.shape[-1]) if plain.ndim > 1 else plain.reshape(-1, 1)
    chosen = chance.permutation(len(rows))[:5]
    for row, value in zip(chosen, (np.nan, np.inf, -np.inf, 0.0, np.nan), strict=False):
        rows[row, chance.integers(rows.shape[1])] = value
    return plain
