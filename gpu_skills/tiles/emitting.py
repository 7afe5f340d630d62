"""Values as lines of Triton: every value once, in the widest scope in which it stands still.

A tile has rows along one axis of a sweep and columns along another. What moves along both is a block of both sizes,
what moves along one of them is one row or one column of it, what stands still is a scalar: Triton broadcasts them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gpu_skills.cpp.lowering import MASKS, Lowered, Value
from gpu_skills.graph import DType, Fn, Folded, Gather, Number, Parameter, Position, Read, Size
from gpu_skills.tiles.functions import FORMS, PRECISE_DIVISION
from gpu_skills.tiles.naming import Names

WHOLE: Final = {DType.I64: "tl.int64", DType.I32: "tl.int32", DType.I8: "tl.int8"}
"""Dtypes whose values are whole numbers; a truth value is a byte that is 0 or 1."""


@dataclass(slots=True)
class Scope:
    """Lines of a kernel, and what values are called in them."""

    lines: list[str] = field(default_factory=list)
    names: dict[tuple[str, int], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tile:
    """How a tile lies in a sweep: what the place on each axis is called, and the mask of the axes in the tile.

    ``inner`` is the axis along which a loop goes, if there is one; ``prefix`` tells the names of two tiles apart.
    """

    rows: int | None
    columns: int
    index: dict[int, str]
    masks: dict[int, str]
    inner: int | None = None
    prefix: str = ""
    precise: bool = False


class Emitter:
    """Writes the values of a sweep into scopes: of the tile, and of a loop inside it."""

    def __init__(self, lowered: Lowered, names: Names, tile: Tile, outside: Scope) -> None:
        self.lowered, self.names, self.tile = lowered, names, tile
        self.outside = outside
        self.loop: Scope | None = None
        self.running: frozenset[str] = frozenset()
        self.hint = ""
        """What loads of large tensors say of the caches: ", eviction_policy=..." or nothing."""

    # -- scopes -------------------------------------------------------------------------------------------------

    def inside(self, axes: frozenset[int], folds: frozenset[str] = frozenset()) -> Scope:
        """Return the scope of something that moves along ``axes`` and needs ``folds``."""
        if self.loop is not None and (self.tile.inner in axes or folds & self.running):
            return self.loop
        return self.outside

    def _scope(self, value: int) -> Scope:
        one = self.lowered.values[value]
        return self.inside(one.axes, one.folds)

    def known(self, kind: str, value: int) -> str | None:
        """Return what a value is called where it is already written."""
        for scope in (self.loop, self.outside):
            if scope is not None and (kind, value) in scope.names:
                return scope.names[kind, value]
        return None

    def _written(self, kind: str, value: int, text: str) -> str:
        scope = self._scope(value)
        name = f"{self.tile.prefix}{kind}{value}"
        scope.lines.append(f"{name} = {text}")
        scope.names[kind, value] = name
        return name

    # -- values -------------------------------------------------------------------------------------------------

    def number(self, value: int) -> str:
        """Return the name of a value as float32, and write what it takes."""
        if self.lowered.values[value].fn in MASKS:
            return self.known("u", value) or self._written("u", value, f"tl.where({self._name(value)}, 1.0, 0.0)")
        return self._name(value)

    def mask(self, value: int) -> str:
        """Return whether a value is not 0, element by element."""
        name = self._name(value)
        return name if self.lowered.values[value].fn in MASKS else f"({name} != 0.0)"

    def _name(self, value: int) -> str:
        return self.known("v", value) or self._written("v", value, self._text(value))

    def _text(self, value: int) -> str:
        one = self.lowered.values[value]
        if one.kind in (Read, Gather):
            return self._as_float(value)
        if one.kind is Number:
            return f"tl.full([1, 1], {literal(one.number)}, tl.float32)"
        if one.kind is Parameter:
            return f"p{self.names.parameters[one.name]}"
        if one.kind is Size:
            return f"tl.cast(n{one.axis}, tl.float32)"
        if one.kind is Position:
            return f"tl.cast({self.tile.index[one.axis]}, tl.float32)"
        assert one.kind is not Folded, f"{one.name} is written by the fold"
        return self._apply(one)

    def _apply(self, one: Value) -> str:
        fn, inputs = one.fn, one.inputs
        assert fn is not None
        if fn is Fn.WHERE:
            yes, no = (self.number(each) for each in inputs[1:])
            return f"tl.where({self.mask(inputs[0])}, {yes}, {no})"
        if fn is Fn.AND:
            return " & ".join(self.mask(each) for each in inputs)
        if fn is Fn.NOT:
            return f"{self.number(inputs[0])} == 0.0"
        form = PRECISE_DIVISION if fn is Fn.DIV and self.tile.precise else FORMS[fn]
        return form.format(*(self.number(each) for each in inputs))

    # -- reading ------------------------------------------------------------------------------------------------

    def dtype(self, value: int) -> DType:
        """Return the dtype of what a read or a gather loads."""
        return self.names.dtype(self._what(value))

    def _what(self, value: int) -> str:
        return f"r{self.names.reads[self.lowered.values[value].name]}"

    def raw(self, value: int) -> str:
        """Return what a read or a gather loads, in the dtype of its tensor."""
        return self.known("x", value) or self._written("x", value, self._loaded(value))

    def _as_float(self, value: int) -> str:
        raw, dtype = self.raw(value), self.dtype(value)
        text = raw if dtype is DType.F32 else f"tl.cast({raw}, tl.float32)"
        if dtype is DType.BOOL:
            text = f"tl.where({raw} != 0, 1.0, 0.0)"
        if self.lowered.values[value].kind is Gather:
            return f"tl.where({self._chosen(value)[1]}, {text}, NAN)"
        return text

    def _loaded(self, value: int) -> str:
        one, what = self.lowered.values[value], self._what(value)
        moving = self._moving(what)
        address = self.address(what)
        masks = self._masks(one.axes)
        if one.kind is Gather:
            index, there = self._chosen(value)
            address += f" + {index} * g{one.gather}s"
            masks.append(there)
        mask = f", mask={' & '.join(masks)}, other=0" if masks else ""
        hint = self.hint if len(moving) > 1 else ""
        return f"tl.load({address}{mask}{hint})"

    def _chosen(self, value: int) -> tuple[str, str]:
        """Return the names of a gather's index, and of whether it is one."""
        known, there = self.known("g", value), self.known("h", value)
        if known and there:
            return known, there
        one = self.lowered.values[value]
        index = self._exact(one.inputs[0])
        scope = self._scope(one.inputs[0])
        names = f"{self.tile.prefix}g{value}", f"{self.tile.prefix}h{value}"
        scope.lines += [f"{names[0]} = {index}",
                        f"{names[1]} = ({names[0]} >= 0) & ({names[0]} < g{one.gather}n)"]  # fmt: skip
        scope.names["g", value], scope.names["h", value] = names
        return names

    def _exact(self, value: int) -> str:
        """Return an index as a whole number: one that was stored as such never becomes a float on the way."""
        one = self.lowered.values[value]
        if one.kind is Position:
            return f"tl.cast({self.tile.index[one.axis]}, tl.int64)"
        if one.kind in (Read, Gather) and self.dtype(value) in WHOLE:
            return f"tl.cast({self.raw(value)}, tl.int64)"
        name = self.number(value)
        return f"tl.cast(tl.where({name} == {name}, {name}, -1.0), tl.int64)"

    # -- places -------------------------------------------------------------------------------------------------

    def _moving(self, what: str) -> list[int]:
        return [axis for axis, stride in enumerate(self.names.access(what).strides) if stride != 0]

    def _masks(self, axes: frozenset[int]) -> list[str]:
        return [self.tile.masks[axis] for axis in (self.tile.rows, self.tile.columns)
                if axis is not None and axis in axes]  # fmt: skip

    def address(self, what: str) -> str:
        """Return the addresses of an access in the tile; what of them stands still in the loop is written before it."""
        tile = (self.tile.rows, self.tile.columns)
        outer = [axis for axis in self._moving(what) if axis not in tile]
        places = [axis for axis in tile if axis is not None and axis in self._moving(what)]
        still = [axis for axis in (*outer, *places) if axis != self.tile.inner]
        base = f"{self.tile.prefix}{what}p"
        if ("p", _key(what)) not in self.outside.names:
            terms = "".join(f" + {self._moved(what, axis)}" for axis in still)
            self.outside.lines.append(f"{base} = {self.names.tensor(what)} + {what}o{terms}")
            self.outside.names["p", _key(what)] = base
        rest = [axis for axis in places if axis == self.tile.inner]
        return base + "".join(f" + {self._moved(what, axis)}" for axis in rest)

    def _moved(self, what: str, axis: int) -> str:
        stride, index = self.names.stride(what, axis), self.tile.index[axis]
        return index if stride == "1" else f"tl.cast({index}, tl.int64) * {stride}"

    def stored(self, at: int, value: int) -> str:
        """Return the line that stores a value of the whole tile, or one of each row."""
        what = f"w{at}"
        moving = self._moving(what)
        tile = [axis for axis in (self.tile.rows, self.tile.columns) if axis in moving]
        address = self.address(what) + ("" if tile else " + zero")
        masks = self._masks(frozenset(moving))
        mask = f", mask={' & '.join(masks)}" if masks else ""
        return f"tl.store({address}, {self._cast(what, value)}{mask})"

    def _cast(self, what: str, value: int) -> str:
        dtype = self.names.dtype(what)
        if dtype is DType.BOOL:
            return f"tl.where({self.mask(value)}, 1, 0)"
        name = self.number(value)
        return f"tl.cast({name}, {WHOLE[dtype]})" if dtype in WHOLE else name


def _key(what: str) -> int:
    """Reads have even keys, stores odd ones."""
    return int(what[1:]) * 2 + (what[0] == "w")


def literal(number: float) -> str:
    """Return a number as a constant of a kernel, rounded to float32."""
    with np.errstate(over="ignore"):
        one = float(np.float32(number))
    if math.isnan(one):
        return "NAN"
    if math.isinf(one):
        return "INF" if one > 0 else "-INF"
    return repr(one)
