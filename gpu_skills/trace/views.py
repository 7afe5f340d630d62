"""Views of values: the same elements at other places. None of them computes anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpu_skills.graph import DType, Fn
from gpu_skills.trace.dims import Apart, Dim, reshaped, row_major
from gpu_skills.trace.terms import Affine, Load, Pick, Place, Term, Terms, Unpicked, Var, each_of
from gpu_skills.trace.values import NeedsStore, Piece, Value, Values


def _each(values: Values, value: Value, change: Callable[[Piece], Piece]) -> Callable[[], tuple[Piece, ...]]:
    return lambda: tuple(change(piece) for piece in values.pieces(value))


def permuted(values: Values, value: Value, order: Sequence[int]) -> Value:
    """Return ``value`` with its dimensions in another order."""

    def change(piece: Piece) -> Piece:
        return Piece(tuple(piece.starts[one] for one in order), tuple(piece.dims[one] for one in order), piece.term)

    return values.make(
        [value.shape[one] for one in order], value.dtype, [value], _each(values, value, change), view=True
    )


def reshape(values: Values, value: Value, shape: Sequence[int]) -> Value:
    """Return ``value`` in another shape of as many elements, row by row."""
    if tuple(shape) == value.shape:
        return value

    def build() -> tuple[Piece, ...]:
        if _only_ones(value.shape, shape):
            return tuple(_with_ones(piece, value.shape, shape) for piece in values.pieces(value))
        piece = values.whole(value)
        try:
            dims, mapping = reshaped(piece.dims, shape, values.terms.var)
        except Apart:
            piece = _neighbours_joined(values.terms, piece)
            try:
                dims, mapping = reshaped(piece.dims, shape, values.terms.var)
            except Apart as error:
                raise NeedsStore(value) from error
        return (Piece((0,) * len(shape), dims, values.terms.put(piece.term, mapping)),)

    return values.make(shape, value.dtype, [value], build, view=True)


def _only_ones(before: Sequence[int], after: Sequence[int]) -> bool:
    return [one for one in before if one != 1] == [one for one in after if one != 1]


def _with_ones(piece: Piece, before: Sequence[int], after: Sequence[int]) -> Piece:
    rest = [(start, dim) for start, dim, size in zip(piece.starts, piece.dims, before, strict=True) if size != 1]
    found = [(0, ()) if size == 1 else rest.pop(0) for size in after]
    return Piece(tuple(start for start, _ in found), tuple(dim for _, dim in found), piece.term)


def _neighbours_joined(terms: Terms, piece: Piece) -> Piece:
    """Return a piece whose variables are joined wherever every access goes through two as through one."""
    flat, made = _joined(terms, piece.over, piece)
    return Piece((0,), (flat,), made.term)


def _joined(terms: Terms, dim: Sequence[Var], piece: Piece) -> tuple[Dim, Piece]:
    found: list[Var] = []
    term = piece.term
    for var in dim:
        if found and all(at.of(found[-1]) == at.of(var) * var.extent for at in places(term)):
            high = found.pop()
            both = terms.var(high.extent * var.extent)
            moved = _joining(high, var, both)
            term = terms.rewritten(term, frozenset((high, var)), moved)
            found.append(both)
        else:
            found.append(var)
    return tuple(found), Piece(piece.starts, piece.dims, term)


def _joining(high: Var, low: Var, both: Var) -> Callable[[Affine], Affine]:
    def moved(at: Affine) -> Affine:
        step = at.of(low)
        return at.without(high).without(low).plus(Affine(((both, 1),)), step) if step else at

    return moved


def places(term: Term) -> list[Affine]:
    """Return every affine place inside of a term."""
    return [one.at for one in each_of(term) if isinstance(one, Load | Pick | Place)]


def expanded(values: Values, value: Value, shape: Sequence[int]) -> Value:
    """Return ``value`` repeated along dimensions of size 1, and along new ones in front."""
    shape = tuple(shape)
    if shape == value.shape:
        return value
    new = len(shape) - len(value.shape)
    padded = (1,) * new + value.shape

    def change(piece: Piece) -> Piece:
        dims = ((),) * new + piece.dims
        wide = tuple(
            (values.terms.var(size),) if old == 1 != size else dim
            for dim, old, size in zip(dims, padded, shape, strict=True)
        )
        return Piece((0,) * new + piece.starts, wide, piece.term)

    return values.make(shape, value.dtype, [value], _each(values, value, change))


def sliced(values: Values, value: Value, dim: int, start: int, length: int, step: int = 1) -> Value:
    """Return ``length`` elements of one dimension, from ``start`` on, each ``step``-th."""
    if start == 0 and length == value.shape[dim]:
        return value
    shape = [*value.shape[:dim], length, *value.shape[dim + 1 :]]

    def build() -> tuple[Piece, ...]:
        pieces = values.pieces(value)
        if len(pieces) > 1 and step != 1:
            raise NeedsStore(value)
        found = (_part(values, value, piece, dim, start, length, step) for piece in pieces)
        return tuple(piece for piece in found if piece is not None)

    return values.make(shape, value.dtype, [value], build)


def _part(values: Values, value: Value, piece: Piece, dim: int, start: int, length: int, step: int) -> Piece | None:
    begins, size = piece.starts[dim], piece.sizes[dim]
    low, high = max(start, begins), min(start + (length - 1) * step + 1, begins + size)
    if low >= high:
        return None
    count = length if step != 1 else high - low
    narrow = narrowed(values, value, piece, dim, low - begins, count, step)
    starts = (*piece.starts[:dim], low - start, *piece.starts[dim + 1 :])
    return Piece(starts, narrow.dims, narrow.term)


def narrowed(values: Values, value: Value, piece: Piece, dim: int, start: int, length: int, step: int = 1) -> Piece:
    """Return a part of one piece of ``value``. Raises NeedsStore where its dimension is no single axis."""
    if length == piece.sizes[dim] and step == 1:
        return piece
    dims, term = piece.dims, piece.term
    if len(dims[dim]) != 1:
        one, joined = _joined(values.terms, dims[dim], piece)
        if len(one) != 1:
            raise NeedsStore(value)
        dims, term = (*dims[:dim], one, *dims[dim + 1 :]), joined.term
    old = dims[dim][0]
    new = () if length == 1 else (values.terms.var(length),)
    at = Affine((), start).plus(row_major(new), step)
    return Piece(piece.starts, (*dims[:dim], new, *dims[dim + 1 :]), values.terms.put(term, {old: at}))


def joined(values: Values, parts: Sequence[Value], dim: int) -> Value:
    """Return values one behind the other along a dimension."""
    shape = [*parts[0].shape[:dim], sum(one.shape[dim] for one in parts), *parts[0].shape[dim + 1 :]]

    def build() -> tuple[Piece, ...]:
        found, begins = [], 0
        for one in parts:
            for piece in values.pieces(one):
                starts = (*piece.starts[:dim], piece.starts[dim] + begins, *piece.starts[dim + 1 :])
                found.append(Piece(starts, piece.dims, piece.term))
            begins += one.shape[dim]
        return tuple(found)

    return values.make(shape, parts[0].dtype, parts, build, "cat")


def chosen(values: Values, value: Value, dim: int, index: Value) -> Value:
    """Return the elements of ``dim`` that ``index`` names: the dimensions of ``index`` take the place of ``dim``."""
    shape = [*value.shape[:dim], *index.shape, *value.shape[dim + 1 :]]

    def build() -> tuple[Piece, ...]:
        piece, where = values.whole(value), values.whole(index)
        where = renewed(values.terms, where)
        if not piece.dims[dim]:
            term = piece.term
        else:
            one, merged = _joined(values.terms, piece.dims[dim], piece)
            if len(one) != 1:
                raise NeedsStore(value)
            term = picked(values, value, merged, one[0], where)
        return (Piece((0,) * len(shape), (*piece.dims[:dim], *where.dims, *piece.dims[dim + 1 :]), term),)

    return values.make(shape, value.dtype, [value, index], build, "index")


def picked(values: Values, value: Value, piece: Piece, var: Var, index: Piece) -> Term:
    """Return the term of ``piece`` with ``var`` chosen by ``index``. Raises NeedsStore."""
    try:
        return values.terms.chosen(piece.term, var, index.term)
    except Unpicked as error:
        raise NeedsStore(value) from error


def renewed(terms: Terms, piece: Piece) -> Piece:
    """Return a piece with variables of its own, so that it may stand beside another one with the same."""
    mapping = {var: terms.var(var.extent) for var in piece.over}
    dims = tuple(tuple(mapping[var] for var in dim) for dim in piece.dims)
    return Piece(piece.starts, dims, terms.put(piece.term, {old: row_major((new,)) for old, new in mapping.items()}))


def turned(values: Values, value: Value, dim: int) -> Value:
    """Return a dimension in its other direction: by an index, since no stride is negative."""
    last = values.terms.given(f"last_{len(values.all)}", value.shape[dim] - 1)

    def index() -> tuple[Piece, ...]:
        var = values.terms.var(value.shape[dim])
        return (Piece((0,), ((var,),), values.terms.call(Fn.SUB, last, values.terms.place(row_major((var,))))),)

    return chosen(values, value, dim, values.make([value.shape[dim]], DType.I64, [], index))
