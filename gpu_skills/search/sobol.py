"""Sobol points: a start that covers every knob's choices evenly, and pairs of them better than chance.

Source: I. M. Sobol 1967; primitive polynomials and direction numbers of S. Joe, F. Y. Kuo, "Constructing Sobol
sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), their table for 21 dimensions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS = 31
_TABLE = (
    (0, (1,)), (1, (1, 3)), (1, (1, 3, 1)), (2, (1, 1, 1)), (1, (1, 1, 3, 3)), (4, (1, 3, 5, 13)),
    (2, (1, 1, 5, 5, 17)), (4, (1, 1, 5, 5, 5)), (7, (1, 1, 7, 11, 19)), (11, (1, 1, 5, 1, 1)), (13, (1, 1, 1, 3, 11)),
    (14, (1, 3, 5, 5, 31)), (1, (1, 3, 3, 9, 7, 49)), (13, (1, 1, 1, 15, 21, 21)), (16, (1, 3, 1, 13, 27, 49)),
    (19, (1, 1, 1, 15, 7, 5)), (22, (1, 3, 1, 15, 13, 25)), (25, (1, 1, 5, 5, 19, 61)),
    (1, (1, 3, 7, 11, 23, 15, 103)), (4, (1, 3, 7, 13, 13, 15, 69)),
)  # fmt: skip
"""For the second dimension and those after it: the polynomial's inner coefficients as bits, the first numbers."""


def sobol(count: int, dimensions: int, chance: np.random.Generator) -> NDArray[np.float64]:
    """Return ``count`` points of the unit cube, shape (count, dimensions), shifted digitally by chance.

    Dimensions beyond the table's are stratified alone, in random order.
    """
    columns = [_shifted(_column(one, count), chance) for one in range(min(dimensions, len(_TABLE) + 1))]
    while len(columns) < dimensions:
        columns.append((chance.permutation(count) + chance.random(count)) / max(count, 1))
    return np.stack(columns, axis=1) if columns else np.empty((count, 0))


def _column(dimension: int, count: int) -> NDArray[np.int64]:
    directions = _directions(dimension)
    found, at = np.zeros(count, dtype=np.int64), 0
    for index in range(1, count):
        at ^= directions[_lowest_zero(index - 1)]
        found[index] = at
    return found


def _directions(dimension: int) -> list[int]:
    if dimension == 0:
        return [1 << (_BITS - 1 - bit) for bit in range(_BITS)]
    inner, first = _TABLE[dimension - 1]
    degree = len(first)
    found = [number << (_BITS - 1 - bit) for bit, number in enumerate(first)]
    for bit in range(degree, _BITS):
        value = found[bit - degree] ^ (found[bit - degree] >> degree)
        for back in range(1, degree):
            if inner >> (degree - 1 - back) & 1:
                value ^= found[bit - back]
        found.append(value)
    return found


def _lowest_zero(number: int) -> int:
    return (~number & (number + 1)).bit_length() - 1


def _shifted(column: NDArray[np.int64], chance: np.random.Generator) -> NDArray[np.float64]:
    moved = column ^ int(chance.integers(0, 1 << _BITS))
    return np.asarray((moved + 0.5) / (1 << _BITS), dtype=np.float64)
