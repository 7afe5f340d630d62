"""Matrix products: a tile of results a program, its depth in blocks, with whatever follows fused.

The factors may be any expressions of what they read. Two plain reads of one dtype of 16 bits go to the tensor cores as
they are and are added up in float32; anything else is multiplied in float32, never in less (``precision``). Programs
that share factors follow each other: ``group`` rows of tiles go together, column by column.
"""

from __future__ import annotations

from typing import Final

from gpu_skills.cpp.laying import Lying
from gpu_skills.cpp.lowering import Folding, Lowered, lower
from gpu_skills.graph import DType, Folded, Read
from gpu_skills.tiles.choices import Choices, Tiling
from gpu_skills.tiles.emitting import Emitter, Scope, Tile
from gpu_skills.tiles.naming import Names
from gpu_skills.tiles.writing import Written, ahead, taken_apart

SHORT: Final = (DType.F16, DType.BF16)
LEAST_SIDE: Final = 16
"""Of a tile: a tensor core takes no less."""


def product(names: Names, lying: Lying, choices: Choices, tiling: Tiling) -> Written:
    """Return the kernel of a sweep that is a product of matrices."""
    return _Product(names, lying, choices, tiling).written()


def factors(lowered: Lowered, lying: Lying, fold: Folding) -> tuple[int, int]:
    """Return the factor that moves along the rows of the result, and the one along its columns."""
    a, b = lowered.values[fold.value].inputs
    axes = lowered.values[a].axes
    return (a, b) if lying.other in axes and lying.lanes not in axes else (b, a)


def is_short(lowered: Lowered, names: Names, pair: tuple[int, int]) -> bool:
    """Tell whether two factors are plain reads of one dtype of 16 bits."""
    values = [lowered.values[one] for one in pair]
    if any(one.kind is not Read for one in values):
        return False
    first, second = (names.dtype(f"r{names.reads[one.name]}") for one in values)
    return first is second and first in SHORT


class _Product:
    def __init__(self, names: Names, lying: Lying, choices: Choices, tiling: Tiling) -> None:
        self.names, self.lying, self.choices, self.tiling = names, lying, choices, tiling
        self.lowered = lower(names.sweep)
        self.m, self.n, self.k = lying.other, lying.lanes, self.lowered.last
        self.batch = [axis for axis in range(self.k) if axis not in (self.m, self.n)]
        self.scope, self.loop = Scope(), Scope()
        self.left = self._emitter(self.m, self.k, "a", {self.k: "ka"}, {self.k: "ma"})
        self.right = self._emitter(self.k, self.n, "b", {self.k: "kb"}, {self.k: "mb"})
        self.after = Emitter(self.lowered, names, self._tile(self.m, self.n, "", {}, {}), self.scope)

    def _emitter(
        self, down: int, across: int, prefix: str, index: dict[int, str], masks: dict[int, str]
    ) -> Emitter:  # fmt: skip
        tile = self._tile(down, across, prefix, index, masks)
        emitter = Emitter(self.lowered, self.names, tile, Scope(self.scope.lines))
        emitter.loop = Scope(self.loop.lines)
        return emitter

    def _tile(self, down: int, across: int, prefix: str, index: dict[int, str], masks: dict[int, str]) -> Tile:
        places = {axis: f"i{axis}" for axis in (*self.batch, self.m, self.n)} | index
        edges = {axis: f"m{axis}" for axis in (self.m, self.n)} | masks
        inner = self.k if index else None
        return Tile(down, across, places, edges, inner, prefix, precise=self.choices.precise_division)

    def written(self) -> Written:
        self.scope.lines += self._places()
        folds = [(at, one) for at, one in enumerate(self.lowered.folds)]
        for at, fold in folds:
            self._multiplied(at, fold)
        lines = self.scope.lines
        lines += [f"f{at} = tl.zeros([BM, BN], tl.float32)" for at, _ in folds]
        lines += [f"for first in range(0, n{self.k}, BK):", *(f"    {line}" for line in self._depth())]
        for at, fold in folds:
            self._call(fold, f"f{at}")
        for store in self.lowered.stores:
            lines.append(self.after.stored(store.at, store.value))
        fixed = ["BM", "BN", "BK", "EVEN_M", "EVEN_N", "EVEN_K"]
        return Written(lines, self._launch(), fixed, self.tiling.stages, self.choices.persistent)

    def _places(self) -> list[str]:
        m, n, group = self.m, self.n, self.tiling.group
        high, wide = ahead(f"n{m}", "BM"), ahead(f"n{n}", "BN")
        digits = [("inside", "(high * wide)"), *((f"b{axis}", f"n{axis}") for axis in reversed(self.batch))]
        return [
            f"high = {high}",
            f"wide = {wide}",
            *taken_apart(digits),
            f"top = inside // ({group} * wide) * {group}",
            f"tall = tl.minimum(high - top, {group})",
            f"within = inside % ({group} * wide)",
            *(f"i{axis} = tl.cast(b{axis}, tl.int64)" for axis in self.batch),
            f"i{m} = tl.cast(top + within % tall, tl.int64) * BM + tl.arange(0, BM)[:, None]",
            f"i{n} = within // tall * BN + tl.arange(0, BN)[None, :]",
            f"m{m} = (i{m} < n{m}) | EVEN_M",
            f"m{n} = (i{n} < n{n}) | EVEN_N",
        ]

    def _depth(self) -> list[str]:
        k = f"n{self.k}"
        return ["ka = first + tl.arange(0, BK)[None, :]", "kb = first + tl.arange(0, BK)[:, None]",
                f"ma = (ka < {k}) | EVEN_K", f"mb = (kb < {k}) | EVEN_K", *self.loop.lines]  # fmt: skip

    def _multiplied(self, at: int, fold: Folding) -> None:
        left, right = factors(self.lowered, self.lying, fold)
        if is_short(self.lowered, self.names, (left, right)):
            a, b, how = self.left.raw(left), self.right.raw(right), ""
        else:
            a, b = self._within(self.left, left, "ma"), self._within(self.right, right, "mb")
            how = f', input_precision="{self.tiling.precision}"'
        self.loop.lines.append(f"f{at} = tl.dot({a}, {b}, f{at}{how})")

    def _within(self, emit: Emitter, value: int, mask: str) -> str:
        """Beyond the depth a factor counts nothing: what was not read is 0, what was computed of it need not be."""
        name = emit.number(value)
        return name if self.lowered.values[value].kind is Read else f"tl.where({mask}, {name}, 0.0)"

    def _call(self, fold: Folding, name: str) -> None:
        for number, value in enumerate(self.lowered.values):
            if value.kind is Folded and value.name == fold.name:
                self.scope.names["v", number] = name

    def _launch(self) -> list[str]:
        tiling, lines = self.tiling, []
        for side, most, axis in (
            ("BM", tiling.rows, self.m),
            ("BN", tiling.columns, self.n),
            ("BK", tiling.depth, self.k),
        ):
            lines.append(f"{side} = min({most}, max({LEAST_SIDE}, ceiling(n{axis})))")
        counts = [ahead(f"n{self.m}", "BM"), ahead(f"n{self.n}", "BN"), *(f"n{axis}" for axis in self.batch)]
        return [*lines, f"EVEN_M, EVEN_N, EVEN_K = n{self.m} % BM == 0, n{self.n} % BN == 0, n{self.k} % BK == 0",
                f"units = {' * '.join(counts)}", f"warps = {tiling.warps}"]  # fmt: skip
