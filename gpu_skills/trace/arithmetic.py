"""What computes: functions of elements, folds, and products."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from gpu_skills.graph import DType, Fn, Fold
from gpu_skills.trace.dims import Apart, Dim, row_major, unified
from gpu_skills.trace.terms import Affine, Call, Const, Given, Load, Term, Var
from gpu_skills.trace.values import NeedsStore, Piece, Value, Values
from gpu_skills.trace.views import expanded, narrowed, permuted, picked, places, renewed, reshape


def pointwise(
    values: Values, made: Callable[..., Term], parts: Sequence[Value], dtype: DType, shape: Sequence[int] | None = None,
    label: str = "",
) -> Value:  # fmt: skip
    """Return ``made`` of the elements of ``parts``, which are broadcast to one shape."""
    wide = tuple(shape) if shape is not None else broadcast(*(one.shape for one in parts))

    def build() -> tuple[Piece, ...]:
        found = []
        for pieces in itertools.product(*(values.pieces(one) for one in parts)):
            box = _box(pieces, wide)
            if box is not None:
                found.append(_at_box(values, made, parts, pieces, wide, box))
        return tuple(found)

    return values.make(wide, dtype, parts, build, label)


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that all broadcast to."""
    rank = max((len(one) for one in shapes), default=0)
    padded = [(1,) * (rank - len(one)) + tuple(one) for one in shapes]
    return tuple(next((size for size in sizes if size != 1), 1) for sizes in zip(*padded, strict=True))


def _box(pieces: Sequence[Piece], shape: tuple[int, ...]) -> list[tuple[int, int]] | None:
    """Return from where to where the pieces overlap in each dimension; None where they do not."""
    found = [(0, size) for size in shape]
    for piece in pieces:
        new = len(shape) - len(piece.starts)
        for place, (start, size) in enumerate(zip(piece.starts, piece.sizes, strict=True)):
            low, high = found[place + new]
            if size == 1 and start == 0 and shape[place + new] != 1:
                continue  # repeated along it
            found[place + new] = max(low, start), min(high, start + size)
    return None if any(low >= high for low, high in found) else found


def _at_box(
    values: Values, made: Callable[..., Term], parts: Sequence[Value], pieces: Sequence[Piece],
    shape: tuple[int, ...], box: list[tuple[int, int]],
) -> Piece:  # fmt: skip
    narrow = [_narrow(values, one, piece, shape, box) for one, piece in zip(parts, pieces, strict=True)]
    dims: list[Dim] = []
    mappings: list[dict[Var, Affine]] = [{} for _ in narrow]
    for place, (low, high) in enumerate(box):
        there = [(number, dim) for number, piece in enumerate(narrow) if (dim := _dim(piece, place, len(shape)))]
        if high - low == 1 or not there:
            dims.append(() if high - low == 1 else (values.terms.var(high - low),))
            continue
        dims.append(_one_dim(values, parts, there, mappings, {var for dim in dims for var in dim}))
    terms = [_moved(values, piece.term, mapping) for piece, mapping in zip(narrow, mappings, strict=True)]
    return Piece(tuple(low for low, _ in box), tuple(dims), made(*terms))


def _moved(values: Values, term: Term, mapping: dict[Var, Affine]) -> Term:
    return values.terms.put(term, mapping) if mapping else term


def _dim(piece: Piece, place: int, rank: int) -> Dim:
    own = place - (rank - len(piece.dims))
    return piece.dims[own] if own >= 0 else ()


def _one_dim(
    values: Values, parts: Sequence[Value], there: list[tuple[int, Dim]], mappings: list[dict[Var, Affine]],
    taken: set[Var],
) -> Dim:  # fmt: skip
    """Return one dimension for all; with variables of its own where another dimension has taken them (x + x.T)."""
    own = [one for _, one in there if taken.isdisjoint(one)]
    renamed = [] if own else [tuple(values.terms.var(one.extent) for one in there[0][1])]
    try:
        dim, found = unified([*own[:1], *renamed, *(one for _, one in there)], values.terms.var)
        found = found[1:]
    except Apart as error:
        most = max(there, key=lambda one: len(one[1]))
        raise NeedsStore(parts[most[0]]) from error
    for (number, _), mapping in zip(there, found, strict=True):
        mappings[number].update(mapping)
    return dim


def _narrow(values: Values, value: Value, piece: Piece, shape: tuple[int, ...], box: list[tuple[int, int]]) -> Piece:
    new = len(shape) - len(piece.starts)
    for place, (low, high) in list(enumerate(box))[new:]:
        own = place - new
        if value.shape[own] == 1:
            continue
        piece = narrowed(values, value, piece, own, low - piece.starts[own], high - low)
    return piece


def filled(values: Values, term: Term, shape: Sequence[int], dtype: DType) -> Value:
    """Return a value that is the same everywhere."""

    def build() -> tuple[Piece, ...]:
        dims = tuple((values.terms.var(size),) if size != 1 else () for size in shape)
        return (Piece((0,) * len(shape), dims, term),)

    return values.make(shape, dtype, (), build, "full")


def counted(values: Values, size: int, made: Callable[[Term], Term], dtype: DType) -> Value:
    """Return ``made`` of each position below ``size``."""

    def build() -> tuple[Piece, ...]:
        dim = (values.terms.var(size),) if size != 1 else ()
        return (Piece((0,), (dim,), made(values.terms.place(row_major(dim)))),)

    return values.make([size], dtype, (), build, "arange")


def reduced(values: Values, fold: Fold, value: Value, dims: Sequence[int], *, mean: bool = False) -> Value:
    """Return ``value`` folded over ``dims``, which keep the size 1; divided by how many there are, for a mean.

    Dimensions that are no single axis of what is stored are folded one after the other.
    """
    groups = _groups(values, value, sorted(one % len(value.shape) for one in dims))
    for group in groups[::-1]:
        value = _reduced(values, fold, value, group, mean)
        if group is not groups[0] and not value.stored:
            values.cut(value)
    return value


def _groups(values: Values, value: Value, dims: list[int]) -> list[list[int]]:
    """Return ``dims`` in groups, each of which is one axis for every access."""
    wide = [one for one in dims if value.shape[one] != 1]
    try:
        piece = values.whole(value)
    except NeedsStore:
        values.cut(value)
        piece = values.whole(value)
    ats = places(piece.term)
    groups: list[list[int]] = []
    for dim in wide:
        high = piece.dims[groups[-1][-1]][-1] if groups else None
        low = piece.dims[dim]
        if high and all(at.of(high) == at.of(low[0]) * low[0].extent for at in ats):
            groups[-1].append(dim)
        else:
            groups.append([dim])
    return groups or [dims]


def _reduced(values: Values, fold: Fold, value: Value, dims: Sequence[int], mean: bool) -> Value:
    shape = [1 if place in dims else size for place, size in enumerate(value.shape)]
    count, origin = math.prod(value.shape[one] for one in dims), values.terms.origin()

    def build() -> tuple[Piece, ...]:
        piece = values.whole(value)
        old = tuple(var for place in dims for var in piece.dims[place])
        bound = tuple(values.terms.var(var.extent) for var in old)
        mapping = {one: row_major((new,)) for one, new in zip(old, bound, strict=True)}
        term = values.terms.put(piece.term, mapping)
        if bound:
            term = values.terms.folding(fold, bound, term, origin)
        if mean and bound:
            term = values.terms.call(Fn.DIV, term, values.terms.extent(origin, count))
        left = tuple(() if place in dims else dim for place, dim in enumerate(piece.dims))
        return (Piece((0,) * len(shape), left, term),)

    return values.make(shape, value.dtype, [value], build, fold.value)


def product(values: Values, a: Value, b: Value, dtype: DType) -> Value:
    """Return the matrix product over the last dimension of ``a`` and the last but one of ``b``; both (batch, ., .)."""
    shape = (a.shape[0], a.shape[1], b.shape[2])
    origin = values.terms.origin()

    def build() -> tuple[Piece, ...]:
        (left, before), (right, behind) = _loaded(values, a), _loaded(values, b)
        right = renewed(values.terms, right)
        try:
            batch, (on_left, on_right) = _paired(values, left.dims[0], right.dims[0])
            inner, (in_left, in_right) = _paired(values, left.dims[2], right.dims[1])
        except Apart as error:
            raise NeedsStore(a if len(left.over) > 3 else b) from error
        terms = (values.terms.put(left.term, on_left | in_left), values.terms.put(right.term, on_right | in_right))
        bound = tuple(values.terms.var(var.extent) for var in inner)
        mapping = {one: row_major((new,)) for one, new in zip(inner, bound, strict=True)}
        body = values.terms.put(values.terms.call(Fn.MUL, *terms), mapping)
        term = values.terms.folding(Fold.SUM, bound, body, origin, product=True) if bound else body
        for factor in (*before, *behind):
            term = values.terms.call(Fn.MUL, term, factor)
        return (Piece((0, 0, 0), (batch, left.dims[1], right.dims[2]), term),)

    return values.make(shape, dtype, [a, b], build, "product")


def _loaded(values: Values, value: Value) -> tuple[Piece, list[Term]]:
    """Return a value that is only read, and the constants that it is multiplied with: they go behind the product."""
    piece = values.whole(value)
    term, factors = piece.term, list[Term]()
    while isinstance(term, Call) and term.fn is Fn.MUL and isinstance(term.arguments[1], Const | Given):
        factors.append(term.arguments[1])
        term = term.arguments[0]
    if not isinstance(term, Load):
        raise NeedsStore(value, loosely=True)
    return Piece(piece.starts, piece.dims, term), factors


def _paired(values: Values, one: Dim, other: Dim) -> tuple[Dim, list[dict[Var, Affine]]]:
    if not one or not other:
        return one or other, [{}, {}]
    return unified([one, other], values.terms.var)


def aligned_pick(values: Values, value: Value, dim: int, index: Value) -> Value:
    """Return, for each place of ``index``, the element of ``value`` at that place with ``dim`` chosen by the index."""

    def build() -> tuple[Piece, ...]:
        where, piece = renewed(values.terms, values.whole(index)), values.whole(value)
        for place in (one for one in range(len(index.shape)) if one != dim):
            piece = narrowed(values, value, piece, place, 0, index.shape[place])
        dims, mappings = _sides(values, value, where, piece, dim)
        chosen = piece.dims[dim]
        if len(chosen) > 1:
            raise NeedsStore(value)
        where = Piece(where.starts, dims, values.terms.put(where.term, mappings[0]))
        moved = Piece(piece.starts, piece.dims, values.terms.put(piece.term, mappings[1]))
        term = picked(values, value, moved, chosen[0], where) if chosen else moved.term
        return (Piece((0,) * len(dims), dims, term),)

    return values.make(index.shape, value.dtype, [value, index], build, "gather")


def _sides(
    values: Values, value: Value, where: Piece, piece: Piece, dim: int
) -> tuple[tuple[Dim, ...], tuple[dict[Var, Affine], dict[Var, Affine]]]:
    """Return the dimensions that an index and a piece share beside ``dim``, and what their variables become."""
    dims: list[Dim] = []
    mappings: tuple[dict[Var, Affine], dict[Var, Affine]] = ({}, {})
    for place, there in enumerate(where.dims):
        if place == dim or not there:
            dims.append(there)
            continue
        try:
            found, each = unified([there, piece.dims[place]], values.terms.var)
        except Apart as error:
            raise NeedsStore(value) from error
        dims.append(found)
        for mapping, more in zip(mappings, each, strict=True):
            mapping.update(more)
    return tuple(dims), mappings


__all__ = ["aligned_pick", "broadcast", "counted", "expanded", "filled", "permuted", "pointwise", "product", "reduced",
           "reshape"]  # fmt: skip
