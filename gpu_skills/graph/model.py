"""The nouns of a program: tensors, expressions, sweeps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DType(StrEnum):
    """What an element is, by numpy's name where numpy has one (bfloat16 is kept as its 16 bits)."""

    F64 = "float64"
    F32 = "float32"
    F16 = "float16"
    BF16 = "bfloat16"
    I64 = "int64"
    I32 = "int32"
    I8 = "int8"
    BOOL = "bool"


class Role(StrEnum):
    """Who fills a tensor: the caller (inputs and weights), the last step (outputs), a step for another (scratch)."""

    INPUT = "input"
    WEIGHT = "weight"
    OUTPUT = "output"
    SCRATCH = "scratch"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor by name; contiguous, row by row, ``shape`` in elements."""

    name: str
    shape: tuple[int, ...]
    dtype: DType
    role: Role


class Fn(StrEnum):
    """A function of elements. Comparisons give 1 or 0; ``WHERE`` takes its second where the first is not 0."""

    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    POW = "pow"
    NEG = "neg"
    ABS = "abs"
    SIGN = "sign"
    EXP = "exp"
    EXPM1 = "expm1"
    LOG = "log"
    LOG1P = "log1p"
    SQRT = "sqrt"
    RSQRT = "rsqrt"
    TANH = "tanh"
    ERF = "erf"
    SIGMOID = "sigmoid"
    SIN = "sin"
    COS = "cos"
    FLOOR = "floor"
    CEIL = "ceil"
    ROUND = "round"
    LT = "lt"
    LE = "le"
    EQ = "eq"
    NE = "ne"
    AND = "and"
    NOT = "not"
    WHERE = "where"


@dataclass(frozen=True, slots=True)
class Read:
    """The element of an access at which the sweep stands."""

    access: str


@dataclass(frozen=True, slots=True)
class Gather:
    """An element beside: of ``access``, moved by ``index`` times ``stride`` elements; ``0 <= index < size``."""

    access: str
    index: Expr
    stride: int
    size: int


@dataclass(frozen=True, slots=True)
class Number:
    """A constant of the structure: 0.5 of a GELU."""

    value: float


@dataclass(frozen=True, slots=True)
class Parameter:
    """A constant that may be another one the next time: an epsilon, a slope. Known by its name, given when it runs."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Size:
    """How long an axis is (``axis`` counts from the outermost): the divisor of a mean."""

    axis: int


@dataclass(frozen=True, slots=True)
class Position:
    """Where the sweep stands on an axis, from 0."""

    axis: int


@dataclass(frozen=True, slots=True)
class Folded:
    """What an earlier reduction of the same sweep came to, in this row."""

    reduction: str


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of expressions."""

    fn: Fn
    arguments: tuple[Expr, ...]


Expr = Read | Gather | Number | Parameter | Size | Position | Folded | Apply


class Fold(StrEnum):
    """How a row becomes one number."""

    SUM = "sum"
    MAX = "max"
    MIN = "min"


@dataclass(frozen=True, slots=True)
class Reduction:
    """``expr`` folded over the last axis. It may name reductions that stand before it."""

    name: str
    fold: Fold
    expr: Expr


@dataclass(frozen=True, slots=True)
class Access:
    """How a sweep goes through a tensor: it begins at ``offset`` and moves by ``strides`` elements, one an axis.

    A stride of 0 does not move: the tensor is broadcast along that axis.
    """

    tensor: str
    strides: tuple[int, ...]
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Store:
    """Where ``expr`` is written: for each element, or, with ``once``, once a row when its reductions are known.

    Of a store that happens once the last stride is 0 and ``expr`` reads nothing that moves along the last axis.
    """

    to: Access
    expr: Expr
    once: bool = False


@dataclass(frozen=True, slots=True)
class Sweep:
    """One pass, as a person would think of it, over ``axes``: reductions over the last of them, in order, and stores.

    ``reads`` are named; an expression names them. A row is one place on all axes but the last.
    """

    axes: tuple[int, ...]
    reads: tuple[tuple[str, Access], ...]
    reductions: tuple[Reduction, ...]
    stores: tuple[Store, ...]

    def access(self, name: str) -> Access:
        """Return how ``name`` is read. Raises KeyError."""
        return dict(self.reads)[name]


@dataclass(frozen=True, slots=True)
class Library:
    """A step that stays with its library: a convolution. ``operation`` says what and ``why`` says why it stays."""

    operation: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    why: str


Step = Sweep | Library


@dataclass(frozen=True, slots=True)
class Program:
    """Steps over tensors, in order. Every output is written whole; scratch is written before it is read."""

    tensors: tuple[Tensor, ...]
    steps: tuple[Step, ...]

    def tensor(self, name: str) -> Tensor:
        """Return a tensor by name. Raises KeyError."""
        return {one.name: one for one in self.tensors}[name]

    def of(self, *roles: Role) -> tuple[Tensor, ...]:
        """Return the tensors with one of ``roles``, in order."""
        return tuple(one for one in self.tensors if one.role in roles)
