"""The nouns of the family: a GPU that kernels are made for, and what a compiled kernel is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of GPU: ``capability`` as Triton counts it (90), its processors, the shared memory of one program.

    ``processors`` is how many persistent programs there are to one: where a GPU is there, its own number is taken.
    """

    name: str
    capability: int
    processors: int
    shared_bytes: int


TARGETS: Final[Mapping[int, Target]] = {
    one.capability: one
    for one in (
        Target("sm_80 (A100)", 80, 108, 163 << 10),
        Target("sm_90 (H100, H200)", 90, 132, 227 << 10),
        Target("sm_100 (B200)", 100, 148, 227 << 10),
    )
}
"""Targets that kernels are compiled for without a GPU. Source: the CUDA C++ Programming Guide, compute capabilities."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """One kernel of a source as machine code, read from its cubin with cuobjdump.

    ``spills`` counts stores to local memory (STL), ``wide_loads`` those of the ``loads`` from global memory that take
    16 bytes (LDG.128, or as a copy to shared memory), ``tensor_cores`` the instructions that multiply matrices, and
    ``warp_groups`` those among them of sm_90 (HGMMA) and sm_100 (UTCMMA).
    """

    kernel: str
    registers: int
    stack_bytes: int
    spills: int
    shared_bytes: int
    warps: int
    loads: int
    wide_loads: int
    wide_stores: int
    tensor_cores: int
    warp_groups: int
    size_bytes: int
    seconds: float
