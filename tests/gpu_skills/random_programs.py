"""Programs drawn at random: expression trees over several reads, broadcasts, folds over one axis, several stores."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpu_skills.graph import (
    Access,
    Apply,
    DType,
    Expr,
    Fn,
    Fold,
    Folded,
    Number,
    Parameter,
    Position,
    Program,
    Read,
    Reduction,
    Role,
    Size,
    Step,
    Store,
    Sweep,
    Tensor,
)

# Functions that keep a value of normal size normal, so that an error is an error of the kernel and not of the problem.
ONE = (Fn.NEG, Fn.ABS, Fn.TANH, Fn.ERF, Fn.SIGMOID, Fn.SIN, Fn.COS, Fn.SIGN)
TWO = (Fn.ADD, Fn.SUB, Fn.MUL, Fn.MAXIMUM, Fn.MINIMUM)


@dataclass
class _Drawing:
    chance: random.Random
    axes: tuple[int, ...]
    reads: list[tuple[str, Access]] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)

    def leaf(self, folded: list[str]) -> Expr:
        kind = self.chance.random()
        if folded and kind < 0.3:
            # A sum over a row grows with it: its mean does not.
            return Apply(Fn.DIV, (Folded(self.chance.choice(folded)), Size(len(self.axes) - 1)))
        if kind < 0.75:
            return Read(self.chance.choice(self.reads)[0])
        if kind < 0.85:
            return Number(self.chance.choice((0.5, -1.25, 2.0, 0.1)))
        if kind < 0.93:
            return Parameter("slope", 0.3)
        return Apply(Fn.MUL, (Number(0.01), Position(self.chance.randrange(len(self.axes)))))

    def expr(self, depth: int, folded: list[str]) -> Expr:
        if depth == 0:
            return self.leaf(folded)
        kind = self.chance.random()
        if kind < 0.35:
            return self._one(self.expr(depth - 1, folded))
        if kind < 0.45:
            return self._guarded(self.expr(depth - 1, folded))
        if kind < 0.52:
            less = Apply(self.chance.choice((Fn.LT, Fn.LE)), (Read(self.chance.choice(self.reads)[0]), Number(0.25)))
            return Apply(Fn.WHERE, (less, self.expr(depth - 1, folded), self.expr(depth - 1, folded)))
        left = self.expr(depth - 1, folded)
        # The same object twice, now and then: a kernel computes it once.
        right = left if kind > 0.93 else self.expr(depth - 1, folded)
        return Apply(self.chance.choice(TWO), (left, right))

    def _one(self, x: Expr) -> Expr:
        return Apply(self.chance.choice(ONE), (x,))

    def _guarded(self, x: Expr) -> Expr:
        squared = Apply(Fn.ADD, (Number(1.0), Apply(Fn.MUL, (x, x))))
        # Near 1 a logarithm makes much of what float32 rounds away: that is the problem's error, not a kernel's.
        above = Apply(Fn.ADD, (Number(1.5), Apply(Fn.MUL, (x, x))))
        bounded = Apply(Fn.TANH, (x,))
        return self.chance.choice((
            Apply(Fn.SQRT, (squared,)), Apply(Fn.RSQRT, (squared,)), Apply(Fn.LOG, (above,)),
            Apply(Fn.EXP, (bounded,)), Apply(Fn.EXPM1, (bounded,)), Apply(Fn.DIV, (x, squared)),
            Apply(Fn.LOG1P, (Apply(Fn.MUL, (x, x)),)),
        ))  # fmt: skip


def random_program(seed: int, of_size: Mapping[int, tuple[int, ...]] | None = None) -> Program:
    """Return the program of a seed: two or three axes, some broadcast, up to two folds, one to three stores.

    ``of_size`` gives other sizes for two axes and for three; where none is 1 nor equal to another's, all programs of a
    seed have one structure.
    """
    chance = random.Random(seed)
    axes = tuple(chance.choice((1, 2, 3, 5, 7, 16, 17, 33, 100)) for _ in range(chance.choice((2, 2, 3))))
    axes = of_size[len(axes)] if of_size is not None else axes
    drawing = _Drawing(chance, axes)
    for at in range(chance.randint(1, 4)):
        _add_read(drawing, at)
    folds = tuple(_folds(drawing, chance.choice((0, 1, 1, 2))))
    stores = tuple(_store(drawing, at, [one.name for one in folds]) for at in range(chance.randint(1, 3)))
    return Program(tuple(drawing.tensors), (Sweep(axes, tuple(drawing.reads), folds, stores),))


def _add_read(drawing: _Drawing, at: int) -> None:
    """Add a tensor that is broadcast along some axes, or lies in another order of them."""
    moving = [axis for axis in range(len(drawing.axes)) if drawing.chance.random() < 0.7 or at == 0]
    order = list(moving)
    if drawing.chance.random() < 0.25:
        drawing.chance.shuffle(order)
    strides, step = [0] * len(drawing.axes), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= drawing.axes[axis]
    shape = tuple(drawing.axes[axis] for axis in order) or (1,)
    drawing.tensors.append(Tensor(f"in{at}", shape, DType.F32, Role.INPUT))
    drawing.reads.append((f"read{at}", Access(f"in{at}", tuple(strides))))


def _folds(drawing: _Drawing, count: int) -> list[Reduction]:
    found: list[Reduction] = []
    for at in range(count):
        names = [one.name for one in found]
        fold = drawing.chance.choice((Fold.SUM, Fold.SUM, Fold.MAX, Fold.MIN))
        found.append(Reduction(f"fold{at}", fold, drawing.expr(drawing.chance.randint(1, 3), names)))
    return found


def _store(drawing: _Drawing, at: int, folded: list[str]) -> Store:
    once = bool(folded) and drawing.chance.random() < 0.3
    shape = drawing.axes[:-1] if once else drawing.axes
    strides, step = [0] * len(drawing.axes), 1
    for axis in reversed(range(len(shape))):
        strides[axis] = step
        step *= shape[axis]
    drawing.tensors.append(Tensor(f"out{at}", shape, DType.F32, Role.OUTPUT))
    expr = _standing(drawing, folded) if once else drawing.expr(drawing.chance.randint(1, 4), folded)
    return Store(Access(f"out{at}", tuple(strides)), expr, once)


def _standing(drawing: _Drawing, folded: list[str]) -> Expr:
    """An expression of what does not move along the last axis."""
    mean = Apply(Fn.DIV, (Folded(drawing.chance.choice(folded)), Size(len(drawing.axes) - 1)))
    return Apply(Fn.ADD, (Apply(drawing.chance.choice(ONE), (mean,)), Parameter("slope", 0.3)))


def together(programs: Sequence[Program]) -> Program:
    """Return one program with the steps of several, their tensors kept apart: built at once, it takes less time."""
    tensors: list[Tensor] = []
    steps: list[Step] = []
    for at, program in enumerate(programs):
        tensors += [replace(one, name=f"{one.name}_{at}") for one in program.tensors]
        for step in program.steps:
            assert isinstance(step, Sweep)
            reads = tuple((name, replace(one, tensor=f"{one.tensor}_{at}")) for name, one in step.reads)
            stores = tuple(replace(one, to=replace(one.to, tensor=f"{one.to.tensor}_{at}")) for one in step.stores)
            steps.append(replace(step, reads=reads, stores=stores))
    return Program(tuple(tensors), tuple(steps))
