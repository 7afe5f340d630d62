"""Memory that judge and racer share: inputs that only the judge can write, outputs that both can, bands between.

What this stops: a kernel writing into its inputs (the file is sealed against every writable mapping but the judge's,
``F_SEAL_FUTURE_WRITE``), growing or cutting the file under the judge, and writing beside an output unseen (a band of a
pattern lies before and after every tensor; the pattern is a NaN of its neighbour's type where it is read as one).
What it does not: reading beside an input. The sanitizer's gate stops that in plain C++; a load written in ``asm``, or
one that is not there in the build with sanitizers, nobody does.

Source: ``memfd_create(2)``, ``fcntl(2)``.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from gpu_skills.errors import JudgeUnavailable
from gpu_skills.graph import DType, Program, Role, Tensor
from gpu_skills.judge.model import Array
from gpu_skills.judge.storage import bits, kind, poison

BAND_BYTES = 4096
_ALIGNED, _STAGGERED = 64, 7
_ADD_SEALS, _SHRINK, _GROW, _FUTURE_WRITE = 1033, 0x2, 0x4, 0x10
_BAND = 0xA5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor lies: in the memory that is given or the one that is taken, from which byte on."""

    taken: bool
    offset: int
    dtype: DType
    shape: tuple[int, ...]

    @property
    def size_bytes(self) -> int:
        """Return how long it is."""
        return prod(self.shape) * kind(self.dtype).itemsize


class Memory:
    """One file of shared memory, and the judge's view of it. Raises JudgeUnavailable where there is not enough."""

    def __init__(self, size_bytes: int, *, sealed: bool) -> None:
        self.size_bytes = -(-max(size_bytes, 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        self.fd = os.memfd_create("steward-judge", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(self.fd, self.size_bytes)
            self._map = mmap.mmap(self.fd, self.size_bytes)
            fcntl.fcntl(self.fd, _ADD_SEALS, _SHRINK | _GROW | (_FUTURE_WRITE if sealed else 0))
        except OSError as error:
            os.close(self.fd)
            raise JudgeUnavailable("judge.memory", f"There is no shared memory of {self.size_bytes} bytes: {error}.",
                                   hint="Judge a smaller problem, or free memory.") from error  # fmt: skip
        self.bytes: Array = np.frombuffer(self._map, dtype=np.uint8)
        self.bytes[:] = _BAND

    def close(self) -> None:
        """Give the file back; the judge's view goes with its last array."""
        if self.fd >= 0:
            os.close(self.fd)
        self.fd = -1
        self.bytes = np.empty(0, dtype=np.uint8)


class Layout:
    """Places for tensors, with bands between them; both memories are made when all have theirs."""

    def __init__(self) -> None:
        self._ends = [BAND_BYTES, BAND_BYTES]
        self._count = 0
        self.places: list[Place] = []

    def add(self, program: Program) -> dict[str, Place]:
        """Return a place for each tensor of ``program``."""
        return {one.name: self._place(one) for one in program.tensors}

    def _place(self, one: Tensor) -> Place:
        taken = one.role in (Role.OUTPUT, Role.SCRATCH)
        # Staggered: equal low bits of addresses would make loads wait for stores that have nothing to do with them.
        stagger = _ALIGNED * (self._count * _STAGGERED % 61)
        offset = -(-self._ends[taken] // _ALIGNED) * _ALIGNED + stagger
        place = Place(taken, offset, one.dtype, one.shape)
        self._ends[taken] = offset + place.size_bytes + BAND_BYTES
        self._count += 1
        self.places.append(place)
        return place

    def made(self) -> Arena:
        """Return the memories."""
        return Arena(Memory(self._ends[0], sealed=True), Memory(self._ends[1], sealed=False), tuple(self.places))


@dataclass(frozen=True, slots=True)
class Arena:
    """Both memories, and all places in them."""

    given: Memory
    taken: Memory
    places: tuple[Place, ...]

    def view(self, place: Place) -> Array:
        """Return a tensor as the judge sees and writes it."""
        memory = self.taken if place.taken else self.given
        raw = memory.bytes[place.offset : place.offset + place.size_bytes]
        return raw.view(kind(place.dtype)).reshape(place.shape)

    def fill(self, places: Mapping[str, Place], values: Mapping[str, Array]) -> None:
        """Write inputs and weights."""
        for name, one in values.items():
            np.copyto(self.view(places[name]), one, casting="no")

    def poison(self, places: Mapping[str, Place], *, second: bool = False) -> None:
        """Fill what a kernel is to write with the pattern of its type."""
        for one in places.values():
            if one.taken:
                bits(self.view(one))[...] = poison(one.dtype, second=second)

    def poisoned(self, place: Place, *, second: bool = False) -> int:
        """Return how many elements still hold the pattern."""
        return int(np.count_nonzero(bits(self.view(place)) == poison(place.dtype, second=second)))

    def broken_bands(self) -> int:
        """Return how many bytes beside tensors that a kernel may write have changed."""
        covered = sorted((one.offset, one.offset + one.size_bytes) for one in self.places if one.taken)
        broken, at = 0, 0
        for first, end in [*covered, (self.taken.size_bytes, 0)]:
            broken += int(np.count_nonzero(self.taken.bytes[at:first] != _BAND))
            at = end
        return broken

    def close(self) -> None:
        """Give both memories back."""
        self.given.close()
        self.taken.close()
