"""Rows of the table for GPUs as programs: those of a machine without one in 16 bits, and what only a GPU is asked."""

from __future__ import annotations

from dataclasses import replace

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
    Store,
    Sweep,
    Tensor,
)
from gpu_skills.model import Problem

EXACT = "scores"
"""A tensor that stays float32: it is rounded when its rows were normed, not before."""


def typed(problem: Problem, dtype: DType) -> Problem:
    """Return a problem whose floats are of another dtype."""
    tensors = tuple(
        replace(one, dtype=dtype) if one.dtype is DType.F32 and one.name != EXACT else one
        for one in problem.program.tensors
    )
    return replace(problem, program=replace(problem.program, tensors=tensors))


def _tensor(name: str, *shape: int, role: Role = Role.INPUT) -> Tensor:
    return Tensor(name, shape, DType.F32, role)


def _of(fn: Fn, *arguments: Expr) -> Expr:
    return Apply(fn, arguments)


def _product(name: str, a: str, b: str) -> Reduction:
    return Reduction(name, Fold.SUM, _of(Fn.MUL, Read(a), Read(b)))


def matmul(m: int, n: int, k: int) -> Problem:
    """a @ b."""
    reads = (("a", Access("a", (k, 0, 1))), ("b", Access("b", (0, 1, n))))
    store = Store(Access("out", (n, 1, 0)), Folded("product"), once=True)
    sweep = Sweep((m, n, k), reads, (_product("product", "a", "b"),), (store,))
    tensors = (_tensor("a", m, k), _tensor("b", k, n), _tensor("out", m, n, role=Role.OUTPUT))
    return Problem("matmul", Program(tensors, (sweep,)))


def rotary_half(heads: int, length: int, width: int) -> Problem:
    """(x0 cos - x1 sin, x1 cos + x0 sin) for the two halves of each row; cos and sin are half as wide as x."""
    half = width // 2
    place = (length * width, width, 1)
    reads = (("x0", Access("x", place)), ("x1", Access("x", place, half)),
             ("cos", Access("cos", (0, half, 1))), ("sin", Access("sin", (0, half, 1))))  # fmt: skip

    def turned(fn: Fn, a: str, b: str) -> Expr:
        return _of(fn, _of(Fn.MUL, Read(a), Read("cos")), _of(Fn.MUL, Read(b), Read("sin")))

    stores = (Store(Access("out", place), turned(Fn.SUB, "x0", "x1")),
              Store(Access("out", place, half), turned(Fn.ADD, "x1", "x0")))  # fmt: skip
    tensors = (_tensor("x", heads, length, width), _tensor("cos", length, half), _tensor("sin", length, half),
               _tensor("out", heads, length, width, role=Role.OUTPUT))  # fmt: skip
    return Problem("rotary", Program(tensors, (Sweep((heads, length, half), reads, (), stores),)))


def swiglu_mlp(batch: int, width: int, hidden: int) -> Problem:
    """(silu(x @ gate.T) * (x @ up.T)) @ down.T: two products that share a factor, and a third one of what they make."""
    weights = (_tensor("gate", hidden, width, role=Role.WEIGHT), _tensor("up", hidden, width, role=Role.WEIGHT),
               _tensor("down", width, hidden, role=Role.WEIGHT))  # fmt: skip
    reads = (
        ("x", Access("x", (width, 0, 1))),
        ("g", Access("gate", (0, width, 1))),
        ("u", Access("up", (0, width, 1))),
    )
    gated = _of(Fn.MUL, _of(Fn.MUL, Folded("a"), _of(Fn.SIGMOID, Folded("a"))), Folded("b"))
    first = Sweep((batch, hidden, width), reads, (_product("a", "x", "g"), _product("b", "x", "u")),
                  (Store(Access("h", (hidden, 1, 0)), gated, once=True),))  # fmt: skip
    reads = (("h", Access("h", (hidden, 0, 1))), ("d", Access("down", (0, hidden, 1))))
    second = Sweep((batch, width, hidden), reads, (_product("c", "h", "d"),),
                   (Store(Access("out", (width, 1, 0)), Folded("c"), once=True),))  # fmt: skip
    tensors = (_tensor("x", batch, width), *weights, _tensor("h", batch, hidden, role=Role.SCRATCH),
               _tensor("out", batch, width, role=Role.OUTPUT))  # fmt: skip
    return Problem("swiglu_mlp", Program(tensors, (first, second)))


def attention(heads: int, length: int, width: int) -> Problem:
    """Causal attention of heads as it can be said in sweeps: scores, their softmax, and its product with the values."""
    lying = (length * width, width)
    reads = (("q", Access("q", (*lying, 0, 1))), ("k", Access("k", (lying[0], 0, width, 1))))
    scaled = _of(Fn.MUL, Folded("product"), Parameter("scale", width**-0.5))
    seen = _of(Fn.WHERE, _of(Fn.LE, Position(2), Position(1)), scaled, Number(float("-inf")))
    square = (length * length, length, 1)
    scores = Sweep((heads, length, length, width), reads, (_product("product", "q", "k"),),
                   (Store(Access(EXACT, (*square, 0)), seen, once=True),))  # fmt: skip
    raised = _of(Fn.EXP, _of(Fn.SUB, Read("s"), Folded("top")))
    folds = (Reduction("top", Fold.MAX, Read("s")), Reduction("total", Fold.SUM, raised))
    store = Store(Access("weights", square), _of(Fn.DIV, raised, Folded("total")))
    softmax = Sweep((heads, length, length), (("s", Access(EXACT, square)),), folds, (store,))
    reads = (("w", Access("weights", (length * length, length, 0, 1))), ("v", Access("v", (lying[0], 0, 1, width))))
    mixed = Sweep((heads, length, width, length), reads, (_product("sum", "w", "v"),),
                  (Store(Access("out", (*lying, 1, 0)), Folded("sum"), once=True),))  # fmt: skip
    inputs = tuple(_tensor(name, heads, length, width) for name in ("q", "k", "v"))
    between = tuple(_tensor(name, heads, length, length, role=Role.SCRATCH) for name in (EXACT, "weights"))
    out = _tensor("out", heads, length, width, role=Role.OUTPUT)
    return Problem("attention", Program((*inputs, *between, out), (scores, softmax, mixed)))
