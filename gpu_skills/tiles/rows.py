"""Sweeps that are no products: pointwise chains, turns, and folds of rows, whole or block by block.

A tile has ``R`` rows and ``C`` columns. Without folds the columns lie along the axis of neighbouring results; with
folds along the folded axis, and a row is whole in the tile or gone through in a loop. Where neighbours lie across the
folded axis the rows are many, and Triton lays threads along them.
"""

from __future__ import annotations

from typing import Final

from gpu_skills.cpp.laying import Lying
from gpu_skills.cpp.laying import Way as Lie
from gpu_skills.cpp.lowering import Folding, Lowered, lower
from gpu_skills.cpp.passes import Pass, follows_online, passes_of
from gpu_skills.graph import Fold, Folded
from gpu_skills.tiles.choices import Choices, Way
from gpu_skills.tiles.emitting import Emitter, Scope, Tile
from gpu_skills.tiles.naming import Names
from gpu_skills.tiles.writing import Written, ahead, taken_apart

TURNED_SIDE, ROWS_ACROSS = 64, 64
"""The longest side of the tile of a turn, and the rows of one whose neighbours lie across the folded axis."""
MOST_COLUMNS: Final = 32768
"""Of a row that is held whole."""
START: Final = {Fold.SUM: "0.0", Fold.MAX: "-INF", Fold.MIN: "INF"}
JOIN: Final = {Fold.SUM: "{0} + {1}", Fold.MAX: "larger({0}, {1})", Fold.MIN: "smaller({0}, {1})"}
ACROSS: Final = {
    Fold.SUM: "tl.sum({0}, 1, keep_dims=True)",
    Fold.MAX: "tl.reduce({0}, 1, larger, keep_dims=True)",
    Fold.MIN: "tl.reduce({0}, 1, smaller, keep_dims=True)",
}  # fmt: skip


def rows(names: Names, lying: Lying, choices: Choices) -> Written:
    """Return the kernel of a sweep that is no product."""
    return _Rows(names, lying, choices).written()


def axes_of(lowered: Lowered, lying: Lying) -> tuple[int | None, int]:
    """Return the axis of the rows of a tile and that of its columns."""
    if lowered.folds:
        return (lying.lanes if lying.way is Lie.DOWN else lying.rows), lowered.last
    return (lying.other if lying.way is Lie.TURNED else lying.rows), lying.lanes


class _Rows:
    def __init__(self, names: Names, lying: Lying, choices: Choices) -> None:
        self.names, self.lying, self.choices = names, lying, choices
        self.lowered = lower(names.sweep)
        self.rows, self.columns = axes_of(self.lowered, lying)
        self.looped = bool(self.lowered.folds) and (choices.way is not Way.WHOLE or lying.way is Lie.DOWN)
        self.passes = passes_of(self.lowered, online=choices.way is Way.ONLINE, keep="none")
        self.scope = Scope()
        self.emit = Emitter(self.lowered, names, self._tile(), self.scope)

    def _tile(self) -> Tile:
        index = {axis: f"i{axis}" for axis in range(self.lowered.last + 1)}
        masks = {axis: f"m{axis}" for axis in (self.rows, self.columns) if axis is not None}
        inner = self.columns if self.looped else None
        return Tile(self.rows, self.columns, index, masks, inner, precise=self.choices.precise_division)

    def written(self) -> Written:
        self.scope.lines += self._places()
        if self.looped:
            for at, one in enumerate(self.passes.each):
                self._pass(one, last=at == len(self.passes.each) - 1)
        else:
            self._whole()
        for store in self.passes.once:
            self.scope.lines.append(self.emit.stored(store.at, store.value))
        fixed = ["R", "C", "EVEN_R", "EVEN_C"]
        return Written(self.scope.lines, self._launch(), fixed, self.choices.stages, self.choices.persistent)

    # -- where a tile lies --------------------------------------------------------------------------------------

    def _places(self) -> list[str]:
        c, lines = self.columns, taken_apart(self._digits())
        for axis in range(self.lowered.last + 1):
            if axis not in (self.rows, c):
                lines.append(f"i{axis} = tl.cast(b{axis}, tl.int64)")
        if self.rows is not None:
            lines.append(f"i{self.rows} = tl.cast(b{self.rows}, tl.int64) * R + tl.arange(0, R)[:, None]")
            lines.append(f"m{self.rows} = (i{self.rows} < n{self.rows}) | EVEN_R")
        if self.looped:
            return [*lines, "columns = tl.arange(0, C)[None, :]"]
        first = "" if self.lowered.folds else f"b{c} * C + "
        return [*lines, f"i{c} = {first}tl.arange(0, C)[None, :]", f"m{c} = (i{c} < n{c}) | EVEN_C"]

    def _digits(self) -> list[tuple[str, str]]:
        digits = [] if self.lowered.folds else [(f"b{self.columns}", ahead(f"n{self.columns}", "C"))]
        if self.rows is not None:
            digits.append((f"b{self.rows}", ahead(f"n{self.rows}", "R")))
        outer = [axis for axis in range(self.lowered.last, -1, -1) if axis not in (self.rows, self.columns)]
        return [*digits, *((f"b{axis}", f"n{axis}") for axis in outer)]

    def _launch(self) -> list[str]:
        """Sizes of the tile: as many columns as there are or fit, rows up to the size of a tile."""
        c, size = f"n{self.columns}", self.choices.elements
        down = f"n{self.rows}" if self.rows is not None else "1"
        if self.lowered.folds and self.lying.way is Lie.DOWN:
            lines = [f"R = min(ceiling({down}), {ROWS_ACROSS})", f"C = max(1, min(ceiling({c}), {size} // R))"]
        else:
            whole = bool(self.lowered.folds) and not self.looped
            most = MOST_COLUMNS if whole else min(size, TURNED_SIDE) if self.lying.way is Lie.TURNED else size
            lines = [f"C = ceiling({c})" if whole else f"C = min(ceiling({c}), {most})",
                     f"R = max(1, min({size} // C, ceiling({down})))"]  # fmt: skip
            if whole:
                lines += [f"if C > {most}:", "    return None"]
        counts = [count for _, count in self._digits()]
        warps = self.choices.warps or "max(1, min(16, R * C // 512))"
        return [*lines, f"EVEN_R, EVEN_C = {down} % R == 0, {c} % C == 0", f"units = {' * '.join(counts) or '1'}",
                f"warps = {warps}"]  # fmt: skip

    # -- what happens in it -------------------------------------------------------------------------------------

    def _whole(self) -> None:
        self._hinted(last=True)
        for fold in self.lowered.folds:
            self._name(fold, ACROSS[fold.fold].format(self._terms(fold)))
        for store in self.lowered.stores:
            if not store.once:
                self.scope.lines.append(self.emit.stored(store.at, store.value))

    def _terms(self, fold: Folding) -> str:
        return f"tl.where(m{self.columns}, {self.emit.number(fold.value)}, {START[fold.fold]})"

    def _name(self, fold: Folding, text: str) -> None:
        at = self.lowered.folds.index(fold)
        self.scope.lines.append(f"f{at} = {text}")
        self._call(fold, f"f{at}", self.scope)

    def _call(self, fold: Folding, name: str, scope: Scope) -> None:
        for number, value in enumerate(self.lowered.values):
            if value.kind is Folded and value.name == fold.name:
                scope.names["v", number] = name

    def _hinted(self, *, last: bool) -> None:
        policy = "evict_first" if last else "evict_last"
        self.emit.hint = f', eviction_policy="{policy}"' if self.choices.streaming else ""

    # -- in blocks ----------------------------------------------------------------------------------------------

    def _pass(self, one: Pass, *, last: bool) -> None:
        tops = {name for fold in one.online if (name := follows_online(self.lowered, fold)) is not None}
        running = [fold for fold in one.folds if fold.name in tops]
        folds = [fold for fold in one.folds if fold.name not in tops]
        after = Scope()
        self._hinted(last=last)
        self.emit.loop, self.emit.running = after, frozenset(tops | {fold.name for fold in one.online})
        for fold in folds:
            self._gathered(fold)
        for fold in running:
            self._topped(fold, [each for each in one.online if follows_online(self.lowered, each) == fold.name])
        for store in one.stores:
            after.lines.append(self.emit.stored(store.at, store.value))
        self.emit.loop, self.emit.running = None, frozenset()
        self._loop(after, [*self._begun(folds), *self._begun_running(running, one.online)])
        for fold in folds:
            self._name(fold, ACROSS[fold.fold].format(self._total(fold)))
        for fold in (*running, *one.online):
            self._ended(fold, one)

    def _loop(self, inside: Scope, begin: list[str]) -> None:
        c = self.columns
        head = [f"i{c} = first + columns", f"m{c} = (i{c} < n{c}) | EVEN_C"]
        lines = [f"    {line}" for line in (*head, *inside.lines)]
        self.scope.lines += [*begin, f"for first in range(0, n{c}, C):", *lines]

    def _total(self, fold: Folding) -> str:
        return f"a{self.lowered.folds.index(fold)}"

    def _down(self, fold: Folding) -> str:
        axes = self.lowered.values[fold.value].axes
        return "R" if self.rows is not None and self.rows in axes else "1"

    def _begun(self, folds: list[Folding]) -> list[str]:
        return [f"{self._total(one)} = tl.full([{self._down(one)}, C], {START[one.fold]}, tl.float32)" for one in folds]

    def _gathered(self, fold: Folding) -> None:
        assert self.emit.loop is not None
        total, terms = self._total(fold), self._terms(fold)
        self.emit.loop.lines.append(f"{total} = {JOIN[fold.fold].format(total, terms)}")

    def _begun_running(self, running: list[Folding], online: list[Folding]) -> list[str]:
        lines = [f"{self._total(one)} = tl.full([{self._down(one)}, 1], -INF, tl.float32)" for one in running]
        return lines + [f"{self._total(one)} = tl.full([{self._down(one)}, 1], 0.0, tl.float32)" for one in online]

    def _topped(self, top: Folding, online: list[Folding]) -> None:
        """A maximum that runs, and the sums of exponentials below it: rescaled where it rises."""
        scope = self.emit.loop
        assert scope is not None
        running = self._total(top)
        mine = f"now{self.lowered.folds.index(top)}"
        scope.lines.append(f"{mine} = larger({running}, {ACROSS[Fold.MAX].format(self._terms(top))})")
        self._call(top, mine, scope)
        for one in online:
            total, terms = self._total(one), self._terms(one)
            kept = f"tl.where({running} == {mine}, {total}, {total} * tl.exp({running} - {mine}))"
            new = f"tl.where({mine} == -INF, 0.0, {ACROSS[Fold.SUM].format(terms)})"
            scope.lines.append(f"{total} = {kept} + {new}")
        scope.lines.append(f"{running} = {mine}")

    def _ended(self, fold: Folding, one: Pass) -> None:
        total = self._total(fold)
        if fold not in one.online:
            self._name(fold, total)
            return
        name = follows_online(self.lowered, fold)
        assert name is not None
        top = self._total(self.lowered.fold(name))
        self._name(fold, f"tl.where({top} == -INF, NAN, {total})")
