"""What an element of a traced tensor is, over axes that have no place in a sweep yet.

Terms are what expressions are before there is a sweep: they read tensors at affine places of variables, and a fold
binds the variables it goes over. Equal terms of one trace are the same object, so a term is a graph, not a tree.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from gpu_skills.graph import Fn, Fold


@dataclass(frozen=True, slots=True, order=True)
class Var:
    """An axis that a term depends on: ``0 <= var < extent``."""

    id: int
    extent: int


@dataclass(frozen=True, slots=True)
class Affine:
    """``offset`` plus each variable times its coefficient; no coefficient is 0."""

    parts: tuple[tuple[Var, int], ...] = ()
    offset: int = 0

    def of(self, var: Var) -> int:
        """Return the coefficient of ``var``."""
        return dict(self.parts).get(var, 0)

    @property
    def free(self) -> frozenset[Var]:
        """The variables that it depends on."""
        return frozenset(var for var, _ in self.parts)

    def plus(self, other: Affine, times: int = 1) -> Affine:
        """Return the sum with ``times`` the other."""
        found = dict(self.parts)
        for var, each in other.parts:
            found[var] = found.get(var, 0) + times * each
        return Affine(
            tuple(sorted((var, each) for var, each in found.items() if each)), self.offset + times * other.offset
        )

    def put(self, mapping: Mapping[Var, Affine]) -> Affine:
        """Return it with variables replaced."""
        if not any(var in mapping for var, _ in self.parts):
            return self
        found = Affine((), self.offset)
        for var, each in self.parts:
            found = found.plus(mapping.get(var, Affine(((var, 1),))), each)
        return found

    def without(self, var: Var) -> Affine:
        """Return it with ``var`` at 0."""
        return Affine(tuple(part for part in self.parts if part[0] != var), self.offset)


@dataclass(frozen=True, eq=False, slots=True)
class Term:
    """Any term: the variables it depends on; ``weight`` is its size as a tree, ``depth`` its height."""

    free: frozenset[Var] = field(init=False, default=frozenset())
    weight: int = field(init=False, default=1)
    depth: int = field(init=False, default=1)


def _measure(term: Term, parts: Iterable[Term], free: frozenset[Var]) -> None:
    parts = tuple(parts)
    object.__setattr__(term, "free", free.union(*(one.free for one in parts)))
    object.__setattr__(term, "weight", 1 + sum(one.weight for one in parts))
    object.__setattr__(term, "depth", 1 + max((one.depth for one in parts), default=0))


@dataclass(frozen=True, eq=False, slots=True)
class Load(Term):
    """An element of a stored tensor."""

    tensor: str
    at: Affine


@dataclass(frozen=True, eq=False, slots=True)
class Pick(Term):
    """An element of a stored tensor, moved by ``index`` times ``stride``; ``0 <= index < size``."""

    tensor: str
    at: Affine
    stride: int
    size: int
    index: Term


@dataclass(frozen=True, eq=False, slots=True)
class Const(Term):
    """A number of the structure."""

    value: float


@dataclass(frozen=True, eq=False, slots=True)
class Given(Term):
    """A parameter."""

    name: str
    value: float


@dataclass(frozen=True, eq=False, slots=True)
class Extent(Term):
    """How many elements the fold made as ``origin`` goes over."""

    origin: int
    value: int


@dataclass(frozen=True, eq=False, slots=True)
class Place(Term):
    """A position, or a sum of positions, as a number."""

    at: Affine


@dataclass(frozen=True, eq=False, slots=True)
class Folding(Term):
    """``body`` folded over ``bound``. ``origin`` is kept by every copy; a product is a sum of products of loads."""

    fold: Fold
    bound: tuple[Var, ...]
    body: Term
    origin: int
    product: bool


@dataclass(frozen=True, eq=False, slots=True)
class Call(Term):
    """A function of terms."""

    fn: Fn
    arguments: tuple[Term, ...]


class Unpicked(Exception):
    """An element of this term cannot be chosen by an index: it has to be stored first."""


class Terms:
    """Makes the terms and variables of one trace; equal ones once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], Term] = {}
        self._ids = itertools.count(1)
        self._origins = itertools.count(1)

    def var(self, extent: int) -> Var:
        """Return a new variable."""
        return Var(next(self._ids), extent)

    def origin(self) -> int:
        """Return a new origin of folds."""
        return next(self._origins)

    def _once(self, term: Term, key: tuple[object, ...], parts: tuple[Term, ...] = (),
              free: frozenset[Var] = frozenset()) -> Term:  # fmt: skip
        key = (type(term), *key, *(id(one) for one in parts))
        if key not in self._kept:
            _measure(term, parts, free)
            self._kept[key] = term
        return self._kept[key]

    def load(self, tensor: str, at: Affine) -> Term:
        """An element of a tensor."""
        return self._once(Load(tensor, at), (tensor, at), free=at.free)

    def pick(self, tensor: str, at: Affine, stride: int, size: int, index: Term) -> Term:
        """An element beside."""
        return self._once(Pick(tensor, at, stride, size, index), (tensor, at, stride, size), (index,), at.free)

    def const(self, value: float) -> Term:
        """A number of the structure."""
        return self._once(Const(float(value)), (repr(float(value)),))

    def given(self, name: str, value: float) -> Term:
        """A parameter."""
        return self._once(Given(name, float(value)), (name,))

    def extent(self, origin: int, value: int) -> Term:
        """How long a fold is."""
        return self._once(Extent(origin, value), (origin, value))

    def place(self, at: Affine) -> Term:
        """A position."""
        return self._once(Place(at), (at,), free=at.free)

    def folding(self, fold: Fold, bound: tuple[Var, ...], body: Term, origin: int, product: bool = False) -> Term:
        """A fold; ``bound`` belongs to it alone."""
        made = self._once(Folding(fold, bound, body, origin, product), (fold, bound, origin, product), (body,))
        object.__setattr__(made, "free", body.free - frozenset(bound))
        return made

    def call(self, fn: Fn, *arguments: Term) -> Term:
        """A function; what changes nothing is left out."""
        plain = _plain(fn, arguments)
        return plain if plain is not None else self._once(Call(fn, arguments), (fn,), arguments)

    def put(self, term: Term, mapping: Mapping[Var, Affine]) -> Term:
        """Return ``term`` with its free variables replaced; new variables must not be bound inside of it."""
        return self.rewritten(term, frozenset(mapping), lambda at: at.put(mapping))

    def rewritten(self, term: Term, touched: frozenset[Var], moved: Callable[[Affine], Affine]) -> Term:
        """Return ``term`` with each affine place that depends on ``touched`` put through ``moved``."""
        memo: dict[int, Term] = {}

        def go(one: Term) -> Term:
            if not one.free & touched:
                return one
            if id(one) not in memo:
                memo[id(one)] = self._over(one, moved, go)
            return memo[id(one)]

        return go(term)

    def _over(self, term: Term, moved: Callable[[Affine], Affine], go: Callable[[Term], Term]) -> Term:
        match term:
            case Load():
                return self.load(term.tensor, moved(term.at))
            case Pick():
                return self.pick(term.tensor, moved(term.at), term.stride, term.size, go(term.index))
            case Place():
                return self.place(moved(term.at))
            case Folding():
                return self.folding(term.fold, term.bound, go(term.body), term.origin, term.product)
            case Call():
                return self.call(term.fn, *(go(one) for one in term.arguments))
            case _:
                return term

    def with_parts(self, term: Term, parts: tuple[Term, ...]) -> Term:
        """Return ``term`` made of other parts, in the order of ``parts_of``."""
        match term:
            case Call():
                return self.call(term.fn, *parts)
            case Folding():
                return self.folding(term.fold, term.bound, parts[0], term.origin, term.product)
            case Pick():
                return self.pick(term.tensor, term.at, term.stride, term.size, parts[0])
            case _:
                return term

    def chosen(self, term: Term, var: Var, index: Term) -> Term:
        """Return ``term`` where ``var`` is ``index``, which is data. Raises Unpicked."""
        match term:
            case _ if var not in term.free:
                return term
            case Load():
                return self.pick(term.tensor, term.at.without(var), term.at.of(var), var.extent, index)
            case Place():
                moved = self.call(Fn.MUL, self.const(term.at.of(var)), index)
                return self.call(Fn.ADD, moved, self.place(term.at.without(var)))
            case Call():
                return self.call(term.fn, *(self.chosen(one, var, index) for one in term.arguments))
            case _:
                raise Unpicked


def _plain(fn: Fn, arguments: tuple[Term, ...]) -> Term | None:
    if len(arguments) != 2:
        return None
    first, second = arguments
    neutral = {Fn.ADD: 0.0, Fn.SUB: 0.0, Fn.MUL: 1.0, Fn.DIV: 1.0}.get(fn)
    if neutral is None:
        return None
    if isinstance(second, Const) and second.value == neutral:
        return first
    if fn in (Fn.ADD, Fn.MUL) and isinstance(first, Const) and first.value == neutral:
        return second
    return None


def parts_of(term: Term) -> tuple[Term, ...]:
    """Return the terms that ``term`` is made of."""
    match term:
        case Call():
            return term.arguments
        case Folding():
            return (term.body,)
        case Pick():
            return (term.index,)
        case _:
            return ()


def each_of(*terms: Term) -> list[Term]:
    """Return every term inside, each once, the inner ones first."""
    seen: set[int] = set()
    found: list[Term] = []

    def go(one: Term) -> None:
        if id(one) in seen:
            return
        seen.add(id(one))
        for part in parts_of(one):
            go(part)
        found.append(one)

    for term in terms:
        go(term)
    return found
