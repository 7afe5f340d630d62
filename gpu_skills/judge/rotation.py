"""Buffers for timed calls: several sets of them, more than four times the last cache, with new values each time.

Values come from a pool, from a place and with a factor drawn each time, so neither pointer nor content repeats: whoever
remembers either is wrong. After a lap one of its calls, drawn only then, is checked: nothing left unwritten, and some
rows against float64. Nothing tells a candidate which call that will be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

import numpy as np

from gpu_skills.building import this_machine
from gpu_skills.graph import DType, Program, Role, Sweep, Tensor, axes_told
from gpu_skills.judge import noise
from gpu_skills.judge.arena import Arena, Layout, Place
from gpu_skills.judge.exam import CLOSER, Exam, Misses, Wanted, elements, misses, part_wanted, seems_wrong, together
from gpu_skills.judge.families import Family, bounded, indexed, tensor
from gpu_skills.judge.model import Array
from gpu_skills.judge.storage import PRECISION, read
from gpu_skills.model import Filling

_TIMES_CACHE = 4
_FEWEST, _MOST = 2, 8192
_ROWS = 4
_WHOLE = 1 << 19
_POOL_SPARE = 1 << 16


def last_cache_bytes() -> int:
    """Return the size of this machine's last cache, 32 MiB where nothing tells."""
    return this_machine().last_cache_bytes or 32 << 20


class Rotation:
    """Sets of buffers for the problem's own program, and what is needed to fill and check them."""

    def __init__(self, exam: Exam, seed: int) -> None:
        self._exam, self.program = exam, exam.problem.program
        self._chance = np.random.default_rng([seed, 7])
        layout = Layout()
        self.sets = [layout.add(self.program) for _ in range(_how_many(self.program))]
        self.arena: Arena = layout.made()
        self._next = len(self.sets)
        self._pools = {one.name: self._pool(one) for one in self.program.of(Role.INPUT, Role.WEIGHT)}

    def take(self, calls: int) -> range:
        """Return the sets of the next lap: new values in them, what is to be written poisoned, and none in a cache.

        All sets get new values at once, when each was used; since then more than the last cache holds went by.
        """
        if self._next + calls > len(self.sets):
            for places in self.sets:
                self._refill(places)
            self._next = 0
        first, self._next = self._next, self._next + calls
        return range(first, first + calls)

    def _refill(self, places: Mapping[str, Place]) -> None:
        for one in self.program.of(Role.INPUT, Role.WEIGHT):
            self._renew(one, self.arena.view(places[one.name]))
        self.arena.poison(places)

    def drawn(self, chosen: Sequence[int]) -> int:
        """Draw one call of a lap that is over."""
        return int(self._chance.choice(list(chosen)))

    def checked(self, index: int) -> tuple[Misses, int]:
        """Return how far the outputs of a set are off, and how many elements were not written."""
        places = self.sets[index]
        left = sum(self.arena.poisoned(places[one.name]) for one in self.program.of(Role.OUTPUT))
        given = {one.name: self.arena.view(places[one.name]) for one in self.program.of(Role.INPUT, Role.WEIGHT)}
        return together(self._missed(part, given, places) for part in self._parts()), left

    def close(self) -> None:
        """Give the memory back."""
        self.arena.close()

    def _missed(self, part: Program, given: dict[str, Array], places: dict[str, Place]) -> Misses:
        found = together(self._off(part, part_wanted(part, given, self._chance), places))
        if not seems_wrong(found):
            return found
        return together(self._off(part, part_wanted(part, given, self._chance, CLOSER), places))

    def _off(
        self, part: Program, wanted: Iterable[tuple[noise.Stored, Array]], places: Mapping[str, Place]
    ) -> Iterator[Misses]:
        for one, slack in wanted:
            dtype = part.tensor(one.tensor).dtype
            got = read(self.arena.view(places[one.tensor]).reshape(-1)[one.places], dtype)
            yield misses(Wanted(one.values, slack), got)

    def _parts(self) -> list[Program]:
        """Return the program, or some places of its first axis that has any where it is large; each is told alone."""
        step = self.program.steps[0]
        if not noise.one_sweep(self.program) or elements(self.program) <= _WHOLE or not isinstance(step, Sweep):
            return [self.program]
        alone = step.axes[:-1] if step.reductions or len(step.axes) > 1 else step.axes
        told = axes_told(step)
        axis = next((at for at, size in enumerate(alone) if size > 1 and at not in told), None)
        if axis is None:
            return [self.program]
        size = step.axes[axis]
        rows = {0, size - 1, *(int(one) for one in self._chance.integers(size, size=_ROWS))}
        return [noise.part(self.program, one, axis) for one in sorted(rows)]

    def _pool(self, one: Tensor) -> Array:
        count = prod(one.shape)
        pooled = Tensor(one.name, (count + min(_POOL_SPARE, 64 + 8 * count),), one.dtype, one.role)
        fill = bounded(self._exam.problem.fills.get(one.name), indexed(self.program).get(one.name))
        return tensor(pooled, fill, Family.NORMAL, self._chance)

    def _renew(self, one: Tensor, view: Array) -> None:
        pool, flat = self._pools[one.name], view.reshape(-1)
        first = int(self._chance.integers(pool.size - flat.size + 1))
        chosen = pool[first : first + flat.size]
        sign, factor = self._chance.integers(2), self._chance.uniform(0.6, 1.4)
        if one.dtype in (DType.F32, DType.F64) and self._free(one):
            np.multiply(chosen, chosen.dtype.type(factor if sign else -factor), out=flat)
        elif one.dtype in PRECISION and self._free(one):
            np.bitwise_xor(chosen.view(np.uint16), np.uint16(0x8000 * sign), out=flat.view(np.uint16))
        else:
            flat[:] = chosen

    def _free(self, one: Tensor) -> bool:
        wish = self._exam.problem.fills.get(one.name)
        return one.name not in indexed(self.program) and (wish is None or wish.filling is Filling.ANY)


def _how_many(program: Program) -> int:
    layout = Layout()
    size = sum(one.size_bytes for one in layout.add(program).values())
    return min(_MOST, max(_FEWEST, -(-_TIMES_CACHE * last_cache_bytes() // max(size, 1)) + 1))
