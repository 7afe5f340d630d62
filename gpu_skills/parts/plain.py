"""Sweeps as lines of plain PyTorch: how a wrapper runs a part for which no kernel was worth it, and its baseline.

Each distinct expression is one line; a sum of products is ``torch.einsum``, which goes to the library's own product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, prod

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
    Position,
    Program,
    Read,
    Reduction,
    Role,
    Size,
    Step,
    Store,
    Sweep,
)
from gpu_skills.parts.cutting import Part, is_sum_of_products, touched

HELPERS = """
def _see(tensor, sizes, strides, offset):
    return torch.as_strided(tensor, sizes, strides, tensor.storage_offset() + offset)
"""
_CALLS = {
    Fn.ADD: "{} + {}", Fn.SUB: "{} - {}", Fn.MUL: "{} * {}", Fn.DIV: "{} / {}", Fn.NEG: "-{}",
    Fn.MAXIMUM: "torch.maximum({}, {})", Fn.MINIMUM: "torch.minimum({}, {})", Fn.POW: "torch.pow({}, {})",
    Fn.LT: "({} < {}).to({kind})", Fn.LE: "({} <= {}).to({kind})", Fn.EQ: "({} == {}).to({kind})",
    Fn.NE: "({} != {}).to({kind})", Fn.AND: "torch.logical_and({}, {}).to({kind})",
    Fn.NOT: "torch.logical_not({}).to({kind})", Fn.WHERE: "torch.where({} != 0, {}, {})",
}  # fmt: skip
_FOLDS = {Fold.SUM: "sum", Fold.MAX: "amax", Fold.MIN: "amin"}
_LETTERS = "abcdefghijklm"
_WIDE = (DType.F64, DType.I64, DType.I32)


def variable(name: str) -> str:
    """Return what a tensor of a program is called in a wrapper."""
    return f"v_{name}"


def torch_lines(program: Program, sweep: Sweep, prefix: str) -> list[str]:
    """Return the lines that do ``sweep`` on tensors that are there; other names begin with ``prefix``."""
    return _Lines(program, sweep, prefix).all()


class _Lines:
    def __init__(self, program: Program, sweep: Sweep, prefix: str) -> None:
        self._program, self._sweep, self._prefix = program, sweep, prefix
        self._lines: list[str] = []
        self._known: dict[tuple[int, bool], tuple[Expr, str]] = {}
        self._axes = sweep.axes
        self._folded: dict[str, str] = {}
        kinds = [program.tensor(name).dtype for name in touched(sweep)[1]]
        self._kind = "torch.float64" if any(one in _WIDE for one in kinds) else "torch.float32"

    def all(self) -> list[str]:
        for one in self._sweep.reductions:
            self._folded[one.name] = self._reduced(one)
        values = [self._stored(store) for store in self._sweep.stores]
        for store, value in zip(self._sweep.stores, values, strict=True):
            self._lines.append(f"{_seen(store.to, self._axes_of(store))}.copy_({value})")
        return self._lines

    def _axes_of(self, store: Store) -> tuple[int, ...]:
        return (*self._sweep.axes[:-1], 1) if store.once else self._sweep.axes

    def _stored(self, store: Store) -> str:
        self._axes = self._axes_of(store)
        return self._value(store.expr)

    def _name(self, text: str) -> str:
        name = f"{self._prefix}{len(self._lines)}"
        self._lines.append(f"{name} = {text}")
        return name

    def _reduced(self, one: Reduction) -> str:
        if is_sum_of_products(one) and isinstance(one.expr, Apply):
            first, second = (self._sweep.access(each.access) for each in one.expr.arguments if isinstance(each, Read))
            if all(self._program.tensor(each.tensor).dtype is DType.F32 for each in (first, second)):
                return self._name(_product(first, second, self._sweep.axes))
        value = self._value(one.expr)
        sizes = list(self._sweep.axes)
        return self._name(f"torch.broadcast_to({value}, {sizes}).{_FOLDS[one.fold]}(-1, keepdim=True)")

    def _value(self, expr: Expr) -> str:
        key = id(expr), self._axes == self._sweep.axes
        if key not in self._known:
            self._known[key] = expr, self._made(expr)
        return self._known[key][1]

    def _made(self, expr: Expr) -> str:  # noqa: PLR0911
        match expr:
            case Read():
                return self._name(f"{_seen(self._sweep.access(expr.access), self._axes)}{self._as_value(expr)}")
            case Gather():
                return self._gathered(expr)
            case Number() | Parameter():
                return self._name(f"torch.tensor(float('{expr.value!r}'), dtype={self._kind_of(expr.value)})")
            case Size():
                return self._name(f"torch.tensor(float({self._sweep.axes[expr.axis]}), dtype={self._kind})")
            case Position():
                shape = [-1 if axis == expr.axis else 1 for axis in range(len(self._sweep.axes))]
                return self._name(f"torch.arange({self._axes[expr.axis]}, dtype={self._kind}).reshape({shape})")
            case Folded():
                return self._folded[expr.reduction]
            case Apply():
                return self._name(self._applied(expr))

    def _applied(self, expr: Apply) -> str:
        values = [self._value(one) for one in expr.arguments]
        return _CALLS.get(expr.fn, f"torch.{expr.fn.value}({{}})").format(*values, kind=self._kind)

    def _gathered(self, expr: Gather) -> str:
        access = self._sweep.access(expr.access)
        index = self._index(expr.index)
        size = prod(self._program.tensor(access.tensor).shape)
        places = self._name(f"_see(torch.arange({size}), {list(self._axes)}, {list(access.strides)}, "
                            f"{access.offset}) + {index} * {expr.stride}")  # fmt: skip
        return self._name(f"{variable(access.tensor)}.reshape(-1)[{places}]{self._as_value(expr)}")

    def _as_value(self, expr: Read | Gather) -> str:
        """Return the cast of what is read: float32 holds whole numbers of 24 bits, and inputs may have more."""
        dtype = self._program.tensor(self._sweep.access(expr.access).tensor).dtype
        return ".to(torch.float64)" if dtype in _WIDE else f".to({self._kind})"

    def _kind_of(self, value: float) -> str:
        return "torch.float64" if isfinite(value) and value == int(value) and abs(value) > 1 << 24 else self._kind

    def _index(self, expr: Expr) -> str:
        """Whole numbers stay whole where they are read as they lie: float32 holds 24 bits of them."""
        if isinstance(expr, Read):
            return self._name(f"{_seen(self._sweep.access(expr.access), self._axes)}.long()")
        return f"{self._value(expr)}.long()"


def _seen(access: Access, axes: tuple[int, ...]) -> str:
    return f"_see({variable(access.tensor)}, {list(axes)}, {list(access.strides)}, {access.offset})"


def _product(first: Access, second: Access, axes: tuple[int, ...]) -> str:
    """Return a sum of products over the last axis, with a last axis of one element."""
    parts = [list(_moving(one, axes)) for one in (first, second)]
    whole = [axis for axis in range(len(axes) - 1) if any(axis in part for part in parts)]
    last = len(axes) - 1
    if any(last not in part for part in parts):
        parts = [sorted({*part, last}) for part in parts]
    views = [
        f"_see({variable(one.tensor)}, {[axes[axis] for axis in part]}, {[one.strides[axis] for axis in part]}, "
        f"{one.offset})"
        for one, part in zip((first, second), parts, strict=True)
    ]
    told = ["".join(_LETTERS[axis] for axis in part) for part in (*parts, whole)]
    shape = [axes[axis] if axis in whole else 1 for axis in range(last)]
    return f"torch.einsum('{told[0]},{told[1]}->{told[2]}', {views[0]}, {views[1]}).reshape({[*shape, 1]})"


def _moving(access: Access, axes: tuple[int, ...]) -> Iterator[int]:
    return (axis for axis, stride in enumerate(access.strides) if stride != 0 or axes[axis] == 1)


def allocations(program: Program, steps: Sequence[Step], there: set[str]) -> Iterator[str]:
    """Yield the lines that make the tensors which ``steps`` write and which are not ``there``; now they are."""
    for name in dict.fromkeys(name for step in steps for name in touched(step)[1]):
        if name not in there:
            there.add(name)
            one = program.tensor(name)
            yield f"{variable(name)} = torch.empty({list(one.shape)}, dtype=torch.{one.dtype.value})"


def baseline_source(part: Part) -> str:
    """Return a file with ``baseline(*tensors)``: a part in plain torch, of its inputs and weights to its outputs."""
    program = part.problem.program
    given = ", ".join(variable(one.name) for one in program.of(Role.INPUT, Role.WEIGHT))
    outputs = ", ".join(variable(one.name) for one in program.of(Role.OUTPUT))
    there = {one.name for one in program.of(Role.INPUT, Role.WEIGHT)}
    lines = list(allocations(program, program.steps, there))
    for place, step in enumerate(program.steps):
        if isinstance(step, Sweep):
            lines += torch_lines(program, step, f"s{place}_")
    text = "\n".join(f"    {one}" for one in [*lines, f"return ({outputs},)"])
    return f"import torch\n\n{HELPERS}\n\ndef baseline({given}):\n{text}\n"
