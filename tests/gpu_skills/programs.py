"""Programs written by hand: the twelve rows that a machine without a GPU is measured on, at any size."""

from __future__ import annotations

from gpu_skills.graph import (
    Access,
    Apply,
    DType,
    Expr,
    Fn,
    Fold,
    Folded,
    Gather,
    Number,
    Parameter,
    Program,
    Read,
    Reduction,
    Role,
    Size,
    Store,
    Sweep,
    Tensor,
)
from gpu_skills.model import Fill, Filling, Problem


def _tensor(name: str, *shape: int, role: Role = Role.INPUT, dtype: DType = DType.F32) -> Tensor:
    return Tensor(name, shape, dtype, role)


def _out(*shape: int, name: str = "out") -> Tensor:
    return _tensor(name, *shape, role=Role.OUTPUT)


def _of(fn: Fn, *arguments: Expr) -> Expr:
    return Apply(fn, arguments)


def _add(a: Expr, b: Expr) -> Expr:
    return _of(Fn.ADD, a, b)


def _sub(a: Expr, b: Expr) -> Expr:
    return _of(Fn.SUB, a, b)


def _mul(a: Expr, b: Expr) -> Expr:
    return _of(Fn.MUL, a, b)


def _div(a: Expr, b: Expr) -> Expr:
    return _of(Fn.DIV, a, b)


def _whole(tensor: str, cols: int) -> Access:
    return Access(tensor, (cols, 1))


def _columns(tensor: str) -> Access:
    return Access(tensor, (0, 1))


def rmsnorm(rows: int, cols: int, eps: float = 1e-6) -> Problem:
    """x / sqrt(mean(x^2) + eps) * weight."""
    x = Read("x")
    mean = _div(Folded("squares"), Size(1))
    normed = _mul(_mul(x, _of(Fn.RSQRT, _add(mean, Parameter("eps", eps)))), Read("w"))
    reads = (("x", _whole("x", cols)), ("w", _columns("weight")))
    folds = (Reduction("squares", Fold.SUM, _mul(x, x)),)
    sweep = Sweep((rows, cols), reads, folds, (Store(_whole("out", cols), normed),))
    tensors = (_tensor("x", rows, cols), _tensor("weight", cols, role=Role.WEIGHT), _out(rows, cols))
    return Problem("rmsnorm", Program(tensors, (sweep,)))


def layernorm(rows: int, cols: int, eps: float = 1e-5) -> Problem:
    """(x - mean) / sqrt(variance + eps) * weight + bias; the variance about the mean, in a fold of its own."""
    x = Read("x")
    centred = _sub(x, _div(Folded("sum"), Size(1)))
    scale = _of(Fn.RSQRT, _add(_div(Folded("squares"), Size(1)), Parameter("eps", eps)))
    folds = (Reduction("sum", Fold.SUM, x), Reduction("squares", Fold.SUM, _mul(centred, centred)))
    store = Store(_whole("out", cols), _add(_mul(_mul(centred, scale), Read("w")), Read("b")))
    reads = (("x", _whole("x", cols)), ("w", _columns("weight")), ("b", _columns("bias")))
    weights = (_tensor("weight", cols, role=Role.WEIGHT), _tensor("bias", cols, role=Role.WEIGHT))
    tensors = (_tensor("x", rows, cols), *weights, _out(rows, cols))
    return Problem("layernorm", Program(tensors, (Sweep((rows, cols), reads, folds, (store,)),)))


def softmax(rows: int, cols: int) -> Problem:
    """exp(x - max) / sum(exp(x - max))."""
    raised = _of(Fn.EXP, _sub(Read("x"), Folded("top")))
    folds = (Reduction("top", Fold.MAX, Read("x")), Reduction("total", Fold.SUM, raised))
    store = Store(_whole("out", cols), _div(raised, Folded("total")))
    sweep = Sweep((rows, cols), (("x", _whole("x", cols)),), folds, (store,))
    return Problem("softmax", Program((_tensor("x", rows, cols), _out(rows, cols)), (sweep,)))


def _gelu_tanh(x: Expr) -> Expr:
    cubed = _mul(_mul(x, x), x)
    inner = _mul(Number(0.7978845608028654), _add(x, _mul(Number(0.044715), cubed)))
    return _mul(_mul(Number(0.5), x), _add(Number(1.0), _of(Fn.TANH, inner)))


def silu_mul(rows: int, cols: int) -> Problem:
    """silu(g) * u."""
    return _gated("silu_mul", rows, cols, _mul(Read("g"), _of(Fn.SIGMOID, Read("g"))))


def gelu_mul(rows: int, cols: int) -> Problem:
    """gelu_tanh(g) * u."""
    return _gated("gelu_mul", rows, cols, _gelu_tanh(Read("g")))


def _gated(name: str, rows: int, cols: int, gate: Expr) -> Problem:
    reads = tuple((one, _whole(one, cols)) for one in ("g", "u"))
    store = Store(_whole("out", cols), _mul(gate, Read("u")))
    tensors = (_tensor("g", rows, cols), _tensor("u", rows, cols), _out(rows, cols))
    return Problem(name, Program(tensors, (Sweep((rows, cols), reads, (), (store,)),)))


def bias_gelu(rows: int, cols: int) -> Problem:
    """gelu_tanh(x + bias)."""
    reads = (("x", _whole("x", cols)), ("b", _columns("bias")))
    store = Store(_whole("out", cols), _gelu_tanh(_add(Read("x"), Read("b"))))
    tensors = (_tensor("x", rows, cols), _tensor("bias", cols, role=Role.WEIGHT), _out(rows, cols))
    return Problem("bias_gelu", Program(tensors, (Sweep((rows, cols), reads, (), (store,)),)))


def rotary(heads: int, length: int, width: int) -> Problem:
    """x * cos + rotate_half(x) * sin: two halves, read at two offsets and stored at two."""
    half = width // 2
    axes = (heads, length, half)

    def halves(tensor: str, head: int) -> tuple[Access, Access]:
        return Access(tensor, (head, width, 1)), Access(tensor, (head, width, 1), half)

    low, high = halves("x", length * width)
    reads = [("x0", low), ("x1", high)]
    for name in ("cos", "sin"):
        first, second = halves(name, 0)
        reads += [(f"{name}0", first), (f"{name}1", second)]
    to_low, to_high = halves("out", length * width)
    stores = (Store(to_low, _sub(_mul(Read("x0"), Read("cos0")), _mul(Read("x1"), Read("sin0")))),
              Store(to_high, _add(_mul(Read("x1"), Read("cos1")), _mul(Read("x0"), Read("sin1")))))  # fmt: skip
    tensors = (_tensor("x", heads, length, width), _tensor("cos", length, width), _tensor("sin", length, width),
               _out(heads, length, width))  # fmt: skip
    return Problem("rotary", Program(tensors, (Sweep(axes, tuple(reads), (), stores),)))


def add_rmsnorm(rows: int, cols: int, eps: float = 1e-6) -> Problem:
    """h = x + residual, stored; rmsnorm(h) * weight, stored."""
    added = _add(Read("x"), Read("r"))
    mean = _div(Folded("squares"), Size(1))
    normed = _mul(_mul(added, _of(Fn.RSQRT, _add(mean, Parameter("eps", eps)))), Read("w"))
    reads = (("x", _whole("x", cols)), ("r", _whole("residual", cols)), ("w", _columns("weight")))
    stores = (Store(_whole("sum", cols), added), Store(_whole("out", cols), normed))
    sweep = Sweep((rows, cols), reads, (Reduction("squares", Fold.SUM, _mul(added, added)),), stores)
    tensors = (_tensor("x", rows, cols), _tensor("residual", rows, cols), _tensor("weight", cols, role=Role.WEIGHT),
               _out(rows, cols, name="sum"), _out(rows, cols))  # fmt: skip
    return Problem("add_rmsnorm", Program(tensors, (sweep,)))


def reduce_sum(rows: int, cols: int) -> Problem:
    """The sum of each row."""
    store = Store(Access("out", (1, 0)), Folded("sum"), once=True)
    sweep = Sweep((rows, cols), (("x", _whole("x", cols)),), (Reduction("sum", Fold.SUM, Read("x")),), (store,))
    return Problem("reduce_sum", Program((_tensor("x", rows, cols), _out(rows)), (sweep,)))


def cross_entropy(rows: int, classes: int) -> Problem:
    """log(sum(exp(x))) - x[target], for each row."""
    raised = _of(Fn.EXP, _sub(Read("x"), Folded("top")))
    folds = (Reduction("top", Fold.MAX, Read("x")), Reduction("total", Fold.SUM, raised))
    chosen = Gather("row", Read("t"), 1, classes)
    loss = _sub(_add(_of(Fn.LOG, Folded("total")), Folded("top")), chosen)
    reads = (("x", _whole("x", classes)), ("row", Access("x", (classes, 0))), ("t", Access("target", (1, 0))))
    sweep = Sweep((rows, classes), reads, folds, (Store(Access("out", (1, 0)), loss, once=True),))
    tensors = (_tensor("x", rows, classes), _tensor("target", rows, dtype=DType.I64), _out(rows))
    return Problem("cross_entropy", Program(tensors, (sweep,)), fills={"target": Fill(Filling.INDEX, below=classes)})


def transpose(rows: int, cols: int) -> Problem:
    """The other order of two axes."""
    sweep = Sweep((cols, rows), (("x", Access("x", (1, cols))),), (), (Store(Access("out", (rows, 1)), Read("x")),))
    return Problem("transpose", Program((_tensor("x", rows, cols), _out(cols, rows)), (sweep,)))


def matmul_bias_relu(m: int, n: int, k: int) -> Problem:
    """max(a @ b + bias, 0): a fold whose terms are products, and its epilogue."""
    reads = (("a", Access("a", (k, 0, 1))), ("b", Access("b", (0, 1, n))), ("bias", Access("bias", (0, 1, 0))))
    result = _of(Fn.MAXIMUM, _add(Folded("product"), Read("bias")), Number(0.0))
    sweep = Sweep((m, n, k), reads, (Reduction("product", Fold.SUM, _mul(Read("a"), Read("b"))),),
                  (Store(Access("out", (n, 1, 0)), result, once=True),))  # fmt: skip
    tensors = (
        _tensor("a", m, k),
        _tensor("b", k, n, role=Role.WEIGHT),
        _tensor("bias", n, role=Role.WEIGHT),
        _out(m, n),
    )
    return Problem("matmul_bias_relu", Program(tensors, (sweep,)))


def rows_of_the_table(rows: int = 4096, cols: int = 4096) -> tuple[Problem, ...]:
    """Return the twelve problems of the table; rmsnorm stands there twice, against two references."""
    return (rmsnorm(rows, cols), rmsnorm(rows, cols), layernorm(rows, cols), softmax(rows, cols), silu_mul(rows, cols),
            gelu_mul(rows, cols), bias_gelu(rows, cols), rotary(32, max(rows // 2, 1), 128), add_rmsnorm(rows, cols),
            reduce_sum(rows, cols), cross_entropy(rows, cols), cross_entropy(max(rows // 4, 1), cols * 8))  # fmt: skip
