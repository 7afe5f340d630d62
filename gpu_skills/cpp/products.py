"""Matrix products: packed, blocked for the caches and tiled for the registers, with whatever follows fused.

Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008): a panel of the second factor is
packed once for all its depth, blocks of the first are packed for the second cache, a tile of results stays in
registers. The factors may be any expressions of what they read: they are computed while they are packed.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpu_skills.cpp.emitting import Emitter, Scope, Shape
from gpu_skills.cpp.laying import Lying
from gpu_skills.cpp.lowering import Folding, Lowered, lower
from gpu_skills.cpp.naming import Names
from gpu_skills.cpp.rows import Written, taken_apart
from gpu_skills.cpp.sweeping import Choices
from gpu_skills.cpp.turning import Square
from gpu_skills.graph import Folded

ROW_BLOCKS = 8
"""Blocks of rows that are one piece of work: the second factor is packed once for them."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """How a product is cut: the tile in registers, and what is packed at once, in elements."""

    tile_rows: int
    tile_vectors: int
    block_rows: int
    block_columns: int
    block_depth: int

    @staticmethod
    def of(lanes: int) -> tuple[int, int, int, int, int]:
        """Return the blocks to begin with: a tile that leaves a few of 32 or 16 registers for the factors."""
        return (12, 2, 96, 512, 256) if lanes == 16 else (6, 2, 96, 512, 256)


def product(names: Names, lying: Lying, choices: Choices, blocks: Blocks) -> Written:
    """Return the C++ of a sweep that is a product of matrices."""
    return _Product(lower(names.sweep), names, lying, choices, blocks).written()


class _Product:
    def __init__(self, lowered: Lowered, names: Names, lying: Lying, choices: Choices, blocks: Blocks) -> None:
        self.lowered, self.names, self.choices, self.blocks = lowered, names, choices, blocks
        self.n, self.m, self.k = lying.lanes, lying.other, lowered.last
        self.width = blocks.tile_vectors * choices.lanes
        self.rows = -(-blocks.tile_rows // choices.lanes) * choices.lanes
        """How many rows a packed panel has room for."""
        self.tall = -(-blocks.block_rows // blocks.tile_rows) * blocks.tile_rows
        self.wide = -(-blocks.block_columns // self.width) * self.width

    def written(self) -> Written:
        m, n = f"n{self.m}", f"n{self.n}"
        batch = [axis for axis in range(self.k) if axis not in (self.m, self.n)]
        high = self.tall * ROW_BLOCKS
        counts = [f"n{axis}" for axis in batch] + [
            f"(({n} + {self.wide - 1}) / {self.wide})",
            f"(({m} + {high - 1}) / {high})",
        ]
        digits = [f"i{axis}" for axis in batch] + ["bn", "bm"]
        before = taken_apart([(name, count, []) for name, count in zip(digits, counts, strict=True)])
        before += [f"const int64_t c0 = bn * {self.wide}, c1 = {n} - c0 < {self.wide} ? {n} : c0 + {self.wide};",
                   f"const int64_t m0 = bm * {high}, m1 = {m} - m0 < {high} ? {m} : m0 + {high};"]  # fmt: skip
        return Written(" * ".join(counts), self._space(), before, self._body())

    def _space(self) -> str:
        folds = len(self.lowered.folds)
        panels = self.tall // self.blocks.tile_rows * self.rows * self.blocks.block_depth
        return f"{folds} * n{self.k} * {self.wide} + {panels + folds * self.tall * self.wide}"

    def _body(self) -> list[str]:
        lines, folds = [f"const int64_t depth = n{self.k};"], self.lowered.folds
        room = f"{len(folds)} * depth * {self.wide}"
        lines += [f"float *const results = kept + {room};",
                  f"float *const left = results + {len(folds) * self.tall * self.wide};"]  # fmt: skip
        for at, fold in enumerate(folds):
            lines += [f"float *const right{at} = kept + {at} * depth * {self.wide};", *self._pack_right(at, fold)]
        lines += [f"for (int64_t row0 = m0; row0 < m1; row0 += {self.tall}) {{",
                  f"const int64_t row1 = m1 - row0 < {self.tall} ? m1 : row0 + {self.tall};"]  # fmt: skip
        for at, fold in enumerate(folds):
            lines += self._block(at, fold)
        return [*lines, *self._epilogue(), "}"]

    def _factors(self, fold: Folding) -> tuple[int, int]:
        """Return the factor of the rows and that of the columns."""
        a, b = self.lowered.values[fold.value].inputs
        return (a, b) if self.m in self.lowered.values[a].axes and self.n not in self.lowered.values[a].axes else (b, a)

    # -- packing ------------------------------------------------------------------------------------------------

    def _pack_right(self, at: int, fold: Folding) -> list[str]:
        to = f"right{at} + (c - c0) * depth + (j - c)"
        loop = [f"for (int64_t c = c0; c < c1; c += {self.width})",
                f"for (int64_t j = c; j < c + {self.width}; j += LANES) {{", _there("c1")]  # fmt: skip
        value = self._factors(fold)[1]
        return [*loop, *self._packed(value, self.n, to, self.width, ("0", "depth")), "}"]

    def _pack_left(self, fold: Folding) -> list[str]:
        to = f"left + (c - row0) / {self.blocks.tile_rows} * {self.rows} * {self.blocks.block_depth} + (j - c)"
        loop = [f"for (int64_t c = row0; c < row1; c += {self.blocks.tile_rows})",
                f"for (int64_t j = c; j < c + {self.rows}; j += LANES) {{",
                _there(f"n{self.m}")]  # fmt: skip
        value = self._factors(fold)[0]
        return [*loop, *self._packed(value, self.m, to, self.rows, ("d0", "d1")), "}"]

    def _packed(self, value: int, lanes: int, to: str, step: int, span: tuple[str, str]) -> list[str]:
        """Compute a factor over ``span`` of the depth, ``lanes`` of it at a time, with zeros where there is nothing."""
        first, end = span
        head = [f"for (int64_t k0 = {first}; k0 < {end}; k0 += LANES) {{",
                f"const int64_t nk = {end} - k0 < LANES ? {end} - k0 : LANES;", f"float *const to = {to};"]  # fmt: skip
        whole = self._square(value, lanes, step, first, part=False)
        part = self._square(value, lanes, step, first, part=True)
        return [*head, "if (nk == LANES && n == LANES) {", *whole, "} else {", *part, "}", "}"]

    def _square(self, value: int, lanes: int, step: int, first: str, *, part: bool) -> list[str]:
        square = Square(self.lowered, self.names, lanes, self.k, part)
        emit = square.emitter()
        emit.loop = scope = Scope()
        reads = square.reads(emit, [value])
        vector = emit.vector(value)
        if part:
            vector = f"keep(n, {vector}, 0.0f)"
        scope.lines.append(f"store(to + (k - {first}) * {step}, {vector});")
        return [*emit.tile.lines, *reads, *square.loop(scope.lines)]

    # -- the product --------------------------------------------------------------------------------------------

    def _block(self, at: int, fold: Folding) -> list[str]:
        t, depth = self.blocks.tile_rows, self.blocks.block_depth
        panel = f"left + (r - row0) / {t} * {self.rows * depth}"
        other = f"right{at} + (c - c0) * depth + d0 * {self.width}"
        result = f"results + {at * self.tall * self.wide} + (r - row0) * {self.wide} + (c - c0)"
        return [f"for (int64_t d0 = 0; d0 < depth; d0 += {depth}) {{",
                f"const int64_t d1 = depth - d0 < {depth} ? depth : d0 + {depth};", *self._pack_left(fold),
                f"for (int64_t c = c0; c < c1; c += {self.width}) for (int64_t r = row0; r < row1; r += {t}) {{",
                f"const float *a = {panel}, *b = {other}; float *const to = {result};",
                *self._registers(), "}", "}"]  # fmt: skip

    def _registers(self) -> list[str]:
        """The innermost loop: a tile of results in registers, columns of one factor times rows of the other."""
        spots = [(r, v) for r in range(self.blocks.tile_rows) for v in range(self.blocks.tile_vectors)]
        lines = [f"vf x{r}_{v} = splat(0.0f);" for r, v in spots]
        lines.append(f"for (int64_t d = d0; d < d1; d++, a += {self.rows}, b += {self.width}) {{")
        lines += [f"const vf b{v} = raw<vf>(b + {v} * LANES);" for v in range(self.blocks.tile_vectors)]
        for r in range(self.blocks.tile_rows):
            lines.append(f"const vf a{r} = splat(a[{r}]);")
            lines += [f"x{r}_{v} += a{r} * b{v};" for v in range(self.blocks.tile_vectors)]
        lines.append("}")
        where = {spot: f"to + {spot[0]} * {self.wide} + {spot[1]} * LANES" for spot in spots}
        first = [f"store({where[r, v]}, x{r}_{v});" for r, v in spots]
        more = [f"store({where[r, v]}, raw<vf>({where[r, v]}) + x{r}_{v});" for r, v in spots]
        return [*lines, "if (d0 == 0) {", *first, "} else {", *more, "}"]

    # -- what follows -------------------------------------------------------------------------------------------

    def _epilogue(self) -> list[str]:
        head = [
            f"for (int64_t i{self.m} = row0; i{self.m} < row1; i{self.m}++)",
            "for (int64_t j = c0; j < c1; j += LANES) {",
        ]
        n = "const int64_t n = c1 - j;"
        return [
            *head,
            n,
            "if (n >= LANES) {",
            *self._results(part=False),
            "} else {",
            *self._results(part=True),
            "}",
            "}",
        ]

    def _results(self, *, part: bool) -> list[str]:
        emit = Emitter(self.lowered, self.names, Shape(self.n, self.k, None, part=part), reciprocal=False)
        for number, value in enumerate(self.lowered.values):
            if value.kind is Folded:
                at = next(i for i, fold in enumerate(self.lowered.folds) if fold.name == value.name)
                where = f"results + {at * self.tall * self.wide} + (i{self.m} - row0) * {self.wide} + (j - c0)"
                emit.tile.lines.append(f"const vf f{at} = raw<vf>({where});")
                emit.tile.names[emit.key(number, (0, 0))] = f"f{at}"
        for store in self.lowered.stores:
            vector = emit.vector(store.value)
            emit.tile.lines.append(emit.stored(store.at, vector, (0, 0), stream=self.choices.stream))
        return emit.tile.lines


def _there(end: str) -> str:
    """Return the line that counts how many of the lanes from ``j`` on lie before ``end``."""
    return f"const int64_t rest_of = {end} - j, n = rest_of > LANES ? LANES : rest_of < 0 ? 0 : rest_of;"
