"""Traced tensors that are not computed yet, and the decision which of them are stored.

A value is lazy: it is a term over its dimensions, and its users make larger terms of it. It is stored ("cut") only
when something needs it whole: an output, a library step, a matrix product, or a fold that does not fit the sweep of
what uses it. The cut is made where the least is stored, and what lies behind it is made anew from what was stored.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gpu_skills.graph import DType, Library, Role, Tensor
from gpu_skills.trace.dims import Dim, row_major
from gpu_skills.trace.fitting import Misfit, Target, fit, foldings
from gpu_skills.trace.terms import Affine, Term, Terms, each_of

_HEAVIEST, _DEEPEST, _MOST_LOADS = 3000, 90, 14
"""Beyond these a term is cut: it would be a large kernel, and as a tree it would blow up."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A box of a value, ``dims`` beginning at ``starts``: a concatenation has several."""

    starts: tuple[int, ...]
    dims: tuple[Dim, ...]
    term: Term

    @property
    def sizes(self) -> tuple[int, ...]:
        """How long the box is in each dimension."""
        return tuple(math.prod(var.extent for var in dim) for dim in self.dims)

    @property
    def over(self) -> Dim:
        """All variables, row by row."""
        return tuple(var for dim in self.dims for var in dim)


@dataclass(eq=False, slots=True)
class Value:
    """A traced tensor. ``building`` makes its pieces from those of its ``parents``; ``stored`` is the tensor, if cut.

    A ``view`` has the elements of its only parent in another shape or order.
    """

    index: int
    shape: tuple[int, ...]
    dtype: DType
    parents: tuple[Value, ...]
    build: Callable[[], tuple[Piece, ...]]
    label: str = ""
    pieces: tuple[Piece, ...] = ()
    stored: str = ""
    stale: bool = False
    view: bool = False
    children: list[Value] = field(default_factory=list)

    @property
    def numel(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)


class NeedsStore(Exception):
    """A value has to be stored before this can be said of it; ``loosely``, in any order of its elements."""

    def __init__(self, value: Value, *, loosely: bool = False) -> None:
        super().__init__(value.label)
        while loosely and value.view and not value.stored and not value.parents[0].stored:
            value = value.parents[0]
        self.value = value


@dataclass(eq=False, slots=True)
class Task:
    """Something to be written: targets of one tensor, or a library step; ``inlined`` are the values made in it."""

    writes: tuple[str, ...]
    targets: tuple[Target, ...] = ()
    library: Library | None = None
    inlined: frozenset[int] = frozenset()

    @property
    def reads(self) -> frozenset[str]:
        """The tensors that it reads."""
        if self.library:
            return frozenset(self.library.reads)
        return frozenset(tensors_of(*(one.term for one in self.targets)))


def tensors_of(*terms: Term) -> set[str]:
    """Return the tensors that terms read."""
    return {name for one in each_of(*terms) if (name := getattr(one, "tensor", ""))}


class Values:
    """All values of one trace, the tensors that are stored, and the tasks that store them."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.all: list[Value] = []
        self.tensors: dict[str, Tensor] = {}
        self.tasks: list[Task] = []
        self._scratch = itertools.count()
        self._named: dict[str, int] = {}

    def named(self, name: str) -> str:
        """Return a name for a parameter that no other one has."""
        before = self._named.get(name, 0)
        self._named[name] = before + 1
        return f"{name}_{before}" if before else name

    def tensor(self, name: str, shape: Sequence[int], dtype: DType, role: Role) -> Value:
        """Return a value that is in memory already."""
        self.tensors[name] = Tensor(name, tuple(shape), dtype, role)
        value = self.make(shape, dtype, (), lambda: (self._loaded(name, shape),), label=name)
        value.stored = name
        return value

    def _loaded(self, name: str, shape: Sequence[int]) -> Piece:
        dims = tuple((self.terms.var(size),) if size != 1 else () for size in shape)
        at = row_major(var for dim in dims for var in dim)
        return Piece((0,) * len(shape), dims, self.terms.load(name, at))

    def make(
        self, shape: Sequence[int], dtype: DType, parents: Sequence[Value], build: Callable[[], tuple[Piece, ...]],
        label: str = "", *, view: bool = False,
    ) -> Value:  # fmt: skip
        """Return a new value; what has to be stored for it is stored."""
        value = Value(len(self.all), tuple(shape), dtype, tuple(parents), build, label, view=view)
        self.all.append(value)
        for one in parents:
            one.children.append(value)
        self._settle(value)
        return value

    def pieces(self, value: Value) -> tuple[Piece, ...]:
        """Return the pieces of a value, made anew where something before it was stored meanwhile."""
        for one in sorted(self._stale_before(value), key=lambda each: each.index):
            self._settle(one)
        return value.pieces

    def whole(self, value: Value) -> Piece:
        """Return the one piece of a value. Raises NeedsStore where there are several."""
        pieces = self.pieces(value)
        if len(pieces) != 1:
            raise NeedsStore(value)
        return pieces[0]

    def _stale_before(self, value: Value) -> list[Value]:
        found: dict[int, Value] = {}
        todo = [value]
        while todo:
            one = todo.pop()
            if one.stale and one.index not in found:
                found[one.index] = one
                todo += one.parents
        return list(found.values())

    def _settle(self, value: Value) -> None:
        value.stale = False
        for _ in range(200):
            try:
                pieces = value.build()
                self._check(value, pieces)
            except NeedsStore as needed:
                self.cut(needed.value)
            except Misfit as misfit:
                self._part(value, misfit)
            else:
                value.pieces = pieces
                return
        raise RuntimeError(f"{value.label} does not come to rest")

    def _check(self, value: Value, pieces: tuple[Piece, ...]) -> None:
        products = {one.origin for piece in pieces for one in foldings(piece.term) if one.product}
        if len(products) > 1 or (products and len(pieces) > 1):
            raise Misfit(products)
        for piece in pieces:
            if foldings(piece.term):
                fit(self.terms, [Target("", row_major(piece.over), piece.over, piece.term)])
            too_large = piece.term.weight > _HEAVIEST or piece.term.depth > _DEEPEST
            if too_large or len(tensors_of(piece.term)) > _MOST_LOADS:
                heaviest = max(value.parents, key=_weight)
                if not heaviest.stored:
                    raise NeedsStore(heaviest)

    def _part(self, value: Value, misfit: Misfit) -> None:
        """Store what separates the folds that do not fit from ``value``, as little as there is."""
        origin = min(misfit.origins)
        inside = self._ancestors_with(value, origin)
        if not inside or misfit.alone:
            inside = self._lazy_before(value)
            if not inside:
                raise RuntimeError(f"{value.label}: nothing can be stored before it")
            self.cut(max(inside, key=lambda one: one.index))
            return
        self.cut(min(inside, key=lambda one: (one.numel, not self._separates(one, value, origin), -one.index)))

    def _lazy_before(self, value: Value) -> list[Value]:
        found: dict[int, Value] = {}
        todo = [one for one in value.parents if not one.stored]
        while todo:
            one = todo.pop()
            if one.index not in found:
                found[one.index] = one
                todo += [each for each in one.parents if not each.stored]
        return list(found.values())

    def _ancestors_with(self, value: Value, origin: int) -> list[Value]:
        return [one for one in self._lazy_before(value) if _has(one, origin)]

    def _separates(self, one: Value, value: Value, origin: int) -> bool:
        """Tell whether every way from the fold to ``value`` goes through ``one``."""
        todo, seen = [each for each in value.parents if each is not one], {one.index}
        while todo:
            each = todo.pop()
            if each.index in seen or each.stored or not _has(each, origin):
                continue
            seen.add(each.index)
            if not any(_has(parent, origin) for parent in each.parents):
                return False
            todo += each.parents
        return True

    def cut(self, value: Value, name: str = "", role: Role = Role.SCRATCH) -> str:
        """Store a value, in a tensor of its own, and return that."""
        if value.stored and not name:
            return value.stored
        pieces = self.pieces(value)
        made = name or f"t{next(self._scratch)}"
        self.tensors[made] = Tensor(made, value.shape, value.dtype, role)
        targets = tuple(_target(made, value.shape, piece) for piece in pieces)
        inlined = frozenset(one.index for one in (*self._lazy_before(value), value))
        self.tasks.append(Task((made,), targets, inlined=inlined))
        if not value.stored:
            self._now_stored(value, made, pieces)
        return made

    def _now_stored(self, value: Value, name: str, pieces: tuple[Piece, ...]) -> None:
        value.stored = name
        if len(pieces) == 1:
            load = self.terms.load(name, row_major(pieces[0].over))
            kept = (Piece(pieces[0].starts, pieces[0].dims, load),)
        else:
            kept = (self._loaded(name, value.shape),)
        value.pieces, value.build = kept, lambda: kept
        todo = list(value.children)
        while todo:
            one = todo.pop()
            if not one.stale and not one.stored:
                one.stale = True
                todo += one.children

    def stays(self, library: Library, shapes: Sequence[tuple[tuple[int, ...], DType]], label: str) -> list[Value]:
        """Return the results of a library step, which are in memory once it has run."""
        self.tasks.append(Task(library.writes, library=library))
        return [
            self.tensor(name, shape, dtype, Role.SCRATCH)
            for name, (shape, dtype) in zip(library.writes, shapes, strict=True)
        ]

    def fresh(self) -> str:
        """Return a new name for scratch."""
        return f"t{next(self._scratch)}"


def _weight(value: Value) -> int:
    return 0 if value.stored else max((one.term.weight for one in value.pieces), default=0)


def _has(value: Value, origin: int) -> bool:
    return any(one.origin == origin for piece in value.pieces for one in foldings(piece.term))


def _target(tensor: str, shape: Sequence[int], piece: Piece) -> Target:
    steps = [math.prod(shape[place + 1 :]) for place in range(len(shape))]
    at = Affine((), sum(step * start for step, start in zip(steps, piece.starts, strict=True)))
    for step, dim in zip(steps, piece.dims, strict=True):
        at = at.plus(row_major(dim), step)
    kept = piece.dims[-1:] if len(shape) <= 3 else piece.dims[-2:]
    return Target(tensor, at, piece.over, piece.term, sum(len(dim) for dim in kept))
