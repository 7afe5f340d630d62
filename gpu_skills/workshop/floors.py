"""The least time that a problem can take by this machine's measured ceilings: its bytes, or its multiplications."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from gpu_skills.graph import Program, Role, Sweep
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.judge.storage import kind
from gpu_skills.parts import is_sum_of_products


@dataclass(frozen=True, slots=True)
class Floor:
    """Bytes that must be read and written, operations of products, the least time of each, and which one binds."""

    size_bytes: int
    operations: int
    memory_ns: float
    compute_ns: float

    @property
    def ns(self) -> float:
        """Return the least time of one call in nanoseconds."""
        return max(self.memory_ns, self.compute_ns)

    @property
    def bound(self) -> str:
        """Return ``memory`` or ``compute``: what binds."""
        return "memory" if self.memory_ns >= self.compute_ns else "compute"


def floor_of(program: Program, peaks: Ceilings) -> Floor:
    """Return the floor of ``program`` on one thread, every tensor read or written once."""
    read = sum(_bytes(program, role) for role in (Role.INPUT, Role.WEIGHT))
    written = _bytes(program, Role.OUTPUT)
    copied = 2 * min(read, written)
    rest = read + written - copied
    copy = max(peaks.copy_gb_s, peaks.copy_past_cache_gb_s)
    memory_ns = copied / copy + rest / max(peaks.read_gb_s, copy)
    operations = sum(_operations(one) for one in program.steps if isinstance(one, Sweep))
    return Floor(read + written, operations, memory_ns, operations / peaks.multiply_add_gflop_s)


def _bytes(program: Program, role: Role) -> int:
    return sum(prod(one.shape) * kind(one.dtype).itemsize for one in program.of(role))


def _operations(sweep: Sweep) -> int:
    products = sum(1 for one in sweep.reductions if is_sum_of_products(one))
    return 2 * prod(sweep.axes) * products if len(sweep.axes) > 2 else 0
