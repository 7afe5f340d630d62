"""A sweep as a graph of values: each different expression once, with the axes that it moves along.

The tree of an expression may be a graph of equal frozen objects: it is walked by identity first, so that sharing is
never unfolded. A value is known by its number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from gpu_skills.graph import (
    Access,
    Apply,
    Expr,
    Fn,
    Fold,
    Folded,
    Gather,
    Number,
    Parameter,
    Position,
    Read,
    Size,
    Sweep,
)

Kind = (
    type[Apply]
    | type[Read]
    | type[Gather]
    | type[Number]
    | type[Parameter]
    | type[Size]
    | type[Position]
    | type[Folded]
)
MASKS: Final = frozenset((Fn.LT, Fn.LE, Fn.EQ, Fn.NE, Fn.AND, Fn.NOT))


@dataclass(frozen=True, slots=True)
class Value:
    """One value: what it is (``fn`` of ``inputs`` for a function), the axes it moves along, the folds it needs."""

    kind: Kind
    inputs: tuple[int, ...]
    axes: frozenset[int]
    folds: frozenset[str]
    fn: Fn | None = None
    name: str = ""
    number: float = 0.0
    axis: int = 0
    gather: int = 0
    """Which of the sweep's gathers this is, in the order of ``numbers_of``."""


@dataclass(frozen=True, slots=True)
class Folding:
    """A reduction whose terms are a value."""

    name: str
    fold: Fold
    value: int


@dataclass(frozen=True, slots=True)
class Placing:
    """A store of a value; ``at`` counts the stores of the sweep."""

    at: int
    to: Access
    value: int
    once: bool


@dataclass(slots=True)
class Lowered:
    """A sweep as values: ``folds`` and ``stores`` name them by number."""

    sweep: Sweep
    values: list[Value] = field(default_factory=list)
    folds: list[Folding] = field(default_factory=list)
    stores: list[Placing] = field(default_factory=list)

    @property
    def last(self) -> int:
        """Return the axis that is folded over."""
        return len(self.sweep.axes) - 1

    def under(self, *values: int) -> set[int]:
        """Return all values that ``values`` are made of, themselves among them."""
        found: set[int] = set()
        waiting = list(values)
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self.values[one].inputs
        return found

    def fold(self, name: str) -> Folding:
        """Return a reduction by name."""
        return next(one for one in self.folds if one.name == name)


def lower(sweep: Sweep) -> Lowered:
    """Return the values of a sweep."""
    making = _Making(Lowered(sweep))
    for one in sweep.reductions:
        making.lowered.folds.append(Folding(one.name, one.fold, making.value(one.expr)))
    for at, store in enumerate(sweep.stores):
        making.lowered.stores.append(Placing(at, store.to, making.value(store.expr), store.once))
    return making.lowered


class _Making:
    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self._accesses = dict(lowered.sweep.reads)
        self._by_identity: dict[int, int] = {}
        self._by_content: dict[object, int] = {}
        self._gathers = _gathers(lowered.sweep)

    def value(self, expr: Expr) -> int:
        """Return the number of an expression. Deep expressions are walked without recursion."""
        waiting = [expr]
        while waiting:
            one = waiting[-1]
            inner = [each for each in _inputs(one) if id(each) not in self._by_identity]
            if inner:
                waiting += inner
                continue
            waiting.pop()
            if id(one) not in self._by_identity:
                self._by_identity[id(one)] = self._made(one, tuple(self._by_identity[id(e)] for e in _inputs(one)))
        return self._by_identity[id(expr)]

    def _made(self, expr: Expr, inputs: tuple[int, ...]) -> int:
        if isinstance(expr, Apply):
            return self._apply(expr.fn, inputs)
        return self._kept(self._leaf(expr, inputs))

    def _leaf(self, expr: Expr, inputs: tuple[int, ...]) -> Value:  # noqa: PLR0911 - one for each kind
        none: frozenset[int] = frozenset()
        match expr:
            case Read():
                return Value(Read, (), self._moves(expr.access), frozenset(), name=expr.access)
            case Gather():
                index = self.lowered.values[inputs[0]]
                axes = self._moves(expr.access) | index.axes
                which = self._gathers[id(expr)]
                return Value(Gather, inputs, axes, index.folds, name=expr.access, gather=which)
            case Number():
                return Value(Number, (), none, frozenset(), number=float(expr.value))
            case Parameter():
                return Value(Parameter, (), none, frozenset(), name=expr.name)
            case Size():
                return Value(Size, (), none, frozenset(), axis=expr.axis)
            case Position():
                return Value(Position, (), frozenset((expr.axis,)), frozenset(), axis=expr.axis)
            case Folded():
                terms = self.lowered.values[self.lowered.fold(expr.reduction).value]
                axes = frozenset(one for one in terms.axes if one != self.lowered.last)
                return Value(Folded, (), axes, terms.folds | {expr.reduction}, name=expr.reduction)
            case _:
                raise AssertionError(expr)

    def _moves(self, access: str) -> frozenset[int]:
        return frozenset(axis for axis, stride in enumerate(self._accesses[access].strides) if stride != 0)

    def _kept(self, value: Value) -> int:
        # Two gathers of the same expression have numbers of their own and are told apart; -0.0 is not 0.0.
        content = (value, str(value.number))
        if content not in self._by_content:
            self.lowered.values.append(value)
            self._by_content[content] = len(self.lowered.values) - 1
        return self._by_content[content]

    def _apply(self, fn: Fn, inputs: tuple[int, ...]) -> int:
        simpler = self._simpler(fn, inputs)
        if simpler is not None:
            return simpler
        values = [self.lowered.values[one] for one in inputs]
        axes = frozenset().union(*(one.axes for one in values))
        folds = frozenset().union(*(one.folds for one in values))
        return self._kept(Value(Apply, inputs, frozenset(axes), frozenset(folds), fn=fn))

    def _simpler(self, fn: Fn, inputs: tuple[int, ...]) -> int | None:
        if fn is Fn.POW:
            return self._power(*inputs)
        if fn is Fn.MUL:
            return self._half_of_one_and_tanh(*inputs)
        return None

    def _power(self, base: int, exponent: int) -> int | None:  # noqa: PLR0911 - one for each power
        number = self._number(exponent)
        square = (Fn.MUL, (base, base))
        match number:
            case 1.0:
                return base
            case 2.0:
                return self._apply(*square)
            case 3.0:
                return self._apply(Fn.MUL, (self._apply(*square), base))
            case 4.0:
                return self._apply(Fn.MUL, (self._apply(*square), self._apply(*square)))
            case 0.5:
                return self._apply(Fn.SQRT, (base,))
            case -0.5:
                return self._apply(Fn.RSQRT, (base,))
            case -1.0:
                one = self._kept(Value(Number, (), frozenset(), frozenset(), number=1.0))
                return self._apply(Fn.DIV, (one, base))
            case _:
                return None

    def _number(self, value: int) -> float | None:
        one = self.lowered.values[value]
        return one.number if one.kind is Number else None

    def _half_of_one_and_tanh(self, left: int, right: int) -> int | None:
        """0.5 x (1 + tanh(u)) is x sigmoid(2 u): a function less, and no cancellation where tanh is near -1."""
        for half, sum_ in ((left, right), (right, left)):
            rest, inner = self._halved(half), self._one_and_tanh(sum_)
            if rest is not None and inner is not None:
                return self._apply(Fn.MUL, (rest, self._apply(Fn.SIGMOID, (self._apply(Fn.ADD, (inner, inner)),))))
        return None

    def _halved(self, value: int) -> int | None:
        one = self.lowered.values[value]
        if one.fn is Fn.MUL:
            left, right = one.inputs
            if self._number(left) == 0.5:
                return right
            return left if self._number(right) == 0.5 else None
        return None

    def _one_and_tanh(self, value: int) -> int | None:
        one = self.lowered.values[value]
        if one.fn is Fn.ADD:
            for number, other in (one.inputs, one.inputs[::-1]):
                tanh = self.lowered.values[other]
                if self._number(number) == 1.0 and tanh.fn is Fn.TANH:
                    return tanh.inputs[0]
        return None


def _inputs(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Apply():
            return expr.arguments
        case Gather():
            return (expr.index,)
        case _:
            return ()


class _Mentions:
    """How many gathers an expression mentions as a tree: of a shared one known without walking it again."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def of(self, expr: Expr) -> int:
        """Return the count."""
        if id(expr) not in self._counts:
            self._counts[id(expr)] = int(isinstance(expr, Gather)) + sum(self.of(one) for one in _inputs(expr))
        return self._counts[id(expr)]


def _gathers(sweep: Sweep) -> dict[int, int]:
    """Return for each gather object the place of its numbers: ``numbers_of`` counts every mention, inner ones first.

    A shared gather is counted at each mention with equal numbers, so the first of them will do.
    """
    found: dict[int, int] = {}
    mentions = _Mentions()

    def walk(expr: Expr, before: int) -> None:
        if mentions.of(expr) == 0 or id(expr) in found:
            return
        for one in _inputs(expr):
            walk(one, before)
            before += mentions.of(one)
        found[id(expr)] = before if isinstance(expr, Gather) else -1

    count = 0
    for expr in _roots(sweep):
        walk(expr, count)
        count += mentions.of(expr)
    return found


def gathers_of(sweep: Sweep) -> int:
    """Return how many gathers ``numbers_of`` counts in a sweep."""
    mentions = _Mentions()
    return sum(mentions.of(one) for one in _roots(sweep))


def _roots(sweep: Sweep) -> list[Expr]:
    return [one.expr for one in sweep.reductions] + [one.expr for one in sweep.stores]
