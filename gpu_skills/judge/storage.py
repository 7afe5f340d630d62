"""How elements lie in memory: numpy's types, and bfloat16, which numpy lacks, as its 16 bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpu_skills.graph import DType
from gpu_skills.judge.model import Array

_BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@dataclass(frozen=True, slots=True)
class Precision:
    """Of a float type: half the distance from 1 to the next number, the least normal number, and the largest."""

    unit: float
    least: float
    most: float


PRECISION = {
    DType.F64: Precision(2.0**-53, 2.0**-1022, 1.7e308),
    DType.F32: Precision(2.0**-24, 2.0**-126, 3.4028235e38),
    DType.F16: Precision(
        2.0**-11, 2.0**-24, 65504.0
    ),  # of float16 the least: its denormals are all that small ones have
    DType.BF16: Precision(2.0**-8, 2.0**-126, 3.39e38),
}


def kind(dtype: DType) -> np.dtype[Any]:
    """Return the numpy type in which elements are kept."""
    return np.dtype(np.uint16 if dtype is DType.BF16 else dtype.value)


def bits(array: Array) -> Array:
    """Return the elements of a contiguous array as unsigned numbers of their size, without a copy."""
    return array.view(_BITS[array.dtype.itemsize])


def poison(dtype: DType, *, second: bool = False) -> int:
    """Return the bits that outputs are filled with before a call: a NaN nobody computes; ``second`` is a number."""
    if dtype in PRECISION:
        first, other = {
            DType.F64: (0x7FF7A5A55A5AA5A5, 0x40F5A5A55A5AA5A5), DType.F32: (0x7FA5A5A5, 0x47A5A5A5),
            DType.F16: (0x7DA5, 0x55A5), DType.BF16: (0x7FA5, 0x47A5),
        }[dtype]  # fmt: skip
        return other if second else first
    pattern = 0x5A if second else 0xA5
    return int.from_bytes(bytes([pattern]) * kind(dtype).itemsize, "little")


def stored(values: Array, dtype: DType) -> Array:
    """Return ``values`` as they are kept: rounded to nearest even."""
    if dtype is not DType.BF16:
        with np.errstate(all="ignore"):
            return values.astype(kind(dtype))
    single = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = (single + 0x7FFF + ((single >> 16) & 1)) >> 16
    return np.asarray(np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16))


def read(array: Array, dtype: DType) -> Array:
    """Return kept elements as a reference takes them: bfloat16 as float32, others as they are."""
    if dtype is not DType.BF16:
        return array
    return (array.astype(np.uint32) << 16).view(np.float32)
