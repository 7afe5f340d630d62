"""Dimensions as products of variables: what makes every view of a tensor an affine one.

A dimension of 12 may be the variables (3, 4), row by row. To merge dimensions is to write their variables side by
side; to split one is to split a variable, ``v = v1 * n + v2``. So a reshape changes no term as long as all cuts lie
on one chain of divisors.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence

from gpu_skills.trace.terms import Affine, Var

Dim = tuple[Var, ...]
Mapping_ = dict[Var, Affine]
NewVar = Callable[[int], Var]


class Apart(Exception):
    """Two ways to cut a dimension have no common one."""


def single(var: Var) -> Affine:
    """Return a variable as a place."""
    return Affine(((var, 1),))


def extent_of(dim: Dim) -> int:
    """Return how many elements a dimension has."""
    return math.prod(one.extent for one in dim)


def row_major(dim: Iterable[Var]) -> Affine:
    """Return the position in a dimension, or in a tensor, whose variables stand in this order."""
    found = Affine()
    step = 1
    for var in reversed(tuple(dim)):
        found = found.plus(single(var), step)
        step *= var.extent
    return found


def _cuts(dim: Dim) -> set[int]:
    """Return the sizes of all tails of a dimension."""
    return {math.prod(one.extent for one in dim[place:]) for place in range(len(dim) + 1)}


def common(dims: Sequence[Dim]) -> tuple[int, ...]:
    """Return the extents of the coarsest cut that is a cut of all. Raises Apart."""
    return _extents(set().union(*(_cuts(dim) for dim in dims)))


def _extents(cuts: set[int]) -> tuple[int, ...]:
    tails = sorted(cuts)
    for less, more in itertools.pairwise(tails):
        if less == 0 or more % less:
            raise Apart
    return tuple(more // less for less, more in itertools.pairwise(tails))[::-1]


def unified(dims: Sequence[Dim], new: NewVar) -> tuple[Dim, list[Mapping_]]:
    """Return one dimension that all of ``dims`` become, and what becomes of the variables of each. Raises Apart."""
    extents = common(dims)
    target = next((dim for dim in dims if tuple(one.extent for one in dim) == extents), None)
    if target is None:
        target = tuple(new(extent) for extent in extents)
    return target, [{} if dim == target else onto(dim, target) for dim in dims]


def onto(dim: Dim, target: Dim) -> Mapping_:
    """Return what each variable of ``dim`` is in those of ``target``, a finer cut of the same size."""
    found: Mapping_ = {}
    rest = list(target)
    for var in dim:
        taken: list[Var] = []
        while math.prod(one.extent for one in taken) < var.extent:
            taken.append(rest.pop(0))
        found[var] = row_major(taken)
    return found


def reshaped(dims: Sequence[Dim], shape: Sequence[int], new: NewVar) -> tuple[tuple[Dim, ...], Mapping_]:
    """Return the dimensions of a reshape and what becomes of the variables that are split. Raises Apart."""
    flat = tuple(var for dim in dims for var in dim)
    tails = [math.prod(shape[place:]) for place in range(len(shape) + 1)]
    extents = _extents(_cuts(flat) | set(tails))
    target, mapping = _split(flat, extents, new)
    return _grouped(target, shape), mapping


def _split(flat: Dim, extents: tuple[int, ...], new: NewVar) -> tuple[Dim, Mapping_]:
    """Split only the variables that are cut; keep the others."""
    wanted = list(extents)
    target: list[Var] = []
    mapping: Mapping_ = {}
    for var in flat:
        taken: list[int] = []
        while math.prod(taken) < var.extent:
            taken.append(wanted.pop(0))
        if len(taken) == 1:
            target.append(var)
            continue
        parts = [new(extent) for extent in taken]
        mapping[var] = row_major(parts)
        target += parts
    return tuple(target), mapping


def _grouped(flat: Dim, shape: Sequence[int]) -> tuple[Dim, ...]:
    rest = list(flat)
    found = []
    for size in shape:
        taken: list[Var] = []
        while math.prod(one.extent for one in taken) < size:
            taken.append(rest.pop(0))
        found.append(tuple(taken))
    return tuple(found)
