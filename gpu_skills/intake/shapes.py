"""Shapes as they are written: ``4096x4096,4096``, ``x=64x128:bfloat16,target=64:int64<1000``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpu_skills.errors import BadProblem
from gpu_skills.graph import DType

_ONE = re.compile(
    r"(?:(?P<name>[A-Za-z_]\w*)=)?(?P<sizes>\d+(?:x\d+)*|scalar)(?::(?P<dtype>\w+?)(?:<(?P<below>\d+))?)?"
)
_SHORT = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32"}


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of one input. ``below`` bounds whole numbers, 0 where nothing was said."""

    sizes: tuple[int, ...]
    dtype: DType = DType.F32
    name: str = ""
    below: int = 0


def shapes_of(text: str) -> tuple[Shape, ...]:
    """Return the shapes that ``text`` writes, in order. Raises BadProblem."""
    return tuple(_shape(one.strip()) for one in text.split(",") if one.strip())


def _shape(text: str) -> Shape:
    found = _ONE.fullmatch(text)
    if not found:
        raise BadProblem(
            "intake.shapes", f"{text!r} is no shape", hint="write 4096x4096, x=64x128 or target=64:int64<1000"
        )
    named = found["dtype"] or "float32"
    try:
        dtype = DType(_SHORT.get(named, named))
    except ValueError as error:
        kinds = ", ".join(DType)
        raise BadProblem("intake.shapes", f"{named!r} is no type of elements", hint=f"there are {kinds}") from error
    sizes = () if found["sizes"] == "scalar" else tuple(int(one) for one in found["sizes"].split("x"))
    if 0 in sizes:
        raise BadProblem("intake.shapes", f"{text!r} has no elements", hint="every size is at least 1")
    return Shape(sizes, dtype, found["name"] or "", int(found["below"] or 0))


def by_name(shapes: Sequence[Shape], names: Sequence[str]) -> dict[str, Shape]:
    """Return which parameter has which shape: by name, the others in order. Raises BadProblem."""
    found: dict[str, Shape] = {one.name: one for one in shapes if one.name}
    unknown = [name for name in found if name not in names]
    if unknown:
        raise BadProblem("intake.shapes", f"there is no parameter {unknown[0]}", hint=f"there are {', '.join(names)}")
    rest = [name for name in names if name not in found]
    plain = [one for one in shapes if not one.name]
    if len(plain) > len(rest):
        raise BadProblem("intake.shapes", f"{len(shapes)} shapes for {len(names)} parameters",
                         hint=f"the parameters are {', '.join(names) or 'none'}")  # fmt: skip
    return found | dict(zip(rest, plain, strict=False))


def others(shapes: Mapping[str, Shape]) -> Iterator[dict[str, Shape]]:
    """Yield the same inputs at other sizes, small ones.

    First with rows that are independent of columns, then sizes that are equal stay equal, at last other rows alone:
    which of them go together, only the function knows. Sizes up to 4 stay as they are.
    """
    for ladder in _LADDERS:
        for tied in (_rows_of_matrices, _rows, _any, _rows_alone):
            sizes = sorted({tied(one, axis) for one in shapes.values() for axis in range(len(one.sizes))})
            free = [key for key in sizes if key[1] > 4 and key[0] != "kept"]
            moved = {key: ladder[place % len(ladder)] + place // len(ladder) * 64 for place, key in enumerate(free)}
            if moved:
                yield {name: _moved(one, tied, moved) for name, one in shapes.items()}


Key = tuple[str, int]
"""Sizes with one key get one size: what kind of a size it is, and what it was."""


def _rows_of_matrices(shape: Shape, axis: int) -> Key:
    return ("row" if axis == 0 and len(shape.sizes) > 1 else "any", shape.sizes[axis])


def _rows(shape: Shape, axis: int) -> Key:
    return ("row" if axis == 0 and (len(shape.sizes) > 1 or shape.below) else "any", shape.sizes[axis])


def _any(shape: Shape, axis: int) -> Key:
    return ("any", shape.sizes[axis])


def _rows_alone(shape: Shape, axis: int) -> Key:
    return ("row" if axis == 0 else "kept", shape.sizes[axis])


_LADDERS = (
    (37, 53, 71, 29, 43),
    (19, 41, 23, 67, 31),
    (38, 58, 82, 26, 46),
    (24, 36, 60, 20, 28),
    (48, 80, 112, 40, 56),
    (16, 96, 64, 128, 160),
)
"""Sizes for what may have any; for what has to be even; for what has to be divided by 4, by 8, by 16."""


def _moved(shape: Shape, tied: Callable[[Shape, int], Key], moved: Mapping[Key, int]) -> Shape:
    sizes = tuple(moved.get(tied(shape, axis), one) for axis, one in enumerate(shape.sizes))
    below = moved.get(("any", shape.below), shape.below)
    return Shape(sizes, shape.dtype, shape.name, below)
