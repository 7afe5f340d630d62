"""Sweeps whose accesses are contiguous along different axes: transposes, and pointwise chains over them.

Both axes go by squares of as many elements as there are lanes; what lies the other way is turned in registers.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpu_skills.cpp.emitting import Emitter, Scope, Shape
from gpu_skills.cpp.laying import Lying
from gpu_skills.cpp.lowering import Lowered, lower
from gpu_skills.cpp.naming import Names
from gpu_skills.cpp.rows import Written, taken_apart
from gpu_skills.cpp.sweeping import Choices
from gpu_skills.graph import Read

SMALL = 12
"""Values of a sweep up to which its square is unrolled: more would not stay in registers, and takes long to compile."""


def turn_function(lanes: int) -> str:
    """Return the C++ that turns a square of ``lanes`` vectors: blocks are swapped, at every size from 1 upwards."""
    lines = ["INL void turn(vf *a) {"]
    step = 1
    while step < lanes:
        low = [lanes + c - step if c & step else c for c in range(lanes)]
        high = [lanes + c if c & step else c + step for c in range(lanes)]
        lines += [f"{{ const vi low = {_list(low)}, high = {_list(high)};"]
        for i in (each for each in range(lanes) if not each & step):
            lines.append(f"{{ vf x = a[{i}], y = a[{i + step}]; a[{i}] = __builtin_shuffle(x, y, low);")
            lines.append(f"a[{i + step}] = __builtin_shuffle(x, y, high); }}")
        lines.append("}")
        step *= 2
    return "\n".join([*lines, "}"]) + "\n"


def _list(numbers: list[int]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}"


@dataclass(slots=True)
class Square:
    """One square: ``lanes`` and ``other`` are its axes; it begins at ``j`` and ``k0``, with ``n`` and ``nk`` there."""

    lowered: Lowered
    names: Names
    lanes: int
    other: int
    part: bool

    def emitter(self) -> Emitter:
        """Return what writes the values of the square, its inner loop along the other axis."""
        return Emitter(self.lowered, self.names, Shape(self.lanes, self.other, None, part=self.part), reciprocal=False)

    def turned(self, what: str) -> bool:
        """Tell whether an access ("r0", "w0") lies the other way."""
        at = int(what[1:])
        access = self.names.sweep.reads[at][1] if what[0] == "r" else self.names.sweep.stores[at].to
        return access.strides[self.other] == 1 and access.strides[self.lanes] not in (0, 1)

    def line(self, emit: Emitter, what: str) -> str:
        """Return the address of lane ``l``'s run along the other axis."""
        return f"{emit.pointer(what, (0, 0))} + (j + l) * {what}s{self.lanes} + k0"

    def reads(self, emit: Emitter, values: list[int]) -> list[str]:
        """Return the lines that load and turn what lies the other way, and name it in the inner loop."""
        lines: list[str] = []
        assert emit.loop is not None
        for number in sorted(self.lowered.under(*values)):
            value = self.lowered.values[number]
            what = f"r{self.names.reads[value.name]}" if value.kind is Read else ""
            if what and self.turned(what):
                array, count = f"a{what}", "n" if self.part else "LANES"
                nk = ", nk" if self.part else ""
                lines.append(f"vf {array}[LANES]{' = {}' if self.part else ''};")
                lines.append(f"for (int64_t l = 0; l < {count}; l++) {array}[l] = {self._load(emit, what, nk)};")
                lines.append(f"turn({array});")
                emit.loop.names[emit.key(number, (0, 0))] = f"{array}[i]"
        return lines

    def _load(self, emit: Emitter, what: str, nk: str) -> str:
        where = self.line(emit, what)
        return f"nk == LANES ? load({where}) : load({where}{nk})" if nk else f"load({where})"

    def loop(self, inner: list[str]) -> list[str]:
        """Return the loop along the other axis around ``inner``."""
        head = f"for (int64_t i = 0; i < {'nk' if self.part else 'LANES'}; i++) {{"
        unrolled = not self.part and len(self.lowered.values) <= SMALL
        return ["#pragma GCC unroll 16" if unrolled else "", head, "const int64_t k = k0 + i;", *inner, "}"]


def turned(names: Names, lying: Lying, choices: Choices) -> Written:
    """Return the C++ of a sweep without folds whose accesses lie two ways."""
    lowered = lower(names.sweep)
    v, u, side = lying.lanes, lying.other, 4 * choices.unroll
    outer = [axis for axis in range(lowered.last + 1) if axis not in (v, u)]
    width = f"({side} * LANES)"
    counts = [f"n{axis}" for axis in outer] + [f"((n{axis} + {width} - 1) / {width})" for axis in (u, v)]
    digits = [f"i{axis}" for axis in outer] + ["bu", "bv"]
    before = taken_apart([(name, count, []) for name, count in zip(digits, counts, strict=True)])
    before += [f"const int64_t u1 = n{u} - bu * {width} < {width} ? n{u} : (bu + 1) * {width};",
               f"const int64_t v1 = n{v} - bv * {width} < {width} ? n{v} : (bv + 1) * {width};"]  # fmt: skip
    loops = [f"for (int64_t k0 = bu * {width}; k0 < u1; k0 += LANES)",
             f"for (int64_t j = bv * {width}; j < v1; j += LANES) {{",
             "const int64_t nk = u1 - k0 < LANES ? u1 - k0 : LANES, n = v1 - j < LANES ? v1 - j : LANES;",
             "if (nk == LANES && n == LANES) {", *_square(Square(lowered, names, v, u, False), choices),
             "} else {", *_square(Square(lowered, names, v, u, True), choices), "}", "}"]  # fmt: skip
    return Written(" * ".join(counts), "0", before, loops)


def _square(square: Square, choices: Choices) -> list[str]:
    emit = square.emitter()
    emit.loop = scope = Scope()
    stores = square.lowered.stores
    reads = square.reads(emit, [one.value for one in stores])
    arrays, after = [], []
    for one in stores:
        vector = emit.vector(one.value)
        if square.turned(f"w{one.at}"):
            arrays.append(f"vf b{one.at}[LANES]{' = {}' if square.part else ''};")
            scope.lines.append(f"b{one.at}[i] = {vector};")
            after += _back(square, emit, one.at, stream=choices.stream)
        else:
            scope.lines.append(_plain(emit, one.at, vector, part=square.part, stream=choices.stream))
    return [*emit.tile.lines, *reads, *arrays, *square.loop(scope.lines), *after]


def _plain(emit: Emitter, at: int, vector: str, *, part: bool, stream: bool) -> str:
    stored = emit.stored(at, vector, (0, 0), stream=stream)
    if not part or "store_apart" in stored:
        return stored
    emit.shape.part = False
    whole = emit.stored(at, vector, (0, 0), stream=False)
    emit.shape.part = True
    return f"if (n == LANES) {{ {whole} }} else {{ {stored} }}"


def _back(square: Square, emit: Emitter, at: int, *, stream: bool) -> list[str]:
    where, count = square.line(emit, f"w{at}"), "n" if square.part else "LANES"
    whole = f"if (in_line(q)) stream(q, b{at}[l]); else store(q, b{at}[l]);" if stream else f"store(q, b{at}[l]);"
    put = f"if (nk < LANES) store(q, b{at}[l], nk); else {{ {whole} }}" if square.part else whole
    return [f"turn(b{at});", f"for (int64_t l = 0; l < {count}; l++) {{ auto *const q = {where}; {put} }}"]
