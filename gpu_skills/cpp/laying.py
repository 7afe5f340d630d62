"""How a sweep lies: along which axis the lanes run, which rows go together, and whether it is a product or a turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpu_skills.cpp.lowering import Lowered, lower
from gpu_skills.graph import Access, Apply, Fn, Fold, Sweep


class Way(StrEnum):
    """The four loops that this family knows."""

    ALONG = "along"
    DOWN = "down"
    TURNED = "turned"
    PRODUCT = "product"


@dataclass(frozen=True, slots=True)
class Lying:
    """How one sweep is gone through: ``other`` is the second axis of a turn, or the rows of a product."""

    way: Way
    lanes: int
    rows: int | None
    other: int = 0


def lying_of(sweep: Sweep) -> Lying:
    """Return how to go through a sweep."""
    lowered = lower(sweep)
    product = _product(lowered)
    if product is not None:
        return Lying(Way.PRODUCT, product[1], product[0], product[0])
    scores = [_contiguous(sweep, axis) for axis in range(len(sweep.axes))]
    last = lowered.last
    if sweep.reductions:
        best = max(range(len(scores)), key=lambda axis: (scores[axis], axis == last, axis))
        down = best != last and scores[best] > scores[last]
        return Lying(Way.DOWN if down else Way.ALONG, best if down else last, _rows(sweep, best if down else last))
    stores = [_contiguous(sweep, axis, reads=False) for axis in range(len(scores))]
    best = max(range(len(scores)), key=lambda axis: (stores[axis] * 2 + scores[axis], axis == last, axis))
    others = [axis for axis in range(len(scores)) if axis != best and _turns(sweep, axis, best)]
    rest = max(others, key=lambda axis: scores[axis], default=None)
    if rest is not None and not any(one.once for one in sweep.stores):
        return Lying(Way.TURNED, best, None, rest)
    return Lying(Way.ALONG, best, _rows(sweep, best))


def _accesses(sweep: Sweep, *, reads: bool = True) -> list[Access]:
    return [access for _, access in sweep.reads if reads] + [one.to for one in sweep.stores]


def _contiguous(sweep: Sweep, axis: int, *, reads: bool = True) -> int:
    """Return how many large accesses are contiguous along an axis: those that move along another one count twice."""
    found = [one for one in _accesses(sweep, reads=reads) if one.strides[axis] == 1]
    return sum(2 if sum(stride != 0 for stride in one.strides) > 1 else 1 for one in found)


def _turns(sweep: Sweep, axis: int, lanes: int) -> bool:
    """Tell whether an access is contiguous along ``axis`` and goes by strides along the lanes."""
    return any(one.strides[axis] == 1 and one.strides[lanes] not in (0, 1) for one in _accesses(sweep))


def _rows(sweep: Sweep, lanes: int) -> int | None:
    """Return the axis along which rows share most: the fewest accesses move there; the innermost of equals."""
    last = len(sweep.axes) - 1
    outer = [axis for axis in range(last + 1) if axis != lanes and not (sweep.reductions and axis == last)]
    moving = {axis: sum(one.strides[axis] != 0 for one in _accesses(sweep)) for axis in outer}
    return min(outer, key=lambda axis: (moving[axis], -axis), default=None)


def _product(lowered: Lowered) -> tuple[int, int] | None:
    """Return the two axes m and n of a matrix product: every fold sums products of what moves along one of them."""
    found: set[tuple[int, int]] = set()
    for fold in lowered.folds:
        one = lowered.values[fold.value]
        if fold.fold is not Fold.SUM or one.kind is not Apply or one.fn is not Fn.MUL or one.folds:
            return None
        a, b = (lowered.values[each].axes for each in one.inputs)
        if lowered.last not in a or lowered.last not in b:
            return None
        only_a, only_b = a - b, b - a
        if not only_a or not only_b:
            return None
        found.add((max(only_a), max(only_b)))
    if len(found) != 1 or any(not one.once for one in lowered.stores):
        return None
    m, n = found.pop()
    return _by_stores(lowered, m, n)


def _by_stores(lowered: Lowered, m: int, n: int) -> tuple[int, int]:
    """The lanes of a product run along the axis along which its results lie side by side."""
    along = sum(one.to.strides[m] == 1 for one in lowered.stores)
    return (n, m) if along > sum(one.to.strides[n] == 1 for one in lowered.stores) else (m, n)
