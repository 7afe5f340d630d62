"""Running a kernel of the C++ family in this process, between guards, and holding it against the oracle."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gpu_skills.building import Machine, build, load
from gpu_skills.cpp import generate
from gpu_skills.graph import DType, Program, Role, evaluate, structure_of
from gpu_skills.model import Built, Candidate, Genome, Language, Problem

Array = NDArray[Any]
GUARD_BYTES, GUARD = 256, 0xA5
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++: apt install g++")
NUMPY = {DType.BF16: "uint16", DType.BOOL: "bool"}


def built_of(program: Program, genome: Genome, machine: Machine, folder: Path, *, sanitize: bool = False) -> Built:
    """Build the kernel of a genome."""
    source = generate(program, genome, machine)
    name = hashlib.sha256(source.encode()).hexdigest()[:16]
    return build(Candidate(name, structure_of(program), Language.CPP, source, genome), folder, sanitize=sanitize)


class Tensors:
    """The tensors of a program, each between two guards: inputs filled, everything else poisoned."""

    def __init__(self, program: Program, given: Mapping[str, Array]) -> None:
        self.program = program
        self._buffers: dict[str, Array] = {}
        self.arrays: dict[str, Array] = {}
        for one in program.tensors:
            dtype = np.dtype(NUMPY.get(one.dtype, one.dtype.value))
            size = int(np.prod(one.shape)) * dtype.itemsize
            buffer = np.full(size + 2 * GUARD_BYTES + 64, GUARD, np.uint8)
            begin = GUARD_BYTES + (-(buffer.ctypes.data + GUARD_BYTES)) % 64
            self._buffers[one.name] = buffer
            self.arrays[one.name] = array = buffer[begin : begin + size].view(dtype).reshape(one.shape)
            if one.name in given:
                array[...] = as_bits(given[one.name]) if one.dtype is DType.BF16 else given[one.name]
        self._before = {one.name: self.arrays[one.name].copy() for one in program.of(Role.INPUT, Role.WEIGHT)}

    def check(self) -> None:
        """Fail where a guard or an input was written to."""
        for name, buffer in self._buffers.items():
            array = self.arrays[name]
            begin = array.ctypes.data - buffer.ctypes.data
            assert (buffer[:begin] == GUARD).all(), f"written before {name}"
            assert (buffer[begin + array.nbytes :] == GUARD).all(), f"written after {name}"
        for name, before in self._before.items():
            assert self.arrays[name].tobytes() == before.tobytes(), f"input {name} was changed"

    @property
    def untouched(self) -> bool:
        """Tell whether no output was written."""
        return all((self.arrays[one.name].view(np.uint8) == GUARD).all() for one in self.program.of(Role.OUTPUT))

    def output(self, name: str) -> Array:
        """Return an output as float64 (integers as they are)."""
        array = self.arrays[name]
        if self.program.tensor(name).dtype is DType.BF16:
            return from_bits(array).astype(np.float64)
        return array.astype(np.float64) if array.dtype.kind == "f" else array


def as_bits(values: Array) -> Array:
    """Return float32 values as the 16 bits of bfloat16; what is lost in them is cut off."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def from_bits(bits: Array) -> Array:
    """Return bfloat16 bits as float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def values_of(problem: Problem, seed: int = 1) -> dict[str, Array]:
    """Return values for the inputs and weights of a problem."""
    chance = np.random.default_rng(seed)
    made = {}
    for one in problem.program.of(Role.INPUT, Role.WEIGHT):
        fill = problem.fills.get(one.name)
        whole = fill is not None and fill.below
        made[one.name] = (
            chance.integers(0, fill.below, one.shape) if fill and whole
            else chance.standard_normal(one.shape).astype(np.float32)
        )  # fmt: skip
    return made


def held_against(program: Program, built: Built, given: Mapping[str, Array], *, bound: float, threads: int = 1) -> None:
    """Run a kernel and fail where it differs from the oracle: by norm, and by where there is no number."""
    tensors = Tensors(program, given)
    assert load(built)(program, tensors.arrays, threads) == 0
    tensors.check()
    for name, wanted in evaluate(program, given).items():
        same_as(tensors.output(name), wanted, bound=bound, of=f"{name} of {built.candidate.genome}")


def same_as(found: Array, wanted: Array, *, bound: float, of: str) -> None:
    """Fail where ``found`` differs from ``wanted`` by more than ``bound`` of its norm, or in what is not finite."""
    assert (np.isnan(found) == np.isnan(wanted)).all(), (
        f"{of}: {np.isnan(found).sum()} NaN, not {np.isnan(wanted).sum()}"
    )
    finite = np.isfinite(wanted) & (np.abs(wanted) < 3e38)
    rest = ~finite & ~np.isnan(wanted)
    assert (found[rest] == np.clip(wanted[rest], -np.inf, np.inf)).all(), of
    size = float(np.linalg.norm(wanted[finite])) or 1.0
    error = float(np.linalg.norm(found[finite] - wanted[finite])) / size
    assert error <= bound, f"{of}: error {error:.2e} of the norm, allowed {bound:.1e}"
