"""Programs as JSON, without loss, and what they are known by.

Expressions are a table, each distinct one once, that refers to its own rows: an expression that stands at many places
is written once. The same table makes the hash of a structure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpu_skills.graph.model import (
    Access,
    Apply,
    DType,
    Expr,
    Fn,
    Fold,
    Folded,
    Gather,
    Library,
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
from gpu_skills.graph.soundness import sound

Row = list[Any]
_SPECIAL = ("nan", "inf", "-inf")
_MOST = 1 << 63
_DEEPEST = 320
"""Deeper expressions could be read, but neither be hashed nor written again."""


class Table:
    """Expressions in the order in which they are first met, parts before wholes, equal ones once."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._known: dict[tuple[str, ...], int] = {}
        self._seen: dict[int, tuple[Expr, int]] = {}

    def add(self, expr: Expr) -> int:
        """Return the row of an expression."""
        if id(expr) not in self._seen:
            self._seen[id(expr)] = expr, self._row(self._written(expr))
        return self._seen[id(expr)][1]

    def _row(self, row: Row) -> int:
        key = tuple(map(repr, row))  # 0.0 and -0.0 are equal, and not the same number
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append(row)
        return self._known[key]

    def _written(self, expr: Expr) -> Row:  # noqa: PLR0911
        match expr:
            case Read():
                return ["read", expr.access]
            case Gather():
                return ["gather", expr.access, self.add(expr.index), expr.stride, expr.size]
            case Number():
                return ["number", _plain(expr.value)]
            case Parameter():
                return ["parameter", expr.name, _plain(expr.value)]
            case Size():
                return ["size", expr.axis]
            case Position():
                return ["position", expr.axis]
            case Folded():
                return ["folded", expr.reduction]
            case Apply():
                return ["apply", expr.fn.value, *(self.add(one) for one in expr.arguments)]


def _plain(value: float) -> float | str:
    """JSON has no NaN and no infinities: they are words."""
    value = float(value)
    return value if value - value == 0 else repr(value)


def program_to_json(program: Program) -> dict[str, Any]:
    """Return a program as what JSON holds."""
    table = Table()
    steps = [_step(table, one) for one in program.steps]
    tensors = [[one.name, list(one.shape), one.dtype.value, one.role.value] for one in program.tensors]
    return {"tensors": tensors, "expressions": table.rows, "steps": steps}


def _step(table: Table, step: Step) -> dict[str, Any]:
    if isinstance(step, Library):
        return {"library": step.operation, "reads": list(step.reads), "writes": list(step.writes), "why": step.why}
    return {
        "axes": list(step.axes),
        "reads": [[name, _access(one)] for name, one in step.reads],
        "reductions": [[one.name, one.fold.value, table.add(one.expr)] for one in step.reductions],
        "stores": [[_access(one.to), table.add(one.expr), one.once] for one in step.stores],
    }


def _access(access: Access) -> list[Any]:
    return [access.tensor, list(access.strides), access.offset]


def program_from_json(data: Mapping[str, Any]) -> Program:
    """Return the program that was written. Raises ValueError where it is none."""
    try:
        rows: list[Expr] = []
        depths: list[int] = []
        for row in data["expressions"]:
            rows.append(_expr(row, rows))
            depths.append(_depth(rows[-1], row, depths))
        tensors = tuple(_tensor(one) for one in data["tensors"])
        return sound(Program(tensors, tuple(_step_from(one, rows) for one in data["steps"])))
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"this is no program: {type(error).__name__}: {error}") from error


def _depth(expr: Expr, row: Sequence[Any], depths: Sequence[int]) -> int:
    inside = row[2:] if isinstance(expr, Apply) else row[2:3] if isinstance(expr, Gather) else ()
    found = 1 + max((depths[one] for one in inside), default=0)
    if found > _DEEPEST:
        raise RecursionError(f"an expression is deeper than {_DEEPEST}")
    return found


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    if not -_MOST <= value < _MOST:
        raise OverflowError(f"{value:.3e} takes more than 64 bits" if abs(value) < 10**300 else "a number is too large")
    return value


def _true(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no name")
    return value


def _number(value: Any) -> float:
    if value not in _SPECIAL and type(value) not in (int, float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _earlier(place: Any, rows: Sequence[Expr]) -> Expr:
    if not 0 <= _whole(place) < len(rows):
        raise IndexError(f"row {place} is not there yet")
    return rows[int(place)]


def _expr(row: Sequence[Any], rows: Sequence[Expr]) -> Expr:  # noqa: PLR0911
    kind, *rest = row
    match kind:
        case "read":
            return Read(_word(rest[0]))
        case "gather":
            return Gather(_word(rest[0]), _earlier(rest[1], rows), _whole(rest[2]), _whole(rest[3]))
        case "number":
            return Number(_number(rest[0]))
        case "parameter":
            return Parameter(_word(rest[0]), _number(rest[1]))
        case "size":
            return Size(_whole(rest[0]))
        case "position":
            return Position(_whole(rest[0]))
        case "folded":
            return Folded(_word(rest[0]))
        case "apply":
            return Apply(Fn(rest[0]), tuple(_earlier(one, rows) for one in rest[1:]))
        case _:
            raise TypeError(f"there is no expression {kind!r}")


def _tensor(row: Sequence[Any]) -> Tensor:
    name, shape, dtype, role = row
    return Tensor(_word(name), tuple(_whole(one) for one in shape), DType(dtype), Role(role))


def _step_from(data: Mapping[str, Any], rows: Sequence[Expr]) -> Step:
    if "library" in data:
        reads, writes = (tuple(_word(one) for one in data[key]) for key in ("reads", "writes"))
        return Library(_word(data["library"]), reads, writes, _word(data["why"]))
    return Sweep(
        tuple(_whole(one) for one in data["axes"]),
        tuple((_word(name), _access_from(one)) for name, one in data["reads"]),
        tuple(Reduction(_word(name), Fold(fold), _earlier(place, rows)) for name, fold, place in data["reductions"]),
        tuple(Store(_access_from(to), _earlier(place, rows), _true(once)) for to, place, once in data["stores"]),
    )


def _access_from(row: Sequence[Any]) -> Access:
    tensor, strides, offset = row
    return Access(_word(tensor), tuple(_whole(one) for one in strides), _whole(offset))
