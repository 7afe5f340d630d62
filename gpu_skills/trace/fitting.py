"""Whether values can be made by one sweep, and that sweep.

A sweep folds over its last axis alone. All folds of it depend on the same variables, its rows; what is left of the
variables of a store is the last axis (or nothing: then it is stored once a row).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from gpu_skills.graph import (
    Access,
    Apply,
    Expr,
    Folded,
    Gather,
    Number,
    Parameter,
    Position,
    Read,
    Reduction,
    Size,
    Store,
    Sweep,
)
from gpu_skills.graph import Fn as _Fn
from gpu_skills.trace.dims import Apart, Dim, onto, unified
from gpu_skills.trace.terms import (
    Affine,
    Call,
    Const,
    Extent,
    Folding,
    Given,
    Load,
    Pick,
    Place,
    Term,
    Terms,
    Var,
    each_of,
)


class Misfit(Exception):
    """These values need more than one sweep: the folds made as ``origins`` have to be stored first.

    ``alone`` says that a fold does not fit by itself: what it goes over has to be stored first.
    """

    def __init__(self, origins: Collection[int], *, alone: bool = False) -> None:
        super().__init__(f"folds {sorted(origins)} do not fit")
        self.origins = frozenset(origins)
        self.alone = alone


@dataclass(frozen=True, slots=True)
class Target:
    """What is stored: ``term`` at ``at`` of ``tensor``, for all values of ``over``, in the order of the tensor.

    ``keep`` is how many of ``over``, counted from the end, are rather an axis of their own.
    """

    tensor: str
    at: Affine
    over: tuple[Var, ...]
    term: Term
    keep: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """How targets become one sweep: groups of variables that are one axis each, and terms with bound folds."""

    axes: tuple[tuple[Var, ...], ...]
    targets: tuple[Target, ...]
    last: frozenset[Var]
    origins: frozenset[int]


def foldings(*terms: Term) -> list[Folding]:
    """Return the folds inside of terms, the inner ones first."""
    return [one for one in each_of(*terms) if isinstance(one, Folding)]


def fit(terms: Terms, targets: Sequence[Target]) -> Fit:
    """Return how ``targets`` become one sweep. Raises Misfit."""
    folds = foldings(*(one.term for one in targets))
    if not folds:
        return _pointwise(targets)
    _same_rows(folds)
    rows = folds[-1].free
    last, targets = _one_last(terms, folds, rows, targets)
    bound = _Bound(terms, last)
    targets = tuple(Target(one.tensor, one.at, one.over, bound.of(one.term), one.keep) for one in targets)
    return _laid(targets, rows, last, frozenset(one.origin for one in folds))


def _same_rows(folds: Sequence[Folding]) -> None:
    """All folds depend on the same variables as the last; an inner fold that does not must be stored."""
    rows, product = folds[-1].free, folds[-1].product
    others = [one.origin for one in folds if one.free != rows or one.product != product]
    if others:
        inside = {one.origin for fold in folds for one in foldings(fold.body) if one.free != fold.free}
        raise Misfit(inside & set(others) or others)


def _one_last(
    terms: Terms, folds: Sequence[Folding], rows: frozenset[Var], targets: Sequence[Target]
) -> tuple[Dim, tuple[Target, ...]]:
    """Return the variables of the last axis, one set for the folds and for the stores that go along it."""
    origins = [one.origin for one in folds]
    rests = {tuple(var for var in one.over if var not in rows) for one in targets} - {()}
    if any(not rows <= set(one.over) for one in targets) or len(rests) > 1 or (rests and folds[-1].product):
        raise Misfit(origins)
    rest = next(iter(rests), None)
    dims = [one.bound for one in folds] + ([rest] if rest else [])
    if len({math.prod(var.extent for var in dim) for dim in dims}) > 1:
        raise Misfit(origins)
    try:
        last, _ = unified([*dims[::-1]], terms.var)
    except Apart as error:
        raise Misfit(origins) from error
    if rest and last != rest:
        targets = _finer(terms, targets, rest, last)
    elif not rest:
        last = tuple(terms.var(one.extent) for one in last)
    return last, tuple(targets)


def _finer(terms: Terms, targets: Sequence[Target], rest: Dim, last: Dim) -> list[Target]:
    mapping = onto(rest, last)
    parts = {var: tuple(sorted(place.parts, key=lambda part: -part[1])) for var, place in mapping.items()}

    def over(one: Target) -> tuple[Var, ...]:
        return tuple(new for var in one.over for new in ([part for part, _ in parts[var]] if var in parts else [var]))

    return [
        Target(one.tensor, one.at.put(mapping), over(one), terms.put(one.term, mapping), one.keep) for one in targets
    ]


class _Bound:
    """Puts the variables of the last axis in place of those that folds bind."""

    def __init__(self, terms: Terms, last: Dim) -> None:
        self._terms, self._last = terms, last
        self._memo: dict[int, Term] = {}

    def of(self, term: Term) -> Term:
        if id(term) not in self._memo:
            self._memo[id(term)] = self._made(term)
        return self._memo[id(term)]

    def _made(self, term: Term) -> Term:
        match term:
            case Call():
                return self._terms.call(term.fn, *(self.of(one) for one in term.arguments))
            case Pick():
                return self._terms.pick(term.tensor, term.at, term.stride, term.size, self.of(term.index))
            case Folding():
                body = self.of(term.body)
                if term.bound != self._last:
                    body = self._terms.put(body, onto(term.bound, self._last))
                return self._terms.folding(term.fold, self._last, body, 0, term.product)
            case Extent():
                return term
            case _:
                return term


def _pointwise(targets: Sequence[Target]) -> Fit:
    over = max((one.over for one in targets), key=len)
    axes = _merged(over, _places(targets), set())
    if len(axes) == 1 and 0 < (keep := targets[0].keep) < len(over):
        axes = _merged(over, _places(targets), {len(over) - keep})
    return Fit(axes or ((),), tuple(targets), frozenset(), frozenset())


def _laid(targets: tuple[Target, ...], rows: frozenset[Var], last: Dim, origins: frozenset[int]) -> Fit:
    over = max((one.over for one in targets), key=len)
    outer = tuple(var for var in over if var in rows)
    places = _places(targets)
    if len(_merged(last, places, set())) > 1:
        inside = [at for fold in foldings(*(one.term for one in targets)) for at in _places_of(fold)]
        raise Misfit(origins, alone=len(_merged(last, inside, set())) > 1)
    return Fit((*_merged(outer, places, set()), last), targets, frozenset(last), origins)


def _places_of(term: Term) -> list[Affine]:
    return [one.at for one in each_of(term) if isinstance(one, Load | Pick | Place)]


def _places(targets: Sequence[Target]) -> list[Affine]:
    return [one.at for one in targets] + [at for one in targets for at in _places_of(one.term)]


def _merged(over: Sequence[Var], places: Sequence[Affine], barriers: set[int]) -> tuple[tuple[Var, ...], ...]:
    """Return groups of neighbours that every access goes through as through one axis."""
    groups: list[list[Var]] = []
    for place, var in enumerate(over):
        joins = bool(groups) and place not in barriers
        if joins and all(at.of(groups[-1][-1]) == at.of(var) * var.extent for at in places):
            groups[-1].append(var)
        else:
            groups.append([var])
    return tuple(tuple(group) for group in groups)


@dataclass(slots=True)
class _Rendering:
    """The names of one sweep while it is written."""

    fit: Fit
    sizes: tuple[int, ...]
    reads: dict[tuple[str, Affine], str] = field(default_factory=dict)
    folds: dict[int, str] = field(default_factory=dict)
    memo: dict[int, Expr] = field(default_factory=dict)
    reductions: list[Reduction] = field(default_factory=list)


def rendered(found: Fit) -> Sweep:
    """Return the sweep of a fit."""
    sizes = tuple(math.prod(var.extent for var in group) for group in found.axes)
    making = _Rendering(found, sizes)
    stores = tuple(_store(making, one) for one in found.targets)
    reads = tuple((name, _access(making, tensor, at)) for (tensor, at), name in making.reads.items())
    return Sweep(sizes, reads, tuple(making.reductions), stores)


def _store(making: _Rendering, target: Target) -> Store:
    once = bool(making.fit.origins) and not making.fit.last & set(target.over)
    return Store(_access(making, target.tensor, target.at), _expr(making, target.term), once)


def _access(making: _Rendering, tensor: str, at: Affine) -> Access:
    strides = tuple(at.of(group[-1]) if group else 0 for group in making.fit.axes)
    return Access(tensor, strides, at.offset)


def _expr(making: _Rendering, term: Term) -> Expr:
    if id(term) not in making.memo:
        making.memo[id(term)] = _written(making, term)
    return making.memo[id(term)]


def _written(making: _Rendering, term: Term) -> Expr:  # noqa: PLR0911
    match term:
        case Load():
            return Read(_name(making, term.tensor, term.at))
        case Pick():
            index = _expr(making, term.index)
            return Gather(_name(making, term.tensor, term.at), index, term.stride, term.size)
        case Const():
            return Number(term.value)
        case Given():
            return Parameter(term.name, term.value)
        case Extent():
            return _size(making, term)
        case Place():
            return _position(making, term.at)
        case Folding():
            return _folded(making, term)
        case Call():
            return Apply(term.fn, tuple(_expr(making, one) for one in term.arguments))
        case _:
            raise TypeError(type(term).__name__)


def _folded(making: _Rendering, term: Folding) -> Expr:
    if id(term) not in making.folds:
        body = _expr(making, term.body)
        name = f"r{len(making.reductions)}"
        making.reductions.append(Reduction(name, term.fold, body))
        making.folds[id(term)] = name
    return Folded(making.folds[id(term)])


def _size(making: _Rendering, term: Extent) -> Expr:
    """A size of the sweep, or, where the fold was stored by an earlier one, a parameter."""
    if term.origin in making.fit.origins:
        return Size(len(making.sizes) - 1)
    return Parameter(f"size_{term.origin}", term.value)


def _name(making: _Rendering, tensor: str, at: Affine) -> str:
    """Return the name of an access: the tensor's, with a number behind it from the second on."""
    if (tensor, at) not in making.reads:
        taken = set(making.reads.values())
        others = (f"{tensor}_{again}" for again in itertools.count(1))
        making.reads[tensor, at] = next(name for name in itertools.chain((tensor,), others) if name not in taken)
    return making.reads[tensor, at]


def _position(making: _Rendering, at: Affine) -> Expr:
    found: Expr = Number(float(at.offset))
    for axis, group in enumerate(making.fit.axes):
        step = at.of(group[-1]) if group else 0
        if not step:
            continue
        moved: Expr = Position(axis)
        if step != 1:
            moved = Apply(_Fn.MUL, (Number(float(step)), moved))
        found = moved if found == Number(0.0) else Apply(_Fn.ADD, (found, moved))
    return found
