"""Loops over a tile: passes over the row with their folds, row buffer and stores.

Two ways to lie: **along**, the lanes run along the axis that is folded (rows are contiguous: norms, softmax), with
several accumulators for each fold; and **down**, the lanes run along another axis and each is a row of its own (folds
over an axis that is not contiguous). Sums are taken in blocks, so that the error of a long row stays that of a short.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gpu_skills.cpp.emitting import Emitter, Place, Scope, Shape
from gpu_skills.cpp.lowering import Folding, Lowered
from gpu_skills.cpp.naming import Names
from gpu_skills.cpp.passes import Pass, Passes, follows_online
from gpu_skills.graph import Fold, Folded, Read

START: Final = {Fold.SUM: "0.0f", Fold.MAX: "-INF", Fold.MIN: "INF"}
LINE: Final = 16
"""Floats in a line of the caches."""
ACROSS: Final = {Fold.SUM: "sum_across", Fold.MAX: "max_across", Fold.MIN: "min_across"}


@dataclass(frozen=True, slots=True)
class Choices:
    """What a genome decides about loops. ``prefetch`` is in elements ahead, 0 for none."""

    lanes: int = 16
    unroll: int = 4
    at_once: int = 1
    stream: bool = False
    prefetch: int = 0
    ahead: bool = False
    """Whether the second pass over a row, which reads it from a cache, asks memory for the next row."""
    reciprocal: bool = True
    online: bool = False
    keep: str = "costly"
    block: int = 64
    """Vectors of one accumulator between two additions to the total."""


def joined(fold: Fold, a: str, b: str) -> str:
    """Return the text that joins two parts of a fold."""
    return f"{a} + {b}" if fold is Fold.SUM else f"{'maximum' if fold is Fold.MAX else 'minimum'}({a}, {b})"


class Tile:
    """Writes what happens to one tile, for one shape of it."""

    def __init__(self, lowered: Lowered, names: Names, shape: Shape, passes: Passes, choices: Choices) -> None:
        self.lowered, self.names, self.shape, self.passes, self.choices = lowered, names, shape, passes, choices
        self.emit = Emitter(lowered, names, shape, reciprocal=choices.reciprocal)
        self.down = shape.inner != shape.lanes
        self.prefetched: set[str] = set()

    def lines(self) -> list[str]:
        """Return the lines of the tile: every pass, then what is stored once a row."""
        for one in self.passes.each:
            self._pass(one)
        for store in self.passes.once:
            for place in self._places(self.shape.unroll if self.down else 1):
                self._once(store.at, store.value, place)
        return self.emit.tile.lines

    def _places(self, unroll: int) -> list[Place]:
        return [(r, u) for u in range(unroll) for r in range(self.shape.at_once)]

    def _spots(self, value: int) -> list[Place]:
        """Return the places of the tile that have a total of their own for a fold of ``value``."""
        axes = self.lowered.values[value].axes
        rows = range(self.shape.at_once if self.shape.rows in axes else 1)
        return [(r, u) for u in range(self.shape.unroll if self.down and self.shape.lanes in axes else 1) for r in rows]

    def _spot(self, value: int, place: Place) -> str:
        axes = self.lowered.values[value].axes
        u = place[1] if self.down and self.shape.lanes in axes else 0
        return f"r{self.shape.row(axes, place[0])}u{u}"

    # -- a pass -------------------------------------------------------------------------------------------------

    def _pass(self, one: Pass) -> None:
        tile = self.emit.tile
        folds = [*one.folds, *one.online]
        for fold in folds:
            for place in self._spots(fold.value):
                tile.lines.append(f"vf {self._total(fold, place)} = splat({START[fold.fold]});")
        if folds:
            self._in_blocks(one)
            for fold in folds:
                self._folded(fold, one)
        else:
            self._phase(one, one.folds, tile, ("j0", "j1") if not self.down else ("0", self._length()))
        for value in one.keeps:
            self.emit.kept[value] = self.passes.kept.index(value)

    def _length(self) -> str:
        return f"n{self.shape.inner}"

    def _total(self, fold: Folding, place: Place) -> str:
        return f"t_{self._number(fold)}{self._spot(fold.value, place)}"

    def _number(self, fold: Folding) -> int:
        return self.lowered.folds.index(fold)

    def _in_blocks(self, one: Pass) -> None:
        tile = self.emit.tile
        start, end = ("0", self._length()) if self.down else ("j0", "j1")
        step = self.choices.block * (1 if self.down else self.shape.unroll) * (1 if self.down else self.choices.lanes)
        head = [f"for (int64_t b0 = {start}; b0 < {end}; b0 += {step}) {{",
                f"const int64_t b1 = {end} - b0 < {step} ? {end} : b0 + {step};"]  # fmt: skip
        inside = Scope()
        self._phase(one, one.folds, inside, ("b0", "b1"))
        if one.online:
            self._online(one, inside)
        tile.lines += [*head, *inside.lines, "}"]

    def _online(self, one: Pass, inside: Scope) -> None:
        """Follow the running maxima: what was summed under an older one is scaled, then the block is summed."""
        tops = {follows_online(self.lowered, fold) for fold in one.online}
        self.emit.block, self.emit.running = inside, frozenset(top for top in tops if top)
        for name in sorted(self.emit.running):
            top = self.lowered.fold(name)
            for place in self._spots(top.value):
                total = self._total(top, place)
                mine = f"m{total}"
                now = total if self.down else f"max_across({total})"
                inside.lines.append(f"const vf {mine} = {now}; {total} = {mine};")
                self.emit.tile.lines.append(f"vf o{total} = splat(-INF);")
                self._name(inside, top, place, mine)
        for fold in one.online:
            self._rescaled(fold, inside)
        self._phase(Pass(), one.online, inside, ("b0", "b1"))
        for name in sorted(self.emit.running):
            top = self.lowered.fold(name)
            inside.lines += [f"o{t} = {t};" for t in (self._total(top, place) for place in self._spots(top.value))]
        self.emit.block, self.emit.running = None, frozenset()

    def _rescaled(self, fold: Folding, inside: Scope) -> None:
        for place in self._spots(fold.value):
            sum_, top = self._total(fold, place), self._top(fold, place)
            same = f"{top} == o{top}"
            inside.lines.append(f"{sum_} = pick({same}, {sum_}, {sum_} * exp_(o{top} - {top}));")

    def _top(self, fold: Folding, place: Place) -> str:
        name = follows_online(self.lowered, fold)
        assert name is not None
        return self._total(self.lowered.fold(name), place)

    def _folded(self, fold: Folding, one: Pass) -> None:
        """Name what a fold came to."""
        for place in self._spots(fold.value):
            total = self._total(fold, place)
            now = total if self.down else f"{ACROSS[fold.fold]}({total})"
            if fold in one.online:
                now = f"pick({self._top(fold, place)} == -INF, splat(NOT_A_NUMBER), {now})"
            self.emit.tile.lines.append(f"const vf f_{total} = {now};")
            self._name(self.emit.tile, fold, place, f"f_{total}")

    def _name(self, scope: Scope, fold: Folding, place: Place, name: str) -> None:
        for number, value in enumerate(self.lowered.values):
            if value.kind is Folded and value.name == fold.name:
                scope.names[self.emit.key(number, place)] = name

    # -- loops --------------------------------------------------------------------------------------------------

    def _phase(self, one: Pass, folds: list[Folding], around: Scope, span: tuple[str, str]) -> None:
        """Write the loops over ``span``: accumulators, whole tiles, single vectors, the rest of the row."""
        unroll = self.shape.unroll
        begin, end = span
        for fold in folds:
            around.lines += [f"vf {name} = splat({START[fold.fold]});" for name in self._accumulators(fold)]
        if self.down:
            around.lines += [f"for (int64_t k = {begin}; k < {end}; k++) {{", *self._body(one, folds, unroll), "}"]
        else:
            around.lines += self._along(one, folds, span)
        for fold in folds:
            around.lines += self._added(fold)

    def _along(self, one: Pass, folds: list[Folding], span: tuple[str, str]) -> list[str]:
        unroll, (begin, end) = self.shape.unroll, span
        # Written as "j + step <= end" a loop would overflow where end is near the largest number: sizes are checked.
        lines = ["{", f"int64_t j = {begin};"]
        if unroll > 1:
            head = f"for (; j + {unroll} * LANES <= {end}; j += {unroll} * LANES) {{"
            lines += [head, *self._body(one, folds, unroll), "}"]
        lines += [f"for (; j + LANES <= {end}; j += LANES) {{", *self._body(one, folds, 1), "}"]
        self.shape.part = True
        lines += [f"if (j < {end}) {{", f"const int64_t n = {end} - j;", *self._body(one, folds, 1), "}", "}"]
        self.shape.part = False
        return lines

    def _accumulators(self, fold: Folding) -> list[str]:
        unroll = 1 if self.down else self.shape.unroll
        return [f"a{u}_{self._total(fold, place)}" for place in self._spots(fold.value) for u in range(unroll)]

    def _added(self, fold: Folding) -> list[str]:
        """Join the accumulators to the total, pair by pair."""
        lines = []
        unroll = 1 if self.down else self.shape.unroll
        for place in self._spots(fold.value):
            total = self._total(fold, place)
            width = unroll
            while width > 1:
                width //= 2
                lines += [f"a{u}_{total} = {joined(fold.fold, f'a{u}_{total}', f'a{u + width}_{total}')};"
                          for u in range(width)]  # fmt: skip
            new = f"a0_{total}"
            if self.emit.running:
                new = f"pick({self._top(fold, place)} == -INF, splat(0.0f), {new})"
            lines.append(f"{total} = {joined(fold.fold, total, new)};")
        return lines

    def _body(self, one: Pass, folds: list[Folding], unroll: int) -> list[str]:
        self.emit.loop = scope = Scope()
        if not self.shape.part:
            self._prefetch(one, folds, unroll)
        for place in self._places(unroll):
            for fold in folds:
                self._accumulate(fold, place)
            for value in one.keeps:
                where = self.emit.buffer(self.passes.kept.index(value), place)
                if self.emit.key(value, place)[1] == place[0]:
                    scope.lines.append(f"store({where}, {self.emit.vector(value, place)});")
            for store in one.stores:
                vector = self.emit.vector(store.value, place)
                scope.lines.append(self.emit.stored(store.at, vector, place, stream=self.choices.stream))
        self.emit.loop = None
        return scope.lines

    def _accumulate(self, fold: Folding, place: Place) -> None:
        axes = self.lowered.values[fold.value].axes
        if (place[0] and self.shape.rows not in axes) or (self.down and place[1] and self.shape.lanes not in axes):
            return
        scope = self.emit.loop
        assert scope is not None
        vector = self.emit.vector(fold.value, place)
        if self.shape.part and not self.down:
            vector = f"keep(n, {vector}, {START[fold.fold]})"
        name = f"a{0 if self.down else place[1]}_{self._total(fold, place)}"
        scope.lines.append(f"{name} = {joined(fold.fold, name, vector)};")

    def _prefetch(self, one: Pass, folds: list[Folding], unroll: int) -> None:
        """Ask for what the rows of large tensors hold further ahead, where they are read for the first time."""
        if self.down:
            return
        if self.choices.ahead and len(self.passes.each) > 1 and one is self.passes.each[1]:
            self._ask_for_next_row(unroll)
        if not self.choices.prefetch or one is not self.passes.each[0] or (folds and not one.folds):
            return
        under = self.lowered.under(*(store.value for store in one.stores), *(fold.value for fold in folds))
        for name in sorted({self.lowered.values[v].name for v in under if self.lowered.values[v].kind is Read}):
            self._ask_for(name, str(self.choices.prefetch), unroll)

    def _ask_for_next_row(self, unroll: int) -> None:
        """Ask for the row after this tile's, of everything that has another one there."""
        following = max((axis for axis in range(self.lowered.last + 1) if axis != self.shape.lanes), default=None)
        if following is None:
            return
        count = self.shape.at_once if following == self.shape.rows else 1
        for name, access in self.names.sweep.reads:
            if access.strides[following]:
                self._ask_for(name, f"{count} * {self.names.read_stride(name, following)}", unroll)

    def _ask_for(self, name: str, further: str, unroll: int) -> None:
        """Ask for what a read of a large tensor holds ``further`` elements on, a line at a time."""
        scope, what, access = self.emit.loop, f"r{self.names.reads[name]}", self.names.read(name)
        assert scope is not None
        if access.strides[self.shape.lanes] != 1 or sum(stride != 0 for stride in access.strides) < 2:
            return
        for r, u in self._places(unroll):
            if u * self.choices.lanes % LINE == 0 and (not r or access.strides[self.shape.rows or 0]):
                scope.lines.append(f"__builtin_prefetch({self.emit.address(what, (r, u))} + {further});")

    def _once(self, at: int, value: int, place: Place) -> None:
        lines = self.emit.tile.lines
        vector = self.emit.vector(value, place)
        if self.down:
            lines.append(self.emit.stored(at, vector, place, stream=False))
        else:
            lines.append(f"store_first({self.emit.pointer(f'w{at}', place)}, {vector});")
