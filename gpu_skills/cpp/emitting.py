"""Values as lines of C++: every value once in the widest scope in which it stands still.

A kernel goes through a tile: ``at_once`` rows (along one outer axis) times ``unroll`` vectors (along the axis of the
lanes). A value is written once for every row and every vector on which it depends, and no more often.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gpu_skills.cpp.functions import CALLS
from gpu_skills.cpp.lowering import MASKS, Lowered, Value
from gpu_skills.cpp.naming import Names
from gpu_skills.graph import Apply, Fn, Folded, Gather, Number, Parameter, Position, Read, Size

OPERATORS: Final = {Fn.ADD: "+", Fn.SUB: "-", Fn.MUL: "*", Fn.DIV: "/", Fn.LT: "<", Fn.LE: "<=", Fn.EQ: "==",
                    Fn.NE: "!="}  # fmt: skip
Place = tuple[int, int]
"""Which row of the tile, and which vector of it."""


@dataclass(slots=True)
class Scope:
    """Lines of C++, and what values are called in them."""

    lines: list[str] = field(default_factory=list)
    names: dict[tuple[object, int, int], str] = field(default_factory=dict)


@dataclass(slots=True)
class Shape:
    """How a tile lies in a sweep: the axis of the lanes, the axis of rows at once (None: one row), the inner loop."""

    lanes: int
    inner: int
    rows: int | None
    at_once: int = 1
    unroll: int = 1
    part: bool = False
    """Whether the only vector of the tile is a part of one: its first ``n`` lanes."""

    def row(self, axes: frozenset[int], r: int) -> int:
        """Return ``r`` where something that moves along ``axes`` differs from row to row, else 0."""
        return r if self.rows in axes else 0


class Emitter:
    """Writes the values of a sweep into scopes: of the tile, of a block of a running fold, of the inner loop."""

    def __init__(self, lowered: Lowered, names: Names, shape: Shape, *, reciprocal: bool) -> None:
        self.lowered, self.names, self.shape, self.reciprocal = lowered, names, shape, reciprocal
        self.tile = Scope()
        self.block: Scope | None = None
        self.running: frozenset[str] = frozenset()
        self.loop: Scope | None = None
        self.kept: dict[int, int] = {}
        self.position = "j"
        """Where the first lane of the tile stands on the axis of the lanes."""

    # -- places -------------------------------------------------------------------------------------------------

    def key(self, value: int, place: Place) -> tuple[object, int, int]:
        """Return what tells a value of one place of the tile from the same of another."""
        axes = self.lowered.values[value].axes
        return (value, self.shape.row(axes, place[0]), place[1] if self.shape.lanes in axes else 0)

    def scope(self, value: int) -> Scope:
        """Return the scope that a value belongs to."""
        one = self.lowered.values[value]
        if self.shape.inner in one.axes:
            assert self.loop is not None
            return self.loop
        if self.block is not None and one.folds & self.running:
            return self.block
        return self.tile

    def index(self, axis: int, place: Place) -> str:
        """Return where the tile stands on an axis that is not that of the lanes."""
        if axis == self.shape.inner:
            return "k"
        return f"(i{axis} + {place[0]})" if axis == self.shape.rows and place[0] else f"i{axis}"

    def lane(self, u: int) -> str:
        """Return where vector ``u`` begins on the axis of the lanes."""
        return f"{self.position} + {u} * LANES" if u else self.position

    # -- values -------------------------------------------------------------------------------------------------

    def vector(self, value: int, place: Place = (0, 0)) -> str:
        """Return a value as a vector of floats, and write what it takes."""
        name = self.name(value, place)
        return f"one_if({name})" if self.lowered.values[value].fn in MASKS else name

    def mask(self, value: int, place: Place) -> str:
        """Return whether a value is not 0, lane by lane."""
        name = self.name(value, place)
        return name if self.lowered.values[value].fn in MASKS else f"({name} != 0.0f)"

    def name(self, value: int, place: Place) -> str:
        """Return what a value is called at a place, and write it where it is not yet known."""
        scope, key = self.scope(value), self.key(value, place)
        found = self.known(value, place)
        if found is not None:
            return found
        text = self._kept(value, place) if value in self.kept else self._text(self.lowered.values[value], place)
        one = self.lowered.values[value]
        c_type = "vi" if one.fn in MASKS and value not in self.kept else "vf"
        name = f"v{value}r{key[1]}u{key[2]}"
        scope.lines.append(f"const {c_type} {name} = {text};")
        scope.names[key] = name
        return name

    def known(self, value: int, place: Place) -> str | None:
        """Return what a value is called where it is already written."""
        key = self.key(value, place)
        for scope in (self.loop, self.block, self.tile):
            if scope is not None and key in scope.names:
                return scope.names[key]
        return None

    def _kept(self, value: int, place: Place) -> str:
        _, r, u = self.key(value, place)
        return f"raw<vf>({self.buffer(self.kept[value], (r, u))})"

    def buffer(self, which: int, place: Place) -> str:
        """Return where a kept value of a place lies in the row buffer."""
        if self.shape.inner == self.shape.lanes:
            return f"kept + ({which} * {self.shape.at_once} + {place[0]}) * kept_row + {self.lane(place[1])}"
        vectors = self.shape.at_once * self.shape.unroll
        within = f"(k * {vectors} + {place[0] * self.shape.unroll + place[1]}) * LANES"
        return f"kept + {which} * kept_row * {vectors} * LANES + {within}"

    def _text(self, one: Value, place: Place) -> str:  # noqa: PLR0911 - one for each kind
        if one.kind is Read:
            return self._read(one, place)
        if one.kind is Gather:
            return self._gather(one, place)
        if one.kind is Number:
            return f"splat({literal(one.number)})"
        if one.kind is Parameter:
            return f"splat((float)P[{self.names.parameters[one.name]}])"
        if one.kind is Size:
            return f"splat((float)n{one.axis})"
        if one.kind is Position:
            return self._position(one.axis, place)
        assert one.kind is Apply, f"{one} is written by the fold"
        return self._apply(one, place)

    def _position(self, axis: int, place: Place) -> str:
        if axis == self.shape.lanes:
            return f"splat((float)({self.lane(place[1])})) + lane_numbers()"
        return f"splat((float){self.index(axis, place)})"

    def _apply(self, one: Value, place: Place) -> str:  # noqa: PLR0911 - one for each form
        fn, inputs = one.fn, one.inputs
        assert fn is not None
        if fn is Fn.WHERE:
            yes, no = (self.vector(each, place) for each in inputs[1:])
            return f"pick({self.mask(inputs[0], place)}, {yes}, {no})"
        if fn is Fn.AND:
            return " & ".join(self.mask(each, place) for each in inputs)
        if fn is Fn.NOT:
            return f"~{self.mask(inputs[0], place)}"
        if fn in (Fn.MAXIMUM, Fn.MINIMUM):
            return self._larger(fn, inputs, place)
        if fn is Fn.DIV and self._by_row(one):
            return self._quotient(inputs, place)
        texts = [self.vector(each, place) for each in inputs]
        if fn is Fn.NEG:
            return f"-{texts[0]}"
        return f" {OPERATORS[fn]} ".join(texts) if fn in OPERATORS else f"{CALLS[fn]}({', '.join(texts)})"

    def _larger(self, fn: Fn, inputs: tuple[int, ...], place: Place) -> str:
        """A maximum with a constant is one instruction: the constant is a number for sure."""
        for constant, other in (inputs, inputs[::-1]):
            one = self.lowered.values[constant]
            if one.kind is Number and not math.isnan(one.number):
                call = "most" if fn is Fn.MAXIMUM else "least"
                return f"{call}({self.vector(constant, place)}, {self.vector(other, place)})"
        return f"{CALLS[fn]}({', '.join(self.vector(each, place) for each in inputs)})"

    def _by_row(self, one: Value) -> bool:
        """Tell whether this divides what moves in the inner loop by what stands still, the same in all lanes."""
        by = self.lowered.values[one.inputs[1]].axes
        inner = {self.shape.inner, self.shape.lanes}
        return self.reciprocal and self.shape.inner in one.axes and not by & inner

    def _quotient(self, inputs: tuple[int, ...], place: Place) -> str:
        by = self.vector(inputs[1], place)
        scope, key = self.scope(inputs[1]), self.key(inputs[1], place)
        inverse = (("inverse", inputs[1]), key[1], key[2])
        if inverse not in scope.names:
            scope.names[inverse] = f"q{inputs[1]}r{key[1]}u{key[2]}"
            scope.lines.append(f"const vf {scope.names[inverse]} = 1.0f / {by};")
            scope.lines.append(f"const bool {scope.names[inverse]}_is = invertible({by});")
        name = scope.names[inverse]
        return f"quotient({self.vector(inputs[0], place)}, {by}, {name}, {name}_is)"

    # -- reading ------------------------------------------------------------------------------------------------

    def pointer(self, what: str, place: Place) -> str:
        """Return the pointer to where a read or a store ("r0", "w0") stands in this row of the tile."""
        at = int(what[1:])
        access = self.names.sweep.reads[at][1] if what[0] == "r" else self.names.sweep.stores[at].to
        r = place[0] if self.shape.rows is not None and access.strides[self.shape.rows] != 0 else 0
        key = (what, r, 0)
        inner_is_lanes = self.shape.inner == self.shape.lanes
        if key not in self.tile.names:
            self.tile.names[key] = f"{what}p{r}"
            outer = [axis for axis in range(len(access.strides)) if axis not in (self.shape.inner, self.shape.lanes)]
            moves = [(self.index(axis, (r, 0)), self._stride(what, axis)) for axis in outer]
            terms = "".join(f" + {index} * {stride}" for index, stride in moves if stride != "0")
            self.tile.lines.append(f"auto *const {what}p{r} = {what}{terms};")
            if what[0] == "w":
                apart = "" if inner_is_lanes else f" && in_line((void *)({self._stride(what, self.shape.inner)} * 4))"
                self.tile.lines.append(f"const bool {what}p{r}_lined = in_line({what}p{r}){apart};")
        return self.tile.names[key]

    def _stride(self, what: str, axis: int) -> str:
        if what[0] == "r":
            return self.names.read_stride(self.names.sweep.reads[int(what[1:])][0], axis)
        return self.names.store_stride(int(what[1:]), axis)

    def address(self, what: str, place: Place) -> str:
        """Return the address of the first lane of a vector."""
        lanes, inner = self.shape.lanes, self.shape.inner
        text = self.pointer(what, place)
        if inner != lanes and self._stride(what, inner) != "0":
            text += f" + k * {self._stride(what, inner)}"
        if self._stride(what, lanes) != "0":
            text += f" + ({self.lane(place[1])}) * {self._stride(what, lanes)}"
        return text

    def _read(self, one: Value, place: Place) -> str:
        what = f"r{self.names.reads[one.name]}"
        return self.loaded(self.address(what, place), self._stride(what, self.shape.lanes))

    def loaded(self, address: str, stride: str) -> str:
        """Return a vector loaded from an address whose lanes are ``stride`` apart."""
        if stride == "0":
            return f"splat(one(*({address})))"
        if stride == "1":
            return f"load({address}{', n' if self.shape.part else ''})"
        return f"load_apart({address}, {stride}, {'n' if self.shape.part else 'LANES'})"

    def stored(self, at: int, vector: str, place: Place, *, stream: bool) -> str:
        """Return the statement that stores a vector."""
        address, stride = self.address(f"w{at}", place), self._stride(f"w{at}", self.shape.lanes)
        if stride != "1":
            return f"store_apart({address}, {stride}, {vector}, {'n' if self.shape.part else 'LANES'});"
        if self.shape.part:
            return f"store({address}, {vector}, n);"
        plain = f"store({address}, {vector});"
        lined = f"{self.pointer(f'w{at}', place)}_lined"
        return f"if ({lined}) stream({address}, {vector}); else {plain}" if stream else plain

    # -- gathers ------------------------------------------------------------------------------------------------

    def _gather(self, one: Value, place: Place) -> str:
        what = f"r{self.names.reads[one.name]}"
        stride, size = self.names.gather_numbers(one.gather)
        index = self.lowered.values[one.inputs[0]]
        lanes, along = self.shape.lanes, self._stride(what, self.shape.lanes)
        if lanes in index.axes:
            return self._gather_lanes(one, place)
        at = self.scalar(one.inputs[0], place)
        address = self.address(what, place)
        if lanes not in one.axes:
            return f"splat(chosen({address}, {at}, {stride}, {size}))"
        name = self._index(one, at, place)
        loaded = self.loaded(f"{address} + {name} * {stride}", along)
        return f"{name} >= 0 ? {loaded} : splat(NOT_A_NUMBER)"

    def _index(self, one: Value, at: str, place: Place) -> str:
        """Name an index that is the same in all lanes: -1 where it is outside."""
        scope, key = self.scope(one.inputs[0]), self.key(one.inputs[0], place)
        mine = (("index", one.gather), key[1], key[2])
        if mine not in scope.names:
            scope.names[mine] = name = f"x{one.gather}r{key[1]}u{key[2]}"
            size = self.names.gather_numbers(one.gather)[1]
            scope.lines.append(f"const double {name}d = {at};")
            scope.lines.append(
                f"const int64_t {name} = {name}d >= 0 && {name}d < (double){size} ? (int64_t){name}d : -1;"
            )
        return scope.names[mine]

    def _gather_lanes(self, one: Value, place: Place) -> str:
        what = f"r{self.names.reads[one.name]}"
        stride, size = self.names.gather_numbers(one.gather)
        at = self.scalar(one.inputs[0], place, lane=True)
        along = self._stride(what, self.shape.lanes)
        count = "n" if self.shape.part else "LANES"
        chosen = f"chosen({self.address(what, place)} + l * {along}, {at}, {stride}, {size})"
        return f"[&] {{ vf g = {{}}; for (int64_t l = 0; l < {count}; l++) g[l] = {chosen}; return g; }}()"

    def scalar(self, value: int, place: Place, *, lane: bool = False) -> str:
        """Return a value as an expression in float64, of lane ``l`` or, without ``lane``, of all lanes alike.

        Indices are computed so: a float32 does not hold those above 16,777,216.
        """
        one = self.lowered.values[value]
        along = " + l * {}" if lane else ""
        if one.kind is Read:
            what = f"r{self.names.reads[one.name]}"
            moved = along.format(self._stride(what, self.shape.lanes))
            return f"exact(*({self.address(what, place)}{moved}))"
        if one.kind is Gather:
            what = f"r{self.names.reads[one.name]}"
            moved = along.format(self._stride(what, self.shape.lanes))
            stride, size = self.names.gather_numbers(one.gather)
            at = self.scalar(one.inputs[0], place, lane=lane)
            return f"chosen_exact({self.address(what, place)}{moved}, {at}, {stride}, {size})"
        if one.kind is Position:
            on_lanes = one.axis == self.shape.lanes
            moved = f"({self.lane(place[1])}{' + l' if lane else ''})" if on_lanes else self.index(one.axis, place)
            return f"(double){moved}"
        if one.kind is Apply:
            assert one.fn is not None
            return _scalar_call(one.fn, [self.scalar(each, place, lane=lane) for each in one.inputs])
        if one.kind is Folded:
            return f"(double){self.name(value, place)}[{'l' if lane else 0}]"
        return _scalar_leaf(one, self.names)


def _scalar_leaf(one: Value, names: Names) -> str:
    if one.kind is Number:
        return f"({one.number!r})" if math.isfinite(one.number) else f"((double){literal(one.number)})"
    return f"P[{names.parameters[one.name]}]" if one.kind is Parameter else f"(double)n{one.axis}"


_SCALAR: Final = {Fn.NEG: "-({0})", Fn.ABS: "__builtin_fabs({0})", Fn.FLOOR: "__builtin_floor({0})",
                  Fn.CEIL: "__builtin_ceil({0})", Fn.ROUND: "__builtin_rint({0})", Fn.SQRT: "__builtin_sqrt({0})",
                  Fn.NOT: "(double)(({0}) == 0)", Fn.AND: "(double)(({0}) != 0 && ({1}) != 0)",
                  Fn.WHERE: "(({0}) != 0 ? ({1}) : ({2}))", Fn.MAXIMUM: "__builtin_fmax({0}, {1})",
                  Fn.MINIMUM: "__builtin_fmin({0}, {1})", Fn.POW: "__builtin_pow({0}, {1})",
                  Fn.RSQRT: "(1 / __builtin_sqrt({0}))", Fn.SIGMOID: "(1 / (1 + __builtin_exp(-({0}))))",
                  Fn.SIGN: "(double)((({0}) > 0) - (({0}) < 0))"}  # fmt: skip


def _scalar_call(fn: Fn, inputs: list[str]) -> str:
    if fn in OPERATORS:
        return f"(double)(({inputs[0]}) {OPERATORS[fn]} ({inputs[1]}))"
    return _SCALAR.get(fn, f"__builtin_{fn.value}({{0}})").format(*inputs)


def literal(number: float) -> str:
    """Return a number as a float32 of C++, exactly."""
    with np.errstate(over="ignore"):
        one = float(np.float32(number))
    if math.isnan(one):
        return "NOT_A_NUMBER"
    if math.isinf(one):
        return "INF" if one > 0 else "-INF"
    return f"{one.hex()}f"
